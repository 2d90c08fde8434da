/** What the built site is sent with: the headers that a CDN would send, too, and who may frame it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cdnHeaders, cdnRedirects } from '../../scripts/cdn-files.ts'
import { readConfig } from '../../server/core/config.ts'
import { createStaticApp } from '../../server/http/static.ts'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { href, PAGES } from '../../src/lib/routes.ts'
import { type BuiltSite, CSP, startBuiltSite } from '../support/built-site.ts'

let site: BuiltSite
beforeAll(async () => {
  site = await startBuiltSite()
})
afterAll(() => site.stop())

describe('headers', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/nowhere/'],
    ['GET', '/_a/app.abc123.js'],
    ['HEAD', '/login/'],
    ['POST', '/login/'],
    ['GET', '//evil.example'],
  ])('%s %s carries what a CDN would send, too', async (method, path) => {
    const { headers } = await site.ask(path, {}, method)
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
    const app = createStaticApp({ root: site.root, https: true })
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
  const of = (embedOrigins: string[]) => createStaticApp({ root: site.root, https: false, embedOrigins })
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
