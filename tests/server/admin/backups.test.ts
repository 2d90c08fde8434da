/** SQLite backups: consistency under concurrent writes, the list, downloads, deletion and the schedule. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { writeBackup } from '../../../server/db/backup.ts'
import { insertJob } from '../../../server/queries/job.ts'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { withFolderTimeout } from '../../../server/services/operations/backup-folder.ts'
import { isBackupDue } from '../../../server/services/operations/backups.ts'
import { startDueJobs } from '../../../server/services/operations/maintenance.ts'
import { type LargeTestServer, startLargeTestServer } from './large-test-server.ts'

const MIN_WRITES_PER_SECOND = 100
/**
 * Writes per second that the writer process attempts. This rate is higher than MIN_WRITES_PER_SECOND, so that the
 * process reaches the minimum even on a busy machine.
 */
const ATTEMPTED_WRITES_PER_SECOND = 300

let service: LargeTestServer
beforeAll(async () => {
  service = await startLargeTestServer()
}, 60_000)
afterAll(() => service.stop())

/**
 * Source code of a separate process that commits two rows in each transaction, one row in each of two tables. A
 * consistent copy of the database contains both rows of a transaction or neither row.
 */
const WRITER_SOURCE = `
const db = new (require('node:sqlite').DatabaseSync)(process.argv[1])
db.exec('pragma busy_timeout = 5000; pragma synchronous = full')
db.exec('create table one (n integer primary key); create table two (n integer primary key)')
const [first, second] = ['one', 'two'].map((table) => db.prepare('insert into ' + table + ' values (?)'))
const acknowledgedAtMs = []
const startedAtMs = Date.now()
setInterval(() => {
  const dueCount = (Date.now() - startedAtMs) / 1000 * ${ATTEMPTED_WRITES_PER_SECOND}
  const targetCount = Math.min(dueCount, acknowledgedAtMs.length + 50)
  while (acknowledgedAtMs.length < targetCount) {
    const n = acknowledgedAtMs.length + 1
    db.exec('begin immediate')
    first.run(n)
    second.run(n)
    db.exec('commit')
    acknowledgedAtMs.push(Date.now())
  }
}, 5)
process.on('SIGTERM', () => process.stdout.write(JSON.stringify({ startedAtMs, acknowledgedAtMs }), () => process.exit(0)))
process.stdout.write(' ')`

it('while the server stores more than 100 writes per second, a backup contains every transaction that was acknowledged before the backup started', async () => {
  const { file = '', sqlite } = service.server.database
  const writer = spawn(process.execPath, ['-e', WRITER_SOURCE, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let writerOutput = ''
  writer.stdout.on('data', (chunk: Buffer) => {
    writerOutput += chunk
  })
  await once(writer.stdout, 'data')
  await pause(1_000)
  const backupStartedAtMs = Date.now()
  const backupName = await service.createBackup()
  const backupEndedAtMs = Date.now()
  await pause(200)
  writer.kill('SIGTERM')
  await once(writer, 'close')
  const { startedAtMs: writerStartedAtMs, acknowledgedAtMs } = JSON.parse(writerOutput) as {
    startedAtMs: number
    acknowledgedAtMs: number[]
  }
  const writesPerSecond =
    acknowledgedAtMs.length / (((acknowledgedAtMs.at(-1) ?? writerStartedAtMs) - writerStartedAtMs) / 1_000)
  expect(writesPerSecond).toBeGreaterThan(MIN_WRITES_PER_SECOND)
  expect(
    acknowledgedAtMs.filter((writtenAtMs) => writtenAtMs > backupStartedAtMs && writtenAtMs < backupEndedAtMs)
      .length,
  ).toBeGreaterThan(20)

  const backupDatabase = new DatabaseSync(service.getBackupPath(backupName), { readOnly: true })
  const summariseTable = (tableName: string) =>
    backupDatabase.prepare(`select count(*) as n, max(n) as last from ${tableName}`).get()
  const [firstTableSummary, secondTableSummary] = [summariseTable('one'), summariseTable('two')] as {
    n: number
    last: number
  }[]
  backupDatabase.close()
  expect(firstTableSummary).toEqual(secondTableSummary)
  expect(firstTableSummary?.n).toBe(firstTableSummary?.last)
  expect(firstTableSummary?.n).toBeGreaterThanOrEqual(
    acknowledgedAtMs.filter((writtenAtMs) => writtenAtMs < backupStartedAtMs).length,
  )
  sqlite?.exec('drop table one; drop table two')
}, 60_000)

it('backups are listed newest first with their counts and sizes, and can be deleted', async () => {
  const backupName = await service.createBackup()
  const { body } = await service.admin.get('/api/admin/backups')
  expect(body).toMatchObject({ method: 'sqlite', folder: service.backupFolder })
  expect(body.results[0]).toMatchObject({
    id: backupName,
    reason: 'manual',
    counts: { accounts: 1, profiles: 1, titles: 2 },
  })
  expect(body.results[0].bytes).toBe(statSync(service.getBackupPath(backupName)).size)
  expect(statSync(service.getBackupPath(backupName)).mode & 0o777).toBe(0o600)
  expect((await service.admin.get('/api/admin/overview')).body.last_backup.id).toBe(backupName)
  expect((await service.admin.delete(`/api/admin/backups/${backupName}`)).status).toBe(204)
  expect((await service.admin.delete(`/api/admin/backups/${backupName}`)).status).toBe(404)
  expect(readdirSync(service.backupFolder).filter((file) => file.includes(backupName))).toEqual([])
})

it('a cancelled backup leaves no file', async () => {
  const { admin, server } = service
  const filesBefore = existsSync(service.backupFolder) ? readdirSync(service.backupFolder) : []
  const { body: job } = await admin.post('/api/admin/backups')
  await expect.poll(async () => (await admin.get(`/api/jobs/${job.job_id}`)).body.total).not.toBeNull()
  await admin.post(`/api/jobs/${job.job_id}/cancel`)
  await service.waitForIdleWorker()
  expect((await admin.get(`/api/jobs/${job.job_id}`)).body).toMatchObject({
    status: 'cancelled',
    message: null,
  })
  expect(readdirSync(service.backupFolder)).toEqual(filesBefore)
  expect(server.logLines.join('')).not.toContain('job failed')
})

it('if a backup cannot be renamed to its final name, no file is left', async () => {
  const { server, backupFolder } = service
  const filePath = join(backupFolder, 'blocked.db')
  const filesBefore = existsSync(backupFolder) ? readdirSync(backupFolder) : []
  const onProgress = () => mkdirSync(filePath, { recursive: true })
  await expect(writeBackup(server.database.file as string, filePath, { onProgress })).rejects.toThrow()
  rmdirSync(filePath)
  expect(readdirSync(backupFolder)).toEqual(filesBefore)
})

it('a backup download link works once, for one minute, and only while its creator is an administrator', async () => {
  const { admin, server } = service
  const backupName = await service.createBackup()
  const createLink = async () =>
    (await admin.post(`/api/admin/backups/${backupName}/link`)).body.url as string
  const downloadUrl = await createLink()
  // The link works only once. Mail and chat programs send HEAD requests to preview links, so a HEAD request must not
  // count as the use of the link.
  expect((await server.request(downloadUrl, { method: 'HEAD' })).status).toBe(405)
  const response = await server.request(downloadUrl)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${backupName}.db"`)
  const hashBytes = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  expect(hashBytes(new Uint8Array(await response.arrayBuffer()))).toBe(
    hashBytes(readFileSync(service.getBackupPath(backupName))),
  )
  expect((await server.request(downloadUrl)).status).toBe(404)
  expect((await server.request(`/api/admin/backups/${backupName}/file`)).status).toBe(404)
  expect((await server.request(`/api/admin/backups/${backupName}/file?token=x`)).status).toBe(404)
  const linkOfBackup = await createLink()
  expect(
    (await server.request(linkOfBackup.replace(backupName, 'marquee-20200101T000000000Z-manual'))).status,
  ).toBe(404)
  const expiredLink = await createLink()
  server.advanceClock(61_000)
  expect((await server.request(expiredLink)).status).toBe(404)
  const linkOfDemotedAdmin = await createLink()
  const accountUpdate = server.database.primary.updateTable('account')
  await accountUpdate.set({ role: 'user' }).execute()
  expect((await server.request(linkOfDemotedAdmin)).status).toBe(404)
  await accountUpdate.set({ role: 'admin' }).execute()
  expect((await admin.post('/api/admin/backups/none/link')).status).toBe(404)
  expect((await admin.get('/api/admin/audit?action=backup_download')).body.total_results).toBe(1)
})

it('a scheduled backup is created when it is due, and only the configured number of scheduled backups is kept', async () => {
  const { admin, server } = service
  await admin.post('/api/settings', { key: 'backup_every_hours', value: 1 })
  await admin.post('/api/settings', { key: 'backup_keep', value: 2 })
  const listScheduledBackups = () =>
    readdirSync(service.backupFolder).filter((file) => /schedule\.db$/.test(file))
  for (const expectedCount of [1, 2, 2]) {
    server.advanceClock(3_700_000)
    await startDueJobs(server.deps)
    await findJobWorker(server.deps)?.releaseAndClaimJobs()
    await service.waitForIdleWorker()
    expect(listScheduledBackups()).toHaveLength(expectedCount)
  }
  await startDueJobs(server.deps)
  await service.waitForIdleWorker()
  expect(listScheduledBackups()).toHaveLength(2)
  await admin.login('admin@example.com')
  await admin.post('/api/settings', { key: 'backup_every_hours', value: 0 })
  expect((await admin.get('/api/admin/backups')).body.next_at).toBeNull()
}, 60_000)

it('scheduled maintenance starts although the folder of backups cannot be read', async () => {
  const { server, backupFolder } = service
  const movedFolder = `${backupFolder}-moved`
  renameSync(backupFolder, movedFolder)
  writeFileSync(backupFolder, 'no folder')
  try {
    await server.database.primary.deleteFrom('job').execute()
    await server.database.primary
      .updateTable('setting')
      .set({ value: '1' })
      .where('key', '=', 'backup_every_hours')
      .execute()
    await expect(startDueJobs(server.deps)).rejects.toThrow('ENOTDIR')
    await service.waitForIdleWorker()
    const jobs = await server.database.primary.selectFrom('job').select(['kind', 'status']).execute()
    expect(jobs).toContainEqual({ kind: 'housekeeping', status: 'done' })
  } finally {
    rmSync(backupFolder)
    renameSync(movedFolder, backupFolder)
  }
})

it('if a folder does not respond, the first read times out and later reads fail immediately, until the folder responds', async () => {
  vi.useFakeTimers()
  try {
    let respond = (_fileNames: string[]) => {}
    const blockedRead = vi.fn(() => new Promise<string[]>((resolve) => (respond = resolve)))
    const firstCallPromise = expect(withFolderTimeout('/backups', blockedRead)).rejects.toThrow(
      'does not respond',
    )
    await vi.advanceTimersByTimeAsync(10_000)
    await firstCallPromise
    await expect(withFolderTimeout('/backups', blockedRead)).rejects.toThrow('does not respond')
    expect(blockedRead).toHaveBeenCalledTimes(1)
    respond([])
    await vi.advanceTimersByTimeAsync(0)
    expect(await withFolderTimeout('/backups', async () => ['file'])).toEqual(['file'])
  } finally {
    vi.useRealTimers()
  }
})

it('a scheduled backup that was cancelled after hours of work is due again one hour after the cancellation', async () => {
  const { admin, server } = service
  await admin.login('admin@example.com')
  await admin.post('/api/settings', { key: 'backup_every_hours', value: 1 })
  server.advanceClock(10 * 3_600_000)
  expect(await isBackupDue(server.deps)).toBe(true)
  const job = {
    job_id: 'cancelled-backup',
    kind: 'backup',
    status: 'cancelled',
    input: '{}',
    created_at: server.deps.now() - 3 * 3_600_000,
    finished_at: server.deps.now(),
  }
  await insertJob(server.database.primary, job)
  server.advanceClock(59 * 60_000)
  expect(await isBackupDue(server.deps)).toBe(false)
  server.advanceClock(60_000)
  expect(await isBackupDue(server.deps)).toBe(true)
})
