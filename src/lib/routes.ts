/**
 * Paths of all pages and the shell file of each. Links, the development and production servers and the CDN files use
 * this table.
 */
import { LOCALES, type Locale } from './i18n/locales.ts'

export interface PageRoute {
  name: string
  /** Without locale; `{slug}` matches one segment. */
  path: string
  /** HTML file below `dist/` and the folder of the locale. */
  shell: string
}

export const PAGES = [
  { name: 'home', path: '/', shell: 'index.html' },
  { name: 'login', path: '/login/', shell: 'login/index.html' },
  { name: 'signup', path: '/signup/', shell: 'signup/index.html' },
  { name: 'onboarding', path: '/onboarding/', shell: 'onboarding/index.html' },
  { name: 'profiles', path: '/profiles/', shell: 'profiles/index.html' },
  { name: 'mylist', path: '/mylist/', shell: 'mylist/index.html' },
  { name: 'search', path: '/search/', shell: 'search/index.html' },
  { name: 'account', path: '/account/', shell: 'account/index.html' },
  { name: 'dashboard', path: '/dashboard/', shell: 'dashboard/index.html' },
  { name: 'movies', path: '/movies/', shell: 'movies/index.html' },
  { name: 'movie', path: '/movies/{slug}', shell: 'movies/detail/index.html' },
  { name: 'tvshows', path: '/tvshows/', shell: 'tvshows/index.html' },
  { name: 'tvshow', path: '/tvshows/{slug}', shell: 'tvshows/detail/index.html' },
  { name: 'actor', path: '/actor/{slug}', shell: 'actor/detail/index.html' },
  { name: 'watch', path: '/watch/', shell: 'watch/index.html' },
  { name: 'embed', path: '/watch/embed', shell: 'watch/embed/index.html' },
  { name: 'offline', path: '/offline/', shell: 'offline/index.html' },
  { name: 'not-authorized', path: '/not-authorized/', shell: 'not-authorized/index.html' },
] as const satisfies readonly PageRoute[]

export type PageName = (typeof PAGES)[number]['name']
export const NOT_FOUND_SHELL = '404.html'
export const SERVER_ERROR_SHELL = '500.html'

const localePrefix = (locale: Locale) => (locale === 'en' ? '' : `/${locale}`)
const pagesByName = new Map<string, PageRoute>(PAGES.map((page) => [page.name, page]))

/** Returns the path and query of a page in a locale. Omits empty query values; lists repeat their key. */
export function href(
  name: PageName,
  locale: Locale,
  {
    slug,
    query = {},
  }: {
    slug?: string
    query?: Record<string, string | number | readonly (string | number)[] | null | undefined>
  } = {},
): string {
  const path = pagesByName.get(name)?.path.replace('{slug}', encodeURIComponent(slug ?? '')) ?? '/'
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== '' && item != null) search.append(key, String(item))
  }
  return `${localePrefix(locale)}${path}${search.size > 0 ? `?${search}` : ''}`
}

/** Splits a path into locale and path without locale: `/fr/movies/` into `fr` and `/movies/`. */
export function splitLocale(pathname: string): { locale: Locale; path: string } {
  const prefixLocale = LOCALES.find(
    (locale) =>
      locale !== 'en' &&
      pathname.startsWith(`/${locale}`) &&
      /^([/?#]|$)/.test(pathname.slice(locale.length + 1)),
  )
  if (!prefixLocale) return { locale: 'en', path: pathname }
  const rest = pathname.slice(prefixLocale.length + 1)
  return { locale: prefixLocale, path: rest.startsWith('/') ? rest : `/${rest}` }
}

/** Returns the path of the same page in another locale, with its query. */
export function localisePath(address: string, locale: Locale): string {
  return `${localePrefix(locale)}${splitLocale(address).path}` || '/'
}

/** Returns the page of a path, with or without a trailing slash; null when there is none. */
export function matchPage(
  pathname: string,
): { page: PageRoute; locale: Locale; shell: string; slug?: string } | null {
  const { locale, path } = splitLocale(pathname)
  const trimmedPath = path.replace(/\/$/, '') || '/'
  const staticPage = PAGES.find((page) => (page.path.replace(/\/$/, '') || '/') === trimmedPath)
  const folder = locale === 'en' ? '' : `${locale}/`
  if (staticPage) return { page: staticPage, locale, shell: folder + staticPage.shell }
  for (const page of PAGES) {
    if (!page.path.includes('{slug}')) continue
    const prefix = page.path.replace('{slug}', '')
    const slug = trimmedPath.startsWith(prefix) ? trimmedPath.slice(prefix.length) : ''
    if (slug && !slug.includes('/'))
      return { page, locale, shell: folder + page.shell, slug: decodeSafely(slug) }
  }
  return null
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Returns a `redirect` value if it is the path of a page of this site other than login and signup, and `/` otherwise.
 * The value is resolved as a browser resolves it: `/\evil`, `/<TAB>/evil` and `//evil` leave the site, and `/..//evil`
 * becomes `//evil`.
 */
export function getSafeRedirect(value: string | null | undefined): string {
  if (!value || value.length > 2_000 || !value.startsWith('/') || /[\\\p{Cc}]|^\/\//u.test(value)) return '/'
  const base = 'https://here.invalid'
  const url = URL.parse(value, base)
  if (!url || url.origin !== base || url.pathname.startsWith('//') || url.username) return '/'
  const page = matchPage(url.pathname)?.page.name
  if (!page || page === 'login' || page === 'signup') return '/'
  return url.pathname + url.search + url.hash
}
