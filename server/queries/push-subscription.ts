/** Push subscriptions: which device shows the notices of which profile. */
import { type Insertable, type Selectable, sql } from 'kysely'
import { MAX_CLOCK_DIFFERENCE_MS } from '../core/dates.ts'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import type { AudienceProfile, ProfileRow } from './profile.ts'
import { buildViewingLimitsCondition } from './viewing-time.ts'

export type PushSubscriptionRow = Selectable<DatabaseSchema['push_subscription']>

/**
 * Stores the subscription of a device to the notices of a profile. A new subscription starts after the latest notice.
 * An existing subscription of the device is replaced, and continues after the last notice that was sent to the device.
 */
export async function upsertPushSubscription(
  db: Db,
  row: Omit<Insertable<DatabaseSchema['push_subscription']>, 'last_notice_id' | 'failures' | 'retry_at'>,
): Promise<void> {
  const lastNotice = await db
    .selectFrom('notice')
    .select((eb) => eb.fn.max('notice_id').as('notice_id'))
    .where('profile_id', '=', row.profile_id)
    .executeTakeFirst()
  const { endpoint_hash, subscription, pin_generation } = row
  const renewedColumns = {
    endpoint_hash,
    subscription,
    pin_generation,
    failures: 0,
    retry_at: 0,
    failed_at: null,
  }
  await db
    .insertInto('push_subscription')
    .values({ ...row, last_notice_id: Number(lastNotice?.notice_id ?? 0), failures: 0, retry_at: 0 })
    .onConflict((conflict) => conflict.columns(['profile_id', 'sid']).doUpdateSet(renewedColumns))
    .execute()
}

/**
 * Returns the subscribed devices of a profile with their names. Leaves out devices whose login has expired, and devices
 * that subscribed before the last change of the PIN.
 */
export async function selectPushDevices(
  db: Db,
  { profile_id, pin_generation }: Pick<ProfileRow, 'profile_id' | 'pin_generation'>,
  nowMs: number,
) {
  return db
    .selectFrom('push_subscription')
    .innerJoin('login', 'login.sid', 'push_subscription.sid')
    .selectAll('push_subscription')
    .select('login.device_name')
    .where('push_subscription.profile_id', '=', profile_id)
    .where('push_subscription.pin_generation', '=', pin_generation)
    .where('login.expires_at', '>', nowMs)
    .orderBy('push_subscription.created_at')
    .orderBy('push_subscription.sid')
    .execute()
}

interface PushSubscriptionRef {
  profileId: string
  sid: string
}

/** Deletes the subscription of a device for a profile. Returns true when a subscription was deleted. */
export async function deletePushSubscription(
  db: Db,
  { profileId, sid }: PushSubscriptionRef,
): Promise<boolean> {
  const deleteResult = await db
    .deleteFrom('push_subscription')
    .where('profile_id', '=', profileId)
    .where('sid', '=', sid)
    .executeTakeFirst()
  return deleteResult.numDeletedRows > 0n
}

/** Deletes all subscriptions of a browser, after its push service has ended them. */
export async function deletePushEndpoint(db: Db, endpointHash: string): Promise<void> {
  await db.deleteFrom('push_subscription').where('endpoint_hash', '=', endpointHash).execute()
}

/** Fields of a profile that the delivery of notices needs. */
export interface DeliveryProfile extends AudienceProfile {
  account_id: string
  name: string
  language: string
  media_title_language: string | null
  interface_language: string
  title_language: string
  /** Time zone of the quiet hours for notices. */
  time_zone: string | null
  /** Time zone that the device sent last; null if it sent none. */
  device_time_zone: string | null
  quiet_from: number | null
  quiet_until: number | null
}

/**
 * Returns the subscriptions to which notices may be sent now. The following subscriptions are left out:
 * - subscriptions of kids profiles, of profiles in the bin, of expired logins and of blocked accounts;
 * - subscriptions from before the last change of the PIN of the profile;
 * - subscriptions whose time for the next try (`retry_at`) is in the future. A `retry_at` that is further in the future
 *   than the longest delay (`maxRetryDelayMs`) is ignored, because the clock was ahead when it was stored;
 * - subscriptions on devices that a child may be using (`buildChildOnDeviceCondition`).
 */
export async function selectReadyPushSubscriptions(
  db: Db,
  { nowMs, maxRetryDelayMs }: { nowMs: number; maxRetryDelayMs: number },
): Promise<(PushSubscriptionRow & DeliveryProfile)[]> {
  return db
    .selectFrom('push_subscription')
    .innerJoin('login', 'login.sid', 'push_subscription.sid')
    .innerJoin('account', 'account.account_id', 'login.account_id')
    .innerJoin('profile', 'profile.profile_id', 'push_subscription.profile_id')
    .leftJoin('notice_setting', 'notice_setting.profile_id', 'push_subscription.profile_id')
    .selectAll('push_subscription')
    .select(['profile.account_id', 'profile.name', 'profile.language', 'profile.media_title_language'])
    .select(['profile.kids', 'profile.max_age', 'profile.guide_limits'])
    .select(['profile.accepts_unknown_guide', 'profile.audience_version'])
    .select(['account.interface_language', 'account.title_language'])
    .select('login.time_zone as device_time_zone')
    .select(['notice_setting.time_zone', 'notice_setting.quiet_from', 'notice_setting.quiet_until'])
    .where((eb) =>
      eb.or([
        eb('push_subscription.retry_at', '<=', nowMs),
        eb('push_subscription.retry_at', '>', nowMs + maxRetryDelayMs + MAX_CLOCK_DIFFERENCE_MS),
      ]),
    )
    .where('login.expires_at', '>', nowMs)
    .where('account.blocked', '=', 0)
    .where('profile.kids', '=', 0)
    .where('profile.deleted_at', 'is', null)
    .whereRef('profile.pin_generation', '=', 'push_subscription.pin_generation')
    .where(sql<boolean>`not ${buildChildOnDeviceCondition(nowMs)}`)
    .orderBy('push_subscription.profile_id')
    .orderBy('push_subscription.sid')
    .execute()
}

/**
 * Returns the condition that a child may be using the device of the subscription. The account must have another
 * profile that is restricted (the SQL repeats the condition of `isRestrictedProfile`). This other profile must act on
 * the device or watch in the group of the device, unless no profile acts on the device.
 */
const buildChildOnDeviceCondition = (nowMs: number) =>
  sql<boolean>`exists (select 1 from profile child where child.account_id = login.account_id
    and child.profile_id <> push_subscription.profile_id and child.deleted_at is null
    and (child.kids = 1 or (child.main = 0
      and (child.max_age is not null or child.guide_limits <> 0 or child.denied_title_count > 0
        or ${buildViewingLimitsCondition('child')})))
    and (login.active_profile_id is null or login.active_profile_id = child.profile_id
      or (login.unlocked_until > ${nowMs} and login.group_members like '%"' || child.profile_id || '"%')))`

/**
 * Claims the notices up to `lastNoticeId` for one delivery. Returns false when another process has claimed them, or
 * when the device was unsubscribed.
 */
export async function claimNotices(
  db: Db,
  { profile_id, sid, last_notice_id }: PushSubscriptionRow,
  lastNoticeId: number,
): Promise<boolean> {
  const updateResult = await db
    .updateTable('push_subscription')
    .set({ last_notice_id: lastNoticeId })
    .where('profile_id', '=', profile_id)
    .where('sid', '=', sid)
    .where('last_notice_id', '=', last_notice_id)
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}

/** Records that the push service accepted a message. */
export async function recordPushDelivery(
  db: Db,
  { profileId, sid }: PushSubscriptionRef,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('push_subscription')
    .set({ delivered_at: nowMs, failed_at: null, failures: 0 })
    .where('profile_id', '=', profileId)
    .where('sid', '=', sid)
    .execute()
}

interface PushFailure {
  nowMs: number
  retryAtMs: number
  /** Id of the last notice that counts as delivered. Later notices will be sent again. */
  lastNoticeId: number
}

export async function recordPushFailure(
  db: Db,
  { profile_id, sid, failures }: PushSubscriptionRow,
  { nowMs, retryAtMs, lastNoticeId }: PushFailure,
): Promise<void> {
  await db
    .updateTable('push_subscription')
    .set({
      failed_at: nowMs,
      failures: failures + 1,
      retry_at: retryAtMs,
      last_notice_id: lastNoticeId,
    })
    .where('profile_id', '=', profile_id)
    .where('sid', '=', sid)
    .execute()
}
