/**
 * The jobs table. `worker` identifies the process that runs a job. Only that worker may write the progress and the
 * result, unless it has crashed (`releaseJob`).
 */

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { MAX_CLOCK_DIFFERENCE_MS } from '../core/dates.ts'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type PageRequest, selectPage } from './page.ts'

export type JobRow = Selectable<DatabaseSchema['job']>
const UNFINISHED_STATUSES = ['queued', 'running']

/**
 * Inserts a job. Returns undefined when an unfinished job of the same kind exists. The unique index `job_one_of_a_kind`
 * also rejects a second job that is inserted at the same time.
 */
export async function insertJob(db: Db, row: Insertable<DatabaseSchema['job']>): Promise<JobRow | undefined> {
  return db
    .insertInto('job')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('kind').where(sql<boolean>`status in ('queued', 'running')`).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

export async function selectJobById(db: Db, jobId: string): Promise<JobRow | undefined> {
  return db.selectFrom('job').selectAll().where('job_id', '=', jobId).executeTakeFirst()
}

interface JobFilters extends PageRequest {
  kind?: string | undefined
  /** Restricts the result to kinds that start with this text. */
  kindPrefix?: string
  status?: string | undefined
}

export async function selectJobs(db: Db, { kind, kindPrefix, status, page, limit }: JobFilters) {
  const jobQuery = db
    .selectFrom('job')
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
    .$if(kindPrefix !== undefined, (query) =>
      query.where('kind', '>=', kindPrefix ?? '').where('kind', '<', `${kindPrefix}\u{10ffff}`),
    )
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
  const rowsQuery = jobQuery.selectAll().orderBy('created_at', 'desc').orderBy('job_id')
  return selectPage(rowsQuery, jobQuery, { page, limit })
}

export async function selectUnfinishedJobs(db: Db): Promise<JobRow[]> {
  return db
    .selectFrom('job')
    .selectAll()
    .where('status', 'in', UNFINISHED_STATUSES)
    .orderBy('created_at')
    .execute()
}

/** Returns the number of failed jobs that were created after `sinceMs` (milliseconds since 1970). */
export async function countFailedJobs(db: Db, sinceMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('job')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '=', 'failed')
    .where('created_at', '>', sinceMs)
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface LatestJobFilter {
  kind: string
  /**
   * Jobs that were created more than MAX_CLOCK_DIFFERENCE_MS after this time are ignored, because the clock was ahead
   * when they were created.
   */
  nowMs: number
}

const queryLatestJob = (db: Db, { kind, nowMs }: LatestJobFilter) =>
  db
    .selectFrom('job')
    .selectAll()
    .where('kind', '=', kind)
    .where('created_at', '<=', nowMs + MAX_CLOCK_DIFFERENCE_MS)
    .orderBy('created_at', 'desc')
    .limit(1)

export const selectLatestJobOfKind = (db: Db, filter: LatestJobFilter): Promise<JobRow | undefined> =>
  queryLatestJob(db, filter).executeTakeFirst()

/** Like `selectLatestJobOfKind`, but only for jobs that have succeeded or failed. */
export const selectLatestFinishedJobOfKind = (db: Db, filter: LatestJobFilter): Promise<JobRow | undefined> =>
  queryLatestJob(db, filter).where('status', 'in', ['done', 'failed']).executeTakeFirst()

/**
 * Claims the oldest queued job of these kinds for a worker. Returns undefined when no job is queued, or when another
 * worker has just claimed the oldest job.
 */
export async function claimJob(
  db: Db,
  { worker, kinds, nowMs }: { worker: string; kinds: string[]; nowMs: number },
): Promise<JobRow | undefined> {
  const nextJob = await db
    .selectFrom('job')
    .select('job_id')
    .where('status', '=', 'queued')
    .where('kind', 'in', kinds)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  if (!nextJob) return undefined
  return db
    .updateTable('job')
    .set((eb) => ({
      status: 'running',
      worker,
      heartbeat_at: nowMs,
      started_at: eb.fn.coalesce('started_at', eb.val(nowMs)),
      attempts: eb('attempts', '+', 1),
    }))
    .where('job_id', '=', nextJob.job_id)
    .where('status', '=', 'queued')
    .returningAll()
    .executeTakeFirst()
}

/** Updates a running job of a worker. Returns undefined when the job no longer belongs to this worker. */
export async function updateClaimedJob(
  db: Db,
  { jobId, worker }: { jobId: string; worker: string },
  changes: Updateable<DatabaseSchema['job']>,
): Promise<JobRow | undefined> {
  return db
    .updateTable('job')
    .set(changes)
    .where('job_id', '=', jobId)
    .where('worker', '=', worker)
    .where('status', '=', 'running')
    .returningAll()
    .executeTakeFirst()
}

/**
 * Cancels a queued job immediately, and requests the cancellation of a running job. Returns undefined when the job has
 * ended or does not exist. A single statement does both. Between two statements, another process could return a
 * running job to the queue.
 */
export async function cancelJob(db: Db, jobId: string, nowMs: number): Promise<JobRow | undefined> {
  return db
    .updateTable('job')
    .set({
      status: sql<JobRow['status']>`case when status = 'queued' then 'cancelled' else status end`,
      finished_at: sql<number | null>`case when status = 'queued' then ${nowMs} else finished_at end`,
      cancel_at: nowMs,
    })
    .where('job_id', '=', jobId)
    .where('status', 'in', UNFINISHED_STATUSES)
    .returningAll()
    .executeTakeFirst()
}

export async function selectRunningJobs(db: Db): Promise<JobRow[]> {
  return db.selectFrom('job').selectAll().where('status', '=', 'running').execute()
}

/**
 * Applies `changes` to a running job whose worker has crashed. The changes put the job back into the queue or end the
 * job. Does nothing when the worker or the heartbeat of the stored job differs from the given values.
 */
export async function releaseJob(
  db: Db,
  { job_id, worker, heartbeat_at }: Pick<JobRow, 'job_id' | 'worker' | 'heartbeat_at'>,
  changes: Updateable<DatabaseSchema['job']>,
): Promise<void> {
  await db
    .updateTable('job')
    .set(changes)
    .where('job_id', '=', job_id)
    .where('status', '=', 'running')
    .where('worker', 'is not distinct from', worker)
    .where('heartbeat_at', 'is not distinct from', heartbeat_at)
    .execute()
}

/** Deletes the jobs that have ended and were created before `beforeMs` (milliseconds since 1970). */
export async function deleteOldJobs(db: Db, beforeMs: number): Promise<void> {
  await db
    .deleteFrom('job')
    .where('created_at', '<', beforeMs)
    .where('status', 'not in', UNFINISHED_STATUSES)
    .execute()
}
