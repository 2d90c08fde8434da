import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

export type JobRow = Selectable<Schema['job']>

/** Undefined when one of the same kind runs already: the index `job_one_of_a_kind` says so. */
export async function insertJob(db: Db, row: Insertable<Schema['job']>): Promise<JobRow | undefined> {
  return db
    .insertInto('job')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function updateJob(db: Db, jobId: string, set: Updateable<Schema['job']>): Promise<void> {
  await db.updateTable('job').set(set).where('job_id', '=', jobId).execute()
}

export async function jobById(db: Db, jobId: string): Promise<JobRow | undefined> {
  return db.selectFrom('job').selectAll().where('job_id', '=', jobId).executeTakeFirst()
}

/** Jobs that a process left behind when it died: nobody works on them any more. */
export async function failAbandoned(db: Db, before: number, now: number): Promise<void> {
  await db
    .updateTable('job')
    .set({ status: 'failed', message: 'interrupted', finished_at: now })
    .where('status', 'in', ['queued', 'running'])
    .where((eb) => eb(eb.fn.coalesce('heartbeat_at', 'started_at', 'created_at'), '<', before))
    .execute()
}
