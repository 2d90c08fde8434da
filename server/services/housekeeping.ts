/** Scheduled maintenance: deletes expired data daily and starts jobs that are due. */
import type { Deps } from '../deps.ts'
import { pruneAudit } from '../queries/audit.ts'
import { sweep } from '../queries/housekeeping.ts'
import { deleteOldJobs, lastOfKind } from '../queries/job.ts'
import { backupIsDue } from './backups.ts'
import type { JobContext } from './job-queue.ts'
import { startAlone } from './jobs.ts'
import { purgeIsDue } from './publishing.ts'
import { settingValue } from './settings.ts'

const DAY_MS = 86_400_000
const JOB_RETENTION_MS = 90 * DAY_MS
/** Delay of scheduled backups after process start, so that a first start is not slowed down by a backup of an empty database. */
const BACKUP_DELAY_MS = 60_000
const startedAtMs = Date.now()

/** Job handler: deletes expired rows, old jobs and old audit events. */
export async function housekeeping({ deps }: JobContext) {
  const { primary } = deps.database
  const now = deps.now()
  const deletedCounts = await sweep(primary, now)
  await deleteOldJobs(primary, now - JOB_RETENTION_MS)
  const auditRetentionDays = await settingValue(primary, 'audit_days')
  const audit_events = await primary
    .transaction()
    .execute((trx) => pruneAudit(trx, now - auditRetentionDays * DAY_MS))
  return { report: { ...deletedCounts, audit_events } }
}

/** Starts the jobs that are due. Several processes may call this at once: only one job of a kind can be unfinished. */
export async function startDue(deps: Deps): Promise<void> {
  if (await purgeIsDue(deps)) await startAlone(deps, 'title_purge')
  if (deps.now() - startedAtMs > BACKUP_DELAY_MS && (await backupIsDue(deps))) {
    await startAlone(deps, 'backup', { reason: 'schedule' })
  }
  const lastMaintenance = await lastOfKind(deps.database.primary, 'housekeeping')
  if (!lastMaintenance || lastMaintenance.created_at < deps.now() - DAY_MS)
    await startAlone(deps, 'housekeeping')
}
