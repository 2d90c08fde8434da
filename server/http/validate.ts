import type { Context } from 'hono'
import * as z from 'zod/mini'
import { parseDecimal } from '../../src/lib/contract/common-schemas.ts'
import { createFieldProblem, type FieldErrors, Problem } from '../core/problem.ts'
import { assertDecodable, assertStorableText, type RequestBody } from './body.ts'

const MAX_QUERY_PARAMETERS = 100
type Issues = readonly z.core.$ZodIssue[]

/**
 * Parses a value with a schema.
 * @throws Problem with status 422 when the value does not match the schema. The problem has error codes per field, and
 * never contains the value of a field.
 */
export function parseWithSchema<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const parseResult = z.safeParse(schema, value)
  if (parseResult.success) return parseResult.data
  throw new Problem('validation_error', { errors: toFieldErrors(parseResult.error.issues) })
}

/**
 * Parses a body. Form values are all text: where the schema expects a number, boolean, list or null, the text is
 * converted and the body is parsed again.
 * @throws Problem with status 422 when the body does not match the schema.
 */
export function parseRequestBody<T extends z.ZodMiniType>(schema: T, body: RequestBody): z.output<T> {
  const parseResult = z.safeParse(schema, body.value)
  if (parseResult.success) return parseResult.data
  if (!body.isForm) throw new Problem('validation_error', { errors: toFieldErrors(parseResult.error.issues) })
  for (const issue of parseResult.error.issues)
    if (issue.code === 'invalid_type') convertFormValue(body.value, issue)
  return parseWithSchema(schema, body.value)
}

function convertFormValue(bodyRoot: unknown, issue: z.core.$ZodIssueInvalidType): void {
  const parentPath = issue.path.slice(0, -1)
  const lastKey = issue.path.at(-1)
  let parentObject = bodyRoot as Record<PropertyKey, unknown>
  for (const key of parentPath) parentObject = parentObject[key] as Record<PropertyKey, unknown>
  const fieldText = lastKey === undefined ? undefined : parentObject[lastKey]
  if (lastKey === undefined || typeof fieldText !== 'string') return
  if (issue.expected === 'boolean' && (fieldText === 'true' || fieldText === 'false'))
    parentObject[lastKey] = fieldText === 'true'
  if (issue.expected === 'number' || issue.expected === 'int')
    parentObject[lastKey] = parseDecimal(fieldText) ?? fieldText
  if (issue.expected === 'array') parentObject[lastKey] = [fieldText]
  if (issue.expected === 'null' && fieldText === '') parentObject[lastKey] = null
}

/**
 * Returns the query parameters that the endpoint defines. Ignores all other parameters and empty values. A repeated
 * parameter becomes a list.
 * @throws Problem with status 422 when there are more than MAX_QUERY_PARAMETERS parameters, or when a parameter has
 * malformed percent encoding or text that cannot be stored.
 */
export function readQueryParameters(c: Context, schema: z.ZodMiniType): Record<string, string | string[]> {
  assertDecodable('query', c.req.url.split('?')[1] ?? '')
  const knownParameters = (schema as z.ZodMiniObject).shape
  const query: Record<string, string | string[]> = Object.create(null)
  const parameters = Object.entries(c.req.queries())
  if (parameters.length > MAX_QUERY_PARAMETERS) throw createFieldProblem('query', 'too_many_keys')
  for (const [parameterName, values] of parameters) {
    if (!Object.hasOwn(knownParameters, parameterName)) continue
    for (const value of values) assertStorableText(parameterName, value)
    const nonEmptyValues = values.filter((value) => value !== '')
    if (nonEmptyValues.length > 0)
      query[parameterName] = nonEmptyValues.length === 1 ? (nonEmptyValues[0] as string) : nonEmptyValues
  }
  return query
}

export function toFieldErrors(issues: Issues): FieldErrors {
  const codesByField: FieldErrors = Object.create(null)
  const addError = (field: string, code: string) => {
    codesByField[field] ??= []
    if (!codesByField[field].includes(code)) codesByField[field].push(code)
  }
  for (const issue of issues.slice(0, 20)) {
    const field = issue.path.map(String).join('.') || 'body'
    if (issue.code === 'unrecognized_keys') addError('body', 'unrecognized_keys')
    else addError(field, issue.code)
  }
  return codesByField
}
