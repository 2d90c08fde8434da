/** Authorizes every request: checks that it has the access that its endpoint requires (security.md, decision 6). */
import type { EndpointAccess } from '../../../src/lib/contract/endpoint.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import type { Deps } from '../deps.ts'
import { findActingProfile } from './acting-profile.ts'
import { resolveViewer } from './audience.ts'
import { requireInvitation, requireLogin } from './authenticate.ts'
import type { Caller, InvitationCaller, ProfileCaller, Viewer } from './caller.ts'
import { recordDeniedCall } from './denied-calls.ts'

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
  const viewer = await resolveViewer(caller, request, deps)
  return access === 'admin' ? requireAdmin(viewer, request, deps) : viewer
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
