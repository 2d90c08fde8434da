/** Settings of notices of a profile, and the weekly emails that are due. */
import type { Selectable } from 'kysely'
import { MAX_CLOCK_DIFFERENCE_MS } from '../core/dates.ts'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type NoticeSettingRow = Selectable<DatabaseSchema['notice_setting']>

export async function selectNoticeSetting(db: Db, profileId: string): Promise<NoticeSettingRow | undefined> {
  return db.selectFrom('notice_setting').selectAll().where('profile_id', '=', profileId).executeTakeFirst()
}

/** Changes the settings of a profile. A profile without a row gets a new row with `defaults` for the other settings. */
export async function upsertNoticeSetting(
  db: Db,
  defaults: NoticeSettingRow,
  changes: Partial<NoticeSettingRow>,
): Promise<void> {
  const insertQuery = db.insertInto('notice_setting').values({ ...defaults, ...changes })
  await insertQuery
    .onConflict((conflict) =>
      Object.keys(changes).length === 0
        ? conflict.column('profile_id').doNothing()
        : conflict.column('profile_id').doUpdateSet(changes),
    )
    .execute()
}

/**
 * Turns off the weekly email of the profile with this token. Returns the id of the profile. Returns undefined when no
 * profile has this token, or when the weekly email is already off.
 */
export async function turnOffDigest(db: Db, unsubscribeHash: string): Promise<string | undefined> {
  const row = await db
    .updateTable('notice_setting')
    .set({ digest: 0 })
    .where('unsubscribe_hash', '=', unsubscribeHash)
    .where('digest', '=', 1)
    .returning('profile_id')
    .executeTakeFirst()
  return row?.profile_id
}

/**
 * Returns the language of the profile with this token, and `digest`: 1 when the profile gets the weekly email. Returns
 * undefined for an unknown token.
 */
export async function selectDigestByToken(db: Db, unsubscribeHash: string) {
  return db
    .selectFrom('notice_setting')
    .innerJoin('profile', 'profile.profile_id', 'notice_setting.profile_id')
    .select(['profile.language', 'notice_setting.digest'])
    .where('notice_setting.unsubscribe_hash', '=', unsubscribeHash)
    .executeTakeFirst()
}

/**
 * Returns the profiles with a weekly email whose last email was sent at or before `sentBeforeMs` or never. A time in
 * the future counts as never, because the clock was ahead when it was stored. Kids profiles, profiles in the bin and
 * profiles of blocked accounts are left out.
 */
export async function selectDigestRecipients(
  db: Db,
  { sentBeforeMs, nowMs }: { sentBeforeMs: number; nowMs: number },
) {
  return db
    .selectFrom('notice_setting')
    .innerJoin('profile', 'profile.profile_id', 'notice_setting.profile_id')
    .innerJoin('account', 'account.account_id', 'profile.account_id')
    .selectAll('notice_setting')
    .select(['profile.name', 'profile.language', 'profile.media_title_language', 'profile.account_id'])
    .select(['profile.kids', 'profile.max_age', 'profile.guide_limits'])
    .select(['profile.accepts_unknown_guide', 'profile.audience_version'])
    .select(['account.email', 'account.interface_language', 'account.title_language'])
    .where('notice_setting.digest', '=', 1)
    .where((eb) =>
      eb.or([
        eb('notice_setting.digest_sent_at', 'is', null),
        eb('notice_setting.digest_sent_at', '<=', sentBeforeMs),
        eb('notice_setting.digest_sent_at', '>', nowMs + MAX_CLOCK_DIFFERENCE_MS),
      ]),
    )
    .where('account.blocked', '=', 0)
    .where('profile.kids', '=', 0)
    .where('profile.deleted_at', 'is', null)
    .orderBy('notice_setting.profile_id')
    .execute()
}
export type DigestRecipient = Awaited<ReturnType<typeof selectDigestRecipients>>[number]

/**
 * Changes the time of the last email, and the token of its unsubscribe link. Returns false, without a change, when
 * another process has changed that time.
 */
export async function updateDigestTime(
  db: Db,
  { profile_id, digest_sent_at }: Pick<NoticeSettingRow, 'profile_id' | 'digest_sent_at'>,
  changes: Partial<Pick<NoticeSettingRow, 'digest_sent_at' | 'unsubscribe_hash'>>,
): Promise<boolean> {
  let query = db.updateTable('notice_setting').set(changes).where('profile_id', '=', profile_id)
  query =
    digest_sent_at === null
      ? query.where('digest_sent_at', 'is', null)
      : query.where('digest_sent_at', '=', digest_sent_at)
  return (await query.executeTakeFirst()).numUpdatedRows === 1n
}
