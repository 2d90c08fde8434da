/** Authentication and authorization of every request (security.md, decision 6). */
import type { EndpointAccess } from '../../src/lib/contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { type ActiveLogin, type CallerLogin, selectActiveLogin } from '../queries/caller.ts'
import { type InvitationRow, selectUsableInvitation } from '../queries/invitation.ts'
import { markSuccessorUsed, updateLastActive } from '../queries/login.ts'
import type { ProfileRow } from '../queries/profile.ts'
import type { Audience } from '../queries/title-scope.ts'
import { readAccessToken } from '../services/auth/access-token.ts'
import { activateProfile } from '../services/auth/acting-profile.ts'
import { recordDeniedCall } from '../services/auth/denied-calls.ts'
import { sha256 } from '../services/auth/secret.ts'
import type { RequestInfo } from './request.ts'

/** `catalogueVersion` is the oldest version of the catalogue that the response may be built from. */
export interface Caller extends ActiveLogin {
  /** The profile this device acts as, or null. */
  acting: ProfileRow | null
}
export interface Viewer extends Caller {
  audience: Audience
}
export interface ProfileCaller extends Viewer {
  /** The profile in the path. */
  profile: ProfileRow & { enterable: boolean }
}
export interface InvitationCaller {
  invitation: InvitationRow
}

/**
 * Returns the caller with the access that the endpoint requires.
 * @throws Problem with status 401, 403 or 404 when the request does not satisfy `access`.
 */
export async function authorizeRequest(
  access: EndpointAccess,
  pathId: string | undefined,
  request: RequestInfo,
  deps: Deps,
): Promise<InvitationCaller | Caller | Viewer | ProfileCaller | null> {
  if (access === 'public') return null
  if (access === 'invitation') return { invitation: await requireInvitation(request, deps) }
  const caller = await requireLogin(request, deps)
  if (access === 'user')
    return { ...caller, acting: await findActingProfile(caller, { ignoreUnusable: true }, request, deps) }
  if (access === 'profile' || access === 'profile:any')
    return requireProfile(caller, access, pathId, request, deps)
  const viewerCaller = await resolveViewer(caller, request, deps)
  return access === 'admin' ? requireAdmin(viewerCaller, request, deps) : viewerCaller
}

/**
 * Returns the viewer of a login: the acting profile and its audience.
 * @throws Problem with status 403 or 404 when the request names a profile that may not act.
 */
export async function resolveViewer(login: ActiveLogin, request: RequestInfo, deps: Deps): Promise<Viewer> {
  const caller = { ...login, acting: null }
  const acting = await findActingProfile(caller, {}, request, deps)
  return { ...caller, acting, audience: audienceOf(caller, acting) }
}

async function requireInvitation(request: RequestInfo, deps: Deps): Promise<InvitationRow> {
  const invitation = request.bearer
    ? await selectUsableInvitation(deps.database.primary, sha256(request.bearer), deps.now())
    : undefined
  if (!invitation) throw new Problem('unauthorized', { message: 'This invitation cannot be used.' })
  return invitation
}

async function requireLogin(request: RequestInfo, deps: Deps): Promise<Caller> {
  const claims = request.bearer ? readAccessToken(request.bearer, deps) : null
  const activeLogin = claims
    ? await selectActiveLogin(deps.database.primary, claims.sid, deps.now())
    : undefined
  if (!activeLogin || activeLogin.account.account_id !== claims?.sub || activeLogin.account.blocked)
    throw new Problem('unauthorized')
  await recordUse(deps, activeLogin.login, claims.gen)
  return { ...activeLogin, acting: null }
}

const ACTIVITY_INTERVAL_MS = 60_000

/**
 * Marks the latest refresh token as received and the device as active. Both are written rarely, so that read requests
 * do not write to the database.
 */
async function recordUse(deps: Deps, login: CallerLogin, generation: number): Promise<void> {
  const { primary } = deps.database
  if (!login.successor_used && generation === login.generation)
    await markSuccessorUsed(primary, login.sid, generation)
  if (deps.now() - login.last_active_at > ACTIVITY_INTERVAL_MS)
    await updateLastActive(primary, login.sid, deps.now())
}

interface ActingOptions {
  /** The profile in the path; it acts when the header names none. */
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
async function findActingProfile(
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

/**
 * Without an acting profile, the audience is that of the enterable profiles: kids unless one of them is for adults
 * (security.md, decision 5).
 */
function audienceOf(caller: Caller, acting: ProfileRow | null): Audience {
  if (acting) return { kids: acting.kids === 1 }
  return { kids: !caller.profiles.some((profile) => profile.enterable && !profile.kids) }
}

async function requireProfile(
  caller: Caller,
  access: EndpointAccess,
  pathId: string | undefined,
  request: RequestInfo,
  deps: Deps,
): Promise<ProfileCaller> {
  const profile = caller.profiles.find((candidate) => candidate.profile_id === pathId)
  if (!profile) throw new Problem('not_found')
  if (access === 'profile' && !profile.enterable) throw new Problem('profile_locked')
  const acting = await findActingProfile(
    caller,
    access === 'profile' ? { pathProfile: profile } : { ignoreUnusable: true },
    request,
    deps,
  )
  return { ...caller, profile, acting, audience: { kids: profile.kids === 1 || acting?.kids === 1 } }
}

/**
 * Requires the admin role and the main profile as acting profile. Without an acting profile, the main profile must be
 * enterable or not exist yet.
 */
async function requireAdmin(caller: Caller, request: RequestInfo, deps: Deps): Promise<Caller> {
  const mainProfile = caller.profiles.find((profile) => profile.main)
  const isMainActing = caller.acting ? caller.acting.main === 1 : (mainProfile?.enterable ?? true)
  if (caller.account.role === 'admin' && isMainActing) return caller
  await recordDeniedCall(deps, request, caller)
  throw new Problem('forbidden')
}
