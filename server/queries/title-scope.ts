/**
 * Base queries that every catalogue query starts from, so that none can skip the visibility rules (architecture.md;
 * security.md, decision 6).
 */
import type { Db } from '../db/database.ts'

/** Who titles are selected for. With `kids`, only titles that are safe for kids are visible. */
export interface Audience {
  kids: boolean
}

/** Titles that the audience may see: published, not blocked, and for kids profiles marked as safe. */
export function queryVisibleTitles(db: Db, audience: Audience) {
  const visibleTitles = db.selectFrom('title').where('title.published', '=', 1).where('title.blocked', '=', 0)
  return audience.kids ? visibleTitles.where('title.safe_for_kids', '=', 1) : visibleTitles
}

/** All titles except those marked as deleted. Used only for the title lists of the dashboard and for internal indexes. */
export function queryUndeletedTitles(db: Db) {
  return db.selectFrom('title').where('title.deleted_at', 'is', null)
}
