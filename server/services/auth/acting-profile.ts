import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import type { CallerLogin } from '../../queries/caller.ts'
import { setActiveProfile } from '../../queries/login.ts'
import { deleteOtherProfileUnlocks, extendProfileUnlock, type ProfileRow } from '../../queries/profile.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from './caller.ts'

/** An unlock of a profile expires after this time without use (security.md, decision 5). */
export const UNLOCK_IDLE_MS = 12 * 3_600_000
/** An unlock is extended at most this often, so that not every request writes to the database. */
const EXTEND_EVERY_MS = 10 * 60_000

/** Makes `profile` the acting profile of the device. A device has one acting profile; switching to another one ends the unlocks of all others. */
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

interface ActingOptions {
  /** The profile in the path. It becomes the acting profile when the header names none. */
  pathProfile?: ProfileRow
  /**
   * True for endpoints of the account and the profile picker, which work although the named profile is locked or
   * deleted.
   */
  ignoreUnusable?: boolean
}

/**
 * Returns the acting profile: the one named by the header, else the one in the path, else the last one of this device
 * if it is still enterable.
 */
export async function findActingProfile(
  caller: Caller,
  { pathProfile, ignoreUnusable = false }: ActingOptions,
  request: RequestInfo,
  deps: Deps,
): Promise<ProfileRow | null> {
  const namedId = request.profileId ?? pathProfile?.profile_id ?? null
  const profileId = namedId ?? caller.login.active_profile_id
  const profile = caller.profiles.find((candidate) => candidate.profile_id === profileId)
  if (namedId !== null && !ignoreUnusable) {
    if (!profile) throw new Problem('not_found')
    if (!profile.enterable) throw new Problem('profile_locked')
  }
  if (!profile?.enterable) return null
  if (namedId !== null) await activateProfile(deps, caller.login, profile)
  return profile
}
