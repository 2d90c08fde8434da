/**
 * Paths of all pages and the shell file of each. Links, the development and production servers and the CDN files use
 * this table.
 */
import { decodeUriComponentSafely } from './decode-uri-component.ts'
import { getLocalePrefix, splitLocale } from './i18n/locale-prefix.ts'
import { FALLBACK_LOCALE, type Locale } from './i18n/locales.ts'

export { localisePath, splitLocale } from './i18n/locale-prefix.ts'

export interface PageRoute {
  name: PageName
  /** Path without locale. `{slug}` matches one segment. */
  path: string
  /** HTML file of the page, relative to the folder of the locale below `dist/` (`getShellFolder`). */
  shell: string
}

/** Pages whose path equals their name. */
const SECTION_PAGE_NAMES = [
  'login',
  'link',
  'remote',
  'reset',
  'email',
  'signup',
  'onboarding',
  'profiles',
  'mylist',
  'watch-next',
  'history',
  'lists',
  'calendar',
  'statistics',
  'search',
  'account',
  'dashboard',
  'movies',
  'tvshows',
  'watch',
  'offline',
  'not-authorized',
] as const
const OTHER_PAGE_PATHS = {
  home: '/',
  movie: '/movies/{slug}',
  tvshow: '/tvshows/{slug}',
  actor: '/actor/{slug}',
  embed: '/watch/embed',
} as const
export type PageName = (typeof SECTION_PAGE_NAMES)[number] | keyof typeof OTHER_PAGE_PATHS

const PAGE_PATHS = {
  ...OTHER_PAGE_PATHS,
  ...Object.fromEntries(SECTION_PAGE_NAMES.map((name) => [name, `/${name}/`])),
} as Record<PageName, string>

/** Returns the shell of a path: `movies/detail/index.html` for `/movies/{slug}`. */
const getShellFile = (pagePath: string) =>
  `${pagePath.slice(1).replace('{slug}', 'detail').replace(/[^/]$/, '$&/')}index.html`

export const PAGES: readonly PageRoute[] = Object.entries(PAGE_PATHS).map(([name, path]) => ({
  name: name as PageName,
  path,
  shell: getShellFile(path),
}))

/** Shells of the fallback locale's error pages. */
export const NOT_FOUND_SHELL = '404.html'
const SERVER_ERROR_SHELL = '500.html'

/** Folder of a locale below `dist/`: empty, or `fr/`. */
export const getShellFolder = (locale: Locale) => (locale === FALLBACK_LOCALE ? '' : `${locale}/`)

/** Shells of the error pages of a locale, below `dist/`. */
export const getErrorShells = (locale: Locale): { notFound: string; serverError: string } =>
  locale === FALLBACK_LOCALE
    ? { notFound: NOT_FOUND_SHELL, serverError: SERVER_ERROR_SHELL }
    : { notFound: `${locale}/404/index.html`, serverError: `${locale}/500/index.html` }

/** Returns the path and query of a page in a locale. Omits empty query values. A list becomes a repeated query key. */
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
  const pagePath = PAGE_PATHS[name].replace('{slug}', encodeURIComponent(slug ?? ''))
  const searchParams = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const queryValue of Array.isArray(value) ? value : [value])
      if (queryValue !== '' && queryValue != null) searchParams.append(key, String(queryValue))
  }
  return `${getLocalePrefix(locale)}${pagePath}${searchParams.size > 0 ? `?${searchParams}` : ''}`
}

/** Returns the page of a path, with or without a trailing slash; null when there is none. */
export function matchPage(
  pathname: string,
): { page: PageRoute; locale: Locale; shell: string; slug?: string } | null {
  const { locale, path } = splitLocale(pathname)
  const trimmedPath = path.replace(/\/$/, '') || '/'
  const staticPage = PAGES.find((page) => (page.path.replace(/\/$/, '') || '/') === trimmedPath)
  const folder = getShellFolder(locale)
  if (staticPage) return { page: staticPage, locale, shell: folder + staticPage.shell }
  for (const page of PAGES) {
    if (!page.path.includes('{slug}')) continue
    const prefix = page.path.replace('{slug}', '')
    const slug = trimmedPath.startsWith(prefix) ? trimmedPath.slice(prefix.length) : ''
    if (slug && !slug.includes('/'))
      return { page, locale, shell: folder + page.shell, slug: decodeUriComponentSafely(slug) }
  }
  return null
}

/**
 * Returns the normalised value of `redirect` if it is the path of a page of this site other than login, signup and
 * onboarding. Otherwise returns `/`. Rejects values that a browser may resolve to another site: `/\evil`,
 * `/<TAB>/evil`, `//evil`, and `/..//evil`, whose normalised path is `//evil`.
 */
export function getSafeRedirect(redirect: string | null | undefined): string {
  if (!redirect || redirect.length > 2_000 || !redirect.startsWith('/') || /[\\\p{Cc}]|^\/\//u.test(redirect))
    return '/'
  const baseUrl = 'https://here.invalid'
  const url = URL.parse(redirect, baseUrl)
  if (!url || url.origin !== baseUrl || url.pathname.startsWith('//') || url.username) return '/'
  const pageName = matchPage(url.pathname)?.page.name
  if (!pageName || pageName === 'login' || pageName === 'signup' || pageName === 'onboarding') return '/'
  return url.pathname + url.search + url.hash
}
