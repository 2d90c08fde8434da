import type { Context } from 'hono'

/**
 * Returns the path as the client sent it, without the query. Signatures cover exactly this text, and a normalised path
 * could bypass the checks for unsafe paths. In tests without a socket, returns the path of the URL.
 */
export function getRawPath(c: Context): string {
  const incoming = (c.env as { incoming?: { url?: string } } | undefined)?.incoming
  return (incoming?.url ?? new URL(c.req.url).pathname).split('?')[0] ?? '/'
}
