/**
 * Creates, lists, deletes and downloads backups in `DATA_DIR/backups`. Each backup is one copy of the database.
 * A copy of a SQLite database has a JSON file with row counts beside it.
 */

import { rmSync, statSync } from 'node:fs'
import { mkdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Backup } from '../../../src/lib/contract/admin-backups.ts'
import { isInFuture, toIsoTime } from '../../core/dates.ts'
import { toErrorFields } from '../../core/log.ts'
import { Problem } from '../../core/problem.ts'
import { BACKUP_FOLDER, createBackupName, writeBackup } from '../../db/backup.ts'
import { dumpPostgres, hasPostgresTool } from '../../providers/pg-dump.ts'
import { consumeBackupLink, insertBackupLink } from '../../queries/backup-link.ts'
import { selectLatestJobOfKind } from '../../queries/job.ts'
import { createRandomToken, sha256 } from '../auth/secret.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { type JobContext, JobFailure } from '../jobs/job-queue.ts'
import { startJob } from '../jobs/jobs.ts'
import { computeRetryTimeMs } from '../jobs/retry-delay.ts'
import { recordAuditEvent, recordCallerAction, SERVICE_REQUEST } from './audit.ts'
import { readBackupFolder, withFolderTimeout } from './backup-folder.ts'
import { loadSettingValue } from './settings.ts'

const DOWNLOAD_LINK_LIFETIME_MS = 60_000
const HOUR_MS = 3_600_000

export const getBackupFolderPath = ({ config }: Pick<Deps, 'config'>) => join(config.dataDir, BACKUP_FOLDER)

function detectBackupMethod({ database }: Deps): 'sqlite' | 'pg_dump' | null {
  if (database.kind === 'postgres')
    return hasPostgresTool('pg_dump') && hasPostgresTool('pg_restore') ? 'pg_dump' : null
  return database.file ? 'sqlite' : null
}

/**
 * Returns the backups on disk, newest first. Backups with a date in the future are last: their age is unknown. Throws
 * when the folder does not respond, for example a network folder during an outage.
 */
async function listBackupFiles(deps: Pick<Deps, 'config' | 'now'>): Promise<Backup[]> {
  const folderPath = getBackupFolderPath(deps)
  const backupsOnDisk = await withFolderTimeout(folderPath, () => readBackupFolder(folderPath))
  return backupsOnDisk.sort(
    (a, b) => Number(isFutureBackup(deps, a)) - Number(isFutureBackup(deps, b)) || (a.id < b.id ? 1 : -1),
  )
}

const isFutureBackup = ({ now }: Pick<Deps, 'now'>, { created_at }: Backup) =>
  isInFuture(Date.parse(created_at), now())

/**
 * Returns the newest backup; undefined when there is none. Ignores backups with a date in the future, so that a clock
 * that was ahead once does not stop the schedule until that date.
 */
export async function findNewestBackup(deps: Pick<Deps, 'config' | 'now'>): Promise<Backup | undefined> {
  return (await listBackupFiles(deps)).find((backup) => !isFutureBackup(deps, backup))
}

async function findBackup(deps: Pick<Deps, 'config' | 'now'>, backupId: string): Promise<Backup> {
  const backup = (await listBackupFiles(deps)).find((candidate) => candidate.id === backupId)
  if (!backup) throw new Problem('not_found')
  return backup
}

export async function listBackups({ deps }: Pick<RequestContext, 'deps'>) {
  const nextBackupAtMs = await computeNextBackupMs(deps)
  return {
    results: await listBackupFiles(deps),
    method: detectBackupMethod(deps),
    folder: getBackupFolderPath(deps),
    next_at: nextBackupAtMs === null ? null : toIsoTime(Math.max(nextBackupAtMs, deps.now())),
  }
}

/**
 * Returns the time of the next scheduled backup, which is in the past while a backup is due. Returns null when the
 * schedule is off or no backup tool is available.
 */
async function computeNextBackupMs(deps: Deps): Promise<number | null> {
  const intervalHours = await loadSettingValue(deps.database.primary, 'backup_every_hours')
  if (intervalHours === 0 || detectBackupMethod(deps) === null) return null
  const nowMs = deps.now()
  const newestBackup = await findNewestBackup(deps)
  const lastJob = await selectLatestJobOfKind(deps.database.primary, { kind: 'backup', nowMs })
  return Math.max(
    newestBackup ? Date.parse(newestBackup.created_at) + intervalHours * HOUR_MS : 0,
    computeRetryTimeMs(lastJob, nowMs),
  )
}

export async function isBackupDue(deps: Deps): Promise<boolean> {
  const nextBackupAtMs = await computeNextBackupMs(deps)
  return nextBackupAtMs !== null && nextBackupAtMs <= deps.now()
}

/** Starts a backup job. Throws 409 when no backup tool is available or a backup job is unfinished. */
export function startBackup(context: RequestContext) {
  if (detectBackupMethod(context.deps) === null) {
    throw new Problem('conflict', {
      message: 'Backups need pg_dump and pg_restore on the PATH.',
      errors: { backup: ['no_tool'] },
    })
  }
  return startJob(context, 'backup', { reason: 'manual' })
}

/** Job handler: writes the backup, verifies it, then deletes old scheduled backups. */
export async function runBackup({ deps, input, signal, reportProgress }: JobContext) {
  const reason = input['reason'] === 'schedule' ? 'schedule' : 'manual'
  const folderPath = getBackupFolderPath(deps)
  await requireBackupFolder(deps)
  const backupName = createBackupName(deps.now(), reason)
  const { database, config } = deps
  const filePath = join(folderPath, `${backupName}.${database.file ? 'db' : 'dump'}`)
  let counts: Backup['counts'] = null
  if (database.file) counts = await copySqliteFile(database.file, filePath, { signal, reportProgress })
  else await dumpPostgres(config.databaseUrl ?? '', filePath, { signal })
  await database.primary
    .transaction()
    .execute((trx) =>
      recordAuditEvent(
        trx,
        { nowMs: deps.now(), request: SERVICE_REQUEST },
        { action: 'backup_made', target: backupName },
      ),
    )
  await deleteOldBackups(deps)
  return {
    message: backupName,
    report: { backup: backupName, bytes: statSync(filePath).size, ...(counts && { counts }) },
  }
}

/** Writes a verified copy of the database file. Returns the row counts of its tables. Throws `JobFailure`. */
async function copySqliteFile(
  databaseFile: string,
  filePath: string,
  { signal, reportProgress }: Pick<JobContext, 'signal' | 'reportProgress'>,
): Promise<Backup['counts']> {
  await requireFreeDiskSpace(dirname(filePath), statSync(databaseFile).size)
  let pageCount = 0
  const onProgress = (donePageCount: number, totalPageCount: number) => {
    pageCount = totalPageCount
    void reportProgress(donePageCount, totalPageCount).catch(() => {})
  }
  const counts = await writeBackup(databaseFile, filePath, { onProgress, signal })
  await reportProgress(pageCount, pageCount)
  return counts
}

/** Creates the folder of backups if it is missing. Fails the job when the folder cannot be read or does not respond. */
async function requireBackupFolder(deps: Deps): Promise<void> {
  const folderPath = getBackupFolderPath(deps)
  try {
    await listBackupFiles(deps)
    await withFolderTimeout(folderPath, () => mkdir(folderPath, { recursive: true, mode: 0o700 }))
  } catch (error) {
    deps.log.error('backup folder', toErrorFields(error))
    throw new JobFailure('backup_folder_unreadable')
  }
}

async function requireFreeDiskSpace(folderPath: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folderPath)
  if (bavail * bsize < neededBytes * 1.1) throw new JobFailure('disk_full')
}

/**
 * Deletes the oldest scheduled backups beyond the retention count. Scheduled backups with a date in the future count as
 * the oldest (`listBackupFiles`). Other backups are kept.
 */
async function deleteOldBackups(deps: Deps): Promise<void> {
  const retentionCount = await loadSettingValue(deps.database.primary, 'backup_keep')
  const backups = await listBackupFiles(deps)
  const scheduledBackups = backups.filter((backup) => backup.reason === 'schedule')
  for (const backup of scheduledBackups.slice(retentionCount)) deleteBackupFiles(deps, backup)
}

function deleteBackupFiles(deps: Pick<Deps, 'config'>, { file }: Backup): void {
  for (const suffix of ['.json', ''])
    rmSync(join(getBackupFolderPath(deps), `${file}${suffix}`), { force: true })
}

export async function deleteBackup(context: RequestContext, backupId: string): Promise<void> {
  const { deps } = context
  const backup = await findBackup(deps, backupId)
  await deps.database.primary
    .transaction()
    .execute((trx) => recordCallerAction(trx, context, { action: 'backup_delete', target: backupId }))
  deleteBackupFiles(deps, backup)
}

/**
 * Creates a download URL, which works once and expires after a minute. The URL works only while the login that
 * requested the URL is active and belongs to an administrator.
 */
export async function createBackupLink({ deps, caller }: RequestContext, backupId: string) {
  await findBackup(deps, backupId)
  const token = createRandomToken()
  const expires_at = deps.now() + DOWNLOAD_LINK_LIFETIME_MS
  await insertBackupLink(deps.database.primary, {
    token_hash: sha256(token),
    backup_id: backupId,
    sid: caller.login.sid,
    expires_at,
  })
  return {
    url: `/api/admin/backups/${backupId}/file?token=${token}`,
    expires_at: toIsoTime(expires_at),
  }
}

/**
 * Redeems a download URL. Returns the file of the backup. Returns null when the URL is invalid, used or expired, or the
 * backup was deleted. Also returns null when the login that requested the URL has ended, or no longer belongs to an
 * active administrator.
 */
export async function redeemBackupLink(
  deps: Deps,
  request: Parameters<typeof recordAuditEvent>[1]['request'],
  { id: backupId, token }: { id: string; token: string },
): Promise<{ path: string; file: string; sizeBytes: number } | null> {
  const { primary } = deps.database
  const downloader = await consumeBackupLink(primary, {
    tokenHash: sha256(token),
    backupId,
    nowMs: deps.now(),
  })
  const backup = (await listBackupFiles(deps)).find((candidate) => candidate.id === backupId)
  if (!downloader || !backup || downloader.account.role !== 'admin' || downloader.account.blocked) return null
  await primary.transaction().execute((trx) => {
    const auditEvent = {
      action: 'backup_download',
      target: backupId,
      accountId: downloader.account.account_id,
      sid: downloader.sid,
    }
    return recordAuditEvent(trx, { nowMs: deps.now(), request }, auditEvent)
  })
  return { path: join(getBackupFolderPath(deps), backup.file), file: backup.file, sizeBytes: backup.bytes }
}
