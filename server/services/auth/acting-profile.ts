/**
 * The acting profile of a device. A device has one acting profile at a time. Only the acting profile can be
 * unlocked (security.md, decision 5).
 */
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import {
  type ActiveLogin,
  findChosenRestrictedId,
  isUnlockActive,
  markEnterableProfiles,
  UNLOCK_IDLE_MS,
} from '../../queries/caller.ts'
import { changeActiveProfile, extendUnlock } from '../../queries/login.ts'
import { type CallerProfile, isRestrictedProfile } from '../../queries/profile.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from './caller.ts'

/** Minimum time between two extensions of an unlock, so that not every request writes to the database. */
const MIN_UNLOCK_EXTENSION_INTERVAL_MS = 10 * 60_000

/**
 * Returns the profile that acts on a device when a request names no profile. Returns null if this profile is
 * locked, or if no profile was chosen.
 */
export function findActiveProfile({ login, profiles }: Pick<ActiveLogin, 'login' | 'profiles'>) {
  const profile = profiles.find((candidate) => candidate.profile_id === login.active_profile_id)
  return profile?.enterable ? profile : null
}

interface GroupMember {
  id: string
  /** `pin_generation` of the profile when it joined the group. */
  generation: number
}

/**
 * Returns the other profiles that watch together with the acting profile. A profile whose PIN has changed since
 * the profile joined the group is no longer a member (decision record 0039).
 */
function findGroupProfiles(
  { login, profiles }: ActiveLogin,
  actingProfile: CallerProfile | null,
): CallerProfile[] {
  if (!actingProfile || login.group_members === null || login.active_profile_id !== actingProfile.profile_id)
    return []
  const members = JSON.parse(login.group_members) as GroupMember[]
  return members.flatMap(({ id, generation }) => {
    const profile = profiles.find((candidate) => candidate.profile_id === id)
    return profile?.pin_generation === generation ? [profile] : []
  })
}

/** Adds the acting profile and its group to a login. */
export const toCaller = (activeLogin: ActiveLogin, actingProfile: CallerProfile | null): Caller => ({
  ...activeLogin,
  acting: actingProfile,
  group: findGroupProfiles(activeLogin, actingProfile),
})

interface ActingProfileOptions {
  /** Id of the profile in the path. This profile acts when the header names no profile. */
  pathProfileId?: string | undefined
  /**
   * True for endpoints that work while the named profile is locked, such as the endpoints of the profile
   * picker.
   */
  acceptsLockedProfile?: boolean
}

/**
 * Returns the caller with its acting profile. The acting profile is the profile that the header names, else the profile
 * in the path. If neither names a profile, the acting profile is the profile that acted last on this device, or null if
 * that profile is locked. A named profile becomes the acting profile of the device. Throws 403 when the named profile
 * does not belong to the account, and when it is locked. With `acceptsLockedProfile`, a locked profile is no error, and
 * the caller then has no acting profile.
 */
export async function resolveActingProfile(
  activeLogin: ActiveLogin,
  { pathProfileId, acceptsLockedProfile = false }: ActingProfileOptions,
  request: RequestInfo,
  deps: Deps,
): Promise<Caller> {
  const requestedProfileId = request.profileId ?? pathProfileId ?? null
  if (requestedProfileId === null) return toCaller(activeLogin, findActiveProfile(activeLogin))
  const profile = activeLogin.profiles.find((candidate) => candidate.profile_id === requestedProfileId)
  if (!profile)
    throw new Problem('forbidden', { errors: { profile: ['unknown'] }, deniedObjectId: requestedProfileId })
  if (!profile.enterable && !acceptsLockedProfile) throw new Problem('profile_locked')
  if (!profile.enterable) return toCaller(activeLogin, null)
  // An API key has no device, so its acting profile applies to one request and is not stored.
  if (activeLogin.apiKeyScopes) return toCaller(activeLogin, profile)
  return toCaller(await activateProfile(deps, activeLogin, profile.profile_id), profile)
}

/**
 * Makes a profile the acting profile of the device. If `profileId` is null, no profile acts any more. A
 * change ends the unlock and the group of the previous profile. Without a change, an active unlock is extended. Returns
 * the updated login.
 */
export async function activateProfile(
  deps: Deps,
  activeLogin: ActiveLogin,
  profileId: string | null,
): Promise<ActiveLogin> {
  const { account, login, profiles } = activeLogin
  const { primary } = deps.database
  if (login.active_profile_id !== profileId) {
    const isRestricted = profiles.some(
      (profile) => profile.profile_id === profileId && isRestrictedProfile(profile),
    )
    const kidsProfileId =
      profileId === null ? findChosenRestrictedId(activeLogin) : isRestricted ? profileId : null
    const hasKidsLockChanged = account.exit_pin_hash !== null && kidsProfileId !== login.kids_profile_id
    const storeActiveProfile = () => changeActiveProfile(primary, login.sid, { profileId, kidsProfileId })
    // A change must be stored if it ends an unlock, a group or the acting profile, or changes which profiles need the
    // exit PIN. Such a change therefore fails while the disk is full. Other changes need not be stored, because each
    // request names its profile.
    const mustStoreActiveProfile =
      profileId === null ||
      hasKidsLockChanged ||
      login.unlock_generation !== null ||
      login.group_members !== null
    await (mustStoreActiveProfile ? storeActiveProfile() : runOptionalWrite(storeActiveProfile))
    // The other tabs of the device must show that the group has ended, and which profiles need the exit PIN.
    if (login.group_members !== null || hasKidsLockChanged)
      deps.bus.publish(`account:${login.account_id}`, { kind: 'profiles' })
    const changedLogin = {
      ...login,
      active_profile_id: profileId,
      unlocked_until: null,
      unlock_generation: null,
      kids_profile_id: kidsProfileId,
      group_members: null,
    }
    return {
      ...activeLogin,
      login: changedLogin,
      profiles: markEnterableProfiles({ account, login: changedLogin, profiles }, deps.now()),
    }
  }
  const nowMs = deps.now()
  const newUnlockedUntilMs = nowMs + UNLOCK_IDLE_MS
  const { unlocked_until: unlockedUntilMs, unlock_generation: generation } = login
  // An unlock or a group that has expired must not be extended. A group without PINs can have expired although its
  // acting profile still acts.
  if (
    profileId !== null &&
    generation !== null &&
    isUnlockActive(login, nowMs) &&
    (unlockedUntilMs ?? 0) < newUnlockedUntilMs - MIN_UNLOCK_EXTENSION_INTERVAL_MS
  )
    await runOptionalWrite(() =>
      extendUnlock(primary, { sid: login.sid, profileId, generation, untilMs: newUnlockedUntilMs }),
    )
  return activeLogin
}
