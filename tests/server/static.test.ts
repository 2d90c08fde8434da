/** The built site as a browser, a crawler and an attacker ask for it, over a real socket. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { serve } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cdnHeaders, cdnRedirects } from '../../scripts/cdn-files.ts'
import { readConfig } from '../../server/config.ts'
import { staticApp } from '../../server/http/static.ts'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { href, PAGES } from '../../src/lib/routes.ts'

const CSP = "default-src 'none'; script-src 'self' 'sha256-x'; frame-ancestors 'none'"
let folder: string
let server: Server
let port: number

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

function put(path: string, text: string): void {
  const file = join(folder, 'dist', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  writeFileSync(`${file}.br`, brotliCompressSync(text))
  writeFileSync(`${file}.gz`, gzipSync(text))
}

/** Sends the path byte for byte: `fetch` would tidy it first. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      )
    })
      .on('error', reject)
      .end()
  })
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-static-'))
  writeFileSync(join(folder, 'secret.txt'), 'outside')
  for (const locale of LOCALES) {
    const prefix = locale === 'en' ? '' : `${locale}/`
    for (const page of PAGES) put(prefix + page.shell, `<p>${locale} ${page.name}</p>`)
    put(`${prefix}404${locale === 'en' ? '' : '/index'}.html`, `<p>${locale} missing</p>`)
  }
  put('_a/app.abc123.js', 'console.log(1)')
  put('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  put('csp.txt', CSP)
  put('_headers', 'private')
  put('_redirects', 'private')
  put('.env', 'private')
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'dist', 'linked.txt'))
  const app = staticApp({ root: join(folder, 'dist'), https: false })
  server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  await new Promise((resolve) => server.once('listening', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

describe('shells', () => {
  test.each(
    LOCALES.flatMap((locale) =>
      PAGES.map((page) => [href(page.name, locale, { slug: 'alien-1979' }), `${locale} ${page.name}`]),
    ),
  )('%s is answered by its shell', async (address, text) => {
    const { status, headers, body } = await ask(`${address}?a=//evil.example`)
    expect([status, body.toString()]).toEqual([200, `<p>${text}</p>`])
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-cache')
  })

  test.each([
    ['/nowhere/', 'en'],
    ['/fr/nowhere', 'fr'],
    ['/ar/movies/a/b', 'ar'],
    ['/french/', 'en'],
    ['/_a/old.js', 'en'],
  ])('%s is the not-found page in %s', async (address, locale) => {
    const { status, headers, body } = await ask(address)
    expect([status, body.toString()]).toEqual([404, `<p>${locale} missing</p>`])
    expect(headers['cache-control']).toBe('no-cache')
  })
})

describe('caching', () => {
  test('hashed files are kept for ever, others are asked about again', async () => {
    expect((await ask('/_a/app.abc123.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    )
    expect((await ask('/favicon.svg')).headers['cache-control']).toBe('public, max-age=86400')
  })

  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['GZIP', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['br; q=0.0, gzip;q=0', undefined, (body: Buffer) => body],
    ['', undefined, (body: Buffer) => body],
    ['breton', undefined, (body: Buffer) => body],
  ] as const)('Accept-Encoding "%s" takes %s', async (accepted, encoding, open) => {
    const { headers, body } = await ask('/login/', { 'Accept-Encoding': accepted })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['vary']).toBe('Accept-Encoding')
    expect(Number(headers['content-length'])).toBe(body.length)
    expect(open(body).toString()).toBe('<p>en login</p>')
  })

  test('each encoding has its own tag, and a known one is not sent again', async () => {
    const plain = await ask('/login/')
    const packed = await ask('/login/', { 'Accept-Encoding': 'br' })
    const tag = packed.headers.etag ?? ''
    expect(tag).toMatch(/^"[\w-]{20}"$/)
    expect(tag).not.toBe(plain.headers.etag)
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, headers, body } = await ask('/login/', {
        'Accept-Encoding': 'br',
        'If-None-Match': known,
      })
      expect([known, status, body.length, headers.etag]).toEqual([known, 304, 0, tag])
      expect(headers['content-security-policy']).toBe(CSP)
    }
    for (const unknown of ['"other"', tag.slice(1, -1), plain.headers.etag ?? '']) {
      const { status } = await ask('/login/', { 'Accept-Encoding': 'br', 'If-None-Match': unknown })
      expect([unknown, status]).toEqual([unknown, 200])
    }
    expect((await ask('/nowhere/', { 'If-None-Match': '*' })).status).toBe(404)
  })

  test('HEAD answers as GET does, without the body', async () => {
    const get = await ask('/movies/')
    const head = await ask('/movies/', {}, 'HEAD')
    expect([head.status, head.body.length]).toEqual([200, 0])
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control'])
      expect(head.headers[name]).toBe(get.headers[name])
  })
})

describe('odd requests', () => {
  test.each([
    '//',
    '//evil.example/',
    '//login/',
    '/login//',
    '/%5clogin',
    '/%2flogin',
    '/movies/a%2Fb',
    '/movies/%252e%252e',
    '/..%2fsecret.txt',
    '/../secret.txt',
    '/_a/../../secret.txt',
    '/_a/..%5c..%5csecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/....//secret.txt',
    '/..;/secret.txt',
    '/.env',
    '/.git/config',
    '/movies/.env',
    '/movies/%00',
    '/movies/a%0d%0aSet-Cookie:x=1',
    '/movies/%7f',
    '/movies/%zz',
    '/movies/%C0%AE',
    '/login/index.html',
    '/404.html',
    '/csp.txt',
    '/_headers',
    '/_redirects',
    '/login/index.html.br',
    '/favicon.svg.gz',
    '/linked.txt',
    '/_a/',
    '/_a',
    '/constructor',
    '/__proto__',
  ])('%s is not found and gives nothing away', async (path) => {
    const { status, headers, body } = await ask(path)
    expect(status).toBe(404)
    expect(body.toString()).toBe('<p>en missing</p>')
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['location']).toBeUndefined()
  })

  test.each(['/\\login', '/login\\', '/movies/a\\b'])(
    '%s is refused before it is read as a path',
    async (path) => {
      const { status, body } = await ask(path)
      expect([status, body.length]).toEqual([400, 0])
    },
  )

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])('%s is refused', async (method) => {
    const { status, headers, body } = await ask('/login/', {}, method)
    expect([status, headers['allow'], body.length]).toEqual([405, 'GET, HEAD', 0])
  })
})

describe('headers', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/nowhere/'],
    ['GET', '/_a/app.abc123.js'],
    ['HEAD', '/login/'],
    ['POST', '/login/'],
    ['GET', '//evil.example'],
  ])('%s %s carries what a CDN would send, too', async (method, path) => {
    const { headers } = await ask(path, {}, method)
    const [everywhere = ''] = cdnHeaders(CSP).split('\n\n')
    const lines = [...everywhere.matchAll(/^ {2}([\w-]+): (.*)$/gm)]
    expect(lines.length).toBeGreaterThan(6)
    for (const [, name = '', value] of lines) {
      if (name === 'Cache-Control' || name === 'Strict-Transport-Security') continue
      expect([name, headers[name.toLowerCase()]]).toEqual([name, value])
    }
    expect(headers['strict-transport-security']).toBeUndefined()
    expect(headers['server']).toBeUndefined()
    expect(headers['x-powered-by']).toBeUndefined()
  })

  test('HTTPS alone promises HTTPS', async () => {
    const app = staticApp({ root: join(folder, 'dist'), https: true })
    const { headers } = await app.request('/')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test('a CDN rewrites every address with a slug in every language, and names the not-found pages last', () => {
    const lines = cdnRedirects().trim().split('\n')
    for (const locale of LOCALES)
      for (const page of PAGES.filter(({ path }) => path.includes('{slug}')))
        expect(lines.some((line) => line.startsWith(`${href(page.name, locale, { slug: '' })}:slug `))).toBe(
          true,
        )
    expect(lines.slice(-3)).toEqual(['/ar/* /ar/404/ 404', '/fr/* /fr/404/ 404', '/* /404.html 404'])
  })
})

describe('frames', () => {
  const of = (embedOrigins: string[]) => staticApp({ root: join(folder, 'dist'), https: false, embedOrigins })
  const policy = async (path: string, origins: string[]) =>
    (await of(origins).request(path)).headers.get('content-security-policy') ?? ''

  test.each(['/watch/embed', '/watch/embed/', '/fr/watch/embed', '/ar/watch/embed/?type=movie&slug=arrival'])(
    '%s may be framed by those the operator names, and by nobody else',
    async (path) => {
      expect(await policy(path, [])).toBe(CSP)
      expect(await policy(path, ['https://home.example.org', 'http://box:8123'])).toBe(
        CSP.replace("frame-ancestors 'none'", 'frame-ancestors https://home.example.org http://box:8123'),
      )
    },
  )

  test.each([
    '/',
    '/watch/',
    '/watch/embed/x',
    '/login/',
    '/fr/watch/',
    '/watch/embed%2f',
    '/_a/app.abc123.js',
  ])('%s is never framed', async (path) => {
    expect(await policy(path, ['https://home.example.org'])).toBe(CSP)
  })

  test.each([
    'home.example.org',
    'https://home.example.org/',
    'https://a.example;script-src *',
    'https://*.example.org',
    "'self'",
  ])('EMBED_ORIGINS=%s stops the start', (value) => {
    expect(() => readConfig({ EMBED_ORIGINS: value })).toThrow(/EMBED_ORIGINS/)
  })
})
