/** Page URLs, and the allowed values of the `redirect` parameter. */
import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { getSafeRedirect, href, localisePath, matchPage, PAGES, splitLocale } from '../../src/lib/routes.ts'

const SITE_ORIGIN = 'https://marquee.example'

describe('page URLs', () => {
  test('every page has a file in src/pages, and every file there except the error pages belongs to a page', () => {
    const shells = globSync('**/*.astro', { cwd: 'src/pages/[...locale]' })
      .filter((file) => !/^(404|500)\.astro$/.test(file))
      .map((file) => file.replace(/(?:^|\/)index\.astro$|\.astro$/, ''))
      .map((folder) => (folder === '' ? 'index.html' : `${folder}/index.html`))
    expect(shells.sort()).toEqual(PAGES.map((page) => page.shell).sort())
  })

  test.each(LOCALES.flatMap((locale) => PAGES.map((page) => [locale, page.name] as const)))(
    'in %s, the URL of the page %s matches the shell of that page',
    (locale, pageName) => {
      const matchedPage = matchPage(href(pageName, locale, { slug: 'alien-1979' }))
      expect(matchedPage?.page.name).toBe(pageName)
      expect(matchedPage?.locale).toBe(locale)
      expect(matchedPage?.shell.startsWith(locale === 'en' ? '' : `${locale}/`)).toBe(true)
    },
  )

  test.each([
    ['/movies/', 'movies', undefined],
    ['/movies', 'movies', undefined],
    ['/movies/alien-1979', 'movie', 'alien-1979'],
    ['/movies/alien-1979/', 'movie', 'alien-1979'],
    ['/movies/%D8%A7%D9%84%D8%B1%D8%B3%D8%A7%D9%84%D8%A9', 'movie', 'الرسالة'],
    ['/movies/%zz', 'movie', '%zz'],
    ['/fr', 'home', undefined],
    ['/ar/', 'home', undefined],
    ['/ar/watch/embed', 'embed', undefined],
    ['/fr/actor/sigourney-weaver', 'actor', 'sigourney-weaver'],
  ])('the URL %s matches the page %s', (url, pageName, slug) => {
    expect(matchPage(url)?.page.name).toBe(pageName)
    expect(matchPage(url)?.slug).toBe(slug)
  })

  test.each([
    '/nope',
    '/movies/a/b',
    '/actor/',
    '/french/',
    '/xx/movies/',
    '/movies/detail/index.html',
    '/fr/fr/',
  ])('the URL %s matches no page', (url) => expect(matchPage(url)).toBeNull())

  test('a locale is recognised only as a complete path segment', () => {
    expect(splitLocale('/french/')).toEqual({ locale: 'en', path: '/french/' })
    expect(splitLocale('/fr')).toEqual({ locale: 'fr', path: '/' })
  })

  test('changing the locale of a URL keeps the query', () => {
    expect(localisePath('/fr/movies/?sort=title.asc', 'ar')).toBe('/ar/movies/?sort=title.asc')
    expect(localisePath('/ar/', 'en')).toBe('/')
    expect(localisePath('/?a=1', 'fr')).toBe('/fr/?a=1')
    expect(localisePath('/ar?a=1', 'en')).toBe('/?a=1')
  })

  test('changing the locale of a URL never leads to another site, for all combinations of separators after the locale', () => {
    const pathParts = ['/', '\\', '\t', '\n', '\u0000', ' ', 'evil.example', '..', '?', '']
    for (const prefix of ['', '/fr', '/ar', '/fr/ar'])
      for (const firstPart of pathParts)
        for (const secondPart of pathParts)
          for (const thirdPart of pathParts)
            for (const locale of LOCALES) {
              const localisedPath = localisePath(`${prefix}${firstPart}${secondPart}${thirdPart}/`, locale)
              expect([localisedPath, new URL(localisedPath, SITE_ORIGIN).origin]).toEqual([
                localisedPath,
                SITE_ORIGIN,
              ])
            }
  })

  test('the query of a URL omits empty values, and repeats the key for each value of a list', () => {
    const query = { sort: '', rated: null, network: undefined, includeGenres: [18, 80], language: [] }
    expect(href('movies', 'en', { query })).toBe('/movies/?includeGenres=18&includeGenres=80')
  })

  test('a slug is encoded so that it stays one path segment', () => {
    expect(href('movie', 'en', { slug: '../../login?x#y' })).toBe('/movies/..%2F..%2Flogin%3Fx%23y')
  })
})

describe('redirect parameter', () => {
  test.each([
    '/',
    '/movies/',
    '/movies/alien-1979',
    '/fr/tvshows/?network=hbo&network=fx',
    '/ar/mylist/#top',
    '/watch/?type=tv&slug=dark&season=1&episode=2&redirect=%2Ftvshows%2Fdark',
  ])('the redirect to %s is allowed', (redirect) => expect(getSafeRedirect(redirect)).toBe(redirect))

  /* Known open redirect attacks. The redirect must stay on this site. */
  test.each([
    ['a scheme-relative URL', '//evil.example'],
    ['three slashes', '///evil.example'],
    ['a backslash instead of a slash', '/\\evil.example'],
    ['two backslashes', '\\\\evil.example'],
    ['a tab inside', '/\t/evil.example'],
    ['a line feed inside', '/\n/evil.example'],
    ['a carriage return inside', '/\r/evil.example'],
    ['a leading space', ' //evil.example'],
    ['a leading NUL', '\u0000//evil.example'],
    ['dot segments that leave two slashes', '/..//evil.example'],
    ['a dot segment that leaves two slashes', '/.//evil.example'],
    ['encoded dot segments', '/%2e%2e//evil.example'],
    ['dot segments after a page', '/movies/..//evil.example'],
    ['an absolute URL', 'https://evil.example/movies/'],
    ['an absolute URL without slashes', 'https:evil.example'],
    ['a user before the host', '//marquee.example@evil.example/'],
    ['a javascript URL', 'javascript:alert(1)'],
    ['a javascript URL in mixed case', 'JaVaScRiPt:alert(1)'],
    ['a javascript URL with a tab inside', 'java\tscript:alert(1)'],
    ['a javascript URL after a space', ' javascript:alert(1)'],
    ['a data URL', 'data:text/html,<script>alert(1)</script>'],
    ['a VBScript URL', 'vbscript:msgbox(1)'],
    ['a blob URL', 'blob:https://evil.example/1'],
    ['a file URL', 'file:///etc/passwd'],
    ['a relative path', 'movies/'],
    ['an encoded second slash', '/%2f/evil.example'],
    ['an encoded backslash', '/%5cevil.example'],
    ['an API URL', '/api/auth/logout'],
    ['a stream URL', '/proxy/torrent-streamer/stream/movie/tt0078748'],
    ['a file of the site', '/_a/client.js'],
    ['an unknown page', '/nowhere/'],
    ['the login page', '/login/?redirect=//evil.example'],
    ['the sign-up page', '/fr/signup/'],
    ['the onboarding page', '/ar/onboarding/'],
    ['a full-width slash', '/／evil.example'],
    ['an ideographic full stop', '//evil。example'],
    ['an encoded tab', '/%09/evil.example'],
    ['a user without a host', '/@evil.example'],
    ['one slash after the scheme', 'https:/evil.example'],
    ['a query alone', '?x'],
    ['a fragment alone', '#x'],
    ['an empty value', ''],
    ['undefined', undefined],
    ['null', null],
    ['a URL that is too long', `/movies/?q=${'a'.repeat(2_000)}`],
  ])('the redirect to %s is replaced by the home page', (_, redirect) =>
    expect(getSafeRedirect(redirect)).toBe('/'),
  )

  test('a browser resolves the redirect to a page of this site, for all combinations of URL parts', () => {
    const pathParts = [
      '/',
      '//',
      '\\',
      '\t',
      '.',
      '..',
      '%2f',
      '%5c',
      '@',
      ':',
      'evil.example',
      'movies',
      '?',
      '#',
      ' ',
    ]
    for (const firstPart of pathParts)
      for (const secondPart of pathParts)
        for (const thirdPart of pathParts)
          for (const fourthPart of pathParts) {
            const redirect = getSafeRedirect(`/${firstPart}${secondPart}${thirdPart}${fourthPart}`)
            const url = new URL(redirect, SITE_ORIGIN)
            if (url.origin !== SITE_ORIGIN || url.pathname.startsWith('//') || !matchPage(url.pathname))
              expect.fail(JSON.stringify([firstPart, secondPart, thirdPart, fourthPart, redirect]))
          }
  })
})
