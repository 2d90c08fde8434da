import type { Context } from 'hono'
import * as z from 'zod/mini'
import { parseDecimal } from '../../src/lib/contract/common-schemas.ts'
import { createFieldProblem, type FieldErrors, Problem } from '../core/problem.ts'
import { assertDecodable, assertStorableText, type RequestBody } from './body.ts'

const MAX_QUERY_PARAMETERS = 100
type SchemaIssues = readonly z.core.$ZodIssue[]

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
 * converted.
 * @throws Problem with status 422 when the body does not match the schema.
 */
export function parseRequestBody<T extends z.ZodMiniType>(schema: T, body: RequestBody): z.output<T> {
  if (body.isForm) convertFormValues(schema, body.value)
  return parseWithSchema(schema, body.value)
}

/**
 * Converts the values of a form to the types of the schema, in place. The issues of each parse tell which values to
 * convert. The parse is repeated, because a converted list has items that may need a conversion themselves.
 * An empty text is null where the schema accepts null, and an empty list where it expects a list.
 */
function convertFormValues(schema: z.ZodMiniType, formRoot: unknown): void {
  const emptyTextPathKeys = new Set(clearEmptyTexts(formRoot))
  let hasConverted = true
  while (hasConverted) {
    const { error } = z.safeParse(schema, formRoot)
    hasConverted = false
    for (const issue of error?.issues ?? [])
      if (convertValueAtIssue(formRoot, issue, emptyTextPathKeys)) hasConverted = true
  }
}

const toPathKey = (path: readonly PropertyKey[]) => JSON.stringify(path.map(String))

/** Sets all fields with an empty text to null. Returns their path keys. */
function clearEmptyTexts(node: unknown, path: string[] = []): string[] {
  if (typeof node !== 'object' || node === null) return []
  const parent = node as Record<string, unknown>
  return Object.entries(parent).flatMap(([key, value]) => {
    if (value !== '') return clearEmptyTexts(value, [...path, key])
    parent[key] = null
    return toPathKey([...path, key])
  })
}

/**
 * Converts the value to which the issue refers. Returns false if the value cannot be converted. A null that
 * `clearEmptyTexts` has set, and that the schema does not accept, becomes an empty text again.
 */
function convertValueAtIssue(
  formRoot: unknown,
  issue: z.core.$ZodIssue,
  emptyTextPathKeys: Set<string>,
): boolean {
  const lastKey = issue.path.at(-1)
  if (lastKey === undefined) return false
  let parent = formRoot as Record<PropertyKey, unknown>
  for (const key of issue.path.slice(0, -1)) parent = parent[key] as Record<PropertyKey, unknown>
  const formValue = parent[lastKey]
  const isRejectedNull = formValue === null && emptyTextPathKeys.delete(toPathKey(issue.path))
  const convertedValue = isRejectedNull ? '' : convertToExpectedType(formValue, issue)
  if (convertedValue === undefined) return false
  parent[lastKey] = convertedValue
  return true
}

/** Returns the form value converted to the type that the schema expects; undefined when it cannot be converted. */
function convertToExpectedType(formValue: unknown, issue: z.core.$ZodIssue): unknown {
  if (typeof formValue !== 'string') return convertIndexedFields(formValue, issue)
  // The issue lists the values that the schema accepts. They can be numbers, such as text sizes.
  if (issue.code === 'invalid_value')
    return issue.values.find((value) => typeof value === 'number' && value === parseDecimal(formValue))
  if (issue.code !== 'invalid_type') return undefined
  if (issue.expected === 'boolean') return formValue === 'true' || (formValue === 'false' ? false : undefined)
  if (issue.expected === 'number' || issue.expected === 'int') return parseDecimal(formValue)
  if (issue.expected === 'array') return formValue === '' ? [] : [formValue]
  return undefined
}

/**
 * Returns a list for fields such as `entries[0][type]` and `entries[1][type]`, whose keys are list indexes. Returns
 * undefined for other fields, and where the schema does not expect a list.
 */
function convertIndexedFields(formValue: unknown, issue: z.core.$ZodIssue): unknown[] | undefined {
  const isListExpected = issue.code === 'invalid_type' && issue.expected === 'array'
  if (!isListExpected || typeof formValue !== 'object' || formValue === null) return undefined
  const hasIndexes = Object.keys(formValue).every((key, index) => key === String(index))
  return hasIndexes ? Object.values(formValue) : undefined
}

/**
 * Returns the query parameters that the endpoint defines. Ignores all other parameters and empty values. A repeated
 * parameter becomes a list.
 * @throws Problem with status 422 when there are more than MAX_QUERY_PARAMETERS parameters, or when a parameter has
 * malformed percent encoding or text that cannot be stored.
 */
export function readQueryParameters(c: Context, schema: z.ZodMiniType): Record<string, string | string[]> {
  const queryIndex = c.req.url.indexOf('?')
  if (queryIndex >= 0) assertDecodable('query', c.req.url.slice(queryIndex))
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

export function toFieldErrors(issues: SchemaIssues): FieldErrors {
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
