/**
 * The lock of an account with an exit PIN: after a kids profile was chosen on this device, the profiles without a PIN
 * need the exit PIN. The server locks them, too, but without a network it does not know which profile was chosen.
 */
import type { Profile } from '../contract/profiles.ts'
import { readStorage } from '../storage.ts'
import { ACTING_PROFILE_KEY, KIDS_PROFILES_KEY } from '../storage-keys.ts'
import { EXIT_PIN_LOCK } from './stored-session.ts'

/** Returns the id of the profile that was selected last on this device, if it is a kids profile. */
export function findChosenKidsProfileId(): string | null {
  const profileId = readStorage('localStorage', ACTING_PROFILE_KEY)
  const kidsProfileIds = readStorage('localStorage', KIDS_PROFILES_KEY)?.split(' ') ?? []
  return profileId && kidsProfileIds.includes(profileId) ? profileId : null
}

/** Locks the profiles without a PIN of an account with an exit PIN, except the kids profile that was chosen. */
export function lockBehindExitPin(profiles: readonly Profile[]): Profile[] {
  const kidsProfileId = findChosenKidsProfileId()
  return profiles.map((profile) =>
    kidsProfileId === null || profile.locked || profile.profile_id === kidsProfileId
      ? profile
      : { ...profile, ...EXIT_PIN_LOCK },
  )
}
