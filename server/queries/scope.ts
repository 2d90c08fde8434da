/** The one scope that every catalogue query starts from (architecture.md, section 5; security.md, decision 6). */
import type { Db } from '../db/open.ts'

export interface Audience {
  kids: boolean
}

/** Titles that the audience may know of: published, not blocked, and safe where a kids profile acts. */
export function visibleTitles(db: Db, audience: Audience) {
  const visible = db.selectFrom('title').where('title.published', '=', 1).where('title.blocked', '=', 0)
  return audience.kids ? visible.where('title.safe_for_kids', '=', 1) : visible
}

/** All titles but those just deleted (which are unpublished, too), for administrators' lists alone. */
export function allTitles(db: Db) {
  return db.selectFrom('title').where('title.deleted_at', 'is', null)
}
