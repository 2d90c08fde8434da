/**
 * Checks the codes of second factors. These checks share rate limits. The code that confirms the set-up of an
 * authenticator app is checked in second-factor.ts, and passkeys are checked in passkey-check.ts.
 */
import { randomInt } from 'node:crypto'
import { normaliseTypedCode } from '../../../src/lib/rules/fold-letters.ts'
import { consumeRecoveryCode } from '../../queries/second-factor.ts'
import type { Deps } from '../deps.ts'
import { type AuditOrigin, recordAuditEvent } from '../operations/audit.ts'
import { countAttemptOrThrow, type LimitedAttempt, resetAttempts, withdrawAttempts } from './attempt-limit.ts'
import { hmacSha256 } from './secret.ts'
import { redeemTotpCode } from './totp.ts'

/** Alphabet of recovery codes: letters and digits that do not look alike. */
const RECOVERY_CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
/**
 * Number of characters of a recovery code. The characters have 49 random bits together. The hash is keyed, so
 * the codes cannot be guessed from a copy of the database.
 */
const RECOVERY_CODE_LENGTH = 10
const RECOVERY_CODE_COUNT = 10

const hashRecoveryCode = ({ keys }: Pick<Deps, 'keys'>, accountId: string, code: string) =>
  hmacSha256(keys.pepper, 'recovery-code', accountId, code)

/** Returns new recovery codes, as they are displayed, and their hashes. */
export function generateRecoveryCodes(deps: Pick<Deps, 'keys'>, accountId: string) {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    Array.from(
      { length: RECOVERY_CODE_LENGTH },
      () => RECOVERY_CODE_ALPHABET[randomInt(RECOVERY_CODE_ALPHABET.length)],
    ).join(''),
  )
  return {
    codes: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`),
    hashes: codes.map((code) => hashRecoveryCode(deps, accountId, code)),
  }
}

interface SecondFactorCheck {
  accountId: string
  code: string
  /** Id of the login of the device; null during a sign-in. */
  sid: string | null
  /**
   * Attempts that the calling function has already counted. They are withdrawn when the code is right or when another
   * limit is exceeded.
   */
  countedAttempts?: readonly LimitedAttempt[]
  /** Origin of the request, for the audit events. */
  request: AuditOrigin['request']
  deviceName: string | null
}

/**
 * True when the code is an unused code of the authenticator app or an unused recovery code. The code is then
 * marked as used. The attempt is counted before the check. A signed-in device has separate limits, so that guesses from
 * other devices do not lock the owner out. A wrong code and the use of a recovery code are recorded in the audit log.
 * Throws 429 above the limits.
 */
export async function checkSecondFactor(deps: Deps, check: SecondFactorCheck): Promise<boolean> {
  const { accountId, sid, countedAttempts = [], deviceName, request } = check
  const ownAttempts: LimitedAttempt[] = [
    sid ? { limit: 'secondFactorDevice', key: sid } : { limit: 'secondFactorAccount', key: accountId },
  ]
  const newSharedAttempts: LimitedAttempt[] = sid ? [{ limit: 'secondFactorDevices', key: accountId }] : []
  const sharedAttempts = [...countedAttempts, ...newSharedAttempts]
  try {
    await countAttemptOrThrow(deps, [...ownAttempts, ...newSharedAttempts])
  } catch (error) {
    await withdrawAttempts(deps, countedAttempts)
    throw error
  }
  const redeemedMethod = await redeemSecondFactorCode(deps, accountId, check.code)
  if (redeemedMethod) {
    await resetAttempts(deps, ownAttempts)
    await withdrawAttempts(deps, sharedAttempts)
  }
  if (redeemedMethod !== 'totp') {
    const auditEvent = redeemedMethod ? { action: 'recovery_code_use' } : FAILURE_EVENT
    await deps.database.primary
      .transaction()
      .execute((trx) =>
        recordAuditEvent(trx, { nowMs: deps.now(), request }, { ...auditEvent, accountId, sid, deviceName }),
      )
  }
  return redeemedMethod !== null
}

const FAILURE_EVENT = { action: 'second_factor_fail', outcome: 'failed' } as const

async function redeemSecondFactorCode(
  deps: Deps,
  accountId: string,
  codeText: string,
): Promise<'totp' | 'recovery' | null> {
  const code = normaliseTypedCode(codeText)
  if (/^\d{6}$/.test(code)) return (await redeemTotpCode(deps, accountId, code)) ? 'totp' : null
  if (code.length !== RECOVERY_CODE_LENGTH) return null
  const codeHash = hashRecoveryCode(deps, accountId, code)
  return (await consumeRecoveryCode(deps.database.primary, accountId, codeHash)) ? 'recovery' : null
}
