/** The built site: rewrites from routes.ts, pre-compressed files, immutable hashed ones, security headers on all. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { matchPage, NOT_FOUND_SHELL } from '../../src/lib/routes.ts'

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  png: 'image/png',
  ico: 'image/x-icon',
  txt: 'text/plain; charset=utf-8',
}
/** Spellings that could reach a file by another name than its own. */
const ODD = /\/\/|\\|%2f|%5c|%25|%00|\/\.|\p{Cc}/iu
const PRIVATE = new Set(['csp.txt', '_headers', '_redirects'])

interface Asset {
  type: string
  etag: string
  body: Buffer
  br?: Buffer
  gz?: Buffer
  cache: string
}
interface Options {
  /** The folder of the built site; read once, so that no request names a path on the disk. */
  root: string
  https: boolean
}

export function staticApp({ root, https }: Options): Hono {
  const assets = readAssets(root)
  const csp = existsSync(join(root, 'csp.txt'))
    ? readFileSync(join(root, 'csp.txt'), 'utf8')
    : "default-src 'self'"
  const app = new Hono()
  app.on(['GET', 'HEAD'], '*', (c) => {
    const found = find(assets, rawPath(c))
    setHeaders(c, csp, https)
    return found ? send(c, found, 200) : send(c, assets.get(NOT_FOUND_SHELL), 404)
  })
  app.all('*', (c) => c.body(null, 405, { Allow: 'GET, HEAD' }))
  return app
}

/** As it was sent: a framework that tidies a path first could be tricked into another room. */
function rawPath(c: Context): string {
  const incoming = (c.env as { incoming?: { url?: string } } | undefined)?.incoming
  return (incoming?.url ?? new URL(c.req.url).pathname).split('?')[0] ?? '/'
}

function find(assets: Map<string, Asset>, path: string): Asset | undefined {
  if (ODD.test(path)) return undefined
  const name = path.slice(1)
  const file = PRIVATE.has(name) || name.endsWith('.html') ? undefined : assets.get(name)
  const shell = matchPage(path)?.shell
  return file ?? (shell ? assets.get(shell) : undefined)
}

function readAssets(root: string): Map<string, Asset> {
  const assets = new Map<string, Asset>()
  for (const entry of globSync(`${root}/**/*`, { withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(join(root, '/').length)
    if (!entry.isFile() || /\.(br|gz)$/.test(name)) continue
    const body = readFileSync(path)
    const asset: Asset = {
      type: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"`,
      body,
      cache: name.startsWith('_a/')
        ? 'public, max-age=31536000, immutable'
        : name.endsWith('.html')
          ? 'no-cache'
          : 'public, max-age=86400',
    }
    if (existsSync(`${path}.br`)) asset.br = readFileSync(`${path}.br`)
    if (existsSync(`${path}.gz`)) asset.gz = readFileSync(`${path}.gz`)
    assets.set(name, asset)
  }
  return assets
}

function setHeaders(c: Context, csp: string, https: boolean): void {
  c.header('Content-Security-Policy', csp)
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('Referrer-Policy', 'same-origin')
  c.header('Cross-Origin-Opener-Policy', 'same-origin')
  c.header('Cross-Origin-Resource-Policy', 'same-origin')
  c.header('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')
  if (https) c.header('Strict-Transport-Security', 'max-age=31536000')
}

function send(c: Context, asset: Asset | undefined, status: 200 | 404): Response {
  if (!asset) return c.body('Not found', 404)
  c.header('Content-Type', asset.type)
  c.header('Cache-Control', asset.cache)
  c.header('ETag', asset.etag)
  c.header('Vary', 'Accept-Encoding')
  if (status === 200 && c.req.header('if-none-match')?.includes(asset.etag)) return c.body(null, 304)
  const accepted = c.req.header('accept-encoding') ?? ''
  const [encoding, body] =
    asset.br && /\bbr\b/.test(accepted)
      ? ['br', asset.br]
      : asset.gz && /\bgzip\b/.test(accepted)
        ? ['gzip', asset.gz]
        : [null, asset.body]
  if (encoding) c.header('Content-Encoding', encoding as string)
  c.header('Content-Length', String((body as Buffer).length))
  return c.body(c.req.method === 'HEAD' ? null : (new Uint8Array(body as Buffer) as never), status)
}
