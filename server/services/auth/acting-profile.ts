import type { Deps } from '../../deps.ts'
import type { CallerLogin } from '../../queries/caller.ts'
import { setActiveProfile } from '../../queries/login.ts'
import { deleteOtherProfileUnlocks, extendProfileUnlock, type ProfileRow } from '../../queries/profile.ts'

/** An unlock of a profile expires after this time without use (security.md, decision 5). */
export const UNLOCK_IDLE_MS = 12 * 3_600_000
/** An unlock is extended at most this often, so that not every request writes to the database. */
const EXTEND_EVERY_MS = 10 * 60_000

/** Makes `profile` the acting profile of the device. A device has one acting profile; switching ends the unlocks of the others. */
export async function activateProfile(deps: Deps, login: CallerLogin, profile: ProfileRow): Promise<void> {
  const { primary } = deps.database
  if (login.active_profile_id !== profile.profile_id) {
    await setActiveProfile(primary, login.sid, profile.profile_id)
    await deleteOtherProfileUnlocks(primary, login.sid, profile.profile_id)
  }
  if (profile.pin_hash) {
    const untilMs = deps.now() + UNLOCK_IDLE_MS
    await extendProfileUnlock(primary, {
      sid: login.sid,
      profileId: profile.profile_id,
      untilMs,
      minStepMs: EXTEND_EVERY_MS,
    })
  }
}
