/** What Netlify, Cloudflare Pages and CloudFront make of the files that the build writes, as their documentation says. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'

export interface Outcome {
  status: number
  body: string
  headers: Record<string, string>
  /** Handed on to another server. */
  proxied?: string
}

const isFile = (path: string) => existsSync(path) && statSync(path).isFile()

/** A file, or the index of a folder, with or without its slash: both CDNs do so ("pretty URLs"). */
function fileFor(site: string, path: string): string | undefined {
  const plain = decodeURIComponent(path)
  const candidates = [plain, join(plain, 'index.html'), `${plain.replace(/\/$/, '')}.html`]
  return candidates.map((one) => join(site, one)).find(isFile)
}

interface Rule {
  from: RegExp
  to: string
  status: number
  force: boolean
}

/** `/movies/:slug /movies/detail/ 200`: placeholders are one segment, `*` is the rest, a slash at the end aside. */
export function readRedirects(text: string): Rule[] {
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
        force: status.endsWith('!'),
      }
    })
}

const filled = (to: string, groups: Record<string, string> | undefined) =>
  to.replace(/:(\w+)/g, (whole, name: string) => groups?.[name] ?? (name === 'splat' ? '' : whole))

/**
 * Blocks of a path pattern and its headers; every block that fits adds its own, and a header that is said twice is joined
 * with a comma (Cloudflare's documentation). Both CDNs have a rule of their own for how long files may be kept.
 */
export function headersFor(text: string, path: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const block of text.trim().split(/\n\s*\n/)) {
    const [pattern = '', ...lines] = block.split('\n')
    const fits = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`)
    if (!fits.test(path)) continue
    for (const line of lines) {
      const [, name = '', value = ''] = /^\s+([\w-]+):\s*(.*)$/.exec(line) ?? []
      const known = headers[name.toLowerCase()]
      headers[name.toLowerCase()] = known === undefined ? value : `${known}, ${value}`
    }
  }
  return { 'cache-control': 'public, max-age=0, must-revalidate', ...headers }
}

interface Cdn {
  site: string
  redirects: string
  headers: string
}

/** Netlify: files first unless a rule forces; then the first rule that fits; a rule may answer with any status. */
export function netlify({ site, redirects, headers }: Cdn, path: string): Outcome {
  const answer = (file: string, status: number) => ({
    status,
    body: readFileSync(file, 'utf8'),
    headers: headersFor(headers, path),
  })
  const own = fileFor(site, path)
  for (const { from, to, status, force } of readRedirects(redirects)) {
    const found = from.exec(path)
    if (!found || (own && !force)) continue
    const target = filled(to, found.groups)
    if (/^https?:/.test(target)) return { status, body: '', headers: {}, proxied: target }
    const file = fileFor(site, target)
    if (file) return answer(file, status)
  }
  return own ? answer(own, 200) : { status: 404, body: '', headers: {} }
}

/**
 * Cloudflare Pages: rules come before files, even where a file is; only 200 and 3xx are known, and nothing is handed on to
 * other servers by a rule; what is nowhere is answered by the nearest 404.html up the path.
 */
export function cloudflarePages({ site, redirects, headers }: Cdn, path: string): Outcome {
  const answer = (file: string, status: number) => ({
    status,
    body: readFileSync(file, 'utf8'),
    headers: headersFor(headers, path),
  })
  const known = readRedirects(redirects).filter(
    ({ status, to }) => (status === 200 || status < 400) && to.startsWith('/'),
  )
  for (const { from, to, status } of known) {
    const found = from.exec(path)
    const file = found && fileFor(site, filled(to, found.groups))
    if (file) return answer(file, status)
  }
  const own = fileFor(site, path)
  if (own) return answer(own, 200)
  const parts = path.split('/').filter(Boolean)
  for (let length = parts.length; length >= 0; length -= 1) {
    const file = join(site, ...parts.slice(0, length), '404.html')
    if (isFile(file)) return answer(file, 404)
  }
  return { status: 404, body: '', headers: {} }
}

/** CloudFront before S3: the function of the build runs, then the bucket answers; a missing object is the error page. */
export function cloudFront(site: string, path: string): Outcome {
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
