/**
 * Rate limits on guesses of secrets, and on requests for codes, emails and tokens (security.md, limits on attempts). An
 * attempt is counted before the secret is checked, so that each of several concurrent guesses is counted. The counters
 * are stored in the database, so that all processes share the counters and a restart does not reset them.
 */
import { Problem } from '../../core/problem.ts'
import {
  type AttemptBucket,
  type AttemptCounter,
  type AttemptDelay,
  clearAttempts,
  countAttempt,
  removeCountedAttempt,
} from '../../queries/rate-limit.ts'
import type { Deps } from '../deps.ts'

export interface AttemptLimit {
  /** Number of attempts within the window that are possible without a delay. */
  allowedCount: number
  windowMs: number
  /** True when each further attempt doubles the delay; otherwise attempts are rejected until the window ends. */
  hasDelay: boolean
}
const MINUTE_MS = 60_000
const QUARTER_HOUR_MS = 15 * MINUTE_MS
/** The comment of each limit states which attempts are counted together. */
export const ATTEMPT_LIMITS = {
  /** Wrong passwords for an email address, even one without an account, from devices that are not signed in. */
  passwordAccount: { allowedCount: 10, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Wrong passwords from one IP address, from devices that are not signed in to the account. */
  passwordAddress: { allowedCount: 30, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Wrong passwords of an account from one device that is signed in to it. */
  passwordDevice: { allowedCount: 10, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Wrong passwords of an account from all devices that are signed in to it. */
  passwordDevices: { allowedCount: 30, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Wrong second factors of an account, from all devices that are signing in. */
  secondFactorAccount: { allowedCount: 10, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Unknown or expired sign-in steps, and wrong second factors at sign-in, from one IP address. */
  secondFactorAddress: { allowedCount: 30, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Wrong second factors from one device that is signed in to the account. */
  secondFactorDevice: { allowedCount: 10, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Wrong second factors from all devices that are signed in to the account. */
  secondFactorDevices: { allowedCount: 30, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Invalid passkey assertions at sign-in, from one IP address. */
  passkeyAddress: { allowedCount: 20, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Unusable responses of identity providers, from one IP address. */
  providerAddress: { allowedCount: 20, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Sign-ins with identity providers that are started from one IP address. */
  providerStartAddress: { allowedCount: 60, windowMs: QUARTER_HOUR_MS, hasDelay: false },
  /** Unusable API keys, from one IP address. */
  apiKeyAddress: { allowedCount: 20, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Changes of the email address that one account requests. */
  emailChangeAccount: { allowedCount: 5, windowMs: 60 * MINUTE_MS, hasDelay: false },
  /** Unusable links that confirm or cancel a change of the email address, from one IP address. */
  emailLinkAddress: { allowedCount: 20, windowMs: 60 * MINUTE_MS, hasDelay: true },
  /** Unusable invitations, from one IP address. */
  invitationAddress: { allowedCount: 20, windowMs: 60 * MINUTE_MS, hasDelay: true },
  /** Sign-in codes that devices request from one IP address. */
  deviceCodeAddress: { allowedCount: 30, windowMs: QUARTER_HOUR_MS, hasDelay: false },
  /** Unusable sign-in codes of other devices, entered on one login. */
  userCodeDevice: { allowedCount: 10, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Unusable sign-in codes of other devices, entered on all logins of an account. */
  userCodeAccount: { allowedCount: 30, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Unusable sign-in codes of other devices, entered from one IP address. */
  userCodeAddress: { allowedCount: 30, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Pairing codes that the login of one television requests. */
  pairingTelevision: { allowedCount: 30, windowMs: QUARTER_HOUR_MS, hasDelay: false },
  /** Unusable pairing codes of televisions, entered on one login. */
  pairingDevice: { allowedCount: 10, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Unusable pairing codes of televisions, entered on all logins of an account. */
  pairingAccount: { allowedCount: 30, windowMs: QUARTER_HOUR_MS, hasDelay: true },
  /** Password reset emails that are requested for one email address, whether it has an account or not. */
  resetEmail: { allowedCount: 3, windowMs: 60 * MINUTE_MS, hasDelay: false },
  /** Password reset emails that are requested from one IP address. */
  resetAddress: { allowedCount: 10, windowMs: 60 * MINUTE_MS, hasDelay: false },
  /** Unusable password reset links, from one IP address. */
  resetLinkAddress: { allowedCount: 20, windowMs: 60 * MINUTE_MS, hasDelay: true },
  /** Wrong exit PINs of an account, from all devices. A PIN has few digits, so its guesses are counted for a day. */
  exitPin: { allowedCount: 5, windowMs: 24 * 60 * MINUTE_MS, hasDelay: true },
  /** All token refreshes of one login. */
  refresh: { allowedCount: 60, windowMs: MINUTE_MS, hasDelay: false },
} as const satisfies Record<string, AttemptLimit>

export interface LimitedAttempt {
  limit: keyof typeof ATTEMPT_LIMITS
  key: string
}

const FIRST_ATTEMPT_DELAY_MS = 30_000
const MAX_ATTEMPT_DELAY_MS = 60 * MINUTE_MS

const getBucketName = ({ limit: limitName, key: subjectKey }: LimitedAttempt) => `${limitName}:${subjectKey}`

/**
 * Counts an attempt against several limits. If a limit is exceeded, throws 429 and does not count the
 * attempt.
 */
export async function countAttemptOrThrow(deps: Deps, attempts: readonly LimitedAttempt[]): Promise<void> {
  const attemptBuckets = attempts.map(
    (attempt): AttemptBucket => ({
      bucket: getBucketName(attempt),
      decideAttempt: (previousCounter) =>
        decideAttempt(ATTEMPT_LIMITS[attempt.limit], previousCounter, deps.now()),
    }),
  )
  const waitMs = await countAttempt(deps.database.primary, attemptBuckets)
  if (waitMs > 0) throw new Problem('rate_limited', { retryAfterSeconds: waitMs / 1000 })
}

/**
 * Returns the counter after one more attempt, or the time to wait. With `hasDelay`, the attempt that reaches
 * `allowedCount` starts the first delay. After a delay, the count is kept for another hour, so that waiting does not
 * reset the number of attempts.
 */
export function decideAttempt(
  limit: AttemptLimit,
  storedCounter: AttemptCounter | undefined,
  nowMs: number,
): AttemptCounter | AttemptDelay {
  const { allowedCount, windowMs, hasDelay } = limit
  const previousCounter = storedCounter && correctCounterAfterClockChange(limit, storedCounter, nowMs)
  const counterCorrection =
    previousCounter && previousCounter !== storedCounter ? { correctedCounter: previousCounter } : {}
  if (previousCounter && previousCounter.blocked_until > nowMs)
    return { waitMs: previousCounter.blocked_until - nowMs, ...counterCorrection }
  const counterKeptUntilMs = Math.max(
    previousCounter?.window_ends_at ?? 0,
    previousCounter && previousCounter.count >= allowedCount && hasDelay
      ? previousCounter.blocked_until + MAX_ATTEMPT_DELAY_MS
      : 0,
  )
  const isCounterExpired = !previousCounter || nowMs >= counterKeptUntilMs
  if (!hasDelay && !isCounterExpired && previousCounter.count >= allowedCount)
    return { waitMs: counterKeptUntilMs - nowMs, ...counterCorrection }
  const attemptCount = isCounterExpired ? 1 : previousCounter.count + 1
  const window_ends_at = isCounterExpired ? nowMs + windowMs : previousCounter.window_ends_at
  if (attemptCount < allowedCount || !hasDelay)
    return { count: attemptCount, window_ends_at, blocked_until: 0 }
  return { count: attemptCount, window_ends_at, blocked_until: nowMs + computeDelayMs(limit, attemptCount) }
}

function computeDelayMs({ allowedCount }: AttemptLimit, attemptCount: number): number {
  return Math.min(
    FIRST_ATTEMPT_DELAY_MS * 2 ** Math.max(0, Math.min(attemptCount - allowedCount, 20)),
    MAX_ATTEMPT_DELAY_MS,
  )
}

/**
 * Returns a counter whose delay and window are not longer than intended. They would be longer if the clock was
 * set back after the last attempt. In this case, the delay and the window start again now. Otherwise the
 * counter is returned unchanged.
 */
function correctCounterAfterClockChange(
  limit: AttemptLimit,
  storedCounter: AttemptCounter,
  nowMs: number,
): AttemptCounter {
  const correctedCounter = {
    ...storedCounter,
    blocked_until: Math.min(storedCounter.blocked_until, nowMs + computeDelayMs(limit, storedCounter.count)),
    window_ends_at: Math.min(storedCounter.window_ends_at, nowMs + limit.windowMs),
  }
  const isStoredCounterCorrect =
    correctedCounter.blocked_until === storedCounter.blocked_until &&
    correctedCounter.window_ends_at === storedCounter.window_ends_at
  return isStoredCounterCorrect ? storedCounter : correctedCounter
}

/** Subtracts attempts that were counted and then turned out to be valid, such as the right password. */
export async function withdrawAttempts(deps: Deps, attempts: readonly LimitedAttempt[]): Promise<void> {
  for (const attempt of attempts)
    await removeCountedAttempt(
      deps.database.primary,
      getBucketName(attempt),
      ATTEMPT_LIMITS[attempt.limit].allowedCount,
    )
}

/** Resets the counters to zero after the right secret was entered. */
export async function resetAttempts(deps: Deps, attempts: readonly LimitedAttempt[]): Promise<void> {
  for (const attempt of attempts) await clearAttempts(deps.database.primary, getBucketName(attempt))
}
