/** Who is calling, and what they may: the one authorization path (security.md, decision 6). */
import type { Access } from '../../src/lib/contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { type CallerLogin, type LiveLogin, liveLogin } from '../queries/caller.ts'
import { type InvitationRow, openInvitation } from '../queries/invitation.ts'
import { markUsed, touchLogin } from '../queries/login.ts'
import type { ProfileRow } from '../queries/profile.ts'
import type { Audience } from '../queries/scope.ts'
import { readAccessToken } from '../services/access-token.ts'
import { actAs } from '../services/acting.ts'
import { noteDenied } from '../services/denied.ts'
import { digest } from '../services/secret.ts'
import type { RequestInfo } from './request.ts'

/** `catalogueVersion`: which state of the catalogue the answer is to be made from, or a later one. */
export interface Caller extends LiveLogin {
  /** The profile this device acts as, if any. */
  acting: ProfileRow | null
}
export interface Viewer extends Caller {
  audience: Audience
}
export interface ProfileCaller extends Viewer {
  /** The profile named in the path. */
  profile: ProfileRow & { enterable: boolean }
}
export interface Invited {
  invitation: InvitationRow
}

/** Throws 401, 403 or 404 unless the request satisfies `access`. */
export async function identify(
  access: Access,
  pathId: string | undefined,
  request: RequestInfo,
  deps: Deps,
): Promise<Invited | Caller | Viewer | ProfileCaller | null> {
  if (access === 'public') return null
  if (access === 'invitation') return { invitation: await invited(request, deps) }
  const caller = await signedIn(request, deps)
  if (access === 'user')
    return { ...caller, acting: await actingProfile(caller, { lenient: true }, request, deps) }
  if (access === 'profile' || access === 'profile:any')
    return profileCaller(caller, access, pathId, request, deps)
  const viewing = await viewer(caller, request, deps)
  return access === 'admin' ? administrator(viewing, request, deps) : viewing
}

/** Whom a login lets watch. Throws 403 or 404 for a profile that is named and may not act. */
export async function viewer(login: LiveLogin, request: RequestInfo, deps: Deps): Promise<Viewer> {
  const caller = { ...login, acting: null }
  const acting = await actingProfile(caller, {}, request, deps)
  return { ...caller, acting, audience: audienceOf(caller, acting) }
}

async function invited(request: RequestInfo, deps: Deps): Promise<InvitationRow> {
  const found = request.bearer
    ? await openInvitation(deps.database.primary, digest(request.bearer), deps.now())
    : undefined
  if (!found) throw new Problem('unauthorized', { message: 'This invitation cannot be used.' })
  return found
}

async function signedIn(request: RequestInfo, deps: Deps): Promise<Caller> {
  const claims = request.bearer ? readAccessToken(request.bearer, deps) : null
  const found = claims ? await liveLogin(deps.database.primary, claims.sid, deps.now()) : undefined
  if (!found || found.account.account_id !== claims?.sub || found.account.blocked)
    throw new Problem('unauthorized')
  await noteUse(deps, found.login, claims.gen)
  return { ...found, acting: null }
}

const TOUCH_EVERY_MS = 60_000

/** The answer to the last refresh arrived; and the device was active. Written rarely, so that reading stays reading. */
async function noteUse(deps: Deps, login: CallerLogin, generation: number): Promise<void> {
  const { primary } = deps.database
  if (!login.successor_used && generation === login.generation) await markUsed(primary, login.sid, generation)
  if (deps.now() - login.last_active_at > TOUCH_EVERY_MS) await touchLogin(primary, login.sid, deps.now())
}

interface Acting {
  /** The profile in the path, which acts when the header names none. */
  path?: ProfileRow
  /** Calls about the account or the picker work although the profile named is locked or gone. */
  lenient?: boolean
}

/** The header names the acting profile; else the path; else the one this device acted as last, while it may. */
async function actingProfile(
  caller: Caller,
  { path, lenient = false }: Acting,
  request: RequestInfo,
  deps: Deps,
): Promise<ProfileRow | null> {
  const named = request.profileId ?? path?.profile_id ?? null
  const id = named ?? caller.login.active_profile_id
  const profile = caller.profiles.find((one) => one.profile_id === id)
  if (named !== null && !lenient) {
    if (!profile) throw new Problem('not_found')
    if (!profile.enterable) throw new Problem('profile_locked')
  }
  if (!profile?.enterable) return null
  if (named !== null) await actAs(deps, caller.login, profile)
  return profile
}

/** With no profile named, what a person could reach on this device without a PIN (security.md, decision 5). */
function audienceOf(caller: Caller, acting: ProfileRow | null): Audience {
  if (acting) return { kids: acting.kids === 1 }
  return { kids: !caller.profiles.some((one) => one.enterable && !one.kids) }
}

async function profileCaller(
  caller: Caller,
  access: Access,
  pathId: string | undefined,
  request: RequestInfo,
  deps: Deps,
): Promise<ProfileCaller> {
  const profile = caller.profiles.find((one) => one.profile_id === pathId)
  if (!profile) throw new Problem('not_found')
  if (access === 'profile' && !profile.enterable) throw new Problem('profile_locked')
  const acting = await actingProfile(
    caller,
    access === 'profile' ? { path: profile } : { lenient: true },
    request,
    deps,
  )
  return { ...caller, profile, acting, audience: { kids: profile.kids === 1 || acting?.kids === 1 } }
}

/** Role admin with the main profile acting; with none acting, a main profile (if there is one yet) open here. */
async function administrator(caller: Caller, request: RequestInfo, deps: Deps): Promise<Caller> {
  const main = caller.profiles.find((one) => one.main)
  const entered = caller.acting ? caller.acting.main === 1 : (main?.enterable ?? true)
  if (caller.account.role === 'admin' && entered) return caller
  await noteDenied(deps, request, caller)
  throw new Problem('forbidden')
}
