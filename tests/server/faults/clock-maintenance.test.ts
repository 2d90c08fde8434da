/** Scheduled jobs of a server whose clock was years ahead. */
import { expect, it } from 'vitest'
import { startDueJobs } from '../../../server/services/operations/maintenance.ts'
import { startSqliteFileServer } from '../admin/admin-test-server.ts'

const DAY_MS = 86_400_000
const FIVE_YEARS_MS = 5 * 365 * DAY_MS

it('backups, maintenance and integrity checks run once more after a clock that was years ahead is corrected', async () => {
  const service = await startSqliteFileServer()
  const { server, admin } = service
  const runDueJobs = async () => {
    await startDueJobs(server.deps)
    await service.waitForIdleWorker()
  }
  const listCurrentJobs = async () => {
    const jobs = await server.database.primary.selectFrom('job').select(['kind', 'created_at']).execute()
    return jobs.filter(({ created_at }) => created_at <= server.deps.now()).map(({ kind }) => kind)
  }
  const loadWarnings = async () => {
    await admin.login('admin@example.com')
    return (await admin.get('/api/admin/overview')).body.warnings
  }
  try {
    server.advanceClock(FIVE_YEARS_MS)
    await runDueJobs()
    expect((await listCurrentJobs()).sort()).toEqual(['backup', 'housekeeping', 'integrity_check'])
    server.advanceClock(8 * DAY_MS - FIVE_YEARS_MS)
    expect(await listCurrentJobs()).toEqual([])
    expect(await loadWarnings()).toContain('no_recent_backup')
    await runDueJobs()
    await runDueJobs()
    expect((await listCurrentJobs()).sort()).toEqual(['backup', 'housekeeping', 'integrity_check'])
    expect(await loadWarnings()).not.toContain('no_recent_backup')
    const { results: backups } = (await admin.get('/api/admin/backups')).body
    expect(backups).toHaveLength(2)
    expect(Date.parse(backups[0].created_at)).toBeLessThan(Date.parse(backups[1].created_at))
  } finally {
    await service.stop()
  }
}, 60_000)
