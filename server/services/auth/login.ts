/** Sign-in with a password (security.md, decisions 1, 2 and 9). */

import type { SecondFactorNeeded } from '../../../src/lib/contract/auth.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import { replacePasswordHash, selectAccountByEmail } from '../../queries/account.ts'
import { hasSecondFactor } from '../../queries/second-factor.ts'
import type { Deps } from '../deps.ts'
import { recordAuditEvent } from '../operations/audit.ts'
import type { SignInResult } from './auth-tokens.ts'
import { createLogin } from './create-login.ts'
import { checkPassword, type PasswordOrigin } from './password-check.ts'
import { hashPassword, needsRehash } from './password-hash.ts'
import { maySignInWithPassword } from './password-sign-in.ts'
import { findLoginByRefreshToken } from './refresh-login.ts'
import { startSignInStep } from './sign-in-step.ts'

interface Credentials {
  email: string
  password: string
  device_name?: string | undefined
}

/**
 * Creates a login for an email address and its password. For an account with a second factor, creates no login and
 * starts a sign-in step (`startSignInStep`). Every failure throws the same 401 after the same time, so that the
 * response does not reveal which accounts exist. Blocked accounts get the same 401, and so do accounts that may not use
 * their passwords while passwords are turned off. Throws 429 after too many failures.
 */
export async function signInWithPassword(
  deps: Deps,
  request: RequestInfo,
  credentials: Credentials,
): Promise<SignInResult | { secondFactorNeeded: SecondFactorNeeded }> {
  const { primary } = deps.database
  let account = await selectAccountByEmail(primary, credentials.email)
  const origin = await findPasswordOrigin(deps, request, credentials.email)
  // An account that may not sign in with its password is checked like an unknown account. Otherwise the
  // response or a counter could reveal that the password is right.
  const isAllowed = await maySignInWithPassword(deps, account)
  const passwordHash = account && isAllowed && !account.blocked ? account.password_hash : null
  const isPasswordCorrect = await checkPassword(deps, origin, {
    password: credentials.password,
    hash: passwordHash,
  })
  if (!account || !isPasswordCorrect) {
    const failureEvent = {
      action: 'login',
      outcome: 'failed',
      accountId: account?.account_id ?? null,
    } as const
    await primary
      .transaction()
      .execute((trx) => recordAuditEvent(trx, { nowMs: deps.now(), request }, failureEvent))
    throw new Problem('unauthorized', { message: 'Email or password incorrect' })
  }
  if (needsRehash(deps, account.password_hash)) {
    const newHash = await hashPassword(deps, account.account_id, credentials.password)
    await replacePasswordHash(primary, account.account_id, { oldHash: account.password_hash, newHash })
    account = { ...account, password_hash: newHash }
  }
  if (await hasSecondFactor(primary, account.account_id))
    return {
      secondFactorNeeded: await startSignInStep(deps, account, credentials.device_name),
    }
  return createLogin(deps, request, account, { deviceName: credentials.device_name })
}

/**
 * Returns the origin of a password check. The device counts as signed in to the account if its refresh cookie
 * belongs to a login of this account.
 */
async function findPasswordOrigin(deps: Deps, request: RequestInfo, email: string): Promise<PasswordOrigin> {
  const activeLogin = await findLoginByRefreshToken(deps, request.refreshToken)
  return activeLogin?.account.email === email
    ? { accountId: activeLogin.account.account_id, sid: activeLogin.login.sid }
    : { email, address: request.address }
}
