/** Watch requests: titles that children asked to watch. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type WatchRequestRow = Selectable<DatabaseSchema['watch_request']>

/** Locks the requests of a profile against other writers until the transaction ends. */
export const lockWatchRequests = (db: Db, profileId: string) =>
  lockUntilCommit(db, `watch-requests:${profileId}`)

export async function insertWatchRequest(
  db: Db,
  row: Insertable<DatabaseSchema['watch_request']>,
): Promise<void> {
  await db.insertInto('watch_request').values(row).execute()
}

/**
 * Returns the requests that profiles made after `sinceMs`: first the unanswered requests, then the answered requests,
 * each from the latest to the oldest.
 */
export async function selectWatchRequests(
  db: Db,
  profileIds: readonly string[],
  sinceMs: number,
): Promise<WatchRequestRow[]> {
  if (profileIds.length === 0) return []
  const rows = await db
    .selectFrom('watch_request')
    .selectAll()
    .where('profile_id', 'in', profileIds)
    .where('created_at', '>', sinceMs)
    .orderBy('created_at', 'desc')
    .orderBy('request_id')
    .execute()
  return rows.sort((a, b) => Number(a.answer !== null) - Number(b.answer !== null))
}

export async function selectWatchRequest(db: Db, requestId: string): Promise<WatchRequestRow | undefined> {
  return db.selectFrom('watch_request').selectAll().where('request_id', '=', requestId).executeTakeFirst()
}

export async function updateWatchRequest(
  db: Db,
  requestId: string,
  changes: Partial<Omit<WatchRequestRow, 'request_id' | 'profile_id' | 'title_id'>>,
): Promise<void> {
  await db.updateTable('watch_request').set(changes).where('request_id', '=', requestId).execute()
}

/**
 * Returns the request whose answer allows a profile to watch a title once, if the permission is unused and has not
 * expired. Of several requests, returns the one that was answered last.
 */
export async function selectUnusedSinglePermission(
  db: Db,
  { profileId, titleId, nowMs }: { profileId: string; titleId: number; nowMs: number },
): Promise<WatchRequestRow | undefined> {
  return db
    .selectFrom('watch_request')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .where('answer', '=', 'once')
    .where('used_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .orderBy('answered_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}
