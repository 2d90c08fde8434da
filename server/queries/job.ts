/** The jobs table. Whoever runs a job names itself in `worker`; what it writes holds only while that is so. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

export type JobRow = Selectable<Schema['job']>
const OPEN = ['queued', 'running']

/** Undefined when one of the same kind is open already: the index `job_one_of_a_kind` says so, under any race. */
export async function insertJob(db: Db, row: Insertable<Schema['job']>): Promise<JobRow | undefined> {
  return db
    .insertInto('job')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('kind').where(sql<boolean>`status in ('queued', 'running')`).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

export async function jobById(db: Db, jobId: string): Promise<JobRow | undefined> {
  return db.selectFrom('job').selectAll().where('job_id', '=', jobId).executeTakeFirst()
}

interface Filters {
  kind?: string | undefined
  /** Kinds that begin so. */
  prefix?: string
  status?: string | undefined
  page: number
  limit: number
}

export async function listJobs(db: Db, { kind, prefix, status, page, limit }: Filters) {
  const jobs = db
    .selectFrom('job')
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
    .$if(prefix !== undefined, (query) =>
      query.where('kind', '>=', prefix ?? '').where('kind', '<', `${prefix}\u{10ffff}`),
    )
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
  const rows = await jobs
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('job_id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await jobs.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

export async function openJobs(db: Db): Promise<JobRow[]> {
  return db.selectFrom('job').selectAll().where('status', 'in', OPEN).orderBy('created_at').execute()
}

export async function countFailed(db: Db, since: number): Promise<number> {
  const { n } = await db
    .selectFrom('job')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('status', '=', 'failed')
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(n)
}

export async function lastOfKind(db: Db, kind: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('job')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Takes the oldest queued job of kinds that this process knows; undefined when there is none. */
export async function claimJob(
  db: Db,
  { worker, kinds, now }: { worker: string; kinds: string[]; now: number },
): Promise<JobRow | undefined> {
  const next = await db
    .selectFrom('job')
    .select('job_id')
    .where('status', '=', 'queued')
    .where('kind', 'in', kinds)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  if (!next) return undefined
  return db
    .updateTable('job')
    .set((eb) => ({
      status: 'running',
      worker,
      heartbeat_at: now,
      started_at: eb.fn.coalesce('started_at', eb.val(now)),
      attempts: eb('attempts', '+', 1),
    }))
    .where('job_id', '=', next.job_id)
    .where('status', '=', 'queued')
    .returningAll()
    .executeTakeFirst()
}

/** Writes of the worker that runs a job. Undefined when the job is no longer its own. */
export async function updateOwnJob(
  db: Db,
  { jobId, worker }: { jobId: string; worker: string },
  set: Updateable<Schema['job']>,
): Promise<JobRow | undefined> {
  return db
    .updateTable('job')
    .set(set)
    .where('job_id', '=', jobId)
    .where('worker', '=', worker)
    .where('status', '=', 'running')
    .returningAll()
    .executeTakeFirst()
}

/** A queued job ends at once; a running one is asked to. Undefined when it is over already. */
export async function cancelJob(db: Db, jobId: string, now: number): Promise<JobRow | undefined> {
  const mine = db.updateTable('job').where('job_id', '=', jobId)
  const ended = await mine
    .set({ status: 'cancelled', finished_at: now, cancel_at: now })
    .where('status', '=', 'queued')
    .returningAll()
    .executeTakeFirst()
  if (ended) return ended
  return mine.set({ cancel_at: now }).where('status', '=', 'running').returningAll().executeTakeFirst()
}

export async function runningJobs(db: Db): Promise<JobRow[]> {
  return db.selectFrom('job').selectAll().where('status', '=', 'running').execute()
}

/** Gives a job whose worker died back to the queue, or ends it; only if that worker has it still. */
export async function releaseJob(
  db: Db,
  { job_id, worker, heartbeat_at }: Pick<JobRow, 'job_id' | 'worker' | 'heartbeat_at'>,
  set: Updateable<Schema['job']>,
): Promise<void> {
  await db
    .updateTable('job')
    .set(set)
    .where('job_id', '=', job_id)
    .where('status', '=', 'running')
    .where('worker', 'is not distinct from', worker)
    .where('heartbeat_at', 'is not distinct from', heartbeat_at)
    .execute()
}

/** Ended jobs of long ago. */
export async function deleteOldJobs(db: Db, before: number): Promise<void> {
  await db.deleteFrom('job').where('created_at', '<', before).where('status', 'not in', OPEN).execute()
}
