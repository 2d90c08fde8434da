/** Settings, caches, imports, metrics and the slow-query log, as an operator meets them. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from './service.ts'

interface Setting {
  key: string
  value: unknown
  kind: 'choice' | 'whole' | 'flag'
  group: string
  default: unknown
  choices: string[] | null
  min: number | null
  max: number | null
}

describe('settings', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  it('says of each what it is, and takes what fits alone', async () => {
    const { admin } = service
    const { results } = (await admin.get('/api/settings')).body as { results: Setting[] }
    expect(results.map(({ key }) => key)).toContain('backup_every_hours')
    for (const { key, kind, value, choices, min, max, default: normal } of results) {
      expect(value).toEqual(normal)
      const put = async (given: unknown) => (await admin.post('/api/settings', { key, value: given })).status
      const good =
        kind === 'choice' ? (choices ?? []) : kind === 'whole' ? [min, max, String(max)] : [true, false]
      for (const one of good) expect([key, one, await put(one)]).toEqual([key, one, 200])
      const bad =
        kind === 'whole'
          ? [(min ?? 0) - 1, (max ?? 0) + 1, 1.5, '', 'x', null, true, [1]]
          : ['', 'x', 7, null, {}]
      for (const one of bad) expect([key, one, await put(one)]).toEqual([key, one, 422])
      expect((await admin.get(`/api/settings/${key}`)).body.value).toEqual(
        kind === 'whole' ? max : good.at(-1),
      )
    }
    expect((await admin.post('/api/settings', { key: 'no_such', value: 1 })).status).toBe(422)
    expect((await admin.get('/api/settings/no_such')).status).toBe(404)
  })

  it('falls back to the normal value where an older version left another', async () => {
    const { admin, server } = service
    await server.database.primary
      .updateTable('setting')
      .set({ value: '"Klingon"' })
      .where('key', '=', 'default_language')
      .execute()
    expect((await admin.get('/api/settings/default_language')).body.value).toBe('en')
    expect(
      (await admin.post('/api/auth/user', { email: 'k@example.com', password: 'Lumiere1895' })).body
        .preferences.interface_language,
    ).toBe('en')
  })

  it('logs slow queries from the threshold on, without values', async () => {
    const { admin, server } = service
    const { watch } = server.database
    if (!watch) throw new Error('there is no watch')
    const said: string[] = []
    watch.tell = (sql) => said.push(sql)
    await admin.post('/api/settings', { key: 'slow_query_ms', value: 1 })
    const slow =
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000) select count(*) from n where i <> '
    const { sql } = await import('kysely')
    await sql`${sql.raw(slow)}${'secret'}`.execute(server.database.primary)
    expect(said.some((text) => text.startsWith(slow))).toBe(true)
    expect(said.join('')).not.toContain('secret')
    await admin.post('/api/settings', { key: 'slow_query_ms', value: 60_000 })
    said.length = 0
    await admin.get('/api/auth/me')
    expect(said).toEqual([])
  })
})

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

describe('imports', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  it('runs the demo importer with its progress and its report; a second run changes nothing', async () => {
    const { admin } = service
    const { importers } = (await admin.get('/api/admin/imports')).body
    expect(importers).toContainEqual({ name: 'demo', unavailable: null, options: [] })
    const first = await service.ended(await admin.post('/api/admin/imports', { importer: 'demo' }))
    expect(first).toMatchObject({ status: 'done', report: { changed: 0, same: 0, skipped: 0, skips: [] } })
    expect(first.report?.['added']).toBe(first.done)
    expect(first.total).toBe(first.done)
    const again = await service.ended(await admin.post('/api/admin/imports', { importer: 'demo' }))
    expect(again.report).toMatchObject({ added: 0, changed: 0, same: first.done })
    const { body } = await admin.get('/api/admin/imports')
    expect(body.results.map((job: { kind: string }) => job.kind)).toEqual(['import_demo', 'import_demo'])
  }, 60_000)

  it('stops where it is when it is cancelled, and goes on another time', async () => {
    const fresh = await startService()
    const started = await fresh.admin.post('/api/admin/imports', { importer: 'demo' })
    const end = fresh.server.deps.bus.subscribe('jobs', ({ job }) => {
      const { done, status } = job as { done: number; status: string }
      if (status !== 'running' || done === 0) return
      end()
      void fresh.admin.post(`/api/jobs/${started.body.job_id}/cancel`)
    })
    const stopped = await fresh.ended(started)
    expect(stopped.status).toBe('cancelled')
    const rest = await fresh.ended(await fresh.admin.post('/api/admin/imports', { importer: 'demo' }))
    expect(rest).toMatchObject({ status: 'done' })
    expect(rest.report?.['same']).toBe(stopped.report?.['added'])
    await fresh.stop()
  }, 60_000)

  it('says in its own words what an importer could not do', async () => {
    const { admin } = service
    const options = { folder: '/no/such/folder', 'min-votes': 5, adult: false }
    const job = await service.ended(await admin.post('/api/admin/imports', { importer: 'imdb', options }))
    expect(job).toMatchObject({ status: 'failed', message: '--folder: there is no folder /no/such/folder' })
    const bad = await admin.post('/api/admin/imports', { importer: 'imdb', options: { 'min-votes': 'many' } })
    expect(bad.body.errors).toEqual({ 'options.min-votes': ['invalid_type'] })
  })

  it('refuses what there is not', async () => {
    const { admin } = service
    const asked = async (body: unknown) => (await admin.post('/api/admin/imports', body)).body.errors
    expect(await asked({ importer: 'no' })).toEqual({ importer: ['unknown'] })
    expect(await asked({ importer: 'constructor' })).toEqual({ importer: ['unknown'] })
    expect(await asked({ importer: 'demo', options: { folder: '/etc' } })).toEqual({
      options: ['unrecognized_keys'],
    })
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
