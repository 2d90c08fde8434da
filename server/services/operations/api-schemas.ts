/** Converts the zod schemas of the contract to the JSON Schemas of the API reference. */
import * as z from 'zod/mini'
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'

export type OpenApiObject = Record<string, unknown>

/** Pattern for the names of text fields that contain a date and time, by the naming convention of the API. */
const INSTANT_NAME_PATTERN = /_(at|until)$|^last_(active|used)$/

interface SchemaPart {
  zodSchema: z.core.$ZodTypes
  jsonSchema: z.core.JSONSchema.BaseSchema
  path: (string | number)[]
}

/**
 * Returns the JSON Schema of the input or output of a zod schema. For a transform, the output is the
 * transformed value. `override` changes the JSON Schema of each part.
 */
function toJsonSchema(
  schema: z.ZodMiniType,
  io: 'input' | 'output',
  override: (part: SchemaPart) => void,
): OpenApiObject {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override,
  })
  return jsonSchema
}

const isText = ({ type }: z.core.JSONSchema.BaseSchema) => [type].flat().includes('string')

/** Returns the JSON Schema of a reply. */
export function toReplySchema(schema: z.ZodMiniType): OpenApiObject {
  return toJsonSchema(schema, 'output', ({ jsonSchema, path }) => {
    // Later compatible releases may add fields to replies, so a client must not reject unknown fields.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    const fieldName = path[path.lastIndexOf('properties') + 1]
    const isInstantField = INSTANT_NAME_PATTERN.test(String(fieldName)) && jsonSchema.pattern === undefined
    if (isText(jsonSchema) && isInstantField) jsonSchema.format ??= 'date-time'
  })
}

/**
 * Adds a pattern to the schema of a text, unless the schema has a pattern, a format or fixed values. The pattern
 * rejects a text with a NUL character, as the server does for every text of a request. If the schema trims the text and
 * rejects an empty text, the pattern also requires a character that is not white space. If such a schema has a minimum
 * length above 1, the pattern requires this length for the trimmed text.
 */
function addTextPattern({ zodSchema, jsonSchema, path }: SchemaPart): void {
  const { pattern, format, enum: choices, const: value, minLength = 0 } = jsonSchema
  const isRestricted = [pattern, format, choices, value].some((keyword) => keyword !== undefined)
  if (!isText(jsonSchema) || isRestricted || path.at(-1) === 'propertyNames') return
  const isBlankRejected = minLength > 0 && !z.safeParse(zodSchema, ' '.repeat(minLength)).success
  const furtherCharactersPattern = minLength > 1 ? `[^\\u0000]{${minLength - 2},}[^\\s\\u0000]` : ''
  jsonSchema.pattern = isBlankRejected
    ? `^[^\\u0000]*[^\\s\\u0000]${furtherCharactersPattern}[^\\u0000]*$`
    : '^[^\\u0000]*$'
}

/** Returns the JSON Schema of the parameters or of the body of a request. */
export const toRequestSchema = (schema: z.ZodMiniType, io: 'input' | 'output' = 'input'): OpenApiObject =>
  toJsonSchema(schema, io, addTextPattern)

export const getProperties = ({ properties = {} }: OpenApiObject) => properties as OpenApiObject

/** Returns the path and query parameters of an endpoint, as OpenAPI parameter objects. */
export function listParameters(endpoint: Endpoint): OpenApiObject[] {
  return (['path', 'query'] as const).flatMap((location) => {
    const schema = location === 'path' ? endpoint.params : endpoint.query
    const properties = getProperties(toRequestSchema(schema, 'output'))
    // In the output, a parameter with a default is always present. Only the schema of the input shows what the caller
    // must send.
    const { required = [] } = toRequestSchema(schema) as { required?: string[] }
    const requiredNames = location === 'path' ? Object.keys(properties) : required
    return Object.entries(properties).map(([name, parameterSchema]) => ({
      name,
      in: location,
      required: requiredNames.includes(name),
      // An empty value counts as an absent parameter.
      ...(location === 'query' && !requiredNames.includes(name) && { allowEmptyValue: true }),
      schema: parameterSchema,
    }))
  })
}
