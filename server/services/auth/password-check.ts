/** Checks account passwords that users enter. All of these checks are in this file, because they share rate limits. */
import { isIP } from 'node:net'
import { getIpv6Prefix } from '../../core/ip-address.ts'
import { Problem } from '../../core/problem.ts'
import type { AccountRow } from '../../queries/login.ts'
import type { Deps } from '../deps.ts'
import { countAttemptOrThrow, type LimitedAttempt, resetAttempts, withdrawAttempts } from './attempt-limit.ts'
import { verifyPassword } from './password-hash.ts'
import { hmacSha256 } from './secret.ts'

/** Who enters a password: a device that is signed in to the account, or anybody else. */
export type PasswordOrigin = { accountId: string; sid: string } | { email: string; address: string }

interface PasswordAttempts {
  /** Attempts whose counters belong to this account or this device alone. The right password clears these counters. */
  ownAttempts: LimitedAttempt[]
  /** Attempts whose counters other accounts or devices share. The right password subtracts only its own attempt. */
  sharedAttempts: LimitedAttempt[]
}

/**
 * Returns the attempts that a password check counts. A device that is signed in to the account has separate limits, so
 * that guesses from other devices do not lock the owner out.
 */
function listLimitedAttempts({ keys }: Deps, origin: PasswordOrigin): PasswordAttempts {
  if ('sid' in origin) {
    return {
      ownAttempts: [{ limit: 'passwordDevice', key: origin.sid }],
      sharedAttempts: [{ limit: 'passwordDevices', key: origin.accountId }],
    }
  }
  return {
    ownAttempts: [{ limit: 'passwordAccount', key: hmacSha256(keys.pepper, 'login', origin.email) }],
    sharedAttempts: [{ limit: 'passwordAddress', key: computeAddressKey(keys, origin.address) }],
  }
}

/** Resets the counters of wrong passwords of an account after its owner has set a new password. */
export async function resetPasswordAttempts(deps: Deps, email: string): Promise<void> {
  await resetAttempts(deps, listLimitedAttempts(deps, { email, address: '' }).ownAttempts)
}

/** Key of the limits per IP address. IPv6 addresses with the same /64 prefix, usually one household, share a key. */
export function computeAddressKey(keys: Deps['keys'], address: string): string {
  const networkPrefix = isIP(address) === 6 ? getIpv6Prefix(address, 4) : address
  return hmacSha256(keys.pepper, 'address', networkPrefix)
}

/**
 * True when the password matches the hash; always false without a hash. The attempt is counted before the
 * password is hashed. Throws 429 while a limit is exceeded. Throws 503, and does not count the attempt, when
 * too many passwords are being hashed.
 */
export async function checkPassword(
  deps: Deps,
  origin: PasswordOrigin,
  { password, hash }: { password: string; hash: string | null },
): Promise<boolean> {
  const { ownAttempts, sharedAttempts } = listLimitedAttempts(deps, origin)
  await countAttemptOrThrow(deps, [...ownAttempts, ...sharedAttempts])
  let isPasswordCorrect: boolean
  try {
    const requesterKey = 'sid' in origin ? origin.accountId : computeAddressKey(deps.keys, origin.address)
    isPasswordCorrect = await verifyPassword(deps, requesterKey, { password, hash })
  } catch (error) {
    await withdrawAttempts(deps, [...ownAttempts, ...sharedAttempts])
    throw error
  }
  if (isPasswordCorrect) {
    await resetAttempts(deps, ownAttempts)
    await withdrawAttempts(deps, sharedAttempts)
  }
  return isPasswordCorrect
}

/**
 * Throws 403 unless `password` is the password of the account that the caller is signed in to, and 429 above the
 * limits.
 */
export async function requirePassword(
  deps: Deps,
  { account, login }: { account: AccountRow; login: { sid: string } },
  password: string,
): Promise<void> {
  const origin = { accountId: account.account_id, sid: login.sid }
  if (await checkPassword(deps, origin, { password, hash: account.password_hash })) return
  throw createWrongPasswordProblem()
}

export const createWrongPasswordProblem = () =>
  new Problem('forbidden', { message: 'Email or password incorrect', errors: { password: ['wrong'] } })
