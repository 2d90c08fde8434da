/** `_headers` and `_redirects` for a CDN, from the same tables that our own server reads. */
import { getLocalePrefix } from '../src/lib/i18n/locale-prefix.ts'
import { LOCALES } from '../src/lib/i18n/locales.ts'
import { getErrorShells, PAGES } from '../src/lib/routes.ts'

/** What every answer of the site carries, whoever serves it. */
export function headerLines(csp: string): [name: string, value: string][] {
  return [
    ['Content-Security-Policy', csp],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'same-origin'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
    ['Strict-Transport-Security', 'max-age=31536000'],
  ]
}

/**
 * Without a word both CDNs send `public, max-age=0, must-revalidate`. It must not be said for all paths here: where two
 * rules fit, Cloudflare joins their values with a comma, and hashed files would be asked for each time.
 */
export function cdnHeaders(csp: string): string {
  return `/*
${headerLines(csp)
  .map(([name, value]) => `  ${name}: ${value}`)
  .join('\n')}

/_a/*
  Cache-Control: public, max-age=31536000, immutable

/sw.js
  Cache-Control: no-cache
`
}

/**
 * Addresses with a slug to their shell; what is no page to the not-found page of its language. With `apiOrigin`, the CDN
 * hands the calls of the API on to it, so that cookies and the policy stay those of one site.
 */
export function cdnRedirects(apiOrigin?: string): string {
  const missing: string[] = []
  const calls = apiOrigin
    ? ['api', 'proxy', 'images'].map((room) => `/${room}/* ${apiOrigin}/${room}/:splat 200`)
    : []
  const lines = LOCALES.flatMap((locale) => {
    const prefix = getLocalePrefix(locale)
    missing.unshift(`${prefix}/* /${getErrorShells(locale).notFound.replace(/index\.html$/, '')} 404`)
    return PAGES.filter((page) => page.path.includes('{slug}')).map(
      (page) =>
        `${prefix}${page.path.replace('{slug}', ':slug')} ${prefix}/${page.shell.replace(/index\.html$/, '')} 200`,
    )
  })
  return `${[...calls, '/_deploy/* /404.html 404!', ...lines, ...missing].join('\n')}\n`
}
