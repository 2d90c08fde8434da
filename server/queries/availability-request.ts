/** Profiles that wait for a title to become available. */
import type { Db } from '../db/database.ts'
import { replaceTitleNotice } from './notice.ts'

interface AvailabilityRequest {
  profileId: string
  titleId: number
  nowMs: number
}

export async function insertAvailabilityRequest(
  db: Db,
  { profileId, titleId, nowMs }: AvailabilityRequest,
): Promise<void> {
  await db
    .insertInto('availability_request')
    .values({ profile_id: profileId, title_id: titleId, created_at: nowMs })
    .onConflict((conflict) => conflict.columns(['profile_id', 'title_id']).doNothing())
    .execute()
}

export async function deleteAvailabilityRequest(
  db: Db,
  { profileId, titleId }: Omit<AvailabilityRequest, 'nowMs'>,
): Promise<void> {
  await db
    .deleteFrom('availability_request')
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .execute()
}

export async function hasAvailabilityRequest(
  db: Db,
  { profileId, titleId }: Omit<AvailabilityRequest, 'nowMs'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('availability_request')
    .select('title_id')
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .executeTakeFirst()
  return row !== undefined
}

export interface NotifiedProfile {
  profile_id: string
  account_id: string
}

/**
 * Adds a notice for each profile that waits for one of these titles, and deletes the availability request of the
 * profile for that title. A title that becomes available again gets a new, unseen notice. Profiles in the bin
 * get no notice and keep their requests. Returns the notified profiles. Call this function in a transaction.
 */
export async function insertAvailabilityNotices(
  db: Db,
  titleIds: readonly number[],
  nowMs: number,
): Promise<NotifiedProfile[]> {
  if (titleIds.length === 0) return []
  const availableTitleIds = new Set(titleIds)
  const requests = await db
    .selectFrom('availability_request')
    .innerJoin('profile', 'profile.profile_id', 'availability_request.profile_id')
    .select(['availability_request.title_id', 'profile.profile_id', 'profile.account_id'])
    .where('profile.deleted_at', 'is', null)
    .execute()
  const fulfilledRequests = requests.filter((request) => availableTitleIds.has(request.title_id))
  for (const { profile_id, title_id } of fulfilledRequests) {
    await replaceTitleNotice(db, { profileId: profile_id, titleId: title_id, kind: 'available', nowMs })
    await deleteAvailabilityRequest(db, { profileId: profile_id, titleId: title_id })
  }
  return fulfilledRequests
}
