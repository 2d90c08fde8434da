/** A small built site and the table of requests that every server of the site must answer in the same way. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { renderCdnHeaders, renderCdnRedirects } from '../../scripts/cdn-files.ts'
import { writeDeployFiles } from '../../scripts/deploy-files.ts'
import { getLocalePrefix } from '../../src/lib/i18n/locale-prefix.ts'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { href, NOT_FOUND_SHELL, PAGES } from '../../src/lib/routes.ts'

export const DEPLOY_CSP =
  "default-src 'none'; script-src 'self' 'sha256-abc='; style-src 'self'; frame-ancestors 'none'"
/** EMBED_ORIGINS of the built site. */
export const DEPLOY_EMBED_ORIGINS = ['https://home.example.org', 'http://box:8123']
/** The Content-Security-Policy of /watch/embed when DEPLOY_EMBED_ORIGINS may embed the player. */
export const DEPLOY_EMBED_CSP = DEPLOY_CSP.replace(
  "frame-ancestors 'none'",
  'frame-ancestors https://home.example.org http://box:8123',
)
export const EMBED_PATHS = LOCALES.map(getLocalePrefix).flatMap((prefix) => [
  `${prefix}/watch/embed`,
  `${prefix}/watch/embed/`,
])
export const API_ORIGIN = 'https://api.example.org'
const SLUGS = ['tt0111161-heat', '%D8%A7%D9%84%D9%81%D9%8A%D9%84', 'caf%C3%A9-de-nuit']

/** Writes a built site to a temporary folder and returns its path. Each page contains its own name. */
export function writeBuiltSite(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-site-'))
  const writeFile = (path: string, content: string) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    writeFileSync(`${file}.br`, brotliCompressSync(content))
    writeFileSync(`${file}.gz`, gzipSync(content))
  }
  for (const locale of LOCALES) {
    const prefix = locale === 'en' ? '' : `${locale}/`
    for (const { shell } of PAGES) writeFile(prefix + shell, `shell ${prefix}${shell}`)
    writeFile(getNotFoundFile(locale), `missing ${locale}`)
    writeFile(`${prefix}${NOT_FOUND_SHELL}`, `missing ${locale}`)
  }
  writeFile('_a/app.abc123.js', 'console.log(1)')
  writeFile('_a/wasm-worker-abc123.js', 'postMessage(1)')
  writeFile('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFile('manifest.webmanifest', '{}')
  writeFile('manifest.ar.webmanifest', '{"dir":"rtl"}')
  writeFile('sw.js', "addEventListener('fetch', () => {})")
  writeFile('icons/192.png', 'png')
  writeFileSync(join(folder, 'csp.txt'), DEPLOY_CSP)
  writeFileSync(join(folder, '_headers'), renderCdnHeaders(DEPLOY_CSP, DEPLOY_EMBED_ORIGINS))
  writeFileSync(join(folder, '_redirects'), renderCdnRedirects(API_ORIGIN))
  writeDeployFiles(folder, DEPLOY_CSP, DEPLOY_EMBED_ORIGINS)
  return folder
}

const getNotFoundFile = (locale: string) => (locale === 'en' ? NOT_FOUND_SHELL : `${locale}/404/index.html`)

export interface RequestCase {
  path: string
  status: number
  body: string
  /** Expected caching: `revalidate` requires revalidation before each use, and `any` is not checked. */
  cache: 'immutable' | 'revalidate' | 'any'
}

/** Pages in each language with and without a trailing slash, files, and paths that must return the not-found page. */
export const REQUEST_TABLE: RequestCase[] = LOCALES.flatMap((locale) => {
  const prefix = locale === 'en' ? '' : `${locale}/`
  const pages = PAGES.flatMap(({ name, path, shell }): RequestCase[] => {
    const pagePaths = path.includes('{slug}')
      ? SLUGS.map((slug) => href(name, locale, { slug: decodeURIComponent(slug) }))
      : [href(name, locale)]
    return pagePaths.flatMap((pagePath) =>
      [pagePath, pagePath.endsWith('/') ? pagePath.slice(0, -1) : `${pagePath}/`]
        .filter((pathVariant) => pathVariant !== '')
        .map((pathVariant) => ({
          path: pathVariant,
          status: 200,
          body: `shell ${prefix}${shell}`,
          cache: 'revalidate' as const,
        })),
    )
  })
  const missingPaths = [
    'nowhere/',
    'movies/a/b',
    'actor',
    'tvshows/a/b/c/',
    '_nothing',
    'movies/detail/index.html',
  ]
  return [
    ...pages,
    ...missingPaths.map((missingPath) => ({
      path: `/${prefix}${missingPath}`,
      status: 404,
      body: `missing ${locale}`,
      cache: 'revalidate' as const,
    })),
  ]
}).concat(
  { path: '/_a/app.abc123.js', status: 200, body: 'console.log(1)', cache: 'immutable' },
  { path: '/favicon.svg', status: 200, body: '<svg xmlns="http://www.w3.org/2000/svg"/>', cache: 'any' },
  { path: '/manifest.webmanifest', status: 200, body: '{}', cache: 'any' },
  { path: '/manifest.ar.webmanifest', status: 200, body: '{"dir":"rtl"}', cache: 'any' },
  // The service worker must be revalidated: a cached old service worker would keep serving the old site.
  {
    path: '/sw.js',
    status: 200,
    body: "addEventListener('fetch', () => {})",
    cache: 'revalidate',
  },
  { path: '/_a/gone.js', status: 404, body: 'missing en', cache: 'revalidate' },
  { path: '/_deploy/nginx.conf', status: 404, body: 'missing en', cache: 'revalidate' },
)

/** Additional requests for nginx and Caddy, which can hide internal files of the build. */
export const INTERNAL_FILE_REQUESTS: RequestCase[] = [
  '/csp.txt',
  '/_headers',
  '/_redirects',
  '/index.html',
  '/favicon.svg.br',
  '/icons/',
].map((path) => ({ path, status: 404, body: 'missing en', cache: 'revalidate' }))

export interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends a request for exactly this path. `fetch` would normalise the path first. */
export function requestExactPath(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
      .on('error', reject)
      .end()
  })
}

/**
 * Returns `immutable` or `revalidate` (see RequestCase.cache), `contradictory` for a header that is immutable with
 * `max-age=0`, and `limited time` for any other header.
 */
export function describeCaching(header: string | undefined): string {
  if (header?.includes('immutable') && header.includes('max-age=0')) return 'contradictory'
  if (header?.includes('immutable')) return 'immutable'
  return header === 'no-cache' || header?.includes('must-revalidate') ? 'revalidate' : 'limited time'
}
