/** Content of `_headers` and `_redirects` for CDNs, generated from the page table that the server uses, too. */
import { allowFraming, listEmbedPaths } from '../src/lib/embed-policy.ts'
import {
  HASHED_FILE_POLICY,
  HASHED_FILE_PREFIX,
  WASM_WORKER_POLICY,
  WASM_WORKER_PREFIX,
} from '../src/lib/file-policies.ts'
import { getLocalePrefix } from '../src/lib/i18n/locale-prefix.ts'
import { LOCALES } from '../src/lib/i18n/locales.ts'
import { getErrorShells, PAGES } from '../src/lib/routes.ts'

/**
 * Returns the response headers that proxies and CDNs send with every file of the site. server/http/static.ts sends the
 * same headers, but Strict-Transport-Security only with HTTPS.
 */
export function listSiteHeaders(csp: string): [name: string, value: string][] {
  return [
    ['Content-Security-Policy', csp],
    ['X-Content-Type-Options', 'nosniff'],
    // URLs can contain invitation tokens, so browsers must not send them as a referrer, not even to this site.
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
    ['Strict-Transport-Security', 'max-age=31536000'],
  ]
}

/**
 * Returns the content of `_headers`. `embedOrigins` may frame the page /watch/embed. A line with an exclamation mark
 * removes a header that an earlier rule has set. By default, Netlify and Cloudflare send
 * `Cache-Control: public, max-age=0, must-revalidate`. The rule for all paths must not repeat this header: Cloudflare
 * joins the values of matching rules with a comma, so browsers would revalidate hashed files on every visit.
 */
export function renderCdnHeaders(csp: string, embedOrigins: readonly string[]): string {
  const embedPaths = embedOrigins.length === 0 ? [] : listEmbedPaths()
  const embedRules = embedPaths.map(
    (path) => `${path}
  ! Content-Security-Policy
  Content-Security-Policy: ${allowFraming(csp, embedOrigins)}

`,
  )
  return `/*
${listSiteHeaders(csp)
  .map(([name, value]) => `  ${name}: ${value}`)
  .join('\n')}

${HASHED_FILE_PREFIX}*
  ! Content-Security-Policy
  Content-Security-Policy: ${HASHED_FILE_POLICY}
  Cache-Control: public, max-age=31536000, immutable

${WASM_WORKER_PREFIX}*
  ! Content-Security-Policy
  Content-Security-Policy: ${WASM_WORKER_POLICY}

${embedRules.join('')}/sw.js
  Cache-Control: no-cache
`
}

/**
 * Returns the content of `_redirects`, which rewrites URLs with a slug to their shell, and unknown URLs to the
 * not-found page of their language. With `apiOrigin`, the CDN also forwards API requests, so that cookies and the
 * Content-Security-Policy apply to a single origin.
 */
export function renderCdnRedirects(apiOrigin?: string): string {
  const notFoundRules: string[] = []
  const apiRules = apiOrigin
    ? ['api', 'proxy', 'images'].map((folder) => `/${folder}/* ${apiOrigin}/${folder}/:splat 200`)
    : []
  const pageRules = LOCALES.flatMap((locale) => {
    const prefix = getLocalePrefix(locale)
    notFoundRules.unshift(`${prefix}/* /${getErrorShells(locale).notFound.replace(/index\.html$/, '')} 404`)
    return PAGES.filter((page) => page.path.includes('{slug}')).map(
      (page) =>
        `${prefix}${page.path.replace('{slug}', ':slug')} ${prefix}/${page.shell.replace(/index\.html$/, '')} 200`,
    )
  })
  return `${[...apiRules, '/_deploy/* /404.html 404!', ...pageRules, ...notFoundRules].join('\n')}\n`
}
