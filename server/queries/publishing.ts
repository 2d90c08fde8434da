/**
 * What administrators change of titles. A deletion unpublishes at once, so that every read that honours `published` knows,
 * and remembers what was; it is carried out after the time to undo.
 */
import { sql, type Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import type { TitleRow } from './catalogue.ts'

/** Of any state, those just deleted included. */
export async function adminTitle(db: Db, id: number): Promise<TitleRow | undefined> {
  return db.selectFrom('title').selectAll().where('title_id', '=', id).executeTakeFirst()
}

type Touched = Promise<number[]>
const idsOf = (rows: { title_id: number }[]) => rows.map((row) => row.title_id)

/** Answers the ids that are there and not deleted, changed or not. */
export async function setPublished(db: Db, ids: number[], published: boolean, now: number): Touched {
  const there = db.selectFrom('title').where('title_id', 'in', ids).where('deleted_at', 'is', null)
  const known = await there.select('title_id').execute()
  await db
    .updateTable('title')
    .set({ published: published ? 1 : 0, updated_at: now })
    .where('title_id', 'in', idsOf(known).concat(0))
    .where('published', '!=', published ? 1 : 0)
    .execute()
  return idsOf(known)
}

export async function markDeleted(db: Db, ids: number[], now: number): Touched {
  const rows = await db
    .updateTable('title')
    .set((eb) => ({ deleted_at: now, deleted_published: eb.ref('published'), published: 0, updated_at: now }))
    .where('title_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .returning('title_id')
    .execute()
  return idsOf(rows)
}

export async function restore(db: Db, ids: number[], now: number): Touched {
  const rows = await db
    .updateTable('title')
    .set({
      deleted_at: null,
      published: sql<number>`coalesce(deleted_published, 0)`,
      deleted_published: null,
      updated_at: now,
    })
    .where('title_id', 'in', ids)
    .where('deleted_at', 'is not', null)
    .returning('title_id')
    .execute()
  return idsOf(rows)
}

/** Those deleted at or before an instant, at most `limit`. */
export async function overdueTitles(db: Db, before: number, limit: number): Touched {
  const rows = await db
    .selectFrom('title')
    .select('title_id')
    .where('deleted_at', 'is not', null)
    .where('deleted_at', '<=', before)
    .orderBy('deleted_at')
    .limit(limit)
    .execute()
  return idsOf(rows)
}

/** For good, with everything that hangs on it; only if it is still deleted. */
export async function purgeTitle(db: Db, id: number, before: number): Promise<boolean> {
  const result = await db
    .deleteFrom('title')
    .where('title_id', '=', id)
    .where('deleted_at', '<=', before)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function updateTitle(db: Db, id: number, set: Updateable<Schema['title']>): Promise<void> {
  await db.updateTable('title').set(set).where('title_id', '=', id).execute()
}
