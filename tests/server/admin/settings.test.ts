/** Settings and the slow-query log, as an operator meets them. */
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
    const { slowQueries: watch } = server.database
    if (!watch) throw new Error('there is no watch')
    const said: string[] = []
    watch.report = (sql) => said.push(sql)
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
