import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

export type JobRow = Selectable<Schema['job']>

/** Undefined when one of the same kind runs already: the index `job_one_of_a_kind` says so. */
export async function insertJob(db: Db, row: Insertable<Schema['job']>): Promise<JobRow | undefined> {
  const running = await db
    .selectFrom('job')
    .select('job_id')
    .where('kind', '=', row.kind)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
  if (running) return undefined
  return db.insertInto('job').values(row).returningAll().executeTakeFirst()
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
    .where('created_at', '<', before)
    .execute()
}
