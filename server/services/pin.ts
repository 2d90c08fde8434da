/** PINs as a capability of the server (security.md, decision 4): pepper outside the database, one persistent counter. */
import { createHmac } from 'node:crypto'
import type { Profile } from '../../src/lib/contract/profiles.ts'
import type { Deps } from '../deps.ts'
import type { ProfileCaller } from '../http/caller.ts'
import { invalid, Problem } from '../problem.ts'
import { clearGuesses, takeGuess } from '../queries/pin-attempt.ts'
import { endUnlocksOf, grantUnlock, type ProfileRow, updateProfile } from '../queries/profile.ts'
import { UNLOCK_IDLE_MS } from './acting.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import { type By, note, profileOf, requireAdult } from './profiles.ts'

const MINUTE = 60_000
/** Five free guesses, then these waits after each further one, then one guess an hour. */
const FREE = 5
const WAITS = [30_000, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE]
const HOUR = 60 * MINUTE
/** After this many without success only the account password helps. */
const MOST = 20

const peppered = (deps: Deps, profileId: string, pin: string) =>
  createHmac('sha256', deps.keys.pepper).update(`${profileId}:${pin}`).digest('base64url')

/** How long the next guess has to wait after `failures` of them, in ms. */
export function waitAfter(failures: number): number {
  if (failures < FREE) return 0
  if (failures >= MOST) return Number.POSITIVE_INFINITY
  return WAITS[failures - FREE] ?? HOUR
}

/**
 * Checks a PIN against the counter that unlock, update-lock and remove-lock share. The guess is counted before it is
 * hashed, so that guesses at the same time count too; while waiting, the right PIN is refused as well. Throws 403 `invalid_pin`.
 */
async function checkPin(deps: Deps, profile: ProfileRow, pin: string): Promise<void> {
  const now = deps.now()
  const wait = await takeGuess(deps.database.primary, profile.profile_id, (before) => {
    if (before && before.failures >= MOST) return { wait: HOUR }
    if (before && before.blocked_until > now) return { wait: before.blocked_until - now }
    const failures = (before?.failures ?? 0) + 1
    const next = waitAfter(failures)
    return { failures, blocked_until: Number.isFinite(next) ? now + next : now + HOUR }
  })
  if (wait > 0) throw new Problem('invalid_pin', { retryAfter: wait / 1000 })
  if (await verifyPassword(peppered(deps, profile.profile_id, pin), profile.pin_hash)) {
    await clearGuesses(deps.database.primary, profile.profile_id)
    return
  }
  throw new Problem('invalid_pin')
}

async function checkOrAudit(by: By<ProfileCaller>, pin: string, action: string): Promise<void> {
  try {
    await checkPin(by.deps, by.caller.profile, pin)
  } catch (error) {
    if (error instanceof Problem && error.type === 'invalid_pin') {
      await by.deps.database.primary
        .transaction()
        .execute((trx) => note(trx, by, action, by.caller.profile.profile_id))
    }
    throw error
  }
}

async function store(by: By<ProfileCaller>, pin: string | null, action: string): Promise<Profile> {
  const { deps, caller } = by
  const { profile, login } = caller
  const pin_hash = pin === null ? null : await storedPin(deps, profile.profile_id, pin)
  await deps.database.primary.transaction().execute(async (trx) => {
    await updateProfile(trx, profile.profile_id, { pin_hash })
    await endUnlocksOf(trx, profile.profile_id, login.sid)
    await clearGuesses(trx, profile.profile_id)
    if (pin_hash) {
      await grantUnlock(trx, {
        sid: login.sid,
        profile_id: profile.profile_id,
        unlocked_until: deps.now() + UNLOCK_IDLE_MS,
      })
    }
    await note(trx, by, action, profile.profile_id)
  })
  return profileOf({ ...profile, pin_hash, enterable: true })
}

export async function lock(
  by: By<ProfileCaller>,
  pin: string,
  password: string | undefined,
): Promise<Profile> {
  if (by.caller.profile.pin_hash) throw new Problem('conflict', { errors: { pin: ['already_set'] } })
  await requireAdult(by, password)
  return store(by, pin, 'pin_set')
}

export async function unlock(by: By<ProfileCaller>, pin: string): Promise<{ unlocked_until: string }> {
  const { deps, caller } = by
  if (caller.profile.pin_hash) await checkOrAudit(by, pin, 'pin_fail')
  const until = deps.now() + UNLOCK_IDLE_MS
  await deps.database.primary.transaction().execute(async (trx) => {
    await grantUnlock(trx, {
      sid: caller.login.sid,
      profile_id: caller.profile.profile_id,
      unlocked_until: until,
    })
    await note(trx, by, 'pin_unlock', caller.profile.profile_id)
  })
  return { unlocked_until: new Date(until).toISOString() }
}

interface LockChange {
  current_pin: string
  new_pin: string
  password?: string | undefined
}

export async function updateLock(by: By<ProfileCaller>, change: LockChange): Promise<Profile> {
  if (!by.caller.profile.pin_hash) throw new Problem('conflict', { errors: { pin: ['not_set'] } })
  await requireAdult(by, change.password)
  await checkOrAudit(by, change.current_pin, 'pin_fail')
  return store(by, change.new_pin, 'pin_change')
}

/** With the PIN, or (forgotten) with the account password, which also ends the wait of too many guesses. */
export async function removeLock(
  by: By<ProfileCaller>,
  given: { pin?: string | undefined; password?: string | undefined },
): Promise<Profile> {
  if (!by.caller.profile.pin_hash) throw new Problem('conflict', { errors: { pin: ['not_set'] } })
  if (given.pin === undefined && given.password === undefined) throw invalid('pin', 'needed')
  await requireAdult(by, given.password)
  if (given.password === undefined && given.pin !== undefined) await checkOrAudit(by, given.pin, 'pin_fail')
  return store(by, null, 'pin_remove')
}

/** A PIN as it is stored. */
export async function storedPin(deps: Deps, profileId: string, pin: string): Promise<string> {
  return hashPassword(peppered(deps, profileId, pin))
}
