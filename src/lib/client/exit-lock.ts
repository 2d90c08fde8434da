/**
 * The lock of an account with an exit PIN. After a restricted profile was chosen on this device, every other profile
 * without a PIN needs the exit PIN. The server enforces this lock. While the device is offline, however, the server
 * does not learn which profile was chosen, so the browser also locks the profiles itself.
 */
import type { Profile } from '../contract/profiles.ts'
import { readStorage } from '../storage.ts'
import { ACTING_PROFILE_KEY } from '../storage-keys.ts'
import { EXIT_PIN_LOCK_STATE } from './stored-session.ts'

/** Returns the id of the profile that was selected last on this device; undefined if that profile is not restricted. */
function findChosenRestrictedProfileId(profiles: readonly Profile[]): string | undefined {
  const profileId = readStorage('localStorage', ACTING_PROFILE_KEY)
  return profiles.find((profile) => profile.restricted && profile.profile_id === profileId)?.profile_id
}

/**
 * If a restricted profile was chosen on this device, locks every other profile that has no PIN. Call this only for an
 * account with an exit PIN.
 */
export function lockProfilesBehindExitPin(profiles: readonly Profile[]): Profile[] {
  const chosenProfileId = findChosenRestrictedProfileId(profiles)
  return profiles.map((profile) =>
    chosenProfileId === undefined || profile.locked || profile.profile_id === chosenProfileId
      ? profile
      : { ...profile, ...EXIT_PIN_LOCK_STATE },
  )
}
