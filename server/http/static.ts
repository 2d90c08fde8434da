/**
 * Serves the built site: rewrites from routes.ts, precompressed files, immutable hashed assets, and security headers
 * on every response.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Context, Hono } from 'hono'
import { allowFraming } from '../../src/lib/embed-policy.ts'
import {
  HASHED_FILE_POLICY,
  HASHED_FILE_PREFIX,
  WASM_WORKER_POLICY,
  WASM_WORKER_PREFIX,
} from '../../src/lib/file-policies.ts'
import { getErrorShells, matchPage, NOT_FOUND_SHELL, splitLocale } from '../../src/lib/routes.ts'
import { chooseEncoding } from './accepted-encoding.ts'
import { matchesIfNoneMatch } from './if-none-match.ts'
import { getRawPath } from './raw-path.ts'

const CONTENT_TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  png: 'image/png',
  ico: 'image/x-icon',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  woff2: 'font/woff2',
}
/**
 * Matches paths with empty segments, segments that start with a dot, backslashes, control characters, or encoded dots,
 * slashes, backslashes, percent signs or control characters. Without this check, different paths could lead to the same
 * file.
 */
const UNSAFE_PATH_PATTERN = /\/\/|\\|%2e|%2f|%5c|%25|%[01][0-9a-f]|%7f|\/\.|\p{Cc}/iu
const ENCODINGS = [
  { encoding: 'br', extension: '.br' },
  { encoding: 'gzip', extension: '.gz' },
  { encoding: null, extension: '' },
] as const
const PRIVATE_FILES = new Set(['csp.txt', '_headers', '_redirects'])

/** A file in its available encodings. Each encoding has its own ETag because the bytes differ (RFC 9110 §8.8.3). */
interface StaticAsset {
  contentType: string
  cacheControl: string
  encodings: EncodedFile[]
}
interface EncodedFile {
  encoding: 'br' | 'gzip' | null
  etag: string
  sizeBytes: number
  /**
   * Null for the uncompressed form of a file that also has a gzip form. Only the gzip bytes are in memory. They are
   * decompressed when a client requests the uncompressed form.
   */
  body: FileBody | null
}
type FileBody = Uint8Array<ArrayBuffer>
interface StaticOptions {
  /** Folder of the built site. All files are loaded at startup. Requests never access the file system. */
  root: string
  isHttps: boolean
  /** Origins whose pages may embed /watch/embed in a frame; all other pages cannot be framed. */
  embedOrigins?: readonly string[]
}

export function createStaticApp({ root: rootFolder, isHttps, embedOrigins = [] }: StaticOptions): Hono {
  const assetsByName = readAssets(rootFolder)
  const csp = existsSync(join(rootFolder, 'csp.txt'))
    ? readFileSync(join(rootFolder, 'csp.txt'), 'utf8')
    : "default-src 'self'"
  const app = new Hono()
  app.use('*', async (c, next) => {
    setSecurityHeaders(c, chooseContentSecurityPolicy(getRawPath(c), csp, embedOrigins), isHttps)
    await next()
  })
  app.on(['GET', 'HEAD'], '*', (c) => {
    const path = getRawPath(c)
    const asset = findAsset(assetsByName, path)
    return asset ? sendAsset(c, asset, 200) : sendAsset(c, findNotFoundPage(assetsByName, path), 404)
  })
  app.all('*', (c) => c.body(null, 405, { Allow: 'GET, HEAD' }))
  return app
}

function chooseContentSecurityPolicy(path: string, csp: string, embedOrigins: readonly string[]): string {
  if (path.startsWith(WASM_WORKER_PREFIX)) return WASM_WORKER_POLICY
  if (path.startsWith(HASHED_FILE_PREFIX)) return HASHED_FILE_POLICY
  return isEmbedPage(path) ? allowFraming(csp, embedOrigins) : csp
}

const isEmbedPage = (path: string) => matchPage(path)?.page.name === 'embed'

function findAsset(assetsByName: Map<string, StaticAsset>, path: string): StaticAsset | undefined {
  if (UNSAFE_PATH_PATTERN.test(path) || !isDecodablePath(path)) return undefined
  const fileName = path.slice(1)
  const isPrivateFile =
    PRIVATE_FILES.has(fileName) || fileName.startsWith('_deploy/') || fileName.endsWith('.html')
  const requestedAsset = isPrivateFile ? undefined : assetsByName.get(fileName)
  const shellName = matchPage(path)?.shell
  return requestedAsset ?? (shellName ? assetsByName.get(shellName) : undefined)
}

function isDecodablePath(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** Returns the 404 page in the language of the requested path, or in the default language if there is no such page. */
function findNotFoundPage(assetsByName: Map<string, StaticAsset>, path: string): StaticAsset | undefined {
  const { locale } = splitLocale(path)
  return assetsByName.get(getErrorShells(locale).notFound) ?? assetsByName.get(NOT_FOUND_SHELL)
}

function readAssets(rootFolder: string): Map<string, StaticAsset> {
  const assetsByName = new Map<string, StaticAsset>()
  /** Files with equal content share one copy of the bytes. */
  const bodiesByEtag = new Map<string, FileBody>()
  for (const directoryEntry of globSync(`${rootFolder}/**/*`, { withFileTypes: true })) {
    const assetPath = join(directoryEntry.parentPath, directoryEntry.name)
    const assetName = assetPath.slice(join(rootFolder, '/').length)
    if (!directoryEntry.isFile() || /\.(br|gz)$/.test(assetName)) continue
    assetsByName.set(assetName, {
      contentType: CONTENT_TYPES[assetName.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      cacheControl: `/${assetName}`.startsWith(HASHED_FILE_PREFIX)
        ? 'public, max-age=31536000, immutable'
        : assetName.endsWith('.html') || assetName === 'sw.js'
          ? 'no-cache'
          : 'public, max-age=86400',
      encodings: readEncodedFiles(assetPath, bodiesByEtag),
    })
  }
  return assetsByName
}

/**
 * Reads the encodings of a file. Nearly all clients accept gzip, so the uncompressed bytes of a file that has a gzip
 * file are not kept in memory.
 */
function readEncodedFiles(assetPath: string, bodiesByEtag: Map<string, FileBody>): EncodedFile[] {
  const encodedFiles: EncodedFile[] = []
  for (const { encoding, extension } of ENCODINGS) {
    const file = assetPath + extension
    if (!existsSync(file)) continue
    const body = new Uint8Array(readFileSync(file))
    const contentHash = createHash('sha256').update(body).digest('base64url').slice(0, 20)
    const etag = `"${contentHash}"`
    const hasGzipFile = encodedFiles.some((encodedFile) => encodedFile.encoding === 'gzip')
    if (encoding === null && hasGzipFile) {
      encodedFiles.push({ encoding, etag, sizeBytes: body.length, body: null })
      continue
    }
    if (!bodiesByEtag.has(etag)) bodiesByEtag.set(etag, body)
    encodedFiles.push({ encoding, etag, sizeBytes: body.length, body: bodiesByEtag.get(etag) ?? body })
  }
  return encodedFiles
}

function setSecurityHeaders(c: Context, csp: string, isHttps: boolean): void {
  c.header('Content-Security-Policy', csp)
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Cross-Origin-Opener-Policy', 'same-origin')
  c.header('Cross-Origin-Resource-Policy', 'same-origin')
  c.header('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')
  if (isHttps) c.header('Strict-Transport-Security', 'max-age=31536000')
}

async function sendAsset(c: Context, asset: StaticAsset | undefined, status: 200 | 404): Promise<Response> {
  const encodedFile = asset && chooseEncodedFile(c, asset.encodings)
  if (!asset || !encodedFile) return c.body('Not found', 404, { 'Cache-Control': 'no-cache' })
  c.header('Content-Type', asset.contentType)
  c.header('Cache-Control', status === 200 ? asset.cacheControl : 'no-cache')
  c.header('Vary', 'Accept-Encoding')
  if (status === 200) {
    c.header('ETag', encodedFile.etag)
    if (matchesIfNoneMatch(c.req.header('if-none-match'), encodedFile.etag)) return c.body(null, 304)
  }
  if (encodedFile.encoding) c.header('Content-Encoding', encodedFile.encoding)
  if (c.req.method === 'HEAD') {
    c.header('Content-Length', String(encodedFile.sizeBytes))
    return c.body(null, status)
  }
  const body = encodedFile.body ?? (await decompressGzipFile(asset.encodings))
  c.header('Content-Length', String(body.length))
  return c.body(body, status)
}

/** Returns the uncompressed bytes of a file that has a gzip file. */
async function decompressGzipFile(encodedFiles: readonly EncodedFile[]): Promise<FileBody> {
  const gzipBody = encodedFiles.find(({ encoding }) => encoding === 'gzip')?.body
  if (!gzipBody) throw new Error('the file has no gzip file')
  return decompressGzip(gzipBody)
}
const decompressGzip = promisify<FileBody, FileBody>(gunzip)

/**
 * Returns the first encoding of a file, in the order of ENCODINGS, that the client accepts. Returns the uncompressed
 * file when the client accepts no encoding.
 */
function chooseEncodedFile(c: Context, encodedFiles: readonly EncodedFile[]): EncodedFile | undefined {
  const encoding = chooseEncoding(
    c,
    encodedFiles.flatMap((encodedFile) => encodedFile.encoding ?? []),
  )
  return encodedFiles.find((encodedFile) => encodedFile.encoding === encoding)
}
