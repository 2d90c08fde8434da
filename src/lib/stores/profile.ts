/** The profiles of the account, and the profile that acts in this tab. */
import { atom, computed } from 'nanostores'
import { onSessionChange } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { getProfileSession, startProfileSession } from '../client/profile-session.ts'
import { deleteReadCaches, loadStoredUser, storeProfileId } from '../client/stored-session.ts'
import type { Profile } from '../contract/profiles.ts'
import * as calls from '../contract/profiles.ts'
import { readActingProfileId } from '../storage.ts'
import { KIDS_PROFILES_KEY, UNLOCKED_PROFILES_KEY } from '../storage-keys.ts'
import { perProfile } from './per-profile.ts'
import './session.ts'

/** Null until the profiles are loaded. */
export const $profiles = atom<Profile[] | null>(null)
export const $profileId = perProfile(() => getProfileSession().profileId)
export const $profile = computed(
  [$profiles, $profileId],
  (profiles, id) => profiles?.find((profile) => profile.profile_id === id && profile.unlocked) ?? null,
)

export async function loadProfiles(): Promise<Profile[]> {
  const userId = loadStoredUser()?.user_id
  const { results } = await callApi(calls.listProfiles)
  // The reply is discarded when the user has signed out meanwhile.
  if (loadStoredUser()?.user_id === userId) $profiles.set(results)
  return results
}

// The session also ends when the acting profile is locked or deleted, or when the titles that it may see change.
$profile.listen((profile, previousProfile) => {
  if (
    previousProfile &&
    profile?.kids !== previousProfile.kids &&
    $profileId.get() === previousProfile.profile_id
  )
    startProfileSession(previousProfile.profile_id)
})

let signedInUserId: string | undefined
// `$session`, which is imported above, is changed first, so that nothing is requested for a user who has signed out.
onSessionChange((session) => {
  const previousUserId = signedInUserId
  signedInUserId = session?.user.user_id
  if (!previousUserId || previousUserId === signedInUserId) return
  selectProfile(null)
  $profiles.set(null)
})

// The boot script requests data for kids profiles before the profiles are loaded, so it needs this information in
// local storage.
$profiles.listen((profiles) => {
  const kidsProfiles = (profiles ?? []).filter((profile) => profile.kids)
  globalThis.localStorage?.setItem(
    KIDS_PROFILES_KEY,
    kidsProfiles.map((profile) => profile.profile_id).join(' '),
  )
})

// Locked profiles whose PIN was entered in this tab. Without a network, data of other locked profiles is not shown
// (client/read-cache.ts).
$profiles.listen((profiles) => {
  const unlockedProfiles = (profiles ?? []).filter((profile) => profile.locked && profile.unlocked)
  globalThis.sessionStorage?.setItem(
    UNLOCKED_PROFILES_KEY,
    unlockedProfiles.map((profile) => profile.profile_id).join(' '),
  )
})

/** Starts a session for a profile, unless it acts already. */
export function selectProfile(id: string | null): void {
  storeProfileId(id)
  if (getProfileSession().profileId !== id) startProfileSession(id)
}

/** Returns the profile selected last, which gets the initial focus in the profile picker. */
export const getLastProfileId = readActingProfileId

/** Replaces a profile in `$profiles`, or adds it. */
function storeProfile(profile: Profile): Profile {
  const profiles = $profiles.get() ?? []
  const isKnown = profiles.some((knownProfile) => knownProfile.profile_id === profile.profile_id)
  $profiles.set(
    isKnown
      ? profiles.map((knownProfile) =>
          knownProfile.profile_id === profile.profile_id ? profile : knownProfile,
        )
      : [...profiles, profile],
  )
  return profile
}

export interface ProfileInput {
  name: string
  avatar?: number
  kids?: boolean
  preferences?: Partial<Profile['preferences']>
  password?: string
}

/** The list of profiles belongs to the account, so the reply to a change is used also after another profile was selected. */
const buildProfileOption = () => ({ profile: getProfileSession().profileId })

export const createProfile = async (body: ProfileInput) =>
  storeProfile(await callApi(calls.createProfile, { body }))
export const updateProfile = async (id: string, body: Partial<ProfileInput>) => {
  const previousProfile = $profiles.get()?.find((profile) => profile.profile_id === id)
  const profile = await callApi(calls.updateProfile, { params: { id }, body, ...buildProfileOption() })
  if (previousProfile?.kids !== profile.kids) deleteReadCaches(id)
  return storeProfile(profile)
}
export const lockProfile = async (id: string, body: { pin: string; password?: string }) =>
  storeProfile(await callApi(calls.setProfilePin, { params: { id }, body, ...buildProfileOption() }))
export const changeProfilePin = async (
  id: string,
  body: { current_pin: string; new_pin: string; password?: string },
) => storeProfile(await callApi(calls.updateProfilePin, { params: { id }, body }))
export const removeProfileLock = async (
  id: string,
  body: { pin: string; password?: string } | { password: string },
) => storeProfile(await callApi(calls.removeProfilePin, { params: { id }, body }))

export async function unlockProfile(id: string, pin: string): Promise<void> {
  await callApi(calls.unlockProfile, { params: { id }, body: { pin } })
  const profile = $profiles.get()?.find((candidate) => candidate.profile_id === id)
  if (profile) storeProfile({ ...profile, unlocked: true })
}

export async function deleteProfile(id: string, password?: string): Promise<void> {
  await callApi(calls.deleteProfile, { params: { id }, body: password === undefined ? {} : { password } })
  deleteReadCaches(id)
  $profiles.set(($profiles.get() ?? []).filter((profile) => profile.profile_id !== id))
  if ($profileId.get() === id) selectProfile(null)
}
