/**
 * Reads request bodies with limits on size, depth and keys (security.md: huge bodies, decompression bombs, prototype
 * pollution).
 */

import type { Context } from 'hono'
import { checkBodyHeaders } from '../core/check-body-headers.ts'
import { createFieldProblem, Problem, throwBodyError } from '../core/problem.ts'

export const BODY_LIMIT_BYTES = 64 * 1024
const MAX_NESTING_DEPTH = 20
const MAX_BODY_KEYS = 2_000
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

export interface RequestBody {
  value: unknown
  /**
   * True for form data. All its values are text; `convertFormValues` (validate.ts) converts them to the types of the
   * schema.
   */
  isForm: boolean
}

/** An object of form fields. It has no prototype, so that a field can neither read nor change a prototype. */
interface FormObject {
  [key: string]: string | FormObject | (string | FormObject)[]
}

/**
 * Reads a JSON or form body. An absent body is read as an empty object.
 * @throws Problem with status 400 when the client closes the connection before the end of the body.
 * @throws Problem with status 413 when the body is larger than `limitBytes`.
 * @throws Problem with status 415 when the body is compressed, contains a file, or has another media type.
 * @throws Problem with status 422 when the body is malformed, is nested too deeply, has too many or forbidden keys, or
 * contains text that cannot be stored.
 */
export async function readRequestBody(c: Context, limitBytes = BODY_LIMIT_BYTES): Promise<RequestBody> {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return { value: {}, isForm: false }
  const bytes = await readRawBody(c.req.raw, limitBytes)
  if (bytes.length === 0) return { value: {}, isForm: false }
  const contentType = (c.req.header('content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase()
  if (contentType === 'application/json') return { value: assertSafeBody(parseJson(bytes)), isForm: false }
  if (contentType === 'application/x-www-form-urlencoded') {
    const formText = decodeUtf8(bytes)
    assertDecodable('body', formText)
    return { value: assertSafeBody(nestFormFields(new URLSearchParams(formText))), isForm: true }
  }
  if (contentType === 'multipart/form-data')
    return { value: assertSafeBody(await parseMultipart(c, bytes)), isForm: true }
  throw new Problem('unsupported_media_type')
}

/**
 * Returns the raw bytes of a body.
 * @throws Problem with status 400 when the client closes the connection before the end of the body, 413 when the body
 * is larger than `limitBytes`, and 415 when it is compressed.
 */
export async function readRawBody(request: Request, limitBytes: number): Promise<Uint8Array> {
  checkBodyHeaders(request.headers, limitBytes)
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of request.body) {
      sizeBytes += chunk.length
      if (sizeBytes > limitBytes) throw new Problem('payload_too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    throwBodyError(error)
  }
  return Buffer.concat(chunks)
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw createFieldProblem('body', 'not_utf8')
  }
}

function parseJson(bytes: Uint8Array): unknown {
  const jsonText = decodeUtf8(bytes)
  try {
    return JSON.parse(jsonText)
  } catch {
    throw createFieldProblem('body', 'not_json')
  }
}

async function parseMultipart(c: Context, bytes: Uint8Array): Promise<unknown> {
  try {
    const headers = { 'content-type': c.req.header('content-type') ?? '' }
    return nestFormFields(await new Response(bytes as BodyInit, { headers }).formData())
  } catch (error) {
    if (error instanceof Problem) throw error
    throw createFieldProblem('body', 'not_form_data')
  }
}

/**
 * Converts `preferences[language]=fr` to `{ preferences: { language: 'fr' } }`; a repeated key becomes a list.
 * @throws Problem with status 415 when a field is a file.
 * @throws Problem with status 422 when there are too many fields, when a path is nested too deeply or contains a
 * forbidden key, or when one field needs an object where another field has a text or a list, such as `a=1&a[b]=2`.
 */
function nestFormFields(form: URLSearchParams | FormData): Record<string, unknown> {
  const nestedFields: FormObject = Object.create(null)
  let fieldCount = 0
  for (const [fieldName, fieldValue] of form) {
    fieldCount += 1
    if (fieldCount > MAX_BODY_KEYS) throw createFieldProblem('body', 'too_many_keys')
    if (typeof fieldValue !== 'string') throw new Problem('unsupported_media_type')
    const fieldPath = fieldName.replace(/\]/g, '').split('[')
    if (fieldPath.length > MAX_NESTING_DEPTH) throw createFieldProblem('body', 'too_deep')
    if (fieldPath.some((pathKey) => FORBIDDEN_KEYS.has(pathKey)))
      throw createFieldProblem('body', 'unrecognized_keys')
    let parentObject = nestedFields
    for (const pathKey of fieldPath.slice(0, -1)) {
      parentObject[pathKey] ??= Object.create(null) as FormObject
      const childObject = parentObject[pathKey]
      // A path must not continue into the list of a repeated key, because lists inherit keys from Array.prototype.
      if (typeof childObject === 'string' || Array.isArray(childObject))
        throw createFieldProblem('body', 'not_form_data')
      parentObject = childObject
    }
    const lastKey = fieldPath.at(-1) ?? ''
    const existingValue = parentObject[lastKey]
    if (Array.isArray(existingValue)) existingValue.push(fieldValue)
    else parentObject[lastKey] = existingValue === undefined ? fieldValue : [existingValue, fieldValue]
  }
  return nestedFields
}

/**
 * Returns the parsed body unchanged.
 * @throws Problem with status 422 if it is nested too deeply, has too many or forbidden keys, or contains text that
 * cannot be stored.
 */
function assertSafeBody(value: unknown): unknown {
  let keyCount = 0
  const assertSafeNode = (node: unknown, depth: number): void => {
    if (depth > MAX_NESTING_DEPTH) throw createFieldProblem('body', 'too_deep')
    if (typeof node === 'string') assertStorableText('body', node)
    if (typeof node !== 'object' || node === null) return
    for (const key of Object.keys(node)) {
      keyCount += 1
      if (keyCount > MAX_BODY_KEYS) throw createFieldProblem('body', 'too_many_keys')
      if (!Array.isArray(node) && FORBIDDEN_KEYS.has(key))
        throw createFieldProblem('body', 'unrecognized_keys')
      assertSafeNode((node as Record<string, unknown>)[key], depth + 1)
    }
  }
  assertSafeNode(value, 0)
  return value
}

/**
 * Rejects text with malformed percent encoding. Parsers handle malformed sequences differently.
 * @throws Problem with status 422 when the text cannot be decoded.
 */
export function assertDecodable(field: string, encodedText: string): void {
  try {
    decodeURIComponent(encodedText)
  } catch {
    throw createFieldProblem(field, 'invalid_text')
  }
}

/**
 * Rejects text that cannot be stored: PostgreSQL cannot store NUL, and UTF-8 cannot encode lone surrogates.
 * @throws Problem with status 422 when the text contains NUL or a lone surrogate.
 */
export function assertStorableText(field: string, text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw createFieldProblem(field, 'invalid_text')
}
