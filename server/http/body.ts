/** Reads a body with our own byte counter (security.md: huge bodies, bombs, prototype tricks). */
import type { Context } from 'hono'
import { invalid, Problem } from '../problem.ts'

export const BODY_LIMIT = 64 * 1024
const DEPTH = 20
const KEYS = 2_000
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

export interface Body {
  value: unknown
  /** Forms carry text only; the schema's numbers and flags are made of it. */
  form: boolean
}

/** JSON or form data, as the specification says. Throws 413, 415, 422. An absent body is an empty object. */
export async function readBody(c: Context, limit = BODY_LIMIT): Promise<Body> {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return { value: {}, form: false }
  const bytes = await readBytes(c.req.raw, limit)
  if (bytes.length === 0) return { value: {}, form: false }
  const type = (c.req.header('content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return { value: checked(parseJson(bytes)), form: false }
  if (type === 'application/x-www-form-urlencoded') {
    return { value: checked(nest(new URLSearchParams(decode(bytes)))), form: true }
  }
  if (type === 'multipart/form-data') return { value: checked(await parseMultipart(c, bytes)), form: true }
  throw new Problem('unsupported_media_type')
}

/** The raw bytes of a body, at most `limit`. Compressed bodies are refused: they can hide any size. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const encoding = request.headers.get('content-encoding')
  if (encoding && encoding !== 'identity') throw new Problem('unsupported_media_type')
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new Problem('payload_too_large')
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.length
    if (size > limit) throw new Problem('payload_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('body', 'not_utf8')
  }
}

function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('body', 'not_json')
  }
}

async function parseMultipart(c: Context, bytes: Uint8Array): Promise<unknown> {
  try {
    const headers = { 'content-type': c.req.header('content-type') ?? '' }
    return nest(await new Response(bytes as BodyInit, { headers }).formData())
  } catch (error) {
    if (error instanceof Problem) throw error
    throw invalid('body', 'not_form_data')
  }
}

/** `preferences[language]=fr` becomes `{ preferences: { language: 'fr' } }`; a repeated key becomes a list. */
function nest(form: URLSearchParams | FormData): Record<string, unknown> {
  const result: Record<string, unknown> = Object.create(null)
  for (const [name, value] of form) {
    if (typeof value !== 'string') throw new Problem('unsupported_media_type')
    const path = name.replace(/\]/g, '').split('[')
    if (path.length > DEPTH) throw invalid('body', 'too_deep')
    let target = result
    for (const key of path.slice(0, -1)) {
      const next = target[key]
      if (next !== undefined && (typeof next !== 'object' || next === null))
        throw invalid('body', 'not_form_data')
      target[key] ??= Object.create(null)
      target = target[key] as Record<string, unknown>
    }
    const last = path.at(-1) ?? ''
    const before = target[last]
    target[last] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]
  }
  return result
}

function checked(value: unknown): unknown {
  let keys = 0
  const walk = (part: unknown, depth: number): void => {
    if (depth > DEPTH) throw invalid('body', 'too_deep')
    if (typeof part === 'string') checkText('body', part)
    if (typeof part !== 'object' || part === null) return
    for (const key of Object.keys(part)) {
      keys += 1
      if (keys > KEYS) throw invalid('body', 'too_many_keys')
      if (!Array.isArray(part) && FORBIDDEN_KEYS.has(key)) throw invalid('body', 'unrecognized_keys')
      walk((part as Record<string, unknown>)[key], depth + 1)
    }
  }
  walk(value, 0)
  return value
}

/** NUL cannot be stored by PostgreSQL and lone surrogates cannot be written as UTF-8. */
export function checkText(field: string, text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw invalid(field, 'invalid_text')
}
