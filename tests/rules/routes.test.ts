import { describe, expect, it } from 'vitest'
import { href, inLocale, matchPage, safeRedirect } from '../../src/lib/routes.ts'

describe('safeRedirect', () => {
  it.each([
    '/',
    '/movies/',
    '/fr/movies/?sort=title.asc',
    '/tvshows/dark',
    '/watch/?type=movie&slug=x',
    '/ar/',
  ])('follows %s', (path) => {
    expect(safeRedirect(path)).toBe(path)
  })
  it.each([
    null,
    undefined,
    '',
    'movies',
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/movies/..//evil.example',
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'http:evil.example',
    'https:/evil.example',
    '/%09/evil.example',
    '/%5cevil.example',
    '/@evil.example',
    '/login/?redirect=//evil',
    '/signup/',
    '/api/auth/logout',
    '/proxy/m/x',
    '/images/x',
    `/${'a'.repeat(3000)}`,
    '/movies/\u0000',
    '/nowhere',
    '?x',
    '#x',
    '/movies/a/b',
  ])('sends %j home', (value) => {
    expect(safeRedirect(value)).toBe('/')
  })
})

describe('addresses', () => {
  it('name their shells', () => {
    expect(matchPage('/fr/movies/amelie')).toMatchObject({
      locale: 'fr',
      shell: 'fr/movies/detail/index.html',
      slug: 'amelie',
    })
    expect(matchPage('/movies')?.shell).toBe('movies/index.html')
    expect(matchPage('/ar')?.shell).toBe('ar/index.html')
    expect(matchPage('/watch/embed')?.page.name).toBe('embed')
    expect(matchPage('/frog/')).toBeNull()
  })
  it('are made with their locale and query', () => {
    expect(href('movies', 'ar', { query: { includeGenres: [35, 18], sort: '' } })).toBe(
      '/ar/movies/?includeGenres=35&includeGenres=18',
    )
    expect(inLocale('/fr/mylist/?a=1', 'en')).toBe('/mylist/?a=1')
  })
})
