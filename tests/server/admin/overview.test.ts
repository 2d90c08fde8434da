/** The admin overview: its counts and warnings. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertJob } from '../../../server/queries/job.ts'
import { DATABASES, insertTestAccount, TEST_PASSWORD } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import {
  type AdminTestServer,
  addMovies,
  createMovieRecord,
  startAdminTestServer,
} from './admin-test-server.ts'

const DAY_MS = 86_400_000

describe.each(DATABASES)('overview on %s', (_name, openTestDatabase) => {
  let service: AdminTestServer
  beforeAll(async () => {
    service = await startAdminTestServer({ database: await openTestDatabase() })
  }, 60_000)
  afterAll(() => service.stop())
  const getOverview = async () => (await service.admin.get('/api/admin/overview')).body

  it('returns null as the number of audit events until the audit log is verified for the first time', async () => {
    expect((await getOverview()).audit).toEqual({ verified: null, events: null, checked_at: null })
  })

  it('counts accounts, titles and viewings, and reports the jobs, the database size and the server state', async () => {
    const { server, admin, mainProfileId } = service
    const seriesRecord = createMovieRecord(3, {
      type: 'tv',
      seasons: [{ season_number: 1, episodes: [{ episode_number: 1 }, { episode_number: 2 }] }],
      cast: [{ person: { name: 'Ada Lake' } }],
    })
    const [firstId = '', secondId = ''] = await addMovies(service, [
      createMovieRecord(1),
      createMovieRecord(2),
      seriesRecord,
    ])
    await admin.post('/api/admin/titles/publish', { ids: [firstId], published: false })
    await admin.post('/api/blocklist', { type: 'movie', media_id: secondId })
    await insertTestAccount(server, 'gone@example.com')
    await server.database.primary
      .updateTable('account')
      .set({ blocked: 1 })
      .where('email', '=', 'gone@example.com')
      .execute()
    await admin.post('/api/auth/register/invite')
    await admin.post('/api/admin/titles/publish', { ids: [firstId], published: true })
    const createProgressReport = (progressSeconds: number) => ({
      type: 'movie',
      media_id: firstId,
      progress: progressSeconds,
      data: { video_duration: 3_600 },
    })
    for (const progressSeconds of [10, 20, 30])
      await admin.post(`/api/profile/${mainProfileId}/history`, createProgressReport(progressSeconds))
    server.advanceClock(3_600_000)
    await admin.login('admin@example.com')
    await admin.post(`/api/profile/${mainProfileId}/history`, createProgressReport(40))
    await insertJob(server.database.primary, {
      job_id: 'waiting',
      kind: 'nobody_runs_this',
      status: 'queued',
      input: '{}',
      created_at: Date.now(),
    })
    const overview = await getOverview()
    expect(overview.people).toMatchObject({
      accounts: 2,
      admins: 1,
      blocked: 1,
      profiles: 1,
      active_day: 1,
      invitations: 1,
    })
    expect(overview.titles).toEqual({
      movies: { total: 2, published: 2, blocked: 1 },
      series: { total: 1, published: 1, blocked: 0 },
      episodes: 2,
      actors: 1,
    })
    expect(overview.activity).toHaveLength(30)
    const today = new Date(server.deps.now()).toISOString().slice(0, 10)
    expect(overview.activity.at(-1).date).toBe(today)
    const sumActivity = (field: string) =>
      overview.activity.reduce((total: number, day: Record<string, number>) => total + (day[field] ?? 0), 0)
    expect([sumActivity('plays'), sumActivity('new_people')]).toEqual([2, 2])
    expect(overview.jobs.map((job: { job_id: string }) => job.job_id)).toEqual(['waiting'])
    expect(overview.storage.database).toBeGreaterThan(
      service.server.database.kind === 'postgres' ? 1_000 : -1,
    )
    expect(overview.health).toMatchObject({
      version: '0.1.0',
      database: server.database.kind,
      mail: false,
      redis: false,
    })
  })

  it('counts a new title even if earlier changes in the change log have times in the future, as after the clock was set back', async () => {
    await service.server.database.primary
      .updateTable('catalogue_change')
      .set({ changed_at: Date.now() + DAY_MS })
      .execute()
    const { total: countBefore } = (await getOverview()).titles.movies
    await addMovies(service, [createMovieRecord(4)])
    expect((await getOverview()).titles.movies.total).toBe(countBefore + 1)
  })

  it('warns about the first password until it is changed, and about missing backups until a backup exists', async () => {
    const { server, admin, folder } = service
    expect((await getOverview()).warnings).toEqual([])
    writeFileSync(join(folder, 'first-sign-in.txt'), `Email: admin@example.com\nPassword: ${TEST_PASSWORD}\n`)
    expect((await getOverview()).warnings).toEqual(['first_password'])
    const passwordChange = { current_password: TEST_PASSWORD, new_password: 'Lumiere1896' }
    expect((await admin.put('/api/auth/password', passwordChange)).status).toBe(204)
    expect((await getOverview()).warnings).toEqual([])
    server.advanceClock(8 * DAY_MS)
    await admin.login('admin@example.com', 'Lumiere1896')
    expect((await getOverview()).warnings).toEqual(['no_recent_backup'])
    mkdirSync(join(folder, 'backups'), { recursive: true })
    const compactTimestamp = new Date(server.deps.now()).toISOString().replaceAll(/[-:.]/g, '')
    writeFileSync(join(folder, 'backups', `marquee-${compactTimestamp}-schedule.dump`), 'x')
    const { warnings, last_backup } = await getOverview()
    expect([warnings, last_backup]).toMatchObject([
      [],
      { id: `marquee-${compactTimestamp}-schedule`, bytes: 1 },
    ])
  })
})

it.each([
  ['first-sign-in.txt', 'Email'],
  ['first-sign-in.txt of an earlier version', 'E-mail'],
])(
  'loading the overview deletes %s if the password in the file is no longer valid',
  async (_file, emailLabel) => {
    const { admin, folder, stop } = await startAdminTestServer()
    try {
      const filePath = join(folder, 'first-sign-in.txt')
      writeFileSync(filePath, `${emailLabel}: admin@example.com\nPassword: ABCD-efgh-2345\n`)
      expect((await admin.get('/api/admin/overview')).body.warnings).not.toContain('first_password')
      expect(existsSync(filePath)).toBe(false)
    } finally {
      await stop()
    }
  },
)

it('the overview warns when PUBLIC_URL uses plain HTTP', async () => {
  for (const [url, shouldWarn] of [
    ['http://films.example.com', true],
    ['https://films.example.com', false],
  ] as const) {
    const service = await startAdminTestServer({ env: { PUBLIC_URL: url } })
    const device = new TestClient(service.server)
    await device.login('admin@example.com')
    const { body } = await device.get('/api/admin/overview')
    expect(body.warnings.includes('plain_http')).toBe(shouldWarn)
    await service.stop()
  }
})
