/**
 * Remembers on the device that a kids profile was chosen, in an account with an exit PIN. The server locks the other
 * profiles, too, but without a network it does not know yet which profile was chosen.
 */
import type { Profile } from '../contract/profiles.ts'
import { readStorage } from '../storage.ts'
import { EXIT_LOCK_KEY } from '../storage-keys.ts'

/** Returns the id of the chosen kids profile: empty when there is none, null when the account has no exit PIN. */
export const readExitLock = () => readStorage('localStorage', EXIT_LOCK_KEY)

export function storeExitLock(kidsProfileId: string | null): void {
  if (kidsProfileId === null) globalThis.localStorage?.removeItem(EXIT_LOCK_KEY)
  else globalThis.localStorage?.setItem(EXIT_LOCK_KEY, kidsProfileId)
}

/** Locks the profiles without a PIN, except the kids profile that is chosen. */
export function lockBehindExitPin(profiles: Profile[]): Profile[] {
  const kidsProfileId = readExitLock()
  return profiles.map((profile) =>
    !kidsProfileId || profile.locked || profile.profile_id === kidsProfileId
      ? profile
      : { ...profile, locked: true, needs_exit_pin: true, unlocked: false },
  )
}
