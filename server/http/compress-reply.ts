/**
 * Compresses JSON replies. A reverse proxy does not compress these replies a second time, because they have the
 * `Content-Encoding` header.
 */
import { promisify } from 'node:util'
import { constants, createGzip, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { refreshTokens } from '../../src/lib/contract/auth.ts'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { chooseEncoding } from './accepted-encoding.ts'

const compressWithGzip = promisify(gzip)
/** A reply with fewer characters is not compressed, because it fits into the first packets. */
const MIN_COMPRESSIBLE_LENGTH = 1_000
/**
 * The gzip level. It compresses lists of titles to a fifth of their size, in a third of the time of the default level.
 */
const COMPRESSION_LEVEL = constants.Z_BEST_SPEED + 2
/**
 * Start of the home page data in the refresh reply, after tokens and account. A JSON string cannot contain this text,
 * because quotes are escaped.
 */
const HOME_PROPERTY_START = ',"home":{'

/**
 * Sends a JSON text, compressed if it is long enough and the client accepts compression. The length of a compressed
 * reply depends on its content. From this length, an attacker who controls a part of a reply could derive a secret in
 * another part of the reply (BREACH). So only two kinds of replies are compressed: reads of titles and of a profile,
 * and the home page data of the refresh reply. The home page data is compressed separately from the token before it.
 */
export async function sendJson(c: Context, endpoint: Endpoint, json: string): Promise<Response> {
  const { access, base, method, path, status } = endpoint
  const headers = { 'Content-Type': 'application/json' }
  const secretLength = path === refreshTokens.path ? json.indexOf(HOME_PROPERTY_START) : 0
  // Stream replies (`/proxy`) are not compressed, because they contain signed URLs next to texts that Stremio add-ons
  // control.
  const isReadByProfile =
    method === 'GET' && (access === 'viewer' || access === 'profile') && base !== '/proxy'
  const isCompressible = isReadByProfile || (path === refreshTokens.path && secretLength > 0)
  if (!isCompressible || json.length < MIN_COMPRESSIBLE_LENGTH) return c.body(json, status as 200, headers)
  c.header('Vary', 'Accept-Encoding', { append: true })
  if (chooseEncoding(c, ['gzip']) === null) return c.body(json, status as 200, headers)
  c.header('Content-Encoding', 'gzip')
  const body =
    secretLength > 0
      ? await compressSeparately(json.slice(0, secretLength), json.slice(secretLength))
      : await compressWithGzip(json, { level: COMPRESSION_LEVEL })
  return c.body(new Uint8Array(body), status as 200, headers)
}

/**
 * Returns both texts as gzip data. `publicText` is compressed separately, so that the compressed length of
 * `publicText` does not depend on `secretText`.
 */
export async function compressSeparately(secretText: string, publicText: string): Promise<Buffer> {
  const gzipStream = createGzip({ level: COMPRESSION_LEVEL })
  const chunks: Buffer[] = []
  gzipStream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const streamEndPromise = new Promise<void>((resolve, reject) =>
    gzipStream.on('end', resolve).on('error', reject),
  )
  gzipStream.write(secretText)
  // A full flush resets the compressor, so that it does not refer back to the earlier text.
  gzipStream.flush(constants.Z_FULL_FLUSH, () => gzipStream.end(publicText))
  await streamEndPromise
  return Buffer.concat(chunks)
}
