/**
 * `/api/metrics` for Prometheus. Requires METRICS_TOKEN as bearer token. Responds with 404 when METRICS_TOKEN is not
 * set.
 */
import { Hono } from 'hono'
import { Problem } from '../core/problem.ts'
import { parseBearerToken } from '../http/request.ts'
import { timingSafeEqualText } from '../services/auth/secret.ts'
import type { Deps } from '../services/deps.ts'
import { renderMetrics } from '../services/operations/metrics.ts'

export function createMetricsApp(deps: Deps): Hono {
  const app = new Hono()
  app.get('/api/metrics', async (c) => {
    const { metricsToken } = deps.config
    const bearerToken = parseBearerToken(c.req.header('authorization')) ?? ''
    if (!metricsToken || !timingSafeEqualText(bearerToken, metricsToken))
      throw new Problem(metricsToken ? 'unauthorized' : 'not_found')
    const contentType = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }
    return c.body(await renderMetrics(deps), 200, contentType)
  })
  return app
}
