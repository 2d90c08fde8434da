import type { Context } from 'hono'
import * as z from 'zod/mini'
import { type FieldErrors, invalid, Problem } from '../problem.ts'
import { type Body, checkText } from './body.ts'

const QUERY_KEYS = 100
type Issues = readonly z.core.$ZodIssue[]

/** Parses by schema or throws 422 with a code per field; values are never echoed. */
export function parse<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  throw new Problem('validation_error', { errors: fieldErrors(result.error.issues) })
}

/** Forms carry text only: where the schema wanted a number or a flag, the text is read as one and tried again. */
export function parseBody<T extends z.ZodMiniType>(schema: T, body: Body): z.output<T> {
  const result = z.safeParse(schema, body.value)
  if (result.success) return result.data
  if (!body.form) throw new Problem('validation_error', { errors: fieldErrors(result.error.issues) })
  for (const issue of result.error.issues) if (issue.code === 'invalid_type') reread(body.value, issue)
  return parse(schema, body.value)
}

function reread(root: unknown, issue: z.core.$ZodIssueInvalidType): void {
  const path = issue.path.slice(0, -1)
  const last = issue.path.at(-1)
  let target = root as Record<PropertyKey, unknown>
  for (const key of path) target = target[key] as Record<PropertyKey, unknown>
  const text = last === undefined ? undefined : target[last]
  if (last === undefined || typeof text !== 'string') return
  if (issue.expected === 'boolean' && (text === 'true' || text === 'false')) target[last] = text === 'true'
  if ((issue.expected === 'number' || issue.expected === 'int') && text.trim() !== '')
    target[last] = Number(text)
  if (issue.expected === 'array') target[last] = [text]
  if (issue.expected === 'null' && text === '') target[last] = null
}

/** Keys that the call does not know are left out; a key that repeats is a list. */
export function readQuery(c: Context, schema: z.ZodMiniType): Record<string, string | string[]> {
  const known = (schema as z.ZodMiniObject).shape
  const query: Record<string, string | string[]> = Object.create(null)
  const all = Object.entries(c.req.queries())
  if (all.length > QUERY_KEYS) throw invalid('query', 'too_many_keys')
  for (const [key, values] of all) {
    if (!Object.hasOwn(known, key)) continue
    for (const value of values) checkText(key, value)
    const given = values.filter((value) => value !== '')
    if (given.length > 0) query[key] = given.length === 1 ? (given[0] as string) : given
  }
  return query
}

export function fieldErrors(issues: Issues): FieldErrors {
  const errors: FieldErrors = Object.create(null)
  const note = (field: string, code: string) => {
    errors[field] ??= []
    if (!errors[field].includes(code)) errors[field].push(code)
  }
  for (const issue of issues.slice(0, 20)) {
    const field = issue.path.map(String).join('.') || 'body'
    if (issue.code === 'unrecognized_keys') note('body', 'unrecognized_keys')
    else note(field, issue.code)
  }
  return errors
}
