/** Headers of every media response, and complete responses for small texts. */
import type { Context } from 'hono'
import type { MediaResponse } from './media-send.ts'

/** Returns the headers of media, in addition to the headers of every response (http/response-headers.ts). */
export function createMediaHeaders(): Record<string, string> {
  return { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox" }
}

export function createTextMediaResponse(c: Context, content: string, contentType: string): MediaResponse {
  const contentBytes = Buffer.from(content)
  const headers = {
    ...createMediaHeaders(),
    'Content-Type': contentType,
    'Content-Length': String(contentBytes.length),
  }
  const chunks = [contentBytes].values()
  const body: MediaResponse['body'] = {
    chunks: { next: async () => chunks.next() as IteratorResult<Buffer> },
    close: () => {},
  }
  return { status: 200, headers, body: c.req.method === 'HEAD' ? null : body }
}
