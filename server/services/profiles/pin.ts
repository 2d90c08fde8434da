/**
 * Checks and stores the PINs of profiles (security.md, decision 4). PINs are hashed with a
 * pepper, a secret that is stored outside the database. All checks of a PIN share one persistent counter of failures.
 */

import { createHmac } from 'node:crypto'
import type { Profile } from '../../../src/lib/contract/profiles.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import { UNLOCK_IDLE_MS } from '../../queries/caller.ts'
import { type ProfileUnlock, unlockActiveProfile } from '../../queries/login.ts'
import { clearPinAttempts, countPinAttempt, removeCountedPinAttempt } from '../../queries/pin-attempt.ts'
import { isRestrictedProfile, type ProfileRow, selectProfiles, updatePin } from '../../queries/profile.ts'
import { clearPairedProfiles } from '../../queries/remote-pairing.ts'
import type { Caller, ProfileCaller } from '../auth/caller.ts'
import { requirePassword } from '../auth/password-check.ts'
import { hashPassword, verifyPassword } from '../auth/password-hash.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { requireExitPin } from './exit-pin.ts'
import { recordProfileAuditEvent, toProfile } from './profiles.ts'

const MINUTE_MS = 60_000
/**
 * Number of failures after which the first delay of ATTEMPT_DELAYS_MS starts. Each further failure starts the next
 * delay. After the last of these delays, one guess per hour is allowed.
 */
const FAILURES_BEFORE_DELAY = 5
const ATTEMPT_DELAYS_MS = [30_000, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS]
const HOUR_MS = 60 * MINUTE_MS
/** After this many failures, only the account password unlocks the profile. */
const MAX_FAILURES = 20

const computePepperedPin = (deps: Deps, profileId: string, pin: string) =>
  createHmac('sha256', deps.keys.pepper).update(`${profileId}:${pin}`).digest('base64url')

/**
 * Returns the delay in milliseconds before the next guess after `failureCount` failures. Returns infinity when no
 * further guess is allowed.
 */
export function computePinWaitMs(failureCount: number): number {
  if (failureCount < FAILURES_BEFORE_DELAY) return 0
  if (failureCount >= MAX_FAILURES) return Number.POSITIVE_INFINITY
  return ATTEMPT_DELAYS_MS[failureCount - FAILURES_BEFORE_DELAY] ?? HOUR_MS
}

/**
 * Requires the correct PIN. Unlocking, changing and removing a PIN share one failure counter. A guess is counted before
 * it is hashed, so that concurrent guesses are counted too.
 * Throws 403 `invalid_pin` for a wrong PIN, and during a delay or after MAX_FAILURES failures also for the correct PIN.
 * Throws 503, and does not count the guess, when too many passwords and PINs are being hashed.
 */
async function requireCorrectPin(deps: Deps, profile: ProfileRow, pin: string): Promise<void> {
  const nowMs = deps.now()
  const waitMs = await countPinAttempt(deps.database.primary, profile.profile_id, (previousAttempts) => {
    if (previousAttempts && previousAttempts.failures >= MAX_FAILURES) return { waitMs: HOUR_MS }
    const lastFailureWaitMs = computePinWaitMs(previousAttempts?.failures ?? 0)
    if (previousAttempts && lastFailureWaitMs > 0 && previousAttempts.blocked_until > nowMs) {
      const { failures, blocked_until } = previousAttempts
      if (blocked_until - nowMs <= lastFailureWaitMs) return { waitMs: blocked_until - nowMs }
      // The clock was set back after the last guess. Start the delay again, so that it is not extended by the
      // clock change.
      return {
        waitMs: lastFailureWaitMs,
        correctedAttempts: { failures, blocked_until: nowMs + lastFailureWaitMs },
      }
    }
    const failureCount = (previousAttempts?.failures ?? 0) + 1
    const nextWaitMs = computePinWaitMs(failureCount)
    return {
      failures: failureCount,
      blocked_until: Number.isFinite(nextWaitMs) ? nowMs + nextWaitMs : nowMs + HOUR_MS,
    }
  })
  if (waitMs > 0) throw new Problem('invalid_pin', { retryAfterSeconds: waitMs / 1000 })
  const isPinRight = await verifyPassword(deps, profile.account_id, {
    password: computePepperedPin(deps, profile.profile_id, pin),
    hash: profile.pin_hash,
  }).catch(async (error: unknown) => {
    await removeCountedPinAttempt(deps.database.primary, profile.profile_id)
    throw error
  })
  if (isPinRight) {
    await clearPinAttempts(deps.database.primary, profile.profile_id)
    return
  }
  throw new Problem('invalid_pin')
}

async function requireCorrectPinAndAudit(
  context: RequestContext<Caller & Pick<ProfileCaller, 'profile'>>,
  pin: string,
): Promise<void> {
  const { deps, caller } = context
  try {
    await requireCorrectPin(deps, caller.profile, pin)
  } catch (error) {
    if (error instanceof Problem && error.type === 'invalid_pin') {
      const event = { action: 'pin_fail', outcome: 'failed', profileId: caller.profile.profile_id } as const
      await deps.database.primary.transaction().execute((trx) => recordCallerAction(trx, context, event))
    }
    throw error
  }
}

/**
 * Stores a PIN; null removes it. All unlocks of the profile end, except the unlock on this device if the profile acts
 * here. Throws 409 when another request has changed the PIN since this request was checked, and 404 when the profile
 * was deleted.
 */
async function storePin(
  context: RequestContext<ProfileCaller>,
  pin: string | null,
  action: string,
): Promise<Profile> {
  const { deps, caller } = context
  const { profile } = caller
  const pin_hash = pin === null ? null : await hashPin(deps, profile, pin)
  const isActingProfile = caller.acting?.profile_id === profile.profile_id
  await deps.database.primary.transaction().execute(async (trx) => {
    const pinGeneration = await updatePin(trx, profile, pin_hash)
    if (pinGeneration === undefined) {
      const isProfileDeleted = !(await selectProfiles(trx, profile.account_id)).some(
        ({ profile_id }) => profile_id === profile.profile_id,
      )
      throw isProfileDeleted
        ? new Problem('not_found')
        : new Problem('conflict', { errors: { pin: ['changed'] } })
    }
    await clearPinAttempts(trx, profile.profile_id)
    await clearPairedProfiles(trx, { profileId: profile.profile_id }, caller.login.sid)
    if (isActingProfile && pin_hash) await unlockActiveProfile(trx, createUnlock(deps, caller, pinGeneration))
    await recordProfileAuditEvent(trx, context, action, profile.profile_id)
  })
  publishSharedEvent({ deps, caller }, 'profiles')
  return toProfile({ ...profile, pin_hash, enterable: pin_hash === null || isActingProfile })
}

const createUnlock = (deps: Deps, { login, profile }: ProfileCaller, generation: number): ProfileUnlock => ({
  sid: login.sid,
  profileId: profile.profile_id,
  generation,
  untilMs: deps.now() + UNLOCK_IDLE_MS,
  isRestricted: isRestrictedProfile(profile),
})

/** Sets the PIN of a profile without a PIN. Throws 409 when the profile has a PIN. */
export async function lockProfile(context: RequestContext<ProfileCaller>, pin: string): Promise<Profile> {
  if (context.caller.profile.pin_hash) throw new Problem('conflict', { errors: { pin: ['already_set'] } })
  return storePin(context, pin, 'pin_set')
}

interface UnlockSecret {
  pin?: string | undefined
  password?: string | undefined
}

/**
 * Requires the account password if it is given. Otherwise requires the PIN of the profile, or the exit PIN if
 * the profile can be entered only with the exit PIN. Throws 422 when neither a PIN nor the password is given, 403
 * when the PIN or password is wrong, and 429 after too many wrong passwords.
 */
export async function requireProfileSecret(
  context: RequestContext<ProfileCaller>,
  { pin, password }: UnlockSecret,
): Promise<void> {
  const { deps, caller } = context
  if (pin === undefined && password === undefined) throw createFieldProblem('pin', 'needed')
  if (password !== undefined) await requirePassword(deps, caller, password)
  else if (caller.profile.pin_hash) await requireCorrectPinAndAudit(context, pin ?? '')
  else if (!caller.profile.enterable) await requireExitPin(context, pin ?? '')
}

/**
 * Makes a profile the acting profile of the device and unlocks it. Requires the secret that `requireProfileSecret`
 * requires, and throws the same errors.
 */
export async function unlockProfile(
  context: RequestContext<ProfileCaller>,
  { pin, password }: UnlockSecret,
): Promise<{ unlocked_until: string }> {
  const { deps, caller } = context
  const { profile } = caller
  await requireProfileSecret(context, { pin, password })
  const unlock = createUnlock(deps, caller, profile.pin_generation)
  await deps.database.primary.transaction().execute(async (trx) => {
    await unlockActiveProfile(trx, unlock)
    await recordProfileAuditEvent(trx, context, 'pin_unlock', profile.profile_id)
  })
  // The change of the acting profile can change whether the other profiles of the device need the exit PIN.
  if (caller.account.exit_pin_hash !== null) publishSharedEvent({ deps, caller }, 'profiles')
  return { unlocked_until: new Date(unlock.untilMs).toISOString() }
}

export async function changePin(
  context: RequestContext<ProfileCaller>,
  change: { current_pin: string; new_pin: string },
): Promise<Profile> {
  if (!context.caller.profile.pin_hash) throw new Problem('conflict', { errors: { pin: ['not_set'] } })
  await requireCorrectPinAndAudit(context, change.current_pin)
  return storePin(context, change.new_pin, 'pin_change')
}

/**
 * Removes the PIN and resets the failure counter. Requires the PIN, or the account password if the PIN is
 * forgotten. Throws 403 for a wrong PIN, 409 when the profile has no PIN, and 422 when neither the PIN nor the
 * password was given.
 */
export async function removePin(
  context: RequestContext<ProfileCaller>,
  { pin, isPasswordProven }: { pin?: string | undefined; isPasswordProven: boolean },
): Promise<Profile> {
  if (!context.caller.profile.pin_hash) throw new Problem('conflict', { errors: { pin: ['not_set'] } })
  if (pin === undefined && !isPasswordProven) throw createFieldProblem('pin', 'needed')
  if (!isPasswordProven) await requireCorrectPinAndAudit(context, pin ?? '')
  return storePin(context, null, 'pin_remove')
}

/**
 * Returns true if `pin` opens the main profile: the PIN of the main profile or, if it has none, the exit PIN of the
 * account. This PIN proves that a parent uses a device on which another profile acts. Returns false without `pin`, or
 * when neither of the two PINs is set. Throws 403 `invalid_pin` for a wrong PIN, which counts as a failed attempt.
 */
export async function isParentPinRight(
  context: RequestContext<Caller>,
  pin: string | undefined,
): Promise<boolean> {
  const { caller } = context
  const mainProfile = caller.profiles.find(({ main }) => main === 1)
  if (pin === undefined || !mainProfile) return false
  if (mainProfile.pin_hash)
    await requireCorrectPinAndAudit({ ...context, caller: { ...caller, profile: mainProfile } }, pin)
  else if (caller.account.exit_pin_hash !== null) await requireExitPin(context, pin)
  else return false
  return true
}

/** Returns the hash of a PIN, which is stored instead of the PIN. */
export async function hashPin(
  deps: Deps,
  { account_id, profile_id }: Pick<ProfileRow, 'account_id' | 'profile_id'>,
  pin: string,
): Promise<string> {
  return hashPassword(deps, account_id, computePepperedPin(deps, profile_id, pin))
}
