import type { Context } from 'hono'
import type { Config } from '../config.ts'
import { Problem } from '../problem.ts'

/**
 * Refuses unsafe methods that another site caused (security.md, decision 2). Neither header present: not a browser.
 * `Origin` may also name the host that the request was sent to, so that a machine known by several names works.
 */
export function refuseForeignOrigin(c: Context, config: Config): void {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return
  const site = c.req.header('sec-fetch-site')
  if (site) {
    if (site !== 'same-origin' && site !== 'none') throw new Problem('forbidden')
    return
  }
  const origin = c.req.header('origin')
  if (origin === undefined || origin === config.publicUrl.origin) return
  const host = URL.parse(origin)?.host
  if (!host || host !== c.req.header('host')) throw new Problem('forbidden')
}
