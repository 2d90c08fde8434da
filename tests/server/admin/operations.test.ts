/** Caches and metrics, as an operator meets them. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from './service.ts'

describe('Cloudflare', () => {
  const asked: {
    method: string | undefined
    url: string | undefined
    token: string | undefined
    body: string
  }[] = []
  let next: { status: number; body: string } = { status: 200, body: '{"success":true,"errors":[]}' }
  let server: Server
  let service: Service
  beforeAll(async () => {
    server = createServer((request: IncomingMessage, response) => {
      let body = ''
      request.on('data', (data: Buffer) => {
        body += data
      })
      request.on('end', () => {
        asked.push({ method: request.method, url: request.url, token: request.headers.authorization, body })
        response.writeHead(next.status, { 'Content-Type': 'application/json' }).end(next.body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const api = `http://127.0.0.1:${port}/client/v4`
    service = await startService({
      env: { CLOUDFLARE_ZONE_ID: 'zone1', CLOUDFLARE_API_TOKEN: 't0ken', CLOUDFLARE_API_URL: api },
    })
  })
  afterAll(async () => {
    await service.stop()
    server.close()
  })
  const purge = async () =>
    service.ended(await service.admin.post('/api/settings/revalidate/cloudflare-cache'))

  it('is told to purge everything', async () => {
    expect(await purge()).toMatchObject({ status: 'done' })
    expect(asked).toEqual([
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
      'refuses the token',
      403,
      '{"success":false,"errors":[{"code":10000,"message":"Authentication error"}]}',
    ],
    [
      'says no with 200',
      200,
      '{"success":false,"errors":[{"code":1012,"message":"Request must contain one of"}]}',
    ],
    ['answers something else', 200, '<html>'],
    ['sends us elsewhere', 302, ''],
  ])('fails the job when it %s, with the reason in the log alone', async (_what, status, body) => {
    next = { status, body }
    expect(await purge()).toMatchObject({ status: 'failed', message: 'failed' })
    expect(service.server.log.at(-2)).not.toContain('t0ken')
  })

  it('answers 409 where it is not set up', async () => {
    const plain = await startService()
    for (const cache of ['cloudflare-cache', 'redis-cache']) {
      const { status, body } = await plain.admin.post(`/api/settings/revalidate/${cache}`)
      expect([status, body.errors]).toEqual([409, { cache: ['not_configured'] }])
    }
    await plain.stop()
  })
})

describe('metrics', () => {
  it('are there for the bearer of the token alone', async () => {
    const off = await startService()
    expect((await off.server.request('/api/metrics')).status).toBe(404)
    await off.stop()
    const service = await startService({ env: { METRICS_TOKEN: 'm3trics' } })
    const ask = (value?: string) =>
      service.server.request('/api/metrics', value ? { headers: { Authorization: value } } : {})
    for (const value of [
      undefined,
      'Bearer',
      'Bearer x',
      'Basic m3trics',
      `Bearer ${service.admin.accessToken}`,
    ]) {
      expect((await ask(value)).status).toBe(401)
    }
    await service.admin.get('/api/movies/123456')
    const response = await ask('Bearer m3trics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    const value = (line: string) =>
      Number(
        text
          .split('\n')
          .find((one) => one.startsWith(`${line} `))
          ?.split(' ')
          .at(-1),
      )
    const route = 'method="GET",route="/api/movies/{id}",status="404",worker="0"'
    expect(value(`marquee_http_request_duration_seconds_count{${route}}`)).toBeGreaterThan(0)
    expect(value(`marquee_http_request_duration_seconds_bucket{${route},le="+Inf"}`)).toBe(
      value(`marquee_http_request_duration_seconds_count{${route}}`),
    )
    expect(value('marquee_logins_total{outcome="ok"}')).toBe(1)
    expect(value('marquee_event_loop_lag_seconds{worker="0"}')).toBeGreaterThanOrEqual(0)
    expect(text).not.toContain('123456')
    /* Every line is one of the format: a comment, or a name with labels and a number. */
    for (const line of text.trim().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"\n]*",?)+\})? [-+.e\d]+)$/)
    }
    await service.stop()
  })
})
