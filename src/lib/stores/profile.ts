/** The profiles of the account, and the profile that acts in this tab. */
import { atom, computed } from 'nanostores'
import { onSessionChange } from '../client/auth.ts'
import { discardBootReads } from '../client/boot.ts'
import { callApi } from '../client/call.ts'
import { getProfileSession, startProfileSession } from '../client/profile-session.ts'
import {
  deleteReadCaches,
  EXIT_PIN_LOCK_STATE,
  loadStoredUser,
  pendingProfileLeave,
  storeProfileId,
} from '../client/stored-session.ts'
import type { Profile } from '../contract/profiles.ts'
import * as calls from '../contract/profiles.ts'
import { readActingProfileId, writeStorage } from '../storage.ts'
import { KIDS_PROFILES_KEY, UNLOCKED_PROFILES_KEY } from '../storage-keys.ts'
import { perProfile } from './per-profile.ts'
import './session.ts'

/**
 * Profiles of the account; null until they are loaded. A profile with a PIN is `unlocked` only while it acts on this
 * device.
 */
export const $profiles = atom<Profile[] | null>(null)
let hasExitPin = false
export const $profileId = perProfile(() => getProfileSession().profileId)
export const $profile = computed(
  [$profiles, $profileId],
  (profiles, actingProfileId) =>
    profiles?.find((profile) => profile.profile_id === actingProfileId && profile.unlocked) ?? null,
)

/** Ids of the profiles that watch together here, acting profile first; empty without a group, null until loaded. */
export const $groupIds = atom<readonly string[] | null>(null)

// A group may see fewer titles than its members. Replies that were cached before the group changed are deleted, because
// they may contain titles that the new group may not see.
$groupIds.listen((groupIds, previousGroupIds) => {
  if (!groupIds || !previousGroupIds || groupIds.join() === previousGroupIds.join()) return
  const [actingProfileId] = [...groupIds, ...previousGroupIds]
  if (actingProfileId === undefined || actingProfileId !== $profileId.get()) return
  void deleteReadCaches(actingProfileId)
  startProfileSession(actingProfileId)
})

export async function loadProfiles(): Promise<Profile[]> {
  const userId = loadStoredUser()?.user_id
  const profileId = $profileId.get()
  const previousProfiles = $profiles.get()
  if (pendingProfileLeave.get()) {
    // Discards the list of profiles that the boot script requested: in it, the profile that was left may still be
    // unlocked.
    discardBootReads()
    await import('./send-leave.ts')
      .then(({ sendProfileLeave }) => sendProfileLeave())
      .then(pendingProfileLeave.clear, () => {
        // The device is still offline. The request below then returns the cached list of profiles, in which every
        // profile with a PIN is locked.
      })
  }
  // The request names no acting profile, because that profile may be deleted, or another account may have signed in.
  const { results, group, has_exit_pin } = await callApi(calls.listProfiles, { profile: null })
  // The reply is discarded when the user has signed out meanwhile.
  if (loadStoredUser()?.user_id === userId) {
    const shownProfiles = $profiles.get()
    // If the list was changed during the request, for example by the reply to a write, this reply may not contain the
    // change. The list is then requested again.
    if (shownProfiles !== previousProfiles && shownProfiles !== results) return loadProfiles()
    hasExitPin = has_exit_pin
    $profiles.set(results)
    $groupIds.set(group)
    // If the acting profile is missing in the list, it was deleted or belongs to another account, and the server
    // rejects all its requests. A profile that was selected during the request may be newer than the list and stays.
    if (
      profileId &&
      $profileId.get() === profileId &&
      !results.some(({ profile_id }) => profile_id === profileId)
    )
      selectProfile(null)
  }
  return results
}

// Starts a new profile session when the acting profile was locked or deleted, or when its audience has changed.
$profile.listen((profile, previousProfile) => {
  if (
    previousProfile &&
    profile?.audience !== previousProfile.audience &&
    $profileId.get() === previousProfile.profile_id
  )
    startProfileSession(previousProfile.profile_id)
})

let signedInUserId: string | undefined
// Runs after `session.ts` has updated `$session`, because `session.ts`, which is imported above, adds its listener
// first. The stores that reload after `selectProfile` therefore send no request for a user who has signed out.
onSessionChange((session) => {
  const previousUserId = signedInUserId
  signedInUserId = session?.user.user_id
  if (!previousUserId || previousUserId === signedInUserId) return
  selectProfile(null)
  $profiles.set(null)
})

$profiles.listen((profiles) => {
  const joinProfileIds = (isIncluded: (profile: Profile) => boolean) =>
    (profiles ?? [])
      .filter(isIncluded)
      .map((profile) => profile.profile_id)
      .join(' ')
  // The boot script needs the ids of the kids profiles before the profiles are loaded.
  writeStorage(
    'localStorage',
    KIDS_PROFILES_KEY,
    joinProfileIds((profile) => profile.kids),
  )
  // Without a network, the cached data of a profile with a PIN is shown only if this list contains its id
  // (client/read-cache.ts).
  writeStorage(
    'sessionStorage',
    UNLOCKED_PROFILES_KEY,
    joinProfileIds((profile) => profile.locked && profile.unlocked),
  )
})

/**
 * Makes a profile act in this tab; null selects no profile. Starts a profile session, unless the profile already acts,
 * and locks the other profiles that have a PIN.
 */
export function selectProfile(profileId: string | null): void {
  storeProfileId(profileId)
  if (getProfileSession().profileId !== profileId) {
    $groupIds.set([])
    startProfileSession(profileId)
  }
  lockProfilesExcept(profileId)
}

/**
 * Locks the profiles with a PIN in this tab, except `profileId`, because on a device only the acting profile is
 * unlocked. If `profileId` is a restricted profile of an account with an exit PIN, also locks the profiles without a
 * PIN.
 */
export function lockProfilesExcept(profileId: string | null): void {
  const profiles = $profiles.get()
  const isExitPinNeeded =
    hasExitPin && profiles?.some(({ profile_id, restricted }) => restricted && profile_id === profileId)
  const lockProfile = (profile: Profile) => {
    if (profile.profile_id === profileId) return profile
    if (profile.locked) return { ...profile, unlocked: false }
    return isExitPinNeeded ? { ...profile, ...EXIT_PIN_LOCK_STATE } : profile
  }
  if (profiles) $profiles.set(profiles.map(lockProfile))
}

/** Returns the id of the profile selected last. That profile gets the initial focus in the profile picker. */
export const getLastProfileId = readActingProfileId
