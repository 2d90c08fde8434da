/** The Content-Security-Policy of /watch/embed, the only page that other sites may show in a frame. */
import { getLocalePrefix } from './i18n/locale-prefix.ts'
import { LOCALES } from './i18n/locales.ts'
import { PAGES } from './routes.ts'

/**
 * Returns the policy of the site, with `origins` (EMBED_ORIGINS) as the only sites that may frame the page. Without
 * origins, no site may frame the page.
 */
export function allowFraming(csp: string, origins: readonly string[]): string {
  if (origins.length === 0) return csp
  return csp.replace("frame-ancestors 'none'", `frame-ancestors ${origins.join(' ')}`)
}

/** Returns the paths of /watch/embed in all languages, with and without a trailing slash. */
export function listEmbedPaths(): string[] {
  const pagePath = PAGES.find(({ name }) => name === 'embed')?.path.replace(/\/$/, '') ?? ''
  return LOCALES.flatMap((locale) => [
    `${getLocalePrefix(locale)}${pagePath}`,
    `${getLocalePrefix(locale)}${pagePath}/`,
  ])
}
