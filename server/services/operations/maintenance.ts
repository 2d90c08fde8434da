/** Scheduled maintenance: deletes expired data daily, and starts the jobs that are due. */

import { DAY_MS } from '../../core/dates.ts'
import { toErrorFields } from '../../core/log.ts'
import { truncateWriteAheadLog } from '../../db/write-ahead-log.ts'
import { deleteOldAuditEvents } from '../../queries/audit-chain.ts'
import { deleteOldJobs, selectLatestJobOfKind } from '../../queries/job.ts'
import { deleteExpiredRows } from '../../queries/maintenance.ts'
import { synchroniseDeletedAccounts } from '../accounts/erasure.ts'
import { isTitlePurgeDue } from '../catalogue/publishing.ts'
import type { Deps } from '../deps.ts'
import { deleteStaleUploads } from '../history-import/save-upload.ts'
import type { JobContext } from '../jobs/job-queue.ts'
import { startSystemJob } from '../jobs/jobs.ts'
import { ADD_TITLES_JOB, consumeAddTitlesTrigger } from '../library/add-titles-job.ts'
import { isMediaServerSyncDue, MEDIA_SERVER_SYNC_JOB } from '../media-servers/sync-media-servers.ts'
import { areSeekThumbnailsDue } from '../playback/seek-thumbnails-job.ts'
import { isBackupDue } from './backups.ts'
import { isIntegrityCheckDue } from './integrity.ts'
import { loadSettingValue } from './settings.ts'

const JOB_RETENTION_MS = 90 * DAY_MS
/**
 * Delay of backups, integrity checks and thumbnails after process start. Without the delay, these jobs would
 * slow down the start.
 */
const HEAVY_JOB_START_DELAY_MS = 60_000
const startedAtMs = performance.now()

/**
 * Job handler: deletes expired rows, old jobs, old audit events and stale uploads. Also synchronises the table of
 * deleted accounts with the file of deleted accounts beside the backups (erasure.ts): an account that is missing in one
 * is added from the other. Also removes deleted data from the write-ahead log.
 */
export async function runMaintenance({ deps }: JobContext) {
  const { primary } = deps.database
  const nowMs = deps.now()
  const deletedCounts = await deleteExpiredRows(primary, nowMs)
  await deleteOldJobs(primary, nowMs - JOB_RETENTION_MS)
  const auditRetentionDays = await loadSettingValue(primary, 'audit_days')
  const audit_events = await primary
    .transaction()
    .execute((trx) => deleteOldAuditEvents(trx, { beforeMs: nowMs - auditRetentionDays * DAY_MS, nowMs }))
  await deleteStaleUploads(deps)
  await truncateWriteAheadLog(deps.database)
  // If the folder of backups does not respond, a later run synchronises the deleted accounts.
  await synchroniseDeletedAccounts(deps).catch((error: unknown) =>
    deps.log.error('the list of deleted accounts is not complete', toErrorFields(error)),
  )
  return { report: { ...deletedCounts, audit_events } }
}

interface ScheduledJob {
  kind: string
  isDue: (deps: Deps) => Promise<boolean>
  input?: Record<string, unknown>
  isHeavy?: boolean
}

const SCHEDULED_JOBS: ScheduledJob[] = [
  { kind: 'title_purge', isDue: isTitlePurgeDue },
  { kind: 'backup', isDue: isBackupDue, input: { reason: 'schedule' }, isHeavy: true },
  { kind: 'integrity_check', isDue: isIntegrityCheckDue, isHeavy: true },
  { kind: 'seek_thumbnails', isDue: areThumbnailsDue, isHeavy: true },
  { kind: ADD_TITLES_JOB, isDue: consumeAddTitlesTrigger },
  { kind: MEDIA_SERVER_SYNC_JOB, isDue: isMediaServerSyncDue },
  { kind: 'housekeeping', isDue: isMaintenanceDue },
]

/**
 * Starts the jobs that are due. Several processes may call this function at the same time, because only one job of a
 * kind can be unfinished. A job that cannot be checked or started does not prevent the others. Throws the first error
 * at the end.
 */
export async function startDueJobs(deps: Deps): Promise<void> {
  const isStartDelayOver = deps.monotonicNow() - startedAtMs > HEAVY_JOB_START_DELAY_MS
  const errors: unknown[] = []
  for (const { kind, isDue, input, isHeavy = false } of SCHEDULED_JOBS) {
    if (isHeavy && !isStartDelayOver) continue
    try {
      if (await isDue(deps)) await startSystemJob(deps, kind, input)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

async function isMaintenanceDue({ database, now }: Deps): Promise<boolean> {
  const nowMs = now()
  const lastJob = await selectLatestJobOfKind(database.primary, { kind: 'housekeeping', nowMs })
  return !lastJob || lastJob.created_at < nowMs - DAY_MS
}

/**
 * Interval of the check for missing thumbnails. The check compares all files with their thumbnails, which
 * takes some milliseconds.
 */
const THUMBNAIL_CHECK_INTERVAL_MS = 60_000
const thumbnailCheckTimesByDeps = new WeakMap<Deps, number>()

async function areThumbnailsDue(deps: Deps): Promise<boolean> {
  const nowMs = deps.monotonicNow()
  const lastCheckMs = thumbnailCheckTimesByDeps.get(deps) ?? Number.NEGATIVE_INFINITY
  if (nowMs - lastCheckMs < THUMBNAIL_CHECK_INTERVAL_MS) return false
  thumbnailCheckTimesByDeps.set(deps, nowMs)
  return areSeekThumbnailsDue(deps)
}
