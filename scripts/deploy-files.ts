/**
 * What nginx, Caddy and CloudFront have to know of the site, from the tables that our own server reads; the build writes it to
 * `dist/_deploy/`, and the files of `deploy/` take it in. tests/deploy/ tries each one.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { getLocalePrefix } from '../src/lib/i18n/locale-prefix.ts'
import { FALLBACK_LOCALE, LOCALES, type Locale } from '../src/lib/i18n/locales.ts'
import { getErrorShells, PAGES } from '../src/lib/routes.ts'
import { headerLines } from './cdn-files.ts'

/** Files of the build that are nobody's business. */
const PRIVATE = ['csp.txt', '_headers', '_redirects', '_routes.json', '_worker.js']
/** What a proxy says for the API when no process of it answers (server/problem.ts). */
const AWAY = JSON.stringify({
  type: 'overloaded',
  status_code: 503,
  message: 'The server is busy. Try again shortly.',
  errors: {},
})
const FOR_EVER = 'public, max-age=31536000, immutable'
const A_DAY = 'public, max-age=86400'

/** `(|/fr|/ar)`: what stands before the path of a page. */
const PREFIX = `(${LOCALES.map(getLocalePrefix).join('|')})`
const notFoundOf = (locale: Locale) => `/${getErrorShells(locale).notFound}`
const PREFIXED_LOCALES = LOCALES.filter((locale) => locale !== FALLBACK_LOCALE)

/** A regular expression for the address of each page, and its shell without the locale's folder. */
export function pagePatterns(): { pattern: string; shell: string }[] {
  const fixedFirst = PAGES.toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
  return fixedFirst.map(({ path, shell }) => {
    const body = path.replace(/\/$/, '').replaceAll('.', '\\.').replace('{slug}', '[^/]+')
    return { pattern: `^${PREFIX}${body}/?$`, shell }
  })
}

export function writeDeployFiles(dist: string, csp: string): void {
  mkdirSync(`${dist}/_deploy`, { recursive: true })
  writeFileSync(`${dist}/_deploy/nginx.conf`, nginxSite(csp))
  writeFileSync(`${dist}/_deploy/Caddyfile`, caddySite(csp))
  writeFileSync(`${dist}/_deploy/cloudfront-function.js`, cloudFrontFunction())
  writeFileSync(`${dist}/_deploy/cloudfront-headers.json`, cloudFrontHeaders(csp))
}

/** For `include` inside a `server` that has its `root`. */
export function nginxSite(csp: string): string {
  const headers = headerLines(csp).map(([name, value]) => `add_header ${name} "${value}" always;`)
  const pages = pagePatterns().map(
    ({ pattern, shell }) => `location ~ "${pattern}" { try_files $1/${shell} =404; }`,
  )
  const missing = LOCALES.flatMap((locale) => [
    `location = ${notFoundOf(locale)} { internal; }`,
    ...(locale === FALLBACK_LOCALE ? [] : [`location ^~ /${locale}/_ { return 404; }`]),
  ])
  return `# Written by the build. The site: headers, pages, compressed files, not-found pages in the language of the address.
set $cache "no-cache";
set $missing "${notFoundOf(FALLBACK_LOCALE)}";
${PREFIXED_LOCALES.map((locale) => `if ($uri ~ "^/${locale}(/|$)") { set $missing "${notFoundOf(locale)}"; }`)
  .join('\n')}
add_header Cache-Control $cache always;
${headers.join('\n')}
gzip_static on;
gzip_vary on;
error_page 403 404 =404 $missing;
location ^~ /_a/ { set $cache "${FOR_EVER}"; try_files $uri =404; }
location ^~ /_deploy/ { return 404; }
${PRIVATE.map((name) => `location = /${name} { return 404; }`).join('\n')}
${missing.join('\n')}
location ~ "\\.(html|br|gz)$" { return 404; }
location ~ "\\.(svg|png|ico|webmanifest|txt|jpg|webp|woff2)$" { set $cache "${A_DAY}"; try_files $uri =404; }
${pages.join('\n')}
location / { try_files $uri =404; }
location @away {
  internal;
  default_type application/json;
  add_header Retry-After 1 always;
  add_header Cache-Control "no-store" always;
  return 503 '${AWAY}';
}
`
}

/** For `import` inside a site that has its `root`. */
export function caddySite(csp: string): string {
  const headers = headerLines(csp).map(([name, value]) => `    ${name} "${value}"`)
  const pages = pagePatterns().flatMap(({ pattern, shell }, at) => [
    `        @page${at} path_regexp page${at} "${pattern}"`,
    `        vars @page${at} shell {re.page${at}.1}/${shell}`,
  ])
  const errors = [
    `        vars missing ${notFoundOf(FALLBACK_LOCALE)}`,
    ...PREFIXED_LOCALES.flatMap((locale) => [
      `        @in_${locale} path /${locale} /${locale}/*`,
      `        vars @in_${locale} missing ${notFoundOf(locale)}`,
    ]),
  ]
  return `# Written by the build. The site: headers, pages, compressed files, not-found pages in the language of the address.
@site not path /api /api/* /proxy/* /images/*
handle @site {
    route {
        header {
            Cache-Control "no-cache"
${headers.join('\n')}
        }
        header -Server
        @for_ever path /_a/*
        header @for_ever Cache-Control "${FOR_EVER}"
        @a_day path *.svg *.png *.ico *.webmanifest *.txt *.jpg *.webp *.woff2
        header @a_day Cache-Control "${A_DAY}"
        @manifest path *.webmanifest
        header @manifest Content-Type application/manifest+json
        @private path /_deploy/* ${PRIVATE.map((name) => `/${name}`).join(' ')} *.html *.br *.gz
        error @private 404
${pages.join('\n')}
        @page vars_regexp {vars.shell} \\.html$
        rewrite @page {vars.shell}
        file_server {
            index none
            precompressed br gzip
            disable_canonical_uris
        }
    }
}
handle_errors {
    @call path /api /api/* /proxy/* /images/*
    handle @call {
        header Retry-After 1
        header Content-Type application/json
        respond \`${AWAY}\` 503
    }
    handle {
        header {
            Cache-Control "no-cache"
${headers.join('\n')}
        }
        header -Server
${errors.join('\n')}
        rewrite * {vars.missing}
        file_server {
            precompressed br gzip
            disable_canonical_uris
        }
    }
}
`
}

/** A CloudFront function (cloudfront-js-2.0) for viewer requests: addresses of pages to the objects of the bucket. */
export function cloudFrontFunction(): string {
  const pages = pagePatterns().map(({ pattern, shell }) => [pattern, shell])
  return `// Written by the build. Viewer request: addresses of pages become the objects of the bucket.
var PAGES = ${JSON.stringify(pages)};
var PRIVATE = ${JSON.stringify(PRIVATE.map((name) => `/${name}`))};
function handler(event) {
  var request = event.request;
  var uri = request.uri;
  if (PRIVATE.indexOf(uri) >= 0 || uri.indexOf('/_deploy/') === 0 || /\\.(html|br|gz)$/.test(uri)) {
    request.uri = '/_missing';
    return request;
  }
  for (var i = 0; i < PAGES.length; i++) {
    var found = new RegExp(PAGES[i][0]).exec(uri);
    if (found) {
      request.uri = found[1] + '/' + PAGES[i][1];
      return request;
    }
  }
  return request;
}
`
}

/** The response headers policy that goes with it (aws cloudfront create-response-headers-policy). */
export function cloudFrontHeaders(csp: string): string {
  const items = headerLines(csp).map(([Header, Value]) => ({ Header, Value, Override: true }))
  return `${JSON.stringify(
    { Name: 'marquee-site', CustomHeadersConfig: { Quantity: items.length, Items: items } },
    null,
    2,
  )}\n`
}
