/**
 * The scheduled integrity check. The admin overview shows a warning after a check finds damage, until a later check
 * finds no damage.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkIntegrity } from '../../../server/db/integrity.ts'
import { truncateWriteAheadLog } from '../../../server/db/write-ahead-log.ts'
import { startSystemJob } from '../../../server/services/jobs/jobs.ts'
import { isIntegrityCheckDue } from '../../../server/services/operations/integrity.ts'
import { startDueJobs } from '../../../server/services/operations/maintenance.ts'
import {
  type AdminTestServer,
  addMovies,
  createMovieRecord,
  startSqliteFileServer,
} from './admin-test-server.ts'

const DAY_MS = 86_400_000
const PAGE_BYTES = 4096
let service: AdminTestServer
beforeAll(async () => {
  service = await startSqliteFileServer()
  await addMovies(service, [createMovieRecord(1), createMovieRecord(2)])
}, 60_000)
afterAll(() => service.stop())

const loadWarnings = async () =>
  (await service.admin.get('/api/admin/overview')).body.warnings.filter(
    (name: string) => name === 'database_damaged',
  )

/** Starts an integrity check, waits until the check has finished, and returns its job. */
async function runIntegrityCheck() {
  await startSystemJob(service.server.deps, 'integrity_check')
  await service.waitForIdleWorker()
  return (await service.admin.get('/api/jobs?kind=integrity_check')).body.results[0]
}

/** Overwrites one page of the database file and returns the previous content of the page. Page numbers start at 1. */
function replacePage(databasePath: string, pageNumber: number, pageContent: Buffer): Buffer {
  const fileDescriptor = openSync(databasePath, 'r+')
  const offsetBytes = (pageNumber - 1) * PAGE_BYTES
  const previousBytes = Buffer.alloc(PAGE_BYTES)
  readSync(fileDescriptor, previousBytes, 0, PAGE_BYTES, offsetBytes)
  writeSync(fileDescriptor, pageContent, 0, PAGE_BYTES, offsetBytes)
  closeSync(fileDescriptor)
  return previousBytes
}

it('the integrity check is due after the server starts, and again a week after the last check', async () => {
  const { deps } = service.server
  expect(await isIntegrityCheckDue(deps)).toBe(true)
  service.server.advanceClock(120_000)
  await startDueJobs(deps)
  await service.waitForIdleWorker()
  expect((await service.admin.get('/api/jobs?kind=integrity_check')).body.results[0].status).toBe('done')
  expect(await isIntegrityCheckDue(deps)).toBe(false)
  service.server.advanceClock(7 * DAY_MS)
  expect(await isIntegrityCheckDue(deps)).toBe(true)
  await service.admin.login('admin@example.com')
})

it('an integrity check ends immediately when it is aborted', async () => {
  const abortController = new AbortController()
  const checkPromise = checkIntegrity(service.server.database.file ?? '', abortController.signal)
  abortController.abort('cancelled')
  await expect(checkPromise).rejects.toBe('cancelled')
})

it('the overview shows a warning after a check that finds damage, until a later check finds no damage', async () => {
  const { database } = service.server
  const databasePath = database.file ?? ''
  expect(await loadWarnings()).toEqual([])
  await truncateWriteAheadLog(database)
  const rootPageRow = database.sqlite
    ?.prepare("select rootpage from sqlite_schema where name = 'title_keyword'")
    .get()
  const intactPage = replacePage(databasePath, Number(rootPageRow?.['rootpage']), Buffer.alloc(PAGE_BYTES))
  expect(await checkIntegrity(databasePath)).not.toBeNull()
  expect(await runIntegrityCheck()).toMatchObject({ status: 'failed', message: 'database_damaged' })
  expect(service.server.logLines.join()).toContain('the database is damaged')
  expect(await loadWarnings()).toEqual(['database_damaged'])
  replacePage(databasePath, Number(rootPageRow?.['rootpage']), intactPage)
  service.server.advanceClock(1_000)
  expect(await runIntegrityCheck()).toMatchObject({ status: 'done' })
  expect(await loadWarnings()).toEqual([])
})
