/** Operator endpoints: purging external caches, and Prometheus metrics. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdminTestServer, startAdminTestServer } from './admin-test-server.ts'

describe('purging external caches', () => {
  const receivedRequests: {
    method: string | undefined
    url: string | undefined
    token: string | undefined
    body: string
  }[] = []
  let nextResponse: { status: number; body: string } = { status: 200, body: '{"success":true,"errors":[]}' }
  let cloudflareApi: Server
  let service: AdminTestServer
  beforeAll(async () => {
    cloudflareApi = createServer((request: IncomingMessage, response) => {
      let requestBody = ''
      request.on('data', (chunk: Buffer) => {
        requestBody += chunk
      })
      request.on('end', () => {
        receivedRequests.push({
          method: request.method,
          url: request.url,
          token: request.headers.authorization,
          body: requestBody,
        })
        response.writeHead(nextResponse.status, { 'Content-Type': 'application/json' }).end(nextResponse.body)
      })
    })
    await new Promise<void>((resolve) => cloudflareApi.listen(0, '127.0.0.1', resolve))
    const { port } = cloudflareApi.address() as AddressInfo
    const apiUrl = `http://127.0.0.1:${port}/client/v4`
    service = await startAdminTestServer({
      env: { CLOUDFLARE_ZONE_ID: 'zone1', CLOUDFLARE_API_TOKEN: 't0ken', CLOUDFLARE_API_URL: apiUrl },
    })
  })
  afterAll(async () => {
    await service.stop()
    cloudflareApi.close()
  })
  const purgeCloudflare = async () =>
    service.waitForJob(await service.admin.post('/api/settings/revalidate/cloudflare-cache'))

  it('asks Cloudflare to purge the whole zone', async () => {
    expect(await purgeCloudflare()).toMatchObject({ status: 'done' })
    expect(receivedRequests).toEqual([
      {
        method: 'POST',
        url: '/client/v4/zones/zone1/purge_cache',
        token: 'Bearer t0ken',
        body: '{"purge_everything":true}',
      },
    ])
  })

  it.each([
    [
      'rejects the token',
      403,
      '{"success":false,"errors":[{"code":10000,"message":"Authentication error"}]}',
    ],
    [
      'returns 200 with success: false',
      200,
      '{"success":false,"errors":[{"code":1012,"message":"Request must contain one of"}]}',
    ],
    ['answers with HTML', 200, '<html>'],
    ['answers with a redirect', 302, ''],
  ])('fails the job when Cloudflare %s, and does not log the token', async (_description, status, body) => {
    nextResponse = { status, body }
    expect(await purgeCloudflare()).toMatchObject({ status: 'failed', message: 'failed' })
    expect(service.server.logLines.at(-2)).not.toContain('t0ken')
  })

  it('returns 409 when Cloudflare or Redis is not configured', async () => {
    const unconfiguredService = await startAdminTestServer()
    for (const cacheName of ['cloudflare-cache', 'redis-cache']) {
      const { status, body } = await unconfiguredService.admin.post(`/api/settings/revalidate/${cacheName}`)
      expect([status, body.errors]).toEqual([409, { cache: ['not_configured'] }])
    }
    await unconfiguredService.stop()
  })
})

describe('GET /api/metrics', () => {
  it('returns metrics only to a caller with METRICS_TOKEN, and 404 when METRICS_TOKEN is not set', async () => {
    const serviceWithoutMetrics = await startAdminTestServer()
    expect((await serviceWithoutMetrics.server.request('/api/metrics')).status).toBe(404)
    await serviceWithoutMetrics.stop()
    const service = await startAdminTestServer({ env: { METRICS_TOKEN: 'm3trics' } })
    const requestMetrics = (authorization?: string) =>
      service.server.request(
        '/api/metrics',
        authorization ? { headers: { Authorization: authorization } } : {},
      )
    for (const authorization of [
      undefined,
      'Bearer',
      'Bearer x',
      'Basic m3trics',
      `Bearer ${service.admin.accessToken}`,
    ]) {
      expect((await requestMetrics(authorization)).status).toBe(401)
    }
    await service.admin.get('/api/movies/123456')
    const response = await requestMetrics('Bearer m3trics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const metricsText = await response.text()
    const readMetric = (metricName: string) =>
      Number(
        metricsText
          .split('\n')
          .find((line) => line.startsWith(`${metricName} `))
          ?.split(' ')
          .at(-1),
      )
    const metricLabelText = 'method="GET",route="/api/movies/{id}",status="404",worker="0"'
    expect(readMetric(`marquee_http_request_duration_seconds_count{${metricLabelText}}`)).toBeGreaterThan(0)
    expect(readMetric(`marquee_http_request_duration_seconds_bucket{${metricLabelText},le="+Inf"}`)).toBe(
      readMetric(`marquee_http_request_duration_seconds_count{${metricLabelText}}`),
    )
    expect(readMetric('marquee_audit_logins{outcome="ok"}')).toBe(1)
    expect(metricsText).toContain('# TYPE marquee_audit_logins gauge\n')
    expect(readMetric('marquee_event_loop_lag_seconds{worker="0"}')).toBeGreaterThanOrEqual(0)
    expect(metricsText).not.toContain('/movies/123456')
    /* Every line is a comment, or a metric name with optional labels and a number. */
    for (const line of metricsText.trim().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"\n]*",?)+\})? [-+.e\d]+)$/)
    }
    await service.stop()
  })
})
