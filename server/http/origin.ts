import type { Context } from 'hono'
import type { Config } from '../core/config.ts'
import { Problem } from '../core/problem.ts'

/**
 * Rejects cross-site requests with unsafe methods (RFC 9110, §9.2.1; security.md, decision 2). A request without
 * `Sec-Fetch-Site` and `Origin` does not come from a browser and is accepted. `Origin` may also be the host of the
 * request with the scheme of PUBLIC_URL, so that a server can have several host names.
 * @throws Problem with status 403 when the request is cross-site.
 */
export function rejectCrossSiteRequest(c: Context, config: Config): void {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return
  const fetchSite = c.req.header('sec-fetch-site')
  if (fetchSite) {
    if (fetchSite !== 'same-origin' && fetchSite !== 'none') throw new Problem('forbidden')
    return
  }
  const origin = c.req.header('origin')
  if (origin === undefined || origin === config.publicUrl.origin) return
  const requestOrigin = URL.parse(`${config.publicUrl.protocol}//${c.req.header('host') ?? ''}`)?.origin
  if (origin !== requestOrigin) throw new Problem('forbidden')
}
