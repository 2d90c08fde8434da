/** Sign-in and token refresh (security.md, decisions 1 to 3 and 9). */

import type { AuthTokens } from '../../../src/lib/contract/auth.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import { selectAccountByEmail, updateAccount } from '../../queries/account.ts'
import { type ActiveLogin, selectActiveLogin } from '../../queries/caller.ts'
import {
  type AccountRow,
  deleteLogin,
  deleteOldestLogins,
  insertLogin,
  type LoginRow,
  rotateRefreshToken,
  selectLoginById,
} from '../../queries/login.ts'
import { toUser } from '../accounts/accounts.ts'
import type { Deps } from '../deps.ts'
import { recordAuditEvent } from '../operations/audit.ts'
import { ACCESS_TOKEN_LIFE_SECONDS, createAccessToken } from './access-token.ts'
import { findActiveProfile } from './acting-profile.ts'
import { requireAttempt } from './attempt-limit.ts'
import { chooseDeviceName } from './device-name.ts'
import { checkPassword, type PasswordOrigin } from './password-check.ts'
import { hashPassword, needsRehash } from './password-hash.ts'
import { isAdultProven } from './proof.ts'
import { createRefreshToken, deriveSuccessorToken, readRefreshToken } from './refresh-token.ts'
import { createRandomId, sha256 } from './secret.ts'

const DAY_MS = 86_400_000
const IDLE_TIMEOUT_MS = 14 * DAY_MS
const MAX_LOGIN_LIFE_MS = 90 * DAY_MS
/** Maximum number of signed-in devices per account; a further sign-in ends the login that was used least recently. */
export const MAX_LOGINS = 100
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
  const { primary } = deps.database
  const account = await selectAccountByEmail(primary, credentials.email)
  const origin = await findPasswordOrigin(deps, request, credentials.email)
  // A blocked account is checked like an absent one, so that no answer and no counter reveals its password.
  const hash = account && !account.blocked ? account.password_hash : null
  const isPasswordCorrect = await checkPassword(deps, origin, { password: credentials.password, hash })
  if (!account || !isPasswordCorrect) {
    const failure = { action: 'login', outcome: 'failed', accountId: account?.account_id ?? null } as const
    await primary
      .transaction()
      .execute((trx) => recordAuditEvent(trx, { nowMs: deps.now(), request }, failure))
    throw new Problem('unauthorized', { message: 'Email or password incorrect' })
  }
  if (needsRehash(deps, account.password_hash)) {
    await updateAccount(primary, account.account_id, {
      password_hash: await hashPassword(deps, credentials.password),
    })
  }
  return createLogin(deps, request, account, credentials.device_name, 'login')
}

/** A device is known to an account while it has a login of that account, which its refresh cookie proves. */
async function findPasswordOrigin(deps: Deps, request: RequestInfo, email: string): Promise<PasswordOrigin> {
  const activeLogin = await findLoginByRefreshToken(deps, request.refreshToken)
  return activeLogin?.account.email === email
    ? { accountId: activeLogin.account.account_id, sid: activeLogin.login.sid }
    : { email, address: request.address }
}

/** Creates a login for this device in one transaction with its audit event. Ends the oldest login above MAX_LOGINS. */
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
  const deviceLabel = chooseDeviceName(requestedName, request.userAgent)
  await deps.database.primary.transaction().execute(async (trx) => {
    await deleteOldestLogins(trx, { accountId: account.account_id, keep: MAX_LOGINS - 1 })
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
      unlocked_until: null,
      unlock_generation: null,
    })
    await recordAuditEvent(
      trx,
      { nowMs, request },
      { action, accountId: account.account_id, sid, deviceName: deviceLabel },
    )
  })
  const subject = { account, sid, generation: 1, showsEmail: true }
  return { tokens: createTokens(deps, subject), refreshToken }
}

interface TokenSubject {
  account: AccountRow
  sid: string
  generation: number
  showsEmail: boolean
}

function createTokens(deps: Deps, { account, sid, generation, showsEmail }: TokenSubject): AuthTokens {
  return {
    access_token: createAccessToken({ accountId: account.account_id, sid, generation }, deps),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFE_SECONDS,
    user: toUser(account, { showsEmail }),
  }
}

/**
 * Rotates the refresh token. A retry with the token that was just rotated gets the same successor. Any older token is a replay
 * and ends the login. Throws 401, or 429 above 60 refreshes per minute.
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
  await requireAttempt(deps, [{ limit: 'refresh', key: token.sid }])
  const { login: current } = activeLogin
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
      return { tokens: createTokens(deps, describeSubject(activeLogin, generation)), refreshToken: successor }
  }
  return handleOldToken(deps, request, activeLogin, presentedToken)
}

/** The email address is part of the user only while an adult profile acts on the device. */
function describeSubject(activeLogin: ActiveLogin, generation: number): TokenSubject {
  const { account, login, profiles } = activeLogin
  const acting = findActiveProfile(activeLogin)
  return { account, sid: login.sid, generation, showsEmail: isAdultProven({ acting, profiles }) }
}

/** Finds the login of a refresh token that is still valid, without rotating the token. */
export async function findLoginByRefreshToken(
  deps: Deps,
  presentedToken: string | null,
): Promise<ActiveLogin | null> {
  const token = presentedToken ? readRefreshToken(deps.keys, presentedToken) : null
  const activeLogin = token && (await selectActiveLogin(deps.database.primary, token.sid, deps.now()))
  if (!(presentedToken && activeLogin) || activeLogin.account.blocked) return null
  if (token.generation === activeLogin.login.generation) return activeLogin
  const row = await selectLoginById(deps.database.primary, token.sid)
  return row && isRetry(row, presentedToken, deps.now()) ? activeLogin : null
}

async function handleOldToken(
  deps: Deps,
  request: RequestInfo,
  activeLogin: ActiveLogin,
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
    return { tokens: createTokens(deps, describeSubject(activeLogin, login.generation)), refreshToken }
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

function isRetry(login: LoginRow, presentedToken: string, nowMs: number): boolean {
  if (login.previous_hash !== sha256(presentedToken)) return false
  return nowMs - login.rotated_at <= (login.successor_used ? RETRY_GRACE_MS : LOST_RESPONSE_GRACE_MS)
}
