import type { Db } from '../db/database.ts'

/**
 * Returns the account, the email address and the profile name of the viewer of a stream, and the type and the name of
 * the streamed title. The profile name is null when the profile does not exist. Returns undefined when the login or the
 * title no longer exists.
 */
export async function selectStreamViewer(
  db: Db,
  { sid, profileId, titleId }: { sid: string; profileId: string | null; titleId: number },
) {
  return db
    .selectFrom('login')
    .innerJoin('account', 'account.account_id', 'login.account_id')
    .leftJoin('profile', (join) =>
      join.on('profile.profile_id', '=', profileId ?? '').on('profile.deleted_at', 'is', null),
    )
    .innerJoin('title', (join) => join.on('title.title_id', '=', titleId))
    .select([
      'account.account_id',
      'account.email',
      'profile.name as profile_name',
      'title.type as title_type',
      'title.original_title as title_name',
    ])
    .where('login.sid', '=', sid)
    .executeTakeFirst()
}
