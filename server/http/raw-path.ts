import type { Context } from 'hono'

/**
 * Returns the path as it was sent, without the query. Signatures cover exactly this text, and a normalised path could
 * bypass the checks for unsafe paths. In tests without a socket, it returns the path of the URL.
 */
export function getRawPath(c: Context): string {
  const incoming = (c.env as { incoming?: { url?: string } } | undefined)?.incoming
  return (incoming?.url ?? new URL(c.req.url).pathname).split('?')[0] ?? '/'
}
