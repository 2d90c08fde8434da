/** Sign-in, token refresh and sign-out (security.md, decisions 1 to 3 and 9). */

import type { AuthTokens } from '../../../src/lib/contract/auth.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import { selectAccountByEmail, updateAccount } from '../../queries/account.ts'
import { selectActiveLogin } from '../../queries/caller.ts'
import {
  type AccountRow,
  deleteLogin,
  insertLogin,
  type LoginRow,
  rotateRefreshToken,
  selectLoginById,
} from '../../queries/login.ts'
import { toUser } from '../accounts/accounts.ts'
import type { Deps } from '../deps.ts'
import { recordAuditEvent } from '../operations/audit.ts'
import { ACCESS_TOKEN_LIFE_SECONDS, createAccessToken } from './access-token.ts'
import { parseDeviceName } from './device-name.ts'
import { enforceFailureLimit, recordFailure, resetFailures } from './failure-limit.ts'
import { hashPassword, needsRehash, verifyPassword } from './password-hash.ts'
import { createRefreshToken, deriveSuccessorToken, readRefreshToken } from './refresh-token.ts'
import { createRandomId, hmacSha256, sha256 } from './secret.ts'

const DAY_MS = 86_400_000
const IDLE_TIMEOUT_MS = 14 * DAY_MS
const MAX_LOGIN_LIFE_MS = 90 * DAY_MS
/** A token refresh may be retried within this time, even when the client has received the successor. */
const RETRY_GRACE_MS = 10_000
/** A token refresh may be retried within this time when the successor was never used, so the response was probably lost. */
const LOST_RESPONSE_GRACE_MS = 60_000

/** The response body of a sign-in, and the refresh token for the cookie. */
export interface SignInResult {
  tokens: AuthTokens
  refreshToken: string
}

interface Credentials {
  email: string
  password: string
  device_name?: string | undefined
}

/**
 * Creates a login for an account and its password. Throws the same 401 for every failure, including blocked accounts, after
 * the same time, so that the response does not reveal which accounts exist. Throws 429 after too many failures.
 */
export async function signInWithPassword(
  deps: Deps,
  request: RequestInfo,
  credentials: Credentials,
): Promise<SignInResult> {
  const knownSid = request.refreshToken ? readRefreshToken(deps.keys, request.refreshToken)?.sid : undefined
  const accountKey = hmacSha256(deps.keys.pepper, 'login', credentials.email, knownSid ?? '')
  const addressKey = hmacSha256(deps.keys.pepper, 'address', getRateLimitNetwork(request.address))
  await enforceFailureLimit(deps, 'loginAccount', accountKey)
  await enforceFailureLimit(deps, 'loginAddress', addressKey)
  const { primary } = deps.database
  const account = await selectAccountByEmail(primary, credentials.email)
  const isPasswordCorrect = await verifyPassword(deps, credentials.password, account?.password_hash ?? null)
  if (!account || !isPasswordCorrect || account.blocked) {
    await recordFailure(deps, 'loginAccount', accountKey)
    await recordFailure(deps, 'loginAddress', addressKey)
    await recordAuditEvent(
      primary,
      { nowMs: deps.now(), request },
      {
        action: 'login',
        outcome: 'failed',
        accountId: account?.account_id ?? null,
      },
    )
    throw new Problem('unauthorized', { message: 'Email or password incorrect' })
  }
  await resetFailures(deps, 'loginAccount', accountKey)
  if (needsRehash(deps, account.password_hash)) {
    await updateAccount(primary, account.account_id, {
      password_hash: await hashPassword(deps, credentials.password),
    })
  }
  return createLogin(deps, request, account, credentials.device_name, 'login')
}

/** IPv6 addresses are limited by /64 prefix, because one household usually has a whole /64. */
function getRateLimitNetwork(address: string): string {
  return address.includes(':') ? address.split(':').slice(0, 4).join(':') : address
}

/** Creates a login for this device in one transaction with its audit event. */
export async function createLogin(
  deps: Deps,
  request: RequestInfo,
  account: AccountRow,
  requestedName: string | undefined,
  action: 'login' | 'register',
): Promise<SignInResult> {
  const sid = createRandomId()
  const nowMs = deps.now()
  const refreshToken = createRefreshToken(deps.keys, sid)
  const deviceLabel = requestedName || parseDeviceName(request.userAgent)
  await deps.database.primary.transaction().execute(async (trx) => {
    await insertLogin(trx, {
      sid,
      account_id: account.account_id,
      device_name: deviceLabel,
      user_agent: request.userAgent,
      ip: request.ip,
      created_at: nowMs,
      last_active_at: nowMs,
      expires_at: nowMs + IDLE_TIMEOUT_MS,
      active_profile_id: null,
      generation: 1,
      token_hash: sha256(refreshToken),
      previous_hash: null,
      rotated_at: nowMs,
      successor_used: 0,
    })
    await recordAuditEvent(
      trx,
      { nowMs, request },
      { action, accountId: account.account_id, sid, deviceName: deviceLabel },
    )
  })
  return { tokens: createTokens(deps, account, sid, 1), refreshToken }
}

function createTokens(deps: Deps, account: AccountRow, sid: string, generation: number): AuthTokens {
  return {
    access_token: createAccessToken({ accountId: account.account_id, sid, generation }, deps),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFE_SECONDS,
    user: toUser(account),
  }
}

/**
 * Rotates the refresh token. A retry with the token that was just rotated gets the same successor. Any older token is a replay
 * and ends the login. Throws 401.
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
  const { account, login: current } = activeLogin
  if (token.generation === current.generation) {
    const generation = current.generation + 1
    const successor = deriveSuccessorToken(deps.keys, presentedToken, { sid: token.sid, generation })
    const expiresAtMs = Math.min(deps.now() + IDLE_TIMEOUT_MS, current.created_at + MAX_LOGIN_LIFE_MS)
    const isRotated = await rotateRefreshToken(deps.database.primary, {
      sid: token.sid,
      presentedHash: sha256(presentedToken),
      successorHash: sha256(successor),
      generation,
      nowMs: deps.now(),
      expiresAtMs,
    })
    if (isRotated)
      return { tokens: createTokens(deps, account, token.sid, generation), refreshToken: successor }
  }
  return handleOldToken(deps, request, account, presentedToken)
}

async function handleOldToken(
  deps: Deps,
  request: RequestInfo,
  account: AccountRow,
  presentedToken: string,
): Promise<SignInResult> {
  const token = readRefreshToken(deps.keys, presentedToken)
  const login = token && (await selectLoginById(deps.database.primary, token.sid))
  if (!(token && login)) throw new Problem('unauthorized')
  if (isRetry(login, presentedToken, deps.now())) {
    const refreshToken = deriveSuccessorToken(deps.keys, presentedToken, {
      sid: login.sid,
      generation: login.generation,
    })
    return { tokens: createTokens(deps, account, login.sid, login.generation), refreshToken }
  }
  await deps.database.primary.transaction().execute(async (trx) => {
    await deleteLogin(trx, login.sid)
    await recordAuditEvent(
      trx,
      { nowMs: deps.now(), request },
      {
        action: 'refresh_reuse',
        outcome: 'denied',
        accountId: account.account_id,
        sid: login.sid,
        deviceName: login.device_name,
      },
    )
  })
  throw new Problem('unauthorized')
}

function isRetry(login: LoginRow, presentedToken: string, nowMs: number): boolean {
  if (login.previous_hash !== sha256(presentedToken)) return false
  return nowMs - login.rotated_at <= (login.successor_used ? RETRY_GRACE_MS : LOST_RESPONSE_GRACE_MS)
}

/** Ends the login `sid`; does nothing when there is none. */
export async function logout(deps: Deps, request: RequestInfo, sid: string | null): Promise<void> {
  if (!sid) return
  const { primary } = deps.database
  const loginRow = await selectLoginById(primary, sid)
  if (!loginRow) return
  await primary.transaction().execute(async (trx) => {
    await deleteLogin(trx, sid)
    await recordAuditEvent(
      trx,
      { nowMs: deps.now(), request },
      {
        action: 'logout',
        accountId: loginRow.account_id,
        sid,
        deviceName: loginRow.device_name,
      },
    )
  })
}

/** Throws 403 unless `password` is the account password. Throws 429 after too many failures, as for sign-in. */
export async function requirePassword(deps: Deps, account: AccountRow, password: string): Promise<void> {
  await enforceFailureLimit(deps, 'password', account.account_id)
  if (await verifyPassword(deps, password, account.password_hash)) {
    await resetFailures(deps, 'password', account.account_id)
    return
  }
  await recordFailure(deps, 'password', account.account_id)
  throw new Problem('forbidden', { message: 'Email or password incorrect', errors: { password: ['wrong'] } })
}
