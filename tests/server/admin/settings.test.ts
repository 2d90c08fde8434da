/** The settings endpoints of the admin API, and the slow-query log. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upsertSetting } from '../../../server/queries/setting.ts'
import { MEDIA_SERVERS_KEY } from '../../../server/services/media-servers/stored-media-servers.ts'
import { applyStoredConfiguration } from '../../../server/services/operations/stored-configuration.ts'
import { IDENTITY_PROVIDERS_KEY } from '../../../server/services/operations/stored-identity-providers.ts'
import { RESOLVERS_KEY } from '../../../server/services/operations/stored-resolvers.ts'
import { TestClient } from '../../support/test-client.ts'
import { type AdminTestServer, startAdminTestServer } from './admin-test-server.ts'

interface Setting {
  key: string
  value: unknown
  kind: 'choice' | 'integer' | 'flag' | 'text' | 'secret'
  group: string
  default: unknown
  choices: string[] | null
  min: number | null
  max: number | null
}

describe('settings', () => {
  let service: AdminTestServer
  beforeAll(async () => {
    service = await startAdminTestServer()
  })
  afterAll(() => service.stop())

  it('settings that are choices, whole numbers or flags accept only valid values', async () => {
    const { admin } = service
    const { results } = (await admin.get('/api/settings')).body as { results: Setting[] }
    expect(results.map(({ key }) => key)).toContain('backup_every_hours')
    const nonTextSettings = results.filter(({ kind }) => kind !== 'text' && kind !== 'secret')
    for (const { key, kind, value, choices, min, max, default: defaultValue } of nonTextSettings) {
      expect(value).toEqual(defaultValue)
      const saveSetting = async (newValue: unknown) =>
        (await admin.post('/api/settings', { key, value: newValue })).status
      const validValues =
        kind === 'choice'
          ? (choices ?? [])
          : kind === 'integer'
            ? [min, max, String(max)]
            : // `false` is omitted, because the server rejects `false` without an identity provider.
              key === 'password_sign_in'
              ? ['true', true]
              : [true, 'true', 'false', false]
      for (const candidate of validValues)
        expect([key, candidate, await saveSetting(candidate)]).toEqual([key, candidate, 200])
      const invalidValues =
        kind === 'integer'
          ? [(min ?? 0) - 1, (max ?? 0) + 1, 1.5, '', 'x', null, true, [1]]
          : ['', 'x', 7, null, {}]
      for (const candidate of invalidValues)
        expect([key, candidate, await saveSetting(candidate)]).toEqual([key, candidate, 422])
      expect((await admin.get(`/api/settings/${key}`)).body.value).toEqual(
        kind === 'integer' ? max : validValues.at(-1),
      )
    }
    expect((await admin.post('/api/settings', { key: 'no_such', value: 1 })).status).toBe(422)
    expect((await admin.get('/api/settings/no_such')).status).toBe(404)
  })

  it('a setting falls back to its default when the stored value is no longer valid', async () => {
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

  it('settings whose stored value is not JSON do not prevent signing in, and can be replaced in the dashboard', async () => {
    const { admin, server } = service
    const settingKeys = ['password_sign_in', 'invitation_days', 'tmdb_api_token']
    const listKeys = [IDENTITY_PROVIDERS_KEY, RESOLVERS_KEY, MEDIA_SERVERS_KEY]
    const listPaths = ['identity-providers', 'resolvers', 'media-servers'].map((name) => `/api/admin/${name}`)
    for (const value of ['{', '', 'off']) {
      for (const key of [...settingKeys, ...listKeys])
        await upsertSetting(server.database.primary, { key, value, updated_at: 1, updated_by: null })
      await applyStoredConfiguration(server.deps)
      for (const path of ['/api/settings', '/api/auth/sign-in-methods', ...listPaths])
        expect([path, (await admin.get(path)).status]).toEqual([path, 200])
      expect((await new TestClient(server).login('admin@example.com')).status).toBe(200)
    }
    expect((await admin.post('/api/settings', { key: 'invitation_days', value: 5 })).status).toBe(200)
    expect((await admin.put('/api/admin/identity-providers', { providers: [] })).status).toBe(200)
  })

  it('an invitation that is created without expires_in_days is valid for the number of days in the settings', async () => {
    const { admin, server } = service
    await admin.post('/api/settings', { key: 'invitation_days', value: 2 })
    const inviteAndGetValidDays = async (invitation: object) => {
      const { body } = await admin.post('/api/auth/register/invite', invitation)
      return Math.round((Date.parse(body.expires_at) - server.deps.now()) / 86_400_000)
    }
    expect(await inviteAndGetValidDays({})).toBe(2)
    expect(await inviteAndGetValidDays({ expires_in_days: 14 })).toBe(14)
  })

  it('the server logs the SQL of queries that take longer than slow_query_ms, without parameter values', async () => {
    const { admin, server } = service
    const { slowQueries } = server.database
    if (!slowQueries) throw new Error('the database has no slow-query monitor')
    const reportedQueries: string[] = []
    slowQueries.report = (sql) => reportedQueries.push(sql)
    await admin.post('/api/settings', { key: 'slow_query_ms', value: 1 })
    const slowQuery =
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000) select count(*) from n where cast(i as text) <> '
    const { sql } = await import('kysely')
    await sql`${sql.raw(slowQuery)}${'secret'}`.execute(server.database.primary)
    expect(reportedQueries.some((query) => query.startsWith(slowQuery))).toBe(true)
    expect(reportedQueries.join('')).not.toContain('secret')
    await admin.post('/api/settings', { key: 'slow_query_ms', value: 60_000 })
    reportedQueries.length = 0
    await admin.get('/api/auth/me')
    expect(reportedQueries).toEqual([])
  })
})
