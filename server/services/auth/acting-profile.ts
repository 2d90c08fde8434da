/** The acting profile of a device: a device has one at a time, and only it can be unlocked (security.md, decision 5). */
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import { type ActiveLogin, markEnterable } from '../../queries/caller.ts'
import { changeActiveProfile, extendUnlock } from '../../queries/login.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from './caller.ts'

/** An unlock of a profile expires after this time without use (security.md, decision 5). */
export const UNLOCK_IDLE_MS = 12 * 3_600_000
/** An unlock is extended at most this often, so that not every request writes to the database. */
const EXTEND_EVERY_MS = 10 * 60_000

/** Returns the profile that acts on a device when a request names none; null when it is locked or none was chosen. */
export function findActiveProfile({ login, profiles }: Pick<ActiveLogin, 'login' | 'profiles'>) {
  const profile = profiles.find((candidate) => candidate.profile_id === login.active_profile_id)
  return profile?.enterable ? profile : null
}

interface ActingOptions {
  /** Id of the profile in the path; it acts when the header names none. */
  pathProfileId?: string | undefined
  /** True for endpoints that work while the named profile is locked, such as those of the profile picker. */
  acceptsLocked?: boolean
}

/**
 * Returns the caller with its acting profile: the one named by the header, else the one in the path, else the last one of
 * this device if it is still enterable. A named profile becomes the acting profile of the device.
 * @throws Problem with status 403 when the header names no profile of the account, or a locked one.
 */
export async function resolveActingProfile(
  activeLogin: ActiveLogin,
  { pathProfileId, acceptsLocked = false }: ActingOptions,
  request: RequestInfo,
  deps: Deps,
): Promise<Caller> {
  const namedId = request.profileId ?? pathProfileId ?? null
  if (namedId === null) return { ...activeLogin, acting: findActiveProfile(activeLogin) }
  const profile = activeLogin.profiles.find((candidate) => candidate.profile_id === namedId)
  if (!profile) throw new Problem('forbidden', { errors: { profile: ['unknown'] }, deniedObjectId: namedId })
  if (!profile.enterable && !acceptsLocked) throw new Problem('profile_locked')
  if (!profile.enterable) return { ...activeLogin, acting: null }
  // An API key is no device: it acts for the profile of each request, and nothing is stored.
  if (activeLogin.apiKeyScopes) return { ...activeLogin, acting: profile }
  return { ...(await activateProfile(deps, activeLogin, profile.profile_id)), acting: profile }
}

/**
 * Makes a profile the acting profile of the device, or none when `profileId` is null. A change ends the unlock of the
 * previous one; otherwise the unlock is extended. Returns the login as it is afterwards.
 */
export async function activateProfile(
  deps: Deps,
  activeLogin: ActiveLogin,
  profileId: string | null,
): Promise<ActiveLogin> {
  const { login, profiles } = activeLogin
  const { primary } = deps.database
  if (login.active_profile_id !== profileId) {
    const change = () => changeActiveProfile(primary, login.sid, profileId)
    // While the disk is full, requests still act for the profile that they name. The end of an unlock or of acting must be stored.
    const mustBeStored = profileId === null || login.unlock_generation !== null
    await (mustBeStored ? change() : runOptionalWrite(change))
    const changedLogin = {
      ...login,
      active_profile_id: profileId,
      unlocked_until: null,
      unlock_generation: null,
    }
    return {
      ...activeLogin,
      login: changedLogin,
      profiles: markEnterable(changedLogin, profiles, deps.now()),
    }
  }
  const untilMs = deps.now() + UNLOCK_IDLE_MS
  const { unlocked_until: unlockedUntil, unlock_generation: generation } = login
  if (profileId !== null && generation !== null && (unlockedUntil ?? 0) < untilMs - EXTEND_EVERY_MS)
    await runOptionalWrite(() => extendUnlock(primary, { sid: login.sid, profileId, generation, untilMs }))
  return activeLogin
}
