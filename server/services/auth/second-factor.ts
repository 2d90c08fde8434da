/** Set-up and removal of the second factor of an account (security.md, decision 14). */

import type { SecondFactorState } from '../../../src/lib/contract/second-factor.ts'
import { normaliseTypedCode } from '../../../src/lib/rules/fold-letters.ts'
import { toIsoTime } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import { selectAccountById } from '../../queries/account.ts'
import { deleteApiKeys } from '../../queries/api-key.ts'
import { deleteLoginsOfAccount, lockLogins } from '../../queries/login.ts'
import { deletePasskeys } from '../../queries/passkey.ts'
import {
  confirmTotp,
  countRecoveryCodes,
  deleteSecondFactor,
  hasSecondFactor,
  recordSecondFactor,
  replaceRecoveryCodes,
  selectTotp,
  storePendingTotp,
} from '../../queries/second-factor.ts'
import type { RequestContext } from '../context.ts'
import { lockActiveCaller, recordCallerAction, recordLockedCallerAction } from '../operations/audit.ts'
import { endPendingLinks } from './pending-links.ts'
import { generateRecoveryCodes } from './second-factor-check.ts'
import { createTotpSecret, findTotpStep } from './totp.ts'

/** The set-up of an authenticator app must be confirmed within this time. */
const SETUP_LIFETIME_MS = 30 * 60_000

export async function loadSecondFactor({
  deps,
  caller,
}: Pick<RequestContext, 'deps' | 'caller'>): Promise<SecondFactorState> {
  const { primary } = deps.database
  const { account_id } = caller.account
  const confirmedAtMs = (await selectTotp(primary, account_id))?.confirmed_at ?? null
  return {
    totp_since: confirmedAtMs === null ? null : toIsoTime(confirmedAtMs),
    recovery_codes_left: await countRecoveryCodes(primary, account_id),
  }
}

/**
 * Creates the secret of a new authenticator app. The current app stays valid until the new app is confirmed.
 */
export async function startTotpSetup({ deps, caller }: Pick<RequestContext, 'deps' | 'caller'>) {
  const { base32, uri, encryptedSecret } = createTotpSecret(deps, caller.account)
  const pendingSetup = { accountId: caller.account.account_id, secret: encryptedSecret, nowMs: deps.now() }
  await storePendingTotp(deps.database.primary, pendingSetup)
  return { secret: base32, uri }
}

interface TotpSetupConfirmation {
  code: string
  sign_out_others?: boolean | undefined
}

/**
 * Completes the set-up of the authenticator app and returns new recovery codes. Throws 409 without a pending set-up,
 * and 422 for a wrong code.
 */
export async function confirmTotpSetup(context: RequestContext, confirmation: TotpSetupConfirmation) {
  const { deps, caller } = context
  const accountId = caller.account.account_id
  const nowMs = deps.now()
  const row = await selectTotp(deps.database.primary, accountId)
  const pendingSecret = row?.pending_secret
  if (!pendingSecret || nowMs - (row.pending_at ?? 0) >= SETUP_LIFETIME_MS) throw createSetupExpiredProblem()
  const code = normaliseTypedCode(confirmation.code)
  const totpStep = findTotpStep(deps, { accountId, encryptedSecret: pendingSecret, code })
  if (totpStep === null) throw createFieldProblem('code', 'wrong')
  const { codes, hashes } = generateRecoveryCodes(deps, accountId)
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockLogins(trx, accountId)
    if (!(await confirmTotp(trx, { accountId, secret: pendingSecret, step: totpStep, nowMs })))
      throw createSetupExpiredProblem()
    await replaceRecoveryCodes(trx, accountId, { codeHashes: hashes, nowMs })
    await recordSecondFactor(trx, caller.login.sid, nowMs)
    // A pending link may have been requested without the second factor.
    await endPendingLinks(trx, accountId)
    if (confirmation.sign_out_others) await deleteLoginsOfAccount(trx, accountId, caller.login.sid)
    await recordCallerAction(trx, context, { action: 'totp_enable' })
  })
  return { recovery_codes: codes }
}

const createSetupExpiredProblem = () =>
  new Problem('conflict', { message: 'Start the set-up again.', errors: { setup: ['expired'] } })

/** Removes the second factor of the caller. Throws 404 when the account has no second factor. */
export async function removeTotp(context: RequestContext, shouldSignOutOthers: boolean): Promise<void> {
  const { deps, caller } = context
  const accountId = caller.account.account_id
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockLogins(trx, accountId)
    if (!(await deleteSecondFactor(trx, accountId))) throw new Problem('not_found')
    if (shouldSignOutOthers) await deleteLoginsOfAccount(trx, accountId, caller.login.sid)
    await recordCallerAction(trx, context, { action: 'totp_disable' })
  })
}

/** Replaces the recovery codes of the caller. Throws 404 when the account has no authenticator app. */
export async function createRecoveryCodes(context: RequestContext) {
  const { deps, caller } = context
  const accountId = caller.account.account_id
  const { codes, hashes } = generateRecoveryCodes(deps, accountId)
  await deps.database.primary.transaction().execute(async (trx) => {
    if (!(await hasSecondFactor(trx, accountId))) throw new Problem('not_found')
    await replaceRecoveryCodes(trx, accountId, { codeHashes: hashes, nowMs: deps.now() })
    await recordCallerAction(trx, context, { action: 'recovery_codes_create' })
  })
  return { recovery_codes: codes }
}

/**
 * Removes the second factor and the passkeys of an account whose owner has lost them. Ends all logins, API
 * keys and pending links of the account. Throws 404 for an unknown account.
 */
export async function resetSecondFactor(context: RequestContext, accountId: string): Promise<void> {
  await context.deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, 'admins')
    await lockLogins(trx, accountId)
    if (!(await selectAccountById(trx, accountId))) throw new Problem('not_found')
    await lockActiveCaller(trx, context.caller)
    await deleteLoginsOfAccount(trx, accountId)
    await deleteSecondFactor(trx, accountId)
    await deletePasskeys(trx, accountId)
    await deleteApiKeys(trx, accountId)
    await endPendingLinks(trx, accountId)
    const event = { action: 'user_second_factor_reset', targetAccountId: accountId }
    await recordLockedCallerAction(trx, context, event)
  })
}
