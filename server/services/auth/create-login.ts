/** Creates the login of a device, for all ways to sign in (security.md, decision 1). */
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import type { DbTransaction } from '../../db/database.ts'
import { selectAccountById } from '../../queries/account.ts'
import { type AccountRow, deleteOldestLogins, insertLogin, lockLogins } from '../../queries/login.ts'
import { hasSecondFactor } from '../../queries/second-factor.ts'
import type { Deps } from '../deps.ts'
import { recordAuditEvent } from '../operations/audit.ts'
import { createTokens, type SignInResult } from './auth-tokens.ts'
import { getRequestTimeZone } from './caller.ts'
import { chooseDeviceName } from './device-name.ts'
import { IDLE_TIMEOUT_MS } from './refresh-login.ts'
import { createRefreshToken } from './refresh-token.ts'
import { createRandomId, sha256 } from './secret.ts'

/** Maximum number of logins per account. Another sign-in ends the login that was used least recently. */
export const MAX_LOGINS_PER_ACCOUNT = 100

/**
 * Locks the logins of an account. Throws 401 when the account was blocked or deleted, or its password was changed,
 * since `account` was read. Checking a password takes time, and a sign-in with the old password must not succeed after
 * the change.
 */
export async function lockUnchangedAccount(trx: DbTransaction, account: AccountRow): Promise<void> {
  await lockLogins(trx, account.account_id)
  const currentAccount = await selectAccountById(trx, account.account_id)
  if (!currentAccount || currentAccount.blocked || currentAccount.password_hash !== account.password_hash)
    throw createAccountChangedProblem()
}

const createAccountChangedProblem = () =>
  new Problem('unauthorized', { message: 'The account has changed. Sign in again.' })

interface LoginOptions {
  /** Name that the client has given to the device; by default, the name is derived from the user agent. */
  deviceName?: string | undefined
  /** Action in the audit log. */
  action?: 'login' | 'register'
  secondFactorAtMs?: number | null
  /**
   * True when a signed-in device has approved this login. The new device then needs no second factor, because the
   * approving device is already signed in.
   */
  isApprovedOnOtherDevice?: boolean
  /** Id and refresh token of the login; random by default. */
  session?: { sid: string; refreshToken: string }
  /**
   * Marks the proof of this sign-in as used, or checks it once more, in the transaction of the login. If the login
   * cannot be created, or this function throws, the proof can be used again.
   */
  consumeSignInProof?: (trx: DbTransaction) => Promise<void>
}

function createSession({ keys }: Pick<Deps, 'keys'>): NonNullable<LoginOptions['session']> {
  const sid = createRandomId()
  return { sid, refreshToken: createRefreshToken(keys, sid) }
}

/**
 * Creates a login for this device in one transaction with its audit event. If the account already has
 * MAX_LOGINS_PER_ACCOUNT logins, ends the login that was used least recently. Throws 401 when `account` has changed
 * (`lockUnchangedAccount`), or got a second factor that this sign-in has not given.
 */
export async function createLogin(
  deps: Deps,
  request: RequestInfo,
  account: AccountRow,
  {
    deviceName,
    action = 'login',
    secondFactorAtMs = null,
    isApprovedOnOtherDevice = false,
    session = createSession(deps),
    consumeSignInProof = async () => {},
  }: LoginOptions = {},
): Promise<SignInResult> {
  const { sid, refreshToken } = session
  const nowMs = deps.now()
  const deviceLabel = chooseDeviceName(deviceName, request.userAgent)
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockUnchangedAccount(trx, account)
    // The second factor may have been set up since the sign-in began.
    if (
      secondFactorAtMs === null &&
      !isApprovedOnOtherDevice &&
      (await hasSecondFactor(trx, account.account_id))
    )
      throw createAccountChangedProblem()
    await consumeSignInProof(trx)
    await deleteOldestLogins(trx, { accountId: account.account_id, keptCount: MAX_LOGINS_PER_ACCOUNT - 1 })
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
      second_factor_at: secondFactorAtMs,
      time_zone: getRequestTimeZone(request),
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
