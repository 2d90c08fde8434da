/**
 * The lock of an account with an exit PIN: after a kids profile was chosen on this device, the profiles without a PIN need
 * the exit PIN. The server locks them, too, but without a network it does not know which profile was chosen.
 */
import type { Profile } from '../contract/profiles.ts'
import { readStorage } from '../storage.ts'
import { ACTING_PROFILE_KEY, KIDS_PROFILES_KEY } from '../storage-keys.ts'

/** Returns the id of the profile that was selected last on this device, if it is a kids profile. */
export function findChosenKidsProfileId(): string | null {
  const profileId = readStorage('localStorage', ACTING_PROFILE_KEY)
  const kidsProfileIds = readStorage('localStorage', KIDS_PROFILES_KEY)?.split(' ') ?? []
  return profileId && kidsProfileIds.includes(profileId) ? profileId : null
}

/** Returns a test whether a profile without a PIN needs the exit PIN of the account. */
export function createExitLock(hasExitPin: boolean): (profile: Profile) => boolean {
  const kidsProfileId = hasExitPin && findChosenKidsProfileId()
  return ({ locked, profile_id }) => Boolean(kidsProfileId) && !locked && profile_id !== kidsProfileId
}
