/** What nobody asks for: a daily sweep, and starting jobs when their time has come. */
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
const JOBS_KEPT_MS = 90 * DAY_MS
/** After a start, so that a first start is not slowed by a backup of nothing. */
const BACKUP_AFTER_MS = 60_000
const startedAt = Date.now()

/** The job: what ran out goes. */
export async function housekeeping({ deps }: JobContext) {
  const { primary } = deps.database
  const now = deps.now()
  const swept = await sweep(primary, now)
  await deleteOldJobs(primary, now - JOBS_KEPT_MS)
  const days = await settingValue(primary, 'audit_days')
  const audit_events = await primary.transaction().execute((trx) => pruneAudit(trx, now - days * DAY_MS))
  return { report: { ...swept, audit_events } }
}

/** Starts what is due. Two processes may ask at once: only one of a kind is ever open. */
export async function startDue(deps: Deps): Promise<void> {
  if (await purgeIsDue(deps)) await startAlone(deps, 'title_purge')
  if (Date.now() - startedAt > BACKUP_AFTER_MS && (await backupIsDue(deps))) {
    await startAlone(deps, 'backup', { reason: 'schedule' })
  }
  const last = await lastOfKind(deps.database.primary, 'housekeeping')
  if (!last || last.created_at < deps.now() - DAY_MS) await startAlone(deps, 'housekeeping')
}
