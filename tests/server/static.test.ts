/** The built site as a browser, a crawler and an attacker ask for it, over a real socket. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { href, PAGES } from '../../src/lib/routes.ts'
import { type BuiltSite, CSP, startBuiltSite } from '../support/built-site.ts'

let site: BuiltSite
beforeAll(async () => {
  site = await startBuiltSite()
})
afterAll(() => site.stop())

describe('shells', () => {
  test.each(
    LOCALES.flatMap((locale) =>
      PAGES.map((page) => [href(page.name, locale, { slug: 'alien-1979' }), `${locale} ${page.name}`]),
    ),
  )('%s is answered by its shell', async (address, text) => {
    const { status, headers, body } = await site.ask(`${address}?a=//evil.example`)
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
    const { status, headers, body } = await site.ask(address)
    expect([status, body.toString()]).toEqual([404, `<p>${locale} missing</p>`])
    expect(headers['cache-control']).toBe('no-cache')
  })
})

describe('caching', () => {
  test('hashed files are kept for ever, others are asked about again', async () => {
    expect((await site.ask('/_a/app.abc123.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    )
    expect((await site.ask('/favicon.svg')).headers['cache-control']).toBe('public, max-age=86400')
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
    const { headers, body } = await site.ask('/login/', { 'Accept-Encoding': accepted })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['vary']).toBe('Accept-Encoding')
    expect(Number(headers['content-length'])).toBe(body.length)
    expect(open(body).toString()).toBe('<p>en login</p>')
  })

  test('each encoding has its own tag, and a known one is not sent again', async () => {
    const plain = await site.ask('/login/')
    const packed = await site.ask('/login/', { 'Accept-Encoding': 'br' })
    const tag = packed.headers.etag ?? ''
    expect(tag).toMatch(/^"[\w-]{20}"$/)
    expect(tag).not.toBe(plain.headers.etag)
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, headers, body } = await site.ask('/login/', {
        'Accept-Encoding': 'br',
        'If-None-Match': known,
      })
      expect([known, status, body.length, headers.etag]).toEqual([known, 304, 0, tag])
      expect(headers['content-security-policy']).toBe(CSP)
    }
    for (const unknown of ['"other"', tag.slice(1, -1), plain.headers.etag ?? '']) {
      const { status } = await site.ask('/login/', { 'Accept-Encoding': 'br', 'If-None-Match': unknown })
      expect([unknown, status]).toEqual([unknown, 200])
    }
    expect((await site.ask('/nowhere/', { 'If-None-Match': '*' })).status).toBe(404)
  })

  test('HEAD answers as GET does, without the body', async () => {
    const get = await site.ask('/movies/')
    const head = await site.ask('/movies/', {}, 'HEAD')
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
    const { status, headers, body } = await site.ask(path)
    expect(status).toBe(404)
    expect(body.toString()).toBe('<p>en missing</p>')
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['location']).toBeUndefined()
  })

  test.each(['/\\login', '/login\\', '/movies/a\\b'])(
    '%s is refused before it is read as a path',
    async (path) => {
      const { status, body } = await site.ask(path)
      expect([status, body.length]).toEqual([400, 0])
    },
  )

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])('%s is refused', async (method) => {
    const { status, headers, body } = await site.ask('/login/', {}, method)
    expect([status, headers['allow'], body.length]).toEqual([405, 'GET, HEAD', 0])
  })
})
