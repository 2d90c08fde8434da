/** Authentication: finds the login or the invitation of a bearer token (security.md, decision 6). */
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import { isOlderThan } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import { type ActiveLogin, type CallerLogin, selectActiveLogin } from '../../queries/caller.ts'
import { type InvitationRow, selectUsableInvitation } from '../../queries/invitation.ts'
import { markSuccessorTokenUsed, updateLastActive, updateTimeZone } from '../../queries/login.ts'
import type { Deps } from '../deps.ts'
import { type AccessTokenClaims, readAccessToken } from './access-token.ts'
import { API_KEY_PREFIX, requireApiKey } from './api-key-access.ts'
import { countAttemptOrThrow, type LimitedAttempt, withdrawAttempts } from './attempt-limit.ts'
import { getRequestTimeZone } from './caller.ts'
import { computeAddressKey } from './password-check.ts'
import { sha256 } from './secret.ts'

/**
 * Returns the invitation whose token is the bearer token.
 * @throws Problem with status 401 when the bearer token is not a usable invitation.
 * @throws Problem with status 429 after too many unusable invitations from one IP address.
 */
export async function requireInvitation(request: RequestInfo, deps: Deps): Promise<InvitationRow> {
  const unusableInvitationProblem = new Problem('unauthorized', {
    message: 'This invitation cannot be used.',
  })
  if (!request.bearerToken) throw unusableInvitationProblem
  const attempts = [
    { limit: 'invitationAddress', key: computeAddressKey(deps.keys, request.address) },
  ] satisfies LimitedAttempt[]
  await countAttemptOrThrow(deps, attempts)
  const { primary } = deps.database
  const invitation = await selectUsableInvitation(primary, sha256(request.bearerToken), deps.now())
  if (!invitation) throw unusableInvitationProblem
  await withdrawAttempts(deps, attempts)
  return invitation
}

/**
 * Returns the active login of the access token, or the caller of the API key.
 * @throws Problem with status 401 without a valid access token or API key, and the other problems of `requireApiKey`.
 */
export async function requireLogin(request: RequestInfo, deps: Deps): Promise<ActiveLogin> {
  if (request.bearerToken?.startsWith(API_KEY_PREFIX))
    return requireApiKey(request.bearerToken, request, deps)
  const claims = request.bearerToken ? readAccessToken(request.bearerToken, deps) : null
  const activeLogin = claims && (await findLogin(claims, deps))
  if (!activeLogin) throw new Problem('unauthorized')
  await recordLoginUse(deps, activeLogin.login, claims.gen)
  return applyTimeZone(deps, activeLogin, request)
}

/**
 * Returns the active login of an access token, or null. Unlike `requireLogin`, the call does not count as use of the
 * token.
 */
export async function findLoginByAccessToken(token: string, deps: Deps): Promise<ActiveLogin | null> {
  const claims = readAccessToken(token, deps)
  return claims && (await findLogin(claims, deps))
}

async function findLogin({ sid, sub }: AccessTokenClaims, deps: Deps): Promise<ActiveLogin | null> {
  const activeLogin = await selectActiveLogin(deps.database.primary, sid, deps.now())
  if (!activeLogin || activeLogin.account.account_id !== sub || activeLogin.account.blocked) return null
  return activeLogin
}

/**
 * Returns the login with the time zone of the request, if the request names one. Stores a changed time zone for later
 * requests without one, and for notices to the device. A request succeeds even if this write fails.
 */
async function applyTimeZone(
  deps: Deps,
  activeLogin: ActiveLogin,
  request: RequestInfo,
): Promise<ActiveLogin> {
  const { login } = activeLogin
  if (request.timeZone === login.time_zone) return activeLogin
  const timeZone = getRequestTimeZone(request)
  if (timeZone === null) return activeLogin
  await runOptionalWrite(() => updateTimeZone(deps.database.primary, login.sid, timeZone))
  return { ...activeLogin, login: { ...login, time_zone: timeZone } }
}

const ACTIVITY_WRITE_INTERVAL_MS = 60_000

/**
 * Marks the latest refresh token as received and the device as active. Both are written rarely, so that most
 * read requests do not write to the database. A request succeeds even if these writes fail, for example because the
 * disk is full.
 */
async function recordLoginUse(deps: Deps, login: CallerLogin, generation: number): Promise<void> {
  const { primary } = deps.database
  if (!login.successor_used && generation === login.generation)
    await runOptionalWrite(() => markSuccessorTokenUsed(primary, login.sid, generation))
  if (isOlderThan(login.last_active_at, ACTIVITY_WRITE_INTERVAL_MS, deps.now()))
    await runOptionalWrite(() => updateLastActive(primary, login.sid, deps.now()))
}
