/** Viewing limits and counted playing time of profiles. */
import { type Selectable, sql } from 'kysely'
import type { Weekend } from '../../src/lib/rules/viewing-time.ts'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'

type ViewingLimitRow = Selectable<DatabaseSchema['viewing_limit']>
type ViewingSessionRow = Selectable<DatabaseSchema['viewing_session']>
export type ViewingTimeAdditionRow = Selectable<DatabaseSchema['viewing_time_addition']>

/** Limits of a profile, with the settings of its account. For a profile without limits, the limit columns are null. */
export interface ViewingRules extends Omit<ViewingLimitRow, 'profile_id' | 'grace_ended'> {
  grace_ended: number | null
  kids: number
  time_zone: string | null
  weekend: Weekend | null
}

/**
 * Returns an SQL condition that is true when a parent has limited the viewing time of a profile. `profileTable` is a
 * table or alias of the statement. Its column `profile_id` contains the id of the profile.
 */
export const buildViewingLimitsCondition = (profileTable: string) => sql<boolean>`exists (
  select 1 from viewing_limit where viewing_limit.profile_id = ${sql.ref(`${profileTable}.profile_id`)}
    and (viewing_limit.school_day_minutes is not null or viewing_limit.weekend_minutes is not null
      or viewing_limit.quiet_start is not null))`

const VIEWING_RULE_COLUMNS = [
  'profile.kids',
  'viewing_limit.school_day_minutes',
  'viewing_limit.weekend_minutes',
  'viewing_limit.quiet_start',
  'viewing_limit.quiet_end',
  'viewing_limit.quiet_off_from',
  'viewing_limit.quiet_off_until',
  'viewing_limit.grace_started_at',
  'viewing_limit.grace_day',
  'viewing_limit.grace_video',
  'viewing_limit.grace_ended',
] as const

/** Returns the limits of a profile; undefined when the profile does not exist. */
export async function selectViewingRules(db: Db, profileId: string): Promise<ViewingRules | undefined> {
  return db
    .selectFrom('profile')
    .leftJoin('viewing_limit', 'viewing_limit.profile_id', 'profile.profile_id')
    .leftJoin('family_setting', 'family_setting.account_id', 'profile.account_id')
    .select([
      ...VIEWING_RULE_COLUMNS,
      sql<string | null>`nullif(family_setting.time_zone, '')`.as('time_zone'),
      sql<Weekend | null>`family_setting.weekend`.as('weekend'),
    ])
    .where('profile.profile_id', '=', profileId)
    .executeTakeFirst()
}

/** Locks the viewing time of a profile against other writers until the transaction ends. */
export const lockViewingTime = (db: Db, profileId: string) => lockUntilCommit(db, `viewing-time:${profileId}`)

export async function updateViewingLimits(
  db: Db,
  profileId: string,
  changes: Partial<Omit<ViewingLimitRow, 'profile_id'>>,
): Promise<void> {
  await db
    .insertInto('viewing_limit')
    .values({ profile_id: profileId, ...changes })
    .onConflict((conflict) => conflict.column('profile_id').doUpdateSet(changes))
    .execute()
}

export async function selectViewingDay(
  db: Db,
  profileId: string,
  day: string,
): Promise<{ played_ms: number; extra_ms: number }> {
  const row = await db
    .selectFrom('viewing_day')
    .select(['played_ms', 'extra_ms'])
    .where('profile_id', '=', profileId)
    .where('day', '=', day)
    .executeTakeFirst()
  return row ?? { played_ms: 0, extra_ms: 0 }
}

/** Returns the stored playing time per day from `fromDay` on, oldest day first. Days without a row are absent. */
export async function selectViewingDays(
  db: Db,
  profileId: string,
  fromDay: string,
): Promise<{ day: string; played_ms: number }[]> {
  return db
    .selectFrom('viewing_day')
    .select(['day', 'played_ms'])
    .where('profile_id', '=', profileId)
    .where('day', '>=', fromDay)
    .orderBy('day')
    .execute()
}

export async function addToViewingDay(
  db: Db,
  { profileId, day }: { profileId: string; day: string },
  { playedMs = 0, extraMs = 0 }: { playedMs?: number; extraMs?: number },
): Promise<void> {
  await db
    .insertInto('viewing_day')
    .values({ profile_id: profileId, day, played_ms: playedMs, extra_ms: extraMs })
    .onConflict((conflict) =>
      conflict.columns(['profile_id', 'day']).doUpdateSet({
        played_ms: sql<number>`viewing_day.played_ms + ${playedMs}`,
        extra_ms: sql<number>`viewing_day.extra_ms + ${extraMs}`,
      }),
    )
    .execute()
}

export async function selectViewingSession(
  db: Db,
  profileId: string,
  sessionId: string,
): Promise<ViewingSessionRow | undefined> {
  return db
    .selectFrom('viewing_session')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
}

/**
 * Returns the time up to which the playing time of a profile on a device is already counted, in milliseconds since
 * 1970; null when nothing was played.
 */
export async function selectCountedUntilMs(db: Db, profileId: string, sid: string): Promise<number | null> {
  const row = await db
    .selectFrom('viewing_session')
    .select('covered_until')
    .where('profile_id', '=', profileId)
    .where('sid', '=', sid)
    .orderBy('updated_at', 'desc')
    .orderBy('covered_until', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.covered_until ?? null
}

export async function upsertViewingSession(db: Db, row: ViewingSessionRow): Promise<void> {
  const { profile_id: _profile, session_id: _session, ...otherColumns } = row
  await db
    .insertInto('viewing_session')
    .values(row)
    .onConflict((conflict) => conflict.columns(['profile_id', 'session_id']).doUpdateSet(otherColumns))
    .execute()
}

/** Returns the viewing time that was added with a key; undefined when the key is new. */
export async function selectViewingTimeAddition(
  db: Db,
  profileId: string,
  key: string,
): Promise<ViewingTimeAdditionRow | undefined> {
  return db
    .selectFrom('viewing_time_addition')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('addition_key', '=', key)
    .executeTakeFirst()
}

export async function insertViewingTimeAddition(db: Db, row: ViewingTimeAdditionRow): Promise<void> {
  await db.insertInto('viewing_time_addition').values(row).execute()
}

/** Marks an addition as taken back. The row stays, so that a repeated request with the same key adds nothing. */
export async function clearViewingTimeAddition(db: Db, profileId: string, key: string): Promise<void> {
  await db
    .updateTable('viewing_time_addition')
    .set({ minutes: 0, extra_ms: 0, quiet_ms: 0 })
    .where('profile_id', '=', profileId)
    .where('addition_key', '=', key)
    .execute()
}
