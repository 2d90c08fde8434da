/** A small built site, and the table of requests that every server of it has to answer alike. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { cdnHeaders, cdnRedirects } from '../../scripts/cdn-files.ts'
import { writeDeployFiles } from '../../scripts/deploy-files.ts'
import { LOCALES } from '../../src/lib/i18n/locales.ts'
import { href, NOT_FOUND_SHELL, PAGES } from '../../src/lib/routes.ts'

export const CSP = "default-src 'none'; script-src 'self' 'sha256-abc='; style-src 'self'"
export const API_ORIGIN = 'https://api.example.org'
const SLUGS = ['tt0111161-heat', '%D8%A7%D9%84%D9%81%D9%8A%D9%84', 'caf%C3%A9-de-nuit']

/** Each shell says its own name; returns the folder. */
export function buildSite(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-site-'))
  const put = (path: string, text: string) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    writeFileSync(`${file}.br`, brotliCompressSync(text))
    writeFileSync(`${file}.gz`, gzipSync(text))
  }
  for (const locale of LOCALES) {
    const prefix = locale === 'en' ? '' : `${locale}/`
    for (const { shell } of PAGES) put(prefix + shell, `shell ${prefix}${shell}`)
    put(missingOf(locale), `missing ${locale}`)
    put(`${prefix}${NOT_FOUND_SHELL}`, `missing ${locale}`)
  }
  put('_a/app.abc123.js', 'console.log(1)')
  put('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  put('manifest.webmanifest', '{}')
  put('manifest.ar.webmanifest', '{"dir":"rtl"}')
  put('sw.js', "addEventListener('fetch', () => {})")
  put('icons/192.png', 'png')
  writeFileSync(join(folder, 'csp.txt'), CSP)
  writeFileSync(join(folder, '_headers'), cdnHeaders(CSP))
  writeFileSync(join(folder, '_redirects'), cdnRedirects(API_ORIGIN))
  writeDeployFiles(folder, CSP)
  return folder
}

const missingOf = (locale: string) => (locale === 'en' ? NOT_FOUND_SHELL : `${locale}/404/index.html`)

export interface Case {
  path: string
  status: number
  /** What the body says. */
  body: string
  /** How long it may be kept. */
  cache: 'for ever' | 'asks each time' | 'any'
}

/** Every page in every language with and without its last slash; files; what is not there, or nobody's business. */
export const TABLE: Case[] = LOCALES.flatMap((locale) => {
  const prefix = locale === 'en' ? '' : `${locale}/`
  const pages = PAGES.flatMap(({ name, path, shell }): Case[] => {
    const paths = path.includes('{slug}')
      ? SLUGS.map((slug) => href(name, locale, { slug: decodeURIComponent(slug) }))
      : [href(name, locale)]
    return paths.flatMap((one) =>
      [one, one.endsWith('/') ? one.slice(0, -1) : `${one}/`]
        .filter((spelling) => spelling !== '')
        .map((spelling) => ({
          path: spelling,
          status: 200,
          body: `shell ${prefix}${shell}`,
          cache: 'asks each time' as const,
        })),
    )
  })
  const gone = ['nowhere/', 'movies/a/b', 'actor', 'tvshows/a/b/c/', '_nothing', 'movies/detail/index.html']
  return [
    ...pages,
    ...gone.map((path) => ({
      path: `/${prefix}${path}`,
      status: 404,
      body: `missing ${locale}`,
      cache: 'asks each time' as const,
    })),
  ]
}).concat(
  { path: '/_a/app.abc123.js', status: 200, body: 'console.log(1)', cache: 'for ever' },
  { path: '/favicon.svg', status: 200, body: '<svg xmlns="http://www.w3.org/2000/svg"/>', cache: 'any' },
  { path: '/manifest.webmanifest', status: 200, body: '{}', cache: 'any' },
  { path: '/manifest.ar.webmanifest', status: 200, body: '{"dir":"rtl"}', cache: 'any' },
  // An old worker that is kept would keep the old site.
  {
    path: '/sw.js',
    status: 200,
    body: "addEventListener('fetch', () => {})",
    cache: 'asks each time',
  },
  { path: '/_a/gone.js', status: 404, body: 'missing en', cache: 'asks each time' },
  { path: '/_deploy/nginx.conf', status: 404, body: 'missing en', cache: 'asks each time' },
)

/** On servers of our own, where the build's own files can be kept from everybody. */
export const PRIVATE: Case[] = [
  '/csp.txt',
  '/_headers',
  '/_redirects',
  '/index.html',
  '/favicon.svg.br',
  '/icons/',
].map((path) => ({ path, status: 404, body: 'missing en', cache: 'asks each time' }))

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends the path byte for byte. */
export function ask(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      )
    })
      .on('error', reject)
      .end()
  })
}

/** In the words of the table. */
export function cacheOf(header: string | undefined): string {
  if (header?.includes('immutable') && header.includes('max-age=0')) return 'contradicts itself'
  if (header?.includes('immutable')) return 'for ever'
  return header === 'no-cache' || header?.includes('must-revalidate') ? 'asks each time' : 'a while'
}
