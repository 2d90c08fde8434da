/** Headers of every media response, and complete responses for small texts. */
import type { Context } from 'hono'
import type { Media } from './media-send.ts'

export function baseHeaders(): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Referrer-Policy': 'no-referrer',
  }
}

export function text(c: Context, content: string, type: string): Media {
  const bytes = Buffer.from(content)
  const headers = { ...baseHeaders(), 'Content-Type': type, 'Content-Length': String(bytes.length) }
  const chunks = [bytes].values()
  const body: Media['body'] = {
    chunks: { next: async () => chunks.next() as IteratorResult<Buffer> },
    close: () => {},
  }
  return { status: 200, headers, body: c.req.method === 'HEAD' ? null : body }
}
