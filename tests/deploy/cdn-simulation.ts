/** Simulates how Netlify, Cloudflare Pages and CloudFront process the files of the build, according to their documentation. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'

export interface CdnResponse {
  status: number
  body: string
  headers: Record<string, string>
  /** URL on another server to which the request is proxied. */
  proxiedUrl?: string
}

const isFile = (path: string) => existsSync(path) && statSync(path).isFile()

/** Finds the file of a path: the file itself, the index of a folder or the path with `.html` ("pretty URLs" on both CDNs). */
function findFile(site: string, path: string): string | undefined {
  const decodedPath = decodeURIComponent(path)
  const candidates = [decodedPath, join(decodedPath, 'index.html'), `${decodedPath.replace(/\/$/, '')}.html`]
  return candidates.map((candidate) => join(site, candidate)).find(isFile)
}

interface RedirectRule {
  from: RegExp
  to: string
  status: number
  isForced: boolean
}

/**
 * Parses rules such as `/movies/:slug /movies/detail/ 200`. A placeholder matches one segment and `*` matches the rest of the
 * path. A trailing slash is optional.
 */
export function parseRedirects(text: string): RedirectRule[] {
  return text
    .split('\n')
    .filter((line) => line.trim() && !line.startsWith('#'))
    .map((line) => {
      const [from = '', to = '', status = '301'] = line.trim().split(/\s+/)
      const pattern = from
        .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replace(/\/\*$/, '(?:/(?<splat>.*))?')
        .replace(/:(\w+)/g, '(?<$1>[^/]+)')
        .replace(/\/$/, '')
      return {
        from: new RegExp(`^${pattern}/?$`),
        to,
        status: Number.parseInt(status, 10),
        isForced: status.endsWith('!'),
      }
    })
}

const fillPlaceholders = (target: string, groups: Record<string, string> | undefined) =>
  target.replace(
    /:(\w+)/g,
    (placeholder, name: string) => groups?.[name] ?? (name === 'splat' ? '' : placeholder),
  )

/**
 * Returns the headers of a path according to a `_headers` file. Every block with a matching path pattern adds its headers, and
 * repeated headers are joined with a comma (documented by Cloudflare). Both CDNs have this default Cache-Control.
 */
export function findCdnHeaders(text: string, path: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const block of text.trim().split(/\n\s*\n/)) {
    const [pattern = '', ...lines] = block.split('\n')
    const pathPattern = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`)
    if (!pathPattern.test(path)) continue
    for (const line of lines) {
      const [, removedName] = /^\s+! ([\w-]+)$/.exec(line) ?? []
      if (removedName) {
        delete headers[removedName.toLowerCase()]
        continue
      }
      const [, name = '', value = ''] = /^\s+([\w-]+):\s*(.*)$/.exec(line) ?? []
      const previousValue = headers[name.toLowerCase()]
      headers[name.toLowerCase()] = previousValue === undefined ? value : `${previousValue}, ${value}`
    }
  }
  return { 'cache-control': 'public, max-age=0, must-revalidate', ...headers }
}

interface CdnFiles {
  site: string
  redirects: string
  headers: string
}

/** Simulates Netlify. An existing file has priority over rules without `!`. Otherwise the first matching rule applies. */
export function simulateNetlify({ site, redirects, headers }: CdnFiles, path: string): CdnResponse {
  const serveFile = (file: string, status: number) => ({
    status,
    body: readFileSync(file, 'utf8'),
    headers: findCdnHeaders(headers, path),
  })
  const ownFile = findFile(site, path)
  for (const { from, to, status, isForced } of parseRedirects(redirects)) {
    const match = from.exec(path)
    if (!match || (ownFile && !isForced)) continue
    const target = fillPlaceholders(to, match.groups)
    if (/^https?:/.test(target)) return { status, body: '', headers: {}, proxiedUrl: target }
    const file = findFile(site, target)
    if (file) return serveFile(file, status)
  }
  return ownFile ? serveFile(ownFile, 200) : { status: 404, body: '', headers: {} }
}

/**
 * Simulates Cloudflare Pages: rules apply before files, even if a file exists. Only the statuses 200 and 3xx are supported, and
 * rules cannot proxy to other servers. Missing paths get the nearest 404.html in the folders above.
 */
export function simulateCloudflarePages({ site, redirects, headers }: CdnFiles, path: string): CdnResponse {
  const serveFile = (file: string, status: number) => ({
    status,
    body: readFileSync(file, 'utf8'),
    headers: findCdnHeaders(headers, path),
  })
  const supportedRules = parseRedirects(redirects).filter(
    ({ status, to }) => (status === 200 || status < 400) && to.startsWith('/'),
  )
  for (const { from, to, status } of supportedRules) {
    const match = from.exec(path)
    const file = match && findFile(site, fillPlaceholders(to, match.groups))
    if (file) return serveFile(file, status)
  }
  const ownFile = findFile(site, path)
  if (ownFile) return serveFile(ownFile, 200)
  const parts = path.split('/').filter(Boolean)
  for (let length = parts.length; length >= 0; length -= 1) {
    const file = join(site, ...parts.slice(0, length), '404.html')
    if (isFile(file)) return serveFile(file, 404)
  }
  return { status: 404, body: '', headers: {} }
}

/** Simulates CloudFront with S3: the generated function rewrites the path, and a missing object returns the error page. */
export function simulateCloudFront(site: string, path: string): CdnResponse {
  const code = readFileSync(join(site, '_deploy/cloudfront-function.js'), 'utf8')
  const { uri } = runInNewContext(`${code}; handler(event)`, {
    event: { request: { uri: decodeURIComponent(path), method: 'GET', headers: {} } },
  }) as { uri: string }
  const policy = JSON.parse(readFileSync(join(site, '_deploy/cloudfront-headers.json'), 'utf8')) as {
    CustomHeadersConfig: { Items: { Header: string; Value: string }[] }
  }
  const headers = Object.fromEntries(
    policy.CustomHeadersConfig.Items.map(({ Header, Value }) => [Header.toLowerCase(), Value]),
  )
  const file = join(site, uri)
  if (isFile(file)) return { status: 200, body: readFileSync(file, 'utf8'), headers }
  return { status: 404, body: readFileSync(join(site, '404.html'), 'utf8'), headers }
}
