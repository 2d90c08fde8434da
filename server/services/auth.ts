/** Signing in, staying signed in, signing out (security.md, decisions 1 to 3 and 9). */
import type { Tokens } from '../../src/lib/contract/auth.ts'
import type { Deps } from '../deps.ts'
import type { RequestInfo } from '../http/request.ts'
import { Problem } from '../problem.ts'
import { accountByEmail, updateAccount } from '../queries/account.ts'
import { type LiveLogin, liveLogin } from '../queries/caller.ts'
import type { AccountRow, LoginRow } from '../queries/login.ts'
import { deleteLogin, insertLogin, loginById, rotate } from '../queries/login.ts'
import { ACCESS_TOKEN_LIFE, createAccessToken } from './access-token.ts'
import { userOf } from './accounts.ts'
import { audit } from './audit.ts'
import { deviceName } from './device-name.ts'
import { forgetFailures, noteFailure, refuseWhenLimited } from './limiter.ts'
import { hashPassword, needsRehash, verifyPassword } from './password-hash.ts'
import { firstToken, readRefreshToken, successorOf } from './refresh-token.ts'
import { digest, randomId, sign } from './secret.ts'

const DAY_MS = 86_400_000
const IDLE_MS = 14 * DAY_MS
const ABSOLUTE_MS = 90 * DAY_MS
/** A retried refresh is honoured this long, whatever came of the first. */
const GRACE_MS = 10_000
/** And this long when the first answer never arrived. */
const LOST_ANSWER_MS = 60_000

/** What a sign-in gives: the answer, and the refresh token for the cookie. */
export interface SignedIn {
  tokens: Tokens
  refreshToken: string
}

interface Credentials {
  email: string
  password: string
  device_name?: string | undefined
}

/** One answer for every failure, blocked accounts included; as slow when the account does not exist. */
export async function login(deps: Deps, request: RequestInfo, given: Credentials): Promise<SignedIn> {
  const knownDevice = request.refreshToken
    ? readRefreshToken(deps.keys, request.refreshToken)?.sid
    : undefined
  const accountKey = sign(deps.keys.pepper, 'login', given.email, knownDevice ?? '')
  const addressKey = sign(deps.keys.pepper, 'address', network(request.address))
  await refuseWhenLimited(deps, 'loginAccount', accountKey)
  await refuseWhenLimited(deps, 'loginAddress', addressKey)
  const { primary } = deps.database
  const account = await accountByEmail(primary, given.email)
  const right = await verifyPassword(given.password, account?.password_hash ?? null)
  if (!account || !right || account.blocked) {
    await noteFailure(deps, 'loginAccount', accountKey)
    await noteFailure(deps, 'loginAddress', addressKey)
    await audit(
      primary,
      { now: deps.now(), request },
      {
        action: 'login',
        outcome: 'failed',
        accountId: account?.account_id ?? null,
      },
    )
    throw new Problem('unauthorized', { message: 'Email or password incorrect' })
  }
  await forgetFailures(deps, 'loginAccount', accountKey)
  if (needsRehash(account.password_hash)) {
    await updateAccount(primary, account.account_id, { password_hash: await hashPassword(given.password) })
  }
  return openLogin(deps, request, account, given.device_name, 'login')
}

/** IPv6 is limited by /64: one household has them all. */
function network(address: string): string {
  return address.includes(':') ? address.split(':').slice(0, 4).join(':') : address
}

/** A new login on this device, in one transaction with its audit line. */
export async function openLogin(
  deps: Deps,
  request: RequestInfo,
  account: AccountRow,
  givenName: string | undefined,
  action: 'login' | 'register',
): Promise<SignedIn> {
  const sid = randomId()
  const now = deps.now()
  const refreshToken = firstToken(deps.keys, sid)
  const device = givenName || deviceName(request.userAgent)
  await deps.database.primary.transaction().execute(async (trx) => {
    await insertLogin(trx, {
      sid,
      account_id: account.account_id,
      device_name: device,
      user_agent: request.userAgent,
      ip: request.ip,
      created_at: now,
      last_active_at: now,
      expires_at: now + IDLE_MS,
      active_profile_id: null,
      generation: 1,
      token_hash: digest(refreshToken),
      previous_hash: null,
      rotated_at: now,
      successor_used: 0,
    })
    await audit(trx, { now, request }, { action, accountId: account.account_id, sid, deviceName: device })
  })
  return { tokens: tokensFor(deps, account, sid, 1), refreshToken }
}

function tokensFor(deps: Deps, account: AccountRow, sid: string, generation: number): Tokens {
  return {
    access_token: createAccessToken({ accountId: account.account_id, sid, generation }, deps),
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFE,
    user: userOf(account),
  }
}

/**
 * Rotates the refresh token. A retry with the token just rotated gets the same successor; any older one is a replay and
 * ends the whole family. Throws 401.
 */
export async function refresh(deps: Deps, request: RequestInfo, presented: string | null): Promise<SignedIn> {
  const token = presented ? readRefreshToken(deps.keys, presented) : null
  const found = token && (await liveLogin(deps.database.primary, token.sid, deps.now()))
  if (!(presented && token && found) || found.account.blocked) throw new Problem('unauthorized')
  const { account, login: current } = found
  if (token.generation === current.generation) {
    const generation = current.generation + 1
    const successor = successorOf(deps.keys, presented, { sid: token.sid, generation })
    const expiresAt = Math.min(deps.now() + IDLE_MS, current.created_at + ABSOLUTE_MS)
    const moved = await rotate(deps.database.primary, {
      sid: token.sid,
      presentedHash: digest(presented),
      successorHash: digest(successor),
      generation,
      now: deps.now(),
      expiresAt,
    })
    if (moved) return { tokens: tokensFor(deps, account, token.sid, generation), refreshToken: successor }
  }
  return retry(deps, request, account, presented)
}

/** Whose a refresh token is that could still be used, without using it. */
export async function loginOf(deps: Deps, presented: string | null): Promise<LiveLogin | null> {
  const token = presented ? readRefreshToken(deps.keys, presented) : null
  const found = token && (await liveLogin(deps.database.primary, token.sid, deps.now()))
  if (!(presented && found) || found.account.blocked) return null
  if (token.generation === found.login.generation) return found
  const row = await loginById(deps.database.primary, token.sid)
  return row && isRetry(row, presented, deps.now()) ? found : null
}

async function retry(
  deps: Deps,
  request: RequestInfo,
  account: AccountRow,
  presented: string,
): Promise<SignedIn> {
  const token = readRefreshToken(deps.keys, presented)
  const login = token && (await loginById(deps.database.primary, token.sid))
  if (!(token && login)) throw new Problem('unauthorized')
  if (isRetry(login, presented, deps.now())) {
    const refreshToken = successorOf(deps.keys, presented, { sid: login.sid, generation: login.generation })
    return { tokens: tokensFor(deps, account, login.sid, login.generation), refreshToken }
  }
  await deps.database.primary.transaction().execute(async (trx) => {
    await deleteLogin(trx, login.sid)
    await audit(
      trx,
      { now: deps.now(), request },
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

function isRetry(login: LoginRow, presented: string, now: number): boolean {
  if (login.previous_hash !== digest(presented)) return false
  return now - login.rotated_at <= (login.successor_used ? GRACE_MS : LOST_ANSWER_MS)
}

/** Ends the login of the access token or the refresh token, whichever is there. Never fails. */
export async function logout(deps: Deps, request: RequestInfo, sid: string | null): Promise<void> {
  if (!sid) return
  const { primary } = deps.database
  const found = await loginById(primary, sid)
  if (!found) return
  await primary.transaction().execute(async (trx) => {
    await deleteLogin(trx, sid)
    await audit(
      trx,
      { now: deps.now(), request },
      {
        action: 'logout',
        accountId: found.account_id,
        sid,
        deviceName: found.device_name,
      },
    )
  })
}

/** The account password as proof that its owner is there. Throws 403; limited like sign-in. */
export async function provePassword(deps: Deps, account: AccountRow, password: string): Promise<void> {
  await refuseWhenLimited(deps, 'password', account.account_id)
  if (await verifyPassword(password, account.password_hash)) {
    await forgetFailures(deps, 'password', account.account_id)
    return
  }
  await noteFailure(deps, 'password', account.account_id)
  throw new Problem('forbidden', { message: 'Email or password incorrect', errors: { password: ['wrong'] } })
}
