/**
 * Records denied calls in the audit log. Each process records at most one call a minute per login and kind, so that a
 * client cannot flood the log.
 */
import { idSchema } from '../../../src/lib/contract/common-schemas.ts'
import { isDatabaseUnavailable } from '../../core/database-unavailable.ts'
import { Problem } from '../../core/problem.ts'
import type { ActiveLogin } from '../../queries/caller.ts'
import type { Deps } from '../deps.ts'
import { type AuditEventInput, type AuditOrigin, recordAuditEvent } from '../operations/audit.ts'
import { sha256 } from './secret.ts'

const MIN_RECORD_INTERVAL_MS = 60_000
const MAX_REMEMBERED_CALLS = 10_000
/** Time of the last recorded call for each login and action, in milliseconds of `monotonicNow()`. */
const recordedAtMsByCall = new Map<string, number>()

/** Returns the audit event of a denied call; null when the log does not record this kind of error. */
function buildDenialEvent(error: unknown): Pick<AuditEventInput, 'action' | 'target'> | null {
  if (!(error instanceof Problem)) return null
  if (error.deniedObjectId !== undefined) {
    const isValidId = idSchema.safeParse(error.deniedObjectId).success
    // Store only a hash of the id. The object can belong to another account, and the id itself would stay in the
    // log after that account is deleted.
    return { action: 'object_denied', target: isValidId ? sha256(error.deniedObjectId) : null }
  }
  // A missing second factor is not a denial, because the client then asks the user for the second factor. A
  // wrong second factor has its own event.
  if (error.type !== 'forbidden' || error.errors['second_factor']) return null
  return { action: error.errors['password'] ? 'proof_denied' : 'admin_denied' }
}

/**
 * Records why a call of this login was denied: a missing right or proof, or an object of another account. While the
 * database is unavailable, the denial is not recorded, and the call still gets its own error.
 */
export async function recordDeniedCall(
  { database, now, monotonicNow }: Pick<Deps, 'database' | 'now' | 'monotonicNow'>,
  request: AuditOrigin['request'],
  { account, login }: Pick<ActiveLogin, 'account' | 'login'>,
  error: unknown,
): Promise<void> {
  const denialEvent = buildDenialEvent(error)
  if (!denialEvent) return
  const callKey = `${login.sid} ${denialEvent.action}`
  const lastRecordedAtMs = recordedAtMsByCall.get(callKey)
  if (lastRecordedAtMs !== undefined && monotonicNow() - lastRecordedAtMs < MIN_RECORD_INTERVAL_MS) return
  if (recordedAtMsByCall.size >= MAX_REMEMBERED_CALLS) recordedAtMsByCall.clear()
  recordedAtMsByCall.set(callKey, monotonicNow())
  const actor = { accountId: account.account_id, sid: login.sid, deviceName: login.device_name }
  try {
    await database.primary
      .transaction()
      .execute((trx) =>
        recordAuditEvent(trx, { nowMs: now(), request }, { ...denialEvent, outcome: 'denied', ...actor }),
      )
  } catch (failure) {
    recordedAtMsByCall.delete(callKey)
    if (!isDatabaseUnavailable(failure)) throw failure
  }
}
