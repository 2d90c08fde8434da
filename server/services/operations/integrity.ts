/** Runs the periodic integrity check of a SQLite database. */
import { DAY_MS } from '../../core/dates.ts'
import { checkIntegrity } from '../../db/integrity.ts'
import { selectLatestFinishedJobOfKind, selectLatestJobOfKind } from '../../queries/job.ts'
import type { Deps } from '../deps.ts'
import { type JobContext, JobFailure } from '../jobs/job-queue.ts'

const INTEGRITY_JOB_KIND = 'integrity_check'
const CHECK_INTERVAL_MS = 7 * DAY_MS
const DATABASE_DAMAGED_CODE = 'database_damaged'

/** Job handler: checks the whole database in a worker thread. The job fails when the database is damaged. */
export async function runIntegrityCheck({ deps, signal }: JobContext) {
  const { file: databaseFile } = deps.database
  if (!databaseFile) return undefined
  const damage = await checkIntegrity(databaseFile, signal)
  if (damage === null) return undefined
  deps.log.error('the database is damaged', { damage })
  throw new JobFailure(DATABASE_DAMAGED_CODE)
}

/**
 * True when a SQLite file was never checked, or its last check started more than CHECK_INTERVAL_MS ago. False
 * for PostgreSQL, which has its own tools for integrity checks.
 */
export async function isIntegrityCheckDue({
  database,
  now,
}: Pick<Deps, 'database' | 'now'>): Promise<boolean> {
  if (!database.file) return false
  const latestJob = await selectLatestJobOfKind(database.primary, { kind: INTEGRITY_JOB_KIND, nowMs: now() })
  return !latestJob || latestJob.created_at < now() - CHECK_INTERVAL_MS
}

/** True when the last finished check has found damage. */
export async function isDatabaseKnownDamaged({
  database,
  now,
}: Pick<Deps, 'database' | 'now'>): Promise<boolean> {
  const latestFinishedJob = await selectLatestFinishedJobOfKind(database.primary, {
    kind: INTEGRITY_JOB_KIND,
    nowMs: now(),
  })
  return latestFinishedJob?.status === 'failed' && latestFinishedJob.message === DATABASE_DAMAGED_CODE
}
