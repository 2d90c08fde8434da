/** The built site: rewrites from routes.ts, pre-compressed files, immutable hashed ones, security headers on all. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { matchPage, NOT_FOUND_SHELL, splitLocale } from '../../src/lib/routes.ts'

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
const ODD = /\/\/|\\|%2e|%2f|%5c|%25|%[01][0-9a-f]|%7f|\/\.|\p{Cc}/iu
const FORMS = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
  { encoding: null, ending: '' },
] as const
const PRIVATE = new Set(['csp.txt', '_headers', '_redirects'])

/** One file in the encodings that we have of it, each with its own tag: they are different bytes (RFC 9110 §8.8.3). */
interface Asset {
  type: string
  cache: string
  forms: Form[]
}
interface Form {
  encoding: 'br' | 'gzip' | null
  etag: string
  body: Uint8Array<ArrayBuffer>
}
interface Options {
  /** The folder of the built site; read once, so that no request names a path on the disk. */
  root: string
  https: boolean
  /** Origins whose pages may frame /watch/embed; no other page of ours is ever framed. */
  embedOrigins?: readonly string[]
}

export function staticApp({ root, https, embedOrigins = [] }: Options): Hono {
  const assets = readAssets(root)
  const csp = existsSync(join(root, 'csp.txt'))
    ? readFileSync(join(root, 'csp.txt'), 'utf8')
    : "default-src 'self'"
  const app = new Hono()
  app.use('*', async (c, next) => {
    setHeaders(c, isEmbed(rawPath(c)) ? framedBy(csp, embedOrigins) : csp, https)
    await next()
  })
  app.on(['GET', 'HEAD'], '*', (c) => {
    const path = rawPath(c)
    const found = find(assets, path)
    return found ? send(c, found, 200) : send(c, notFound(assets, path), 404)
  })
  app.all('*', (c) => c.body(null, 405, { Allow: 'GET, HEAD' }))
  return app
}

const isEmbed = (path: string) => matchPage(path)?.page.name === 'embed'

function framedBy(csp: string, origins: readonly string[]): string {
  if (origins.length === 0) return csp
  return csp.replace("frame-ancestors 'none'", `frame-ancestors ${origins.join(' ')}`)
}

/** As it was sent: a framework that tidies a path first could be tricked into another room. */
function rawPath(c: Context): string {
  const incoming = (c.env as { incoming?: { url?: string } } | undefined)?.incoming
  return (incoming?.url ?? new URL(c.req.url).pathname).split('?')[0] ?? '/'
}

function find(assets: Map<string, Asset>, path: string): Asset | undefined {
  if (ODD.test(path) || !isDecodable(path)) return undefined
  const name = path.slice(1)
  const hidden = PRIVATE.has(name) || name.startsWith('_deploy/') || name.endsWith('.html')
  const file = hidden ? undefined : assets.get(name)
  const shell = matchPage(path)?.shell
  return file ?? (shell ? assets.get(shell) : undefined)
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** In the language of the address that was asked for. */
function notFound(assets: Map<string, Asset>, path: string): Asset | undefined {
  const { locale } = splitLocale(path)
  return assets.get(`${locale}/404/index.html`) ?? assets.get(NOT_FOUND_SHELL)
}

function readAssets(root: string): Map<string, Asset> {
  const assets = new Map<string, Asset>()
  for (const entry of globSync(`${root}/**/*`, { withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(join(root, '/').length)
    if (!entry.isFile() || /\.(br|gz)$/.test(name)) continue
    assets.set(name, {
      type: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      cache: name.startsWith('_a/')
        ? 'public, max-age=31536000, immutable'
        : name.endsWith('.html') || name === 'sw.js'
          ? 'no-cache'
          : 'public, max-age=86400',
      forms: FORMS.flatMap(({ encoding, ending }) => readForm(path + ending, encoding)),
    })
  }
  return assets
}

function readForm(file: string, encoding: Form['encoding']): Form[] {
  if (!existsSync(file)) return []
  const body = new Uint8Array(readFileSync(file))
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 20)
  return [{ encoding, etag: `"${tag}"`, body }]
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
  const form = asset && choose(asset.forms, c.req.header('accept-encoding') ?? '')
  if (!form) return c.body('Not found', 404, { 'Cache-Control': 'no-cache' })
  c.header('Content-Type', asset.type)
  c.header('Cache-Control', status === 200 ? asset.cache : 'no-cache')
  c.header('Vary', 'Accept-Encoding')
  if (status === 200) {
    c.header('ETag', form.etag)
    if (isKnown(c.req.header('if-none-match'), form.etag)) return c.body(null, 304)
  }
  if (form.encoding) c.header('Content-Encoding', form.encoding)
  c.header('Content-Length', String(form.body.length))
  if (c.req.method === 'HEAD') return c.body(null, status)
  return c.body(form.body, status)
}

/** The smallest form that the browser takes; the plain one when it names none (RFC 9110 §12.5.3, weights of 0 refuse). */
function choose(forms: readonly Form[], accepted: string): Form | undefined {
  const refused = /;\s*q=0(\.0*)?\s*$/
  const taken = accepted
    .toLowerCase()
    .split(',')
    .filter((one) => !refused.test(one))
    .map((one) => one.split(';')[0]?.trim())
  return forms.find(({ encoding }) => encoding === null || taken.includes(encoding))
}

/** Weak comparison, as If-None-Match asks for (RFC 9110 §13.1.2). */
function isKnown(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}
