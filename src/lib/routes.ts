/** Every page address and the shell file that answers it: links, both servers and the CDN files read this table. */
import { LOCALES, type Locale } from './i18n/locales.ts'

export interface PageRoute {
  name: string
  /** Without locale; `{slug}` stands for one segment. */
  path: string
  /** Under `dist/` and the locale's folder. */
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

const prefixOf = (locale: Locale) => (locale === 'en' ? '' : `/${locale}`)
const byName = new Map<string, PageRoute>(PAGES.map((page) => [page.name, page]))

/** The address of a page in a locale. Query values that are empty are left out, lists repeat their key. */
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
  const path = byName.get(name)?.path.replace('{slug}', encodeURIComponent(slug ?? '')) ?? '/'
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== '' && one != null) search.append(key, String(one))
  }
  return `${prefixOf(locale)}${path}${search.size > 0 ? `?${search}` : ''}`
}

/** Splits `/fr/movies/` into the locale and `/movies/`. */
export function splitLocale(pathname: string): { locale: Locale; path: string } {
  const found = LOCALES.find(
    (one) =>
      one !== 'en' && pathname.startsWith(`/${one}`) && /^([/?#]|$)/.test(pathname.slice(one.length + 1)),
  )
  if (!found) return { locale: 'en', path: pathname }
  const rest = pathname.slice(found.length + 1)
  return { locale: found, path: rest.startsWith('/') ? rest : `/${rest}` }
}

/** The same page in another locale, query and all. */
export function inLocale(address: string, locale: Locale): string {
  return `${prefixOf(locale)}${splitLocale(address).path}` || '/'
}

/** The page that an address names, a trailing slash more or less aside; null for none. */
export function matchPage(
  pathname: string,
): { page: PageRoute; locale: Locale; shell: string; slug?: string } | null {
  const { locale, path } = splitLocale(pathname)
  const plain = path.replace(/\/$/, '') || '/'
  const fixed = PAGES.find((page) => (page.path.replace(/\/$/, '') || '/') === plain)
  const folder = locale === 'en' ? '' : `${locale}/`
  if (fixed) return { page: fixed, locale, shell: folder + fixed.shell }
  for (const page of PAGES) {
    if (!page.path.includes('{slug}')) continue
    const stem = page.path.replace('{slug}', '')
    const slug = plain.startsWith(stem) ? plain.slice(stem.length) : ''
    if (slug && !slug.includes('/')) return { page, locale, shell: folder + page.shell, slug: decode(slug) }
  }
  return null
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * A `redirect` value that may be followed: a path on this site that names a page. Anything else, however spelled, is `/`.
 * The path is judged as a browser would resolve it (`/\evil`, `/<TAB>/evil` and `//evil` leave the site; `/..//evil` becomes `//evil`).
 */
export function safeRedirect(value: string | null | undefined): string {
  if (!value || value.length > 2_000 || !value.startsWith('/') || /[\\\p{Cc}]|^\/\//u.test(value)) return '/'
  const base = 'https://here.invalid'
  const url = URL.parse(value, base)
  if (!url || url.origin !== base || url.pathname.startsWith('//') || url.username) return '/'
  const page = matchPage(url.pathname)?.page.name
  if (!page || page === 'login' || page === 'signup') return '/'
  return url.pathname + url.search + url.hash
}
