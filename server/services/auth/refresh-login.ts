/** Token refresh (security.md, decisions 2 and 3). */
import { isStorageFault } from '../../core/database-unavailable.ts'
import { DAY_MS, isOlderThan } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import { type ActiveLogin, selectActiveLogin } from '../../queries/caller.ts'
import { deleteLogin, type LoginRow, rotateRefreshToken, selectLoginById } from '../../queries/login.ts'
import type { Deps } from '../deps.ts'
import { recordAuditEvent } from '../operations/audit.ts'
import { countAttemptOrThrow } from './attempt-limit.ts'
import { buildTokenSubject, createTokens, type SignInResult } from './auth-tokens.ts'
import { getRequestTimeZone } from './caller.ts'
import { deriveSuccessorToken, type RefreshToken, readRefreshToken } from './refresh-token.ts'
import { sha256 } from './secret.ts'

/** A login expires after this time without use. */
export const IDLE_TIMEOUT_MS = 14 * DAY_MS
const MAX_LOGIN_LIFETIME_MS = 90 * DAY_MS
/** A token refresh may be retried within this time, even if the client has received the new token. */
const RETRY_GRACE_MS = 10_000
/**
 * A token refresh may be retried within this time if the new token was never used. In this case, the response
 * was probably lost.
 */
export const LOST_RESPONSE_GRACE_MS = 60_000

/**
 * Rotates the refresh token. A retry with the token that was just rotated gets the same new token (`isRefreshRetry`).
 * Any other earlier token is a replay and ends the login. While the disk is full, fails or is read-only, the device
 * keeps its token, so that the device can still read data. Throws 401 for an invalid or replayed token, and 429 above
 * 60 refreshes of a login per minute.
 */
export async function refreshLogin(
  deps: Deps,
  request: RequestInfo,
  presentedToken: string | null,
): Promise<SignInResult> {
  const token = presentedToken ? readRefreshToken(deps.keys, presentedToken) : null
  const activeLogin = token && (await selectActiveLogin(deps.database.primary, token.sid, deps.now()))
  if (!(presentedToken && token && activeLogin) || activeLogin.account.blocked)
    throw new Problem('unauthorized')
  try {
    return await rotateLogin(deps, request, activeLogin, { token, presentedToken })
  } catch (error) {
    const { generation } = activeLogin.login
    if (!isStorageFault(error) || token.generation !== generation) throw error
    return {
      tokens: createTokens(deps, buildTokenSubject(activeLogin, generation)),
      refreshToken: presentedToken,
    }
  }
}

async function rotateLogin(
  deps: Deps,
  request: RequestInfo,
  activeLogin: ActiveLogin,
  { token, presentedToken }: { token: RefreshToken; presentedToken: string },
): Promise<SignInResult> {
  await countAttemptOrThrow(deps, [{ limit: 'refresh', key: token.sid }])
  const { login: currentLogin } = activeLogin
  if (token.generation === currentLogin.generation) {
    const generation = currentLogin.generation + 1
    const successorToken = deriveSuccessorToken(deps.keys, presentedToken, { sid: token.sid, generation })
    const expiresAtMs = Math.min(
      deps.now() + IDLE_TIMEOUT_MS,
      currentLogin.created_at + MAX_LOGIN_LIFETIME_MS,
    )
    const isTokenRotated = await rotateRefreshToken(deps.database.primary, {
      sid: token.sid,
      presentedHash: sha256(presentedToken),
      successorHash: sha256(successorToken),
      generation,
      nowMs: deps.now(),
      expiresAtMs,
      timeZone: getRequestTimeZone(request),
    })
    if (isTokenRotated)
      return {
        tokens: createTokens(deps, buildTokenSubject(activeLogin, generation)),
        refreshToken: successorToken,
      }
  }
  return retryRefreshOrEndLogin(deps, request, activeLogin, presentedToken)
}

/**
 * Returns the login to which a refresh token belongs; null if the token is not valid. A token that was just rotated is
 * still valid (`isRefreshRetry`). Does not rotate the token.
 */
export async function findLoginByRefreshToken(
  deps: Deps,
  presentedToken: string | null,
): Promise<ActiveLogin | null> {
  const token = presentedToken ? readRefreshToken(deps.keys, presentedToken) : null
  const activeLogin = token && (await selectActiveLogin(deps.database.primary, token.sid, deps.now()))
  if (!(presentedToken && activeLogin) || activeLogin.account.blocked) return null
  if (token.generation === activeLogin.login.generation) return activeLogin
  const row = await selectLoginById(deps.database.primary, token.sid)
  return row && isRefreshRetry(row, presentedToken, deps.now()) ? activeLogin : null
}

async function retryRefreshOrEndLogin(
  deps: Deps,
  request: RequestInfo,
  activeLogin: ActiveLogin,
  presentedToken: string,
): Promise<SignInResult> {
  const token = readRefreshToken(deps.keys, presentedToken)
  const login = token && (await selectLoginById(deps.database.primary, token.sid))
  if (!(token && login)) throw new Problem('unauthorized')
  if (isRefreshRetry(login, presentedToken, deps.now())) {
    const refreshToken = deriveSuccessorToken(deps.keys, presentedToken, {
      sid: login.sid,
      generation: login.generation,
    })
    return { tokens: createTokens(deps, buildTokenSubject(activeLogin, login.generation)), refreshToken }
  }
  await deps.database.primary.transaction().execute(async (trx) => {
    await deleteLogin(trx, login.sid)
    await recordAuditEvent(
      trx,
      { nowMs: deps.now(), request },
      {
        action: 'refresh_reuse',
        outcome: 'denied',
        accountId: login.account_id,
        sid: login.sid,
        deviceName: login.device_name,
      },
    )
  })
  throw new Problem('unauthorized')
}

function isRefreshRetry(login: LoginRow, presentedToken: string, nowMs: number): boolean {
  if (login.previous_hash !== sha256(presentedToken)) return false
  // If the rotation is in the future, the clock was set back afterwards. The age of the rotation is then unknown, and
  // the request does not count as a retry.
  return !isOlderThan(login.rotated_at, login.successor_used ? RETRY_GRACE_MS : LOST_RESPONSE_GRACE_MS, nowMs)
}
