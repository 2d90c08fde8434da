/** Response headers of the built site: they equal the headers on a CDN, and limit which origins may embed the site. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderCdnHeaders, renderCdnRedirects } from '../../scripts/cdn-files.ts'
import { readConfig } from '../../server/core/config.ts'
import { createStaticApp } from '../../server/http/static.ts'
import { HASHED_FILE_POLICY, WASM_WORKER_POLICY } from '../../src/lib/file-policies.ts'
import { FALLBACK_LOCALE, LOCALES } from '../../src/lib/i18n/locales.ts'
import { href, PAGES } from '../../src/lib/routes.ts'
import { startTestSite, TEST_CSP, type TestSite } from '../support/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.stop())

describe('response headers of the site', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/nowhere/'],
    ['GET', '/sw.js'],
    ['HEAD', '/login/'],
    ['POST', '/login/'],
    ['GET', '//evil.example'],
  ])('the response to %s %s has the same headers as on a CDN', async (method, path) => {
    const { headers } = await site.sendRequest(path, {}, method)
    const [commonHeaders = ''] = renderCdnHeaders(TEST_CSP, []).split('\n\n')
    const headerMatches = [...commonHeaders.matchAll(/^ {2}([\w-]+): (.*)$/gm)]
    expect(headerMatches.length).toBeGreaterThan(6)
    for (const [, headerName = '', headerValue] of headerMatches) {
      if (headerName === 'Cache-Control' || headerName === 'Strict-Transport-Security') continue
      expect([headerName, headers[headerName.toLowerCase()]]).toEqual([headerName, headerValue])
    }
    expect(headers['strict-transport-security']).toBeUndefined()
    expect(headers['server']).toBeUndefined()
    expect(headers['x-powered-by']).toBeUndefined()
  })

  test('response headers include Strict-Transport-Security if HTTPS is configured', async () => {
    const app = createStaticApp({ root: site.root, isHttps: true })
    const { headers } = await app.request('/')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test('a file with a hash in its name has all headers of a page, but a short Content-Security-Policy', async () => {
    const [page, hashedFile] = await Promise.all(
      ['/', '/_a/app.abc123.js'].map((path) => site.sendRequest(path, {}, 'GET')),
    )
    expect(hashedFile?.headers['content-security-policy']).toBe(HASHED_FILE_POLICY)
    expect(HASHED_FILE_POLICY).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
    for (const headerName of Object.keys(page?.headers ?? {}))
      expect(Object.keys(hashedFile?.headers ?? {})).toContain(headerName)
  })

  test('the script of a WebAssembly worker has a Content-Security-Policy that allows WebAssembly, even if the file does not exist', async () => {
    expect(TEST_CSP).not.toContain('wasm')
    const { headers } = await site.sendRequest('/_a/wasm-worker-abc123.js', {}, 'GET')
    expect(headers['content-security-policy']).toBe(WASM_WORKER_POLICY)
    expect(WASM_WORKER_POLICY).toMatch(
      /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self';/,
    )
  })

  test('the CDN redirects contain each URL with a slug in each language and end with the not-found pages', () => {
    const redirectLines = renderCdnRedirects().trim().split('\n')
    for (const locale of LOCALES)
      for (const page of PAGES.filter(({ path }) => path.includes('{slug}')))
        expect(
          redirectLines.some((line) => line.startsWith(`${href(page.name, locale, { slug: '' })}:slug `)),
        ).toBe(true)
    const notFoundRedirectLines = LOCALES.filter((locale) => locale !== FALLBACK_LOCALE)
      .map((locale) => `/${locale}/* /${locale}/404/ 404`)
      .reverse()
    expect(redirectLines.slice(-LOCALES.length)).toEqual([...notFoundRedirectLines, '/* /404.html 404'])
  })
})

describe('frame-ancestors', () => {
  const createApp = (embedOrigins: string[]) =>
    createStaticApp({ root: site.root, isHttps: false, embedOrigins })
  const readPolicy = async (path: string, origins: string[]) =>
    (await createApp(origins).request(path)).headers.get('content-security-policy') ?? ''

  test.each(['/watch/embed', '/watch/embed/', '/fr/watch/embed', '/ar/watch/embed/?type=movie&slug=arrival'])(
    '%s allows embedding only by the configured origins',
    async (path) => {
      expect(await readPolicy(path, [])).toBe(TEST_CSP)
      expect(await readPolicy(path, ['https://home.example.org', 'http://box:8123'])).toBe(
        TEST_CSP.replace(
          "frame-ancestors 'none'",
          'frame-ancestors https://home.example.org http://box:8123',
        ),
      )
    },
  )

  test.each(['/', '/watch/', '/watch/embed/x', '/login/', '/fr/watch/', '/watch/embed%2f'])(
    '%s forbids embedding by any origin',
    async (path) => {
      expect(await readPolicy(path, ['https://home.example.org'])).toBe(TEST_CSP)
    },
  )

  test.each([
    'home.example.org',
    'https://home.example.org/',
    'https://a.example;script-src *',
    'https://*.example.org',
    "'self'",
  ])('readConfig rejects EMBED_ORIGINS=%s', (embedOrigins) => {
    expect(() => readConfig({ EMBED_ORIGINS: embedOrigins })).toThrow(/EMBED_ORIGINS/)
  })
})
