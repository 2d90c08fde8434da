/** Codes of authenticator apps (TOTP, RFC 6238). */
import { Secret, TOTP } from 'otpauth'
import { consumeTotpStep, selectTotp } from '../../queries/second-factor.ts'
import type { Deps } from '../deps.ts'
import { decryptText, encryptText } from './secret.ts'

const CODE_PERIOD_SECONDS = 30
/** Codes of the previous and the next time step are accepted too, because clocks differ (RFC 6238, section 5.2). */
const MAX_STEP_DISTANCE = 1
/** 20 bytes are the 160 bits that RFC 4226, section 4, recommends. At least 128 bits are required. */
const SECRET_BYTES = 20

const createTotp = (secret: Secret, labels: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...labels, secret, algorithm: 'SHA1', digits: 6, period: CODE_PERIOD_SECONDS })

const getEncryptionContext = (accountId: string) => ({ purpose: 'totp', owner: accountId })

export interface TotpSecret {
  base32: string
  uri: string
  /** The secret as it is stored in the database, encrypted. */
  encryptedSecret: string
}

export function createTotpSecret(
  { config, keys }: Pick<Deps, 'config' | 'keys'>,
  { account_id, email }: { account_id: string; email: string },
): TotpSecret {
  const secret = new Secret({ size: SECRET_BYTES })
  const uri = createTotp(secret, { issuer: config.siteName, label: email }).toString()
  return {
    base32: secret.base32,
    uri,
    encryptedSecret: encryptText(keys.pepper, getEncryptionContext(account_id), secret.base32),
  }
}

/**
 * Returns the time step of a code. Returns null when the code does not belong to the current, previous or next step, or
 * when the secret cannot be decrypted.
 */
export function findTotpStep(
  { keys, now }: Pick<Deps, 'keys' | 'now'>,
  { accountId, encryptedSecret, code }: { accountId: string; encryptedSecret: string; code: string },
): number | null {
  const base32 = decryptText(keys.pepper, getEncryptionContext(accountId), encryptedSecret)
  if (base32 === null) return null
  const nowMs = now()
  const stepDelta = createTotp(Secret.fromBase32(base32)).validate({
    token: code,
    timestamp: nowMs,
    window: MAX_STEP_DISTANCE,
  })
  return stepDelta === null
    ? null
    : TOTP.counter({ period: CODE_PERIOD_SECONDS, timestamp: nowMs }) + stepDelta
}

/**
 * Checks a code and marks it as used. Returns false when the code is wrong, or when this code or a later code was used
 * before.
 */
export async function redeemTotpCode(
  deps: Pick<Deps, 'database' | 'keys' | 'now'>,
  accountId: string,
  code: string,
): Promise<boolean> {
  const row = await selectTotp(deps.database.primary, accountId)
  if (!row?.secret) return false
  const step = findTotpStep(deps, { accountId, encryptedSecret: row.secret, code })
  return step !== null && (await consumeTotpStep(deps.database.primary, accountId, step))
}
