import type { Db } from '../db/database.ts'

/** Returns names and accounts of profiles, in no particular order. */
export async function selectProfileNames(
  db: Db,
  profileIds: string[],
): Promise<{ profile_id: string; account_id: string; name: string }[]> {
  if (profileIds.length === 0) return []
  return db
    .selectFrom('profile')
    .select(['profile_id', 'account_id', 'name'])
    .where('profile_id', 'in', profileIds)
    .execute()
}
