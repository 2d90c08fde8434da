/** Compression of JSON replies. A reverse proxy that compresses leaves responses with a `Content-Encoding` alone. */
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { refreshTokens } from '../../src/lib/contract/auth.ts'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'

const compress = promisify(gzip)
/** Shorter replies fit into the first packets anyway. */
const MIN_LENGTH = 1_000
/** Compresses lists of titles to a fifth, in a third of the time of the default level. */
const OPTIONS = { level: constants.Z_BEST_SPEED + 2 }

/**
 * Sends a JSON text, compressed if it is worth it and the client accepts it. The length of a compressed reply depends on its content,
 * so replies with secrets stay as they are. Compressed are reads of titles and of a profile, and the refresh of the session, which
 * has a token but no text that the caller or another account chooses.
 */
export async function sendJson(
  c: Context,
  { access, method, path, status }: Endpoint,
  json: string,
): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  const isCompressible =
    (method === 'GET' && (access === 'viewer' || access === 'profile')) || path === refreshTokens.path
  if (!isCompressible || json.length < MIN_LENGTH) return c.body(json, status as 200, headers)
  c.header('Vary', 'Accept-Encoding', { append: true })
  if (!/\bgzip\b(?!\s*;\s*q=0)/i.test(c.req.header('accept-encoding') ?? ''))
    return c.body(json, status as 200, headers)
  c.header('Content-Encoding', 'gzip')
  return c.body(new Uint8Array(await compress(json, OPTIONS)), status as 200, headers)
}
