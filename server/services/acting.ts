import type { Deps } from '../deps.ts'
import type { CallerLogin } from '../queries/caller.ts'
import { setActiveProfile } from '../queries/login.ts'
import { endOtherUnlocks, extendUnlock, type ProfileRow } from '../queries/profile.ts'

/** An unlock ends after this long without use (security.md, decision 5). */
export const UNLOCK_IDLE_MS = 12 * 3_600_000
const EXTEND_EVERY_MS = 10 * 60_000

/** A device has one acting profile at a time; acting as another ends the unlocks of the rest. */
export async function actAs(deps: Deps, login: CallerLogin, profile: ProfileRow): Promise<void> {
  const { primary } = deps.database
  if (login.active_profile_id !== profile.profile_id) {
    await setActiveProfile(primary, login.sid, profile.profile_id)
    await endOtherUnlocks(primary, login.sid, profile.profile_id)
  }
  if (profile.pin_hash) {
    const until = deps.now() + UNLOCK_IDLE_MS
    await extendUnlock(primary, {
      sid: login.sid,
      profileId: profile.profile_id,
      until,
      every: EXTEND_EVERY_MS,
    })
  }
}
