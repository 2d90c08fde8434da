/**
 * Authorises requests: checks that a request has the access that its endpoint requires (security.md, decision
 * 6).
 */
import type { EndpointAccess } from '../../../src/lib/contract/endpoint.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import type { ActiveLogin } from '../../queries/caller.ts'
import type { Deps } from '../deps.ts'
import { resolveActingProfile } from './acting-profile.ts'
import { loadAudience, loadProfilesAudience, resolveViewer } from './audience.ts'
import type { Caller, ProfileCaller, Viewer } from './caller.ts'
import { isMainProfileProven } from './proof.ts'

/** Kinds of endpoint access that need an access token or an API key. */
export type LoginAccess = Exclude<EndpointAccess, 'public' | 'invitation'>

interface RequiredAccess {
  access: LoginAccess
  /** Id of the profile in the path; undefined if the path has none. */
  pathProfileId: string | undefined
}

/**
 * Returns the caller with the access that the endpoint requires.
 * @throws Problem with status 404 when the profile in the path does not belong to the account.
 * @throws Problem with status 403 when the profile in the header `X-Profile-Id` or in the path is locked (except for
 * the access `user` and `profile:any`). Also throws 403 when the header names a profile of another account, or when the
 * endpoint is for administrators and the caller may not administer.
 */
export async function authorizeLogin(
  login: ActiveLogin,
  { access, pathProfileId }: RequiredAccess,
  request: RequestInfo,
  deps: Deps,
): Promise<Caller | Viewer | ProfileCaller> {
  if (access === 'user') return resolveActingProfile(login, { acceptsLockedProfile: true }, request, deps)
  if (access === 'profile' || access === 'profile:any')
    return requireProfile(login, { access, pathProfileId }, request, deps)
  const viewer = await resolveViewer(login, request, deps)
  if (access === 'admin' && !canAdminister(viewer)) throw new Problem('forbidden')
  return viewer
}

async function requireProfile(
  login: ActiveLogin,
  { access, pathProfileId }: RequiredAccess & { access: 'profile' | 'profile:any' },
  request: RequestInfo,
  deps: Deps,
): Promise<ProfileCaller> {
  const isOwnProfile = login.profiles.some((profile) => profile.profile_id === pathProfileId)
  if (!isOwnProfile)
    throw new Problem('not_found', pathProfileId === undefined ? {} : { deniedObjectId: pathProfileId })
  const actingOptions = access === 'profile' ? { pathProfileId } : { acceptsLockedProfile: true }
  const caller = await resolveActingProfile(login, actingOptions, request, deps)
  // resolveActingProfile can change the acting profile, which locks the previous acting profile again if that profile
  // has a PIN. The profile in the path can be that previous profile. Whether the profile in the path is locked is
  // therefore read from `caller` and not from `login`.
  const profile = caller.profiles.find((candidate) => candidate.profile_id === pathProfileId)
  if (!profile) throw new Problem('not_found')
  if (access === 'profile' && !profile.enterable) throw new Problem('profile_locked')
  const ownAudience = await loadProfilesAudience(deps, [profile])
  const audience = caller.acting ? ownAudience.intersect(await loadAudience(deps, caller)) : ownAudience
  return { ...caller, profile, audience }
}

/**
 * Always false for an account without the role admin. A device may administer while the main profile acts and no
 * restricted profile watches with it. Without an acting profile, a device may administer only if the account
 * needs no proof (`isProofNeeded`). An API key may administer if it has the scope `admin`. The acting profile
 * does not matter then, because other people at a device cannot use the key.
 */
export function canAdminister(caller: Caller): boolean {
  if (caller.account.role !== 'admin') return false
  return caller.apiKeyScopes ? caller.apiKeyScopes.includes('admin') : isMainProfileProven(caller)
}
