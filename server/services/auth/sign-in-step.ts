/** Sign-ins with a password or an identity provider that wait for the second factor (security.md, decision 14). */

import type { SecondFactorNeeded } from '../../../src/lib/contract/auth.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestInfo } from '../../core/request-info.ts'
import type { DbTransaction } from '../../db/database.ts'
import { selectAccountById } from '../../queries/account.ts'
import type { AccountRow } from '../../queries/login.ts'
import { consumeSignInStep, insertSignInStep, recordSignInStepAttempt } from '../../queries/second-factor.ts'
import type { Deps } from '../deps.ts'
import { countAttemptOrThrow, type LimitedAttempt } from './attempt-limit.ts'
import type { SignInResult } from './auth-tokens.ts'
import { createLogin, lockUnchangedAccount } from './create-login.ts'
import { computeAddressKey } from './password-check.ts'
import { checkSecondFactor } from './second-factor-check.ts'
import { createRandomToken, sha256 } from './secret.ts'

const SIGN_IN_STEP_LIFETIME_MS = 5 * 60_000
/** After this number of tried codes, the sign-in must be started again. */
const MAX_CODE_ATTEMPTS = 5

/**
 * Creates the secret with which a device gives the second factor. The secret can be used for one sign-in. Throws 401
 * when `account` has changed (`lockUnchangedAccount`).
 */
export async function startSignInStep(
  deps: Deps,
  account: AccountRow,
  deviceName: string | undefined,
  /** Throws if the first factor is no longer valid. It is called in the transaction that stores the sign-in step. */
  checkFirstFactor: (trx: DbTransaction) => Promise<void> = async () => {},
): Promise<SecondFactorNeeded> {
  const token = createRandomToken()
  const nowMs = deps.now()
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockUnchangedAccount(trx, account)
    await checkFirstFactor(trx)
    await insertSignInStep(trx, {
      token_hash: sha256(token),
      account_id: account.account_id,
      device_name: deviceName ?? null,
      failures: 0,
      created_at: nowMs,
      expires_at: nowMs + SIGN_IN_STEP_LIFETIME_MS,
    })
  })
  return { sign_in_token: token, expires_in: SIGN_IN_STEP_LIFETIME_MS / 1000 }
}

/**
 * Creates the login of a sign-in step. Throws 401 with the code `wrong` when the second factor is wrong, 401 with
 * `expired` when the sign-in must be started again, and 429 above the limits.
 */
export async function completeSignInStep(
  deps: Deps,
  request: RequestInfo,
  { sign_in_token: token, code }: { sign_in_token: string; code: string },
): Promise<SignInResult> {
  const { primary } = deps.database
  const tokenHash = sha256(token)
  const attempts: LimitedAttempt[] = [
    { limit: 'secondFactorAddress', key: computeAddressKey(deps.keys, request.address) },
  ]
  await countAttemptOrThrow(deps, attempts)
  const step = await recordSignInStepAttempt(primary, tokenHash, {
    nowMs: deps.now(),
    maxAttempts: MAX_CODE_ATTEMPTS,
  })
  const account = step && (await selectAccountById(primary, step.account_id))
  if (!account || account.blocked) throw createStepProblem('expired')
  const deviceName = step.device_name
  const isCodeRight = await checkSecondFactor(deps, {
    accountId: account.account_id,
    code,
    sid: null,
    countedAttempts: attempts,
    request,
    deviceName,
  })
  if (!isCodeRight) throw createStepProblem(step.failures < MAX_CODE_ATTEMPTS ? 'wrong' : 'expired')
  return createLogin(deps, request, account, {
    deviceName: deviceName ?? undefined,
    secondFactorAtMs: deps.now(),
    consumeSignInProof: async (trx) => {
      if (!(await consumeSignInStep(trx, tokenHash))) throw createStepProblem('expired')
    },
  })
}

const createStepProblem = (code: 'wrong' | 'expired') =>
  new Problem('unauthorized', {
    message: code === 'wrong' ? 'This code cannot be used.' : 'This sign-in has ended. Sign in again.',
    errors: { second_factor: [code] },
  })
