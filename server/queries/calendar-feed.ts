/** Addresses under which calendar programs read the calendar of a profile. Tokens are stored as hashes. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { selectAccountById } from './account.ts'
import type { AccountRow } from './login.ts'
import type { ProfileRow } from './profile.ts'

type CalendarFeedRow = Selectable<DatabaseSchema['calendar_feed']>

/**
 * Returns the calendar address of a profile; undefined when there is none, or when the PIN of the profile has changed
 * since the address was created.
 */
export async function selectCalendarFeed(
  db: Db,
  { profile_id, pin_generation }: Pick<ProfileRow, 'profile_id' | 'pin_generation'>,
): Promise<CalendarFeedRow | undefined> {
  return db
    .selectFrom('calendar_feed')
    .selectAll()
    .where('profile_id', '=', profile_id)
    .where('pin_generation', '=', pin_generation)
    .executeTakeFirst()
}

/** Stores the address of a profile and replaces its earlier address. */
export async function replaceCalendarFeed(
  db: Db,
  row: Insertable<DatabaseSchema['calendar_feed']>,
): Promise<void> {
  const { profile_id: _profile, ...otherColumns } = row
  await db
    .insertInto('calendar_feed')
    .values(row)
    .onConflict((conflict) => conflict.column('profile_id').doUpdateSet(otherColumns))
    .execute()
}

/** Deletes the address of a profile. Returns true when there was an address. */
export async function deleteCalendarFeed(db: Db, profileId: string): Promise<boolean> {
  const deleteResult = await db
    .deleteFrom('calendar_feed')
    .where('profile_id', '=', profileId)
    .executeTakeFirst()
  return deleteResult.numDeletedRows > 0n
}

const queryProfilesOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('profile').select('profile_id').where('account_id', '=', accountId)

export async function countCalendarFeeds(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('calendar_feed')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('profile_id', 'in', queryProfilesOfAccount(db, accountId))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteCalendarFeeds(db: Db, accountId: string): Promise<void> {
  await db
    .deleteFrom('calendar_feed')
    .where('profile_id', 'in', queryProfilesOfAccount(db, accountId))
    .execute()
}

export interface CalendarFeedOwner {
  account: AccountRow
  profile: ProfileRow
  readAtMs: number | null
}

/**
 * Returns the owner of the calendar that a token opens. Returns undefined for an unknown token, for a blocked account,
 * for a profile in the bin, and when the PIN of the profile has changed since the token was created.
 */
export async function selectCalendarFeedOwner(
  db: Db,
  tokenHash: string,
): Promise<CalendarFeedOwner | undefined> {
  const row = await db
    .selectFrom('calendar_feed')
    .innerJoin('profile', 'profile.profile_id', 'calendar_feed.profile_id')
    .selectAll('profile')
    .select('calendar_feed.read_at')
    .where('calendar_feed.token_hash', '=', tokenHash)
    .whereRef('calendar_feed.pin_generation', '=', 'profile.pin_generation')
    .where('profile.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { read_at: readAtMs, deleted_at: _deletedAt, ...profile } = row
  const account = await selectAccountById(db, profile.account_id)
  return account && account.blocked === 0 ? { account, profile, readAtMs } : undefined
}

export async function updateCalendarFeedReadTime(db: Db, profileId: string, nowMs: number): Promise<void> {
  await db.updateTable('calendar_feed').set({ read_at: nowMs }).where('profile_id', '=', profileId).execute()
}
