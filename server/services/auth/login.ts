/** Sign-in (security.md, decisions 1, 2 and 9). */

import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import { selectAccountByEmail, updateAccount } from '../../queries/account.ts'
import { type AccountRow, deleteOldestLogins, insertLogin } from '../../queries/login.ts'
import type { Deps } from '../deps.ts'
import { recordAuditEvent } from '../operations/audit.ts'
import { createTokens, type SignInResult } from './auth-tokens.ts'
import { chooseDeviceName } from './device-name.ts'
import { checkPassword, type PasswordOrigin } from './password-check.ts'
import { hashPassword, needsRehash } from './password-hash.ts'
import { findLoginByRefreshToken, IDLE_TIMEOUT_MS } from './refresh-login.ts'
import { createRefreshToken } from './refresh-token.ts'
import { createRandomId, sha256 } from './secret.ts'

/** Maximum number of signed-in devices per account; a further sign-in ends the login that was used least recently. */
export const MAX_LOGINS = 100
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
