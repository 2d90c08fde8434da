/**
 * Creates, lists, deletes and downloads backups in `DATA_DIR/backups`. Each is one copy of the database. A
 * copy of a SQLite database has a JSON file with row counts beside it.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Backup } from '../../../src/lib/contract/admin-backups.ts'
import { toIsoTime } from '../../core/dates.ts'
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
import { recordAuditEvent, recordCallerAction, SERVICE_REQUEST } from './audit.ts'
import { loadSettingValue } from './settings.ts'

const BACKUP_FILE_PATTERN = /^marquee-(\d{8}T\d{9}Z)-(manual|schedule|migration)\.(db|dump)$/
const LINK_LIFE_MS = 60_000
const HOUR_MS = 3_600_000
/** Minimum time between the creation of a failed backup job and the next scheduled backup. */
const RETRY_MS = HOUR_MS

export const getBackupFolderPath = ({ config }: Pick<Deps, 'config'>) => join(config.dataDir, BACKUP_FOLDER)

function detectBackupMethod({ database }: Deps): 'sqlite' | 'pg_dump' | null {
  if (database.kind === 'postgres')
    return hasPostgresTool('pg_dump') && hasPostgresTool('pg_restore') ? 'pg_dump' : null
  return database.file ? 'sqlite' : null
}

/** Returns the backups on disk, newest first. */
export function listBackupFiles(deps: Pick<Deps, 'config'>): Backup[] {
  const folder = getBackupFolderPath(deps)
  if (!existsSync(folder)) return []
  const backupsOnDisk = readdirSync(folder).flatMap((file): Backup[] => {
    const [, stamp = '', reason] = BACKUP_FILE_PATTERN.exec(file) ?? []
    if (!reason) return []
    return [
      {
        id: file.replace(/\.\w+$/, ''),
        file,
        created_at: parseStamp(stamp),
        bytes: statSync(join(folder, file)).size,
        reason: reason as Backup['reason'],
        counts: readCounts(join(folder, file)),
      },
    ]
  })
  return backupsOnDisk.sort((a, b) => (a.id < b.id ? 1 : -1))
}

function parseStamp(stamp: string): string {
  return stamp.replace(/^(....)(..)(..)T(..)(..)(..)(...)Z$/, '$1-$2-$3T$4:$5:$6.$7Z')
}

function readCounts(file: string): Backup['counts'] {
  try {
    return JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Backup['counts']
  } catch {
    return null
  }
}

function findBackup(deps: Pick<Deps, 'config'>, id: string): Backup {
  const backup = listBackupFiles(deps).find((candidate) => candidate.id === id)
  if (!backup) throw new Problem('not_found')
  return backup
}

export async function listBackups({ deps }: Pick<RequestContext, 'deps'>) {
  const nextAtMs = await computeNextBackupMs(deps)
  return {
    results: listBackupFiles(deps),
    method: detectBackupMethod(deps),
    folder: getBackupFolderPath(deps),
    next_at: nextAtMs === null ? null : toIsoTime(Math.max(nextAtMs, deps.now())),
  }
}

/** Returns the time of the next scheduled backup; null when the schedule is off or no backup tool is available. */
async function computeNextBackupMs(deps: Deps): Promise<number | null> {
  const intervalHours = await loadSettingValue(deps.database.primary, 'backup_every_hours')
  if (intervalHours === 0 || detectBackupMethod(deps) === null) return null
  const [newest] = listBackupFiles(deps)
  const lastJob = await selectLatestJobOfKind(deps.database.primary, 'backup')
  const retryAtMs = lastJob?.status === 'failed' ? lastJob.created_at + RETRY_MS : 0
  return Math.max(newest ? Date.parse(newest.created_at) + intervalHours * HOUR_MS : 0, retryAtMs)
}

export async function isBackupDue(deps: Deps): Promise<boolean> {
  const nextAtMs = await computeNextBackupMs(deps)
  return nextAtMs !== null && nextAtMs <= deps.now()
}

/** Starts a backup job. Throws 409 when no backup tool is available. */
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
  const folder = getBackupFolderPath(deps)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const name = createBackupName(deps.now(), reason)
  const { database, config } = deps
  let file: string
  let counts: Backup['counts'] = null
  if (database.file) {
    requireFreeDisk(folder, statSync(database.file).size)
    file = join(folder, `${name}.db`)
    let pages = 0
    counts = await writeBackup(database.file, file, (donePages, total) => {
      pages = total
      void reportProgress(donePages, total).catch(() => {})
    })
    await reportProgress(pages, pages)
  } else {
    file = join(folder, `${name}.dump`)
    await dumpPostgres(config.databaseUrl ?? '', file, signal)
  }
  await database.primary
    .transaction()
    .execute((trx) =>
      recordAuditEvent(
        trx,
        { nowMs: deps.now(), request: SERVICE_REQUEST },
        { action: 'backup_made', target: name },
      ),
    )
  await deleteOldBackups(deps)
  return { message: name, report: { backup: name, bytes: statSync(file).size, ...(counts && { counts }) } }
}

function requireFreeDisk(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < bytes * 1.1) throw new JobFailure('disk_full')
}

/** Deletes the oldest scheduled backups beyond the retention count. Other backups are kept. */
async function deleteOldBackups(deps: Deps): Promise<void> {
  const retentionCount = await loadSettingValue(deps.database.primary, 'backup_keep')
  const scheduledBackups = listBackupFiles(deps).filter((backup) => backup.reason === 'schedule')
  for (const backup of scheduledBackups.slice(retentionCount)) deleteBackupFiles(deps, backup)
}

function deleteBackupFiles(deps: Pick<Deps, 'config'>, { file }: Backup): void {
  for (const suffix of ['.json', ''])
    rmSync(join(getBackupFolderPath(deps), `${file}${suffix}`), { force: true })
}

export async function deleteBackup(context: RequestContext, id: string): Promise<void> {
  const { deps } = context
  const backup = findBackup(deps, id)
  await deps.database.primary
    .transaction()
    .execute((trx) => recordCallerAction(trx, context, { action: 'backup_delete', target: id }))
  deleteBackupFiles(deps, backup)
}

/**
 * Creates a download URL, which works once and expires after a minute. It works only while the login that
 * requested it is active and belongs to an administrator.
 */
export async function createBackupLink({ deps, caller }: RequestContext, id: string) {
  findBackup(deps, id)
  const token = createRandomToken()
  const expires_at = deps.now() + LINK_LIFE_MS
  await insertBackupLink(deps.database.primary, {
    token_hash: sha256(token),
    backup_id: id,
    sid: caller.login.sid,
    expires_at,
  })
  return {
    url: `/api/admin/backups/${id}/file?token=${token}`,
    expires_at: toIsoTime(expires_at),
  }
}

/** Redeems a download URL. Returns its file, or null when the URL is invalid, used or expired. */
export async function redeemBackupLink(
  deps: Deps,
  request: Parameters<typeof recordAuditEvent>[1]['request'],
  { id, token }: { id: string; token: string },
): Promise<{ path: string; file: string; bytes: number } | null> {
  const { primary } = deps.database
  const downloader = await consumeBackupLink(primary, {
    tokenHash: sha256(token),
    backupId: id,
    nowMs: deps.now(),
  })
  const backup = listBackupFiles(deps).find((candidate) => candidate.id === id)
  if (!downloader || !backup || downloader.account.role !== 'admin' || downloader.account.blocked) return null
  await primary.transaction().execute((trx) => {
    const event = {
      action: 'backup_download',
      target: id,
      accountId: downloader.account.account_id,
      sid: downloader.sid,
    }
    return recordAuditEvent(trx, { nowMs: deps.now(), request }, event)
  })
  return { path: join(getBackupFolderPath(deps), backup.file), file: backup.file, bytes: backup.bytes }
}
