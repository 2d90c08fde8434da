/** `_headers` and `_redirects` for a CDN, from the same tables that our own server reads. */
import { LOCALES } from '../src/lib/i18n/locales.ts'
import { NOT_FOUND_SHELL, PAGES } from '../src/lib/routes.ts'

export function cdnHeaders(csp: string): string {
  return `/*
  Content-Security-Policy: ${csp}
  X-Content-Type-Options: nosniff
  Referrer-Policy: same-origin
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Resource-Policy: same-origin
  Permissions-Policy: camera=(), geolocation=(), microphone=()
  Strict-Transport-Security: max-age=31536000
  Cache-Control: public, max-age=0, must-revalidate

/_a/*
  Cache-Control: public, max-age=31536000, immutable
`
}

export function cdnRedirects(): string {
  const lines = LOCALES.flatMap((locale) => {
    const prefix = locale === 'en' ? '' : `/${locale}`
    return PAGES.filter((page) => page.path.includes('{slug}')).map(
      (page) =>
        `${prefix}${page.path.replace('{slug}', ':slug')} ${prefix}/${page.shell.replace(/index\.html$/, '')} 200`,
    )
  })
  return `${lines.join('\n')}\n/* /${NOT_FOUND_SHELL} 404\n`
}
