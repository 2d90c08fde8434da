/**
 * Verifies and hashes the exit PIN of an account (decision record 0040). On a device where a restricted profile was
 * chosen, the exit PIN opens the profiles that have no PIN. Attempts are counted per account, before the PIN is hashed.
 */
import { createHmac } from 'node:crypto'
import { Problem } from '../../core/problem.ts'
import {
  countAttemptOrThrow,
  type LimitedAttempt,
  resetAttempts,
  withdrawAttempts,
} from '../auth/attempt-limit.ts'
import type { Caller } from '../auth/caller.ts'
import { hashPassword, verifyPassword } from '../auth/password-hash.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { recordCallerAction } from '../operations/audit.ts'

const computePepperedPin = (deps: Deps, accountId: string, pin: string) =>
  createHmac('sha256', deps.keys.pepper).update(`exit:${accountId}:${pin}`).digest('base64url')

/** Returns the hash of an exit PIN, which is stored instead of the PIN. */
export const hashExitPin = (deps: Deps, accountId: string, pin: string): Promise<string> =>
  hashPassword(deps, accountId, computePepperedPin(deps, accountId, pin))

/**
 * Requires the correct exit PIN. Throws 403 `invalid_pin` for a wrong PIN. When the attempt limit is reached,
 * throws the same error even for the correct PIN, with the time to wait. Throws 503, and does not count the
 * attempt, when too many passwords and PINs are being hashed.
 */
export async function requireExitPin(context: RequestContext<Caller>, pin: string): Promise<void> {
  const { deps, caller } = context
  const { account_id, exit_pin_hash } = caller.account
  const attempts: LimitedAttempt[] = [{ limit: 'exitPin', key: account_id }]
  await countAttemptOrThrow(deps, attempts).catch((error) => {
    if (!(error instanceof Problem) || error.retryAfterSeconds === undefined) throw error
    throw new Problem('invalid_pin', { retryAfterSeconds: error.retryAfterSeconds })
  })
  const isPinRight = await verifyPassword(deps, account_id, {
    password: computePepperedPin(deps, account_id, pin),
    hash: exit_pin_hash,
  }).catch(async (error: unknown) => {
    await withdrawAttempts(deps, attempts)
    throw error
  })
  if (isPinRight) return resetAttempts(deps, attempts)
  await deps.database.primary
    .transaction()
    .execute((trx) => recordCallerAction(trx, context, { action: 'exit_pin_fail', outcome: 'failed' }))
  throw new Problem('invalid_pin')
}
