/**
 * Simulates how Netlify, Cloudflare Pages and CloudFront process the files of the build, according to their
 * documentation.
 */
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

/**
 * Returns the file of a path: the file itself, the index of a folder or the path with `.html` (the "pretty URLs" of
 * Netlify and Cloudflare Pages). Returns undefined if no such file exists.
 */
function findFile(siteFolder: string, path: string): string | undefined {
  const decodedPath = decodeURIComponent(path)
  const candidates = [decodedPath, join(decodedPath, 'index.html'), `${decodedPath.replace(/\/$/, '')}.html`]
  return candidates.map((candidate) => join(siteFolder, candidate)).find(isFile)
}

interface RedirectRule {
  pathPattern: RegExp
  targetPath: string
  status: number
  isForced: boolean
}

/**
 * Parses rules such as `/movies/:slug /movies/detail/ 200`. A placeholder matches one segment and `*` matches the rest
 * of the path. A trailing slash is optional.
 */
export function parseRedirects(redirectsText: string): RedirectRule[] {
  return redirectsText
    .split('\n')
    .filter((line) => line.trim() && !line.startsWith('#'))
    .map((line) => {
      const [pathPattern = '', targetPath = '', statusText = '301'] = line.trim().split(/\s+/)
      const patternText = pathPattern
        .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replace(/\/\*$/, '(?:/(?<splat>.*))?')
        .replace(/:(\w+)/g, '(?<$1>[^/]+)')
        .replace(/\/$/, '')
      return {
        pathPattern: new RegExp(`^${patternText}/?$`),
        targetPath,
        status: Number.parseInt(statusText, 10),
        isForced: statusText.endsWith('!'),
      }
    })
}

const fillPlaceholders = (targetTemplate: string, valuesByPlaceholder: Record<string, string> | undefined) =>
  targetTemplate.replace(
    /:(\w+)/g,
    (placeholder, placeholderName: string) =>
      valuesByPlaceholder?.[placeholderName] ?? (placeholderName === 'splat' ? '' : placeholder),
  )

/**
 * Returns the headers of a path according to a `_headers` file. Every block with a matching path pattern adds its
 * headers. Repeated headers are joined with a comma, and a line `! Name` removes a header (documented by Cloudflare).
 * If no block sets Cache-Control, the header has the default value of Netlify and Cloudflare Pages.
 */
export function findCdnHeaders(headersText: string, path: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const block of headersText.trim().split(/\n\s*\n/)) {
    const [pathTemplate = '', ...lines] = block.split('\n')
    const pathPattern = new RegExp(
      `^${pathTemplate.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`,
    )
    if (!pathPattern.test(path)) continue
    for (const line of lines) {
      const [, removedName] = /^\s+! ([\w-]+)$/.exec(line) ?? []
      if (removedName) {
        delete headers[removedName.toLowerCase()]
        continue
      }
      const [, headerName = '', headerValue = ''] = /^\s+([\w-]+):\s*(.*)$/.exec(line) ?? []
      const previousValue = headers[headerName.toLowerCase()]
      headers[headerName.toLowerCase()] =
        previousValue === undefined ? headerValue : `${previousValue}, ${headerValue}`
    }
  }
  return { 'cache-control': 'public, max-age=0, must-revalidate', ...headers }
}

interface CdnFiles {
  siteFolder: string
  redirectsText: string
  headersText: string
}

/**
 * Simulates Netlify. An existing file has priority over rules without `!`. If the path has no file, the first matching
 * rule applies whose target is a URL on another server or an existing file. A rule with `!` applies even if the path
 * has a file. Without a rule and a file, returns status 404.
 */
export function simulateNetlify(
  { siteFolder, redirectsText, headersText }: CdnFiles,
  path: string,
): CdnResponse {
  const serveFile = (file: string, status: number) => ({
    status,
    body: readFileSync(file, 'utf8'),
    headers: findCdnHeaders(headersText, path),
  })
  const requestedFile = findFile(siteFolder, path)
  for (const { pathPattern, targetPath, status, isForced } of parseRedirects(redirectsText)) {
    const pathMatch = pathPattern.exec(path)
    if (!pathMatch || (requestedFile && !isForced)) continue
    const filledTarget = fillPlaceholders(targetPath, pathMatch.groups)
    if (/^https?:/.test(filledTarget)) return { status, body: '', headers: {}, proxiedUrl: filledTarget }
    const file = findFile(siteFolder, filledTarget)
    if (file) return serveFile(file, status)
  }
  return requestedFile ? serveFile(requestedFile, 200) : { status: 404, body: '', headers: {} }
}

/**
 * Simulates Cloudflare Pages. A matching rule whose target exists has priority over a file at the path. Rules with a
 * status other than 200 or 3xx and rules with a target on another server are ignored. A path without a rule or file
 * gets the nearest 404.html in the folders above, with status 404.
 */
export function simulateCloudflarePages(
  { siteFolder, redirectsText, headersText }: CdnFiles,
  path: string,
): CdnResponse {
  const serveFile = (file: string, status: number) => ({
    status,
    body: readFileSync(file, 'utf8'),
    headers: findCdnHeaders(headersText, path),
  })
  const supportedRules = parseRedirects(redirectsText).filter(
    ({ status, targetPath }) =>
      (status === 200 || (status >= 300 && status < 400)) && targetPath.startsWith('/'),
  )
  for (const { pathPattern, targetPath, status } of supportedRules) {
    const pathMatch = pathPattern.exec(path)
    const file = pathMatch && findFile(siteFolder, fillPlaceholders(targetPath, pathMatch.groups))
    if (file) return serveFile(file, status)
  }
  const requestedFile = findFile(siteFolder, path)
  if (requestedFile) return serveFile(requestedFile, 200)
  const pathSegments = path.split('/').filter(Boolean)
  for (let segmentCount = pathSegments.length; segmentCount >= 0; segmentCount -= 1) {
    const file = join(siteFolder, ...pathSegments.slice(0, segmentCount), '404.html')
    if (isFile(file)) return serveFile(file, 404)
  }
  return { status: 404, body: '', headers: {} }
}

/** Matches the paths that CloudFront forwards to the API. */
const CLOUDFRONT_API_PATH_PATTERN = /^\/(api|proxy|images)\//

/**
 * Simulates a CloudFront distribution with the cache behaviours of deploy/README.md. `fetchFromApi` returns the reply
 * of the API. Without custom error responses, CloudFront forwards error replies of both origins unchanged.
 */
export function simulateCloudFront(
  siteFolder: string,
  path: string,
  fetchFromApi: (path: string) => CdnResponse = () => ({ status: 404, body: '', headers: {} }),
): CdnResponse {
  return CLOUDFRONT_API_PATH_PATTERN.test(path) ? fetchFromApi(path) : fetchFromBucket(siteFolder, path)
}

/**
 * Simulates the default cache behaviour of the distribution. The generated function rewrites the path. The S3 website
 * endpoint then returns the object, the index document of a folder, or the error document. The endpoint redirects the
 * path of a folder without a trailing slash to the path with the slash.
 */
function fetchFromBucket(siteFolder: string, path: string): CdnResponse {
  const functionCode = readFileSync(join(siteFolder, '_deploy/cloudfront-function.js'), 'utf8')
  const { uri } = runInNewContext(`${functionCode}; handler(event)`, {
    event: { request: { uri: decodeURIComponent(path), method: 'GET', headers: {} } },
  }) as { uri: string }
  const headersPolicy = JSON.parse(
    readFileSync(join(siteFolder, '_deploy/cloudfront-headers.json'), 'utf8'),
  ) as {
    CustomHeadersConfig: { Items: { Header: string; Value: string }[] }
  }
  const headers = Object.fromEntries(
    headersPolicy.CustomHeadersConfig.Items.map(({ Header, Value }) => [Header.toLowerCase(), Value]),
  )
  const file = join(siteFolder, uri)
  const indexFile = join(file, 'index.html')
  if (uri.endsWith('/') && isFile(indexFile))
    return { status: 200, body: readFileSync(indexFile, 'utf8'), headers }
  if (isFile(file)) return { status: 200, body: readFileSync(file, 'utf8'), headers }
  if (isFile(indexFile)) return { status: 302, body: '', headers: { ...headers, location: `${uri}/` } }
  return { status: 404, body: readFileSync(join(siteFolder, '404.html'), 'utf8'), headers }
}
