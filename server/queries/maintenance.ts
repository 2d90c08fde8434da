import type { Db } from '../db/database.ts'
import { BIN_RETENTION_MS, deleteExpiredProfiles } from './bin.ts'
import { deleteExpiredImportChanges } from './history-change.ts'
import { deleteExpiredRemovedProgress } from './progress-removal.ts'
import { deleteExpiredTitleRules } from './title-rule.ts'

/**
 * Time that a counter of failed attempts is kept after its window and its last delay have ended. A new failure in this
 * time continues the increasing delays.
 */
const RATE_LIMIT_RETENTION_MS = 3_600_000

/**
 * Time that a viewing edit is kept. If a client repeats the request of an edit within this time, the server finds the
 * stored edit and changes nothing.
 */
const VIEWING_EDIT_RETENTION_MS = 30 * 86_400_000

/** Retention of the viewing days, searches and watch requests that parents can see. */
const ACTIVITY_RETENTION_MS = 90 * 86_400_000

/**
 * Retention of the removal times of likes and ratings. With these times, the server recognises a repeated write that
 * was first sent before the removal, so that the write does not restore the like or rating.
 */
const REMOVED_REACTION_RETENTION_MS = 90 * 86_400_000

/** Retention of the additions of viewing time. Within this time, a repeated call with the same key adds nothing. */
const VIEWING_TIME_ADDITION_RETENTION_MS = 30 * 86_400_000

/**
 * Time that a viewing session is kept after its last update. A device that was offline may report its playing time
 * within this time.
 */
const VIEWING_SESSION_RETENTION_MS = 30 * 86_400_000

/**
 * Deletes expired rows: logins, sign-in codes, remote pairings, unfinished sign-ins, used challenges, password reset
 * links, email changes, backup links, title rules, counters of attempt limits and viewing edits. Also deletes removed
 * progress, lists, profiles and changes of undone imports that can no longer be restored, old activity of profiles, and
 * the rows that serve to recognise repeated writes (`removed_reaction`, `viewing_time_addition`). Returns the numbers
 * of deleted logins, backup links, counters (`limits`) and profiles.
 */
export async function deleteExpiredRows(
  db: Db,
  nowMs: number,
): Promise<{ logins: number; links: number; limits: number; profiles: number }> {
  const loginsResult = await db.deleteFrom('login').where('expires_at', '<=', nowMs).executeTakeFirst()
  await db.deleteFrom('password_reset').where('expires_at', '<=', nowMs).execute()
  await db.deleteFrom('email_change').where('expires_at', '<=', nowMs).execute()
  await db.deleteFrom('device_authorization').where('expires_at', '<=', nowMs).execute()
  await db.deleteFrom('remote_pairing').where('expires_at', '<=', nowMs).execute()
  await db.deleteFrom('sign_in_step').where('expires_at', '<=', nowMs).execute()
  await db.deleteFrom('used_challenge').where('expires_at', '<=', nowMs).execute()
  await deleteExpiredTitleRules(db, nowMs)
  const linksResult = await db.deleteFrom('backup_link').where('expires_at', '<=', nowMs).executeTakeFirst()
  const limitsResult = await db
    .deleteFrom('rate_limit')
    .where('window_ends_at', '<=', nowMs - RATE_LIMIT_RETENTION_MS)
    .where('blocked_until', '<=', nowMs - RATE_LIMIT_RETENTION_MS)
    .executeTakeFirst()
  await db
    .deleteFrom('viewing_edit')
    .where('created_at', '<=', nowMs - VIEWING_EDIT_RETENTION_MS)
    .execute()
  await deleteExpiredRemovedProgress(db, nowMs)
  await db
    .deleteFrom('named_list')
    .where('deleted_at', '<=', nowMs - BIN_RETENTION_MS)
    .execute()
  await db
    .deleteFrom('removed_reaction')
    .where('removed_at', '<=', nowMs - REMOVED_REACTION_RETENTION_MS)
    .execute()
  await deleteExpiredImportChanges(db, nowMs - BIN_RETENTION_MS)
  await deleteOldActivity(db, nowMs)
  return {
    logins: Number(loginsResult.numDeletedRows),
    links: Number(linksResult.numDeletedRows),
    limits: Number(limitsResult.numDeletedRows),
    profiles: await deleteExpiredProfiles(db, nowMs),
  }
}

async function deleteOldActivity(db: Db, nowMs: number): Promise<void> {
  const activitySinceMs = nowMs - ACTIVITY_RETENTION_MS
  const firstDay = new Date(activitySinceMs).toISOString().slice(0, 10)
  await db.deleteFrom('viewing_day').where('day', '<', firstDay).execute()
  await db.deleteFrom('recorded_search').where('searched_at', '<=', activitySinceMs).execute()
  await db.deleteFrom('watch_request').where('created_at', '<=', activitySinceMs).execute()
  await db
    .deleteFrom('viewing_session')
    .where('updated_at', '<=', nowMs - VIEWING_SESSION_RETENTION_MS)
    .execute()
  await db
    .deleteFrom('viewing_time_addition')
    .where('created_at', '<=', nowMs - VIEWING_TIME_ADDITION_RETENTION_MS)
    .execute()
}
