/** Serves the built site over a real socket: pages, caching, compression and malicious paths. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { href, PAGES } from '../../src/lib/routes.ts'
import { startTestSite, TEST_CSP, type TestSite } from '../support/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.stop())

describe('page shells', () => {
  test.each(
    LOCALES.flatMap((locale) =>
      PAGES.map((page) => [href(page.name, locale, { slug: 'alien-1979' }), `${locale} ${page.name}`]),
    ),
  )('%s returns the page shell %s', async (path, shellText) => {
    const { status, headers, body } = await site.sendRequest(`${path}?a=//evil.example`)
    expect([status, body.toString()]).toEqual([200, `<p>${shellText}</p>`])
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-cache')
  })

  test.each([
    ['/nowhere/', 'en'],
    ['/fr/nowhere', 'fr'],
    ['/ar/movies/a/b', 'ar'],
    ['/french/', 'en'],
    ['/_a/old.js', 'en'],
  ])('%s returns the not-found page in %s', async (path, locale) => {
    const { status, headers, body } = await site.sendRequest(path)
    expect([status, body.toString()]).toEqual([404, `<p>${locale} missing</p>`])
    expect(headers['cache-control']).toBe('no-cache')
  })
})

describe('caching of static files', () => {
  test('files with a hash in their name are `immutable`, and other files have a limited max-age', async () => {
    expect((await site.sendRequest('/_a/app.abc123.js')).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    )
    expect((await site.sendRequest('/favicon.svg')).headers['cache-control']).toBe('public, max-age=86400')
  })

  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['GZIP', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['br; q=0.0, gzip;q=0', undefined, (body: Buffer) => body],
    ['br;q=0, *', 'gzip', gunzipSync],
    ['*;q=0.001', 'br', brotliDecompressSync],
    ['*;q=0, gzip;q=0.001', 'gzip', gunzipSync],
    ['identity;q=0', undefined, (body: Buffer) => body],
    ['', undefined, (body: Buffer) => body],
    ['breton', undefined, (body: Buffer) => body],
  ] as const)(
    'Accept-Encoding "%s" selects the encoding %s',
    async (acceptEncoding, encoding, decompress) => {
      const { headers, body } = await site.sendRequest('/login/', { 'Accept-Encoding': acceptEncoding })
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers['vary']).toBe('Accept-Encoding')
      expect(Number(headers['content-length'])).toBe(body.length)
      expect(decompress(body).toString()).toBe('<p>en login</p>')
    },
  )

  test('a file without compressed forms is sent uncompressed to a client that accepts brotli', async () => {
    const { status, headers, body } = await site.sendRequest('/icon.png', { 'Accept-Encoding': 'br, gzip' })
    expect([status, body.toString(), headers['content-encoding']]).toEqual([200, 'not compressed', undefined])
  })

  test('each encoding has its own ETag, and a matching If-None-Match returns 304', async () => {
    const uncompressedResponse = await site.sendRequest('/login/')
    const compressedResponse = await site.sendRequest('/login/', { 'Accept-Encoding': 'br' })
    const etag = compressedResponse.headers.etag ?? ''
    expect(etag).toMatch(/^"[\w-]{20}"$/)
    expect(etag).not.toBe(uncompressedResponse.headers.etag)
    for (const matchingEtags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, headers, body } = await site.sendRequest('/login/', {
        'Accept-Encoding': 'br',
        'If-None-Match': matchingEtags,
      })
      expect([matchingEtags, status, body.length, headers.etag]).toEqual([matchingEtags, 304, 0, etag])
      expect(headers['content-security-policy']).toBe(TEST_CSP)
    }
    for (const otherEtag of ['"other"', etag.slice(1, -1), uncompressedResponse.headers.etag ?? '']) {
      const { status } = await site.sendRequest('/login/', {
        'Accept-Encoding': 'br',
        'If-None-Match': otherEtag,
      })
      expect([otherEtag, status]).toEqual([otherEtag, 200])
    }
    expect((await site.sendRequest('/nowhere/', { 'If-None-Match': '*' })).status).toBe(404)
  })

  test('HEAD returns the headers of GET without the body', async () => {
    const responseToGet = await site.sendRequest('/movies/')
    const headResponse = await site.sendRequest('/movies/', {}, 'HEAD')
    expect([headResponse.status, headResponse.body.length]).toEqual([200, 0])
    for (const headerName of ['content-length', 'content-type', 'etag', 'cache-control'])
      expect(headResponse.headers[headerName]).toBe(responseToGet.headers[headerName])
  })
})

describe('malformed and malicious requests', () => {
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
  ])('%s returns 404 with the not-found page and no other content', async (path) => {
    const { status, headers, body } = await site.sendRequest(path)
    expect(status).toBe(404)
    expect(body.toString()).toBe('<p>en missing</p>')
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['location']).toBeUndefined()
  })

  test.each(['/\\login', '/login\\', '/movies/a\\b'])(
    'the path %s is rejected with 400 before routing',
    async (path) => {
      const { status, body } = await site.sendRequest(path)
      expect([status, body.length]).toEqual([400, 0])
    },
  )

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'the method %s is rejected with 405',
    async (method) => {
      const { status, headers, body } = await site.sendRequest('/login/', {}, method)
      expect([status, headers['allow'], body.length]).toEqual([405, 'GET, HEAD', 0])
    },
  )
})
