/**
 * Changes of the profiles of the account, unlocking a profile, and leaving the acting profile. The first render of the
 * home page does not need this module.
 */
import { callApi } from '../client/call.ts'
import { ignoreNotFound } from '../client/ignore-not-found.ts'
import { getProfileSession } from '../client/profile-session.ts'
import { deleteReadCaches, pendingProfileLeave } from '../client/stored-session.ts'
import type { ProfileLimits } from '../contract/profile-limits.ts'
import type { Profile } from '../contract/profiles.ts'
import * as calls from '../contract/profiles.ts'
import {
  $groupIds,
  $profileId,
  $profiles,
  loadProfiles,
  lockProfilesExcept,
  selectProfile,
} from './profile.ts'
import { sendProfileLeave } from './send-leave.ts'
import { shareRunningCall } from './share-running-call.ts'

/** Replaces a profile in `$profiles`, or adds it. */
function replaceOrAddProfile(profile: Profile): Profile {
  const profiles = $profiles.get() ?? []
  const isListed = profiles.some((listedProfile) => listedProfile.profile_id === profile.profile_id)
  $profiles.set(
    isListed
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

/** True for an adult profile that anyone at a signed-in device can enter without a PIN. */
export const isAdultProfileWithoutPin = (profile: Profile) => !profile.restricted && !profile.locked

/** True from the time when the profile picker leaves the acting profile until the picker closes. */
let hasLeftProfile = false
export const hasPickerLeftProfile = () => hasLeftProfile
export function resetHasLeftProfile(): void {
  hasLeftProfile = false
}

/** The last request with which this tab left the acting profile. */
let leavePromise: Promise<unknown> = Promise.resolve()
/**
 * Resolves when the last request to leave the acting profile has ended. Unlocking a profile must wait until then: if
 * the server received the request to leave after the unlock, it would end the unlock and the group of profiles that
 * watch together.
 */
export const waitUntilProfileLeft = () => leavePromise

/**
 * Ends the unlock of the acting profile on this device, so that every locked profile needs its PIN again. Also ends the
 * group. The profile picker calls this function when it opens.
 */
export function leaveProfile(): void {
  hasLeftProfile = true
  lockProfilesExcept(null)
  $groupIds.set([])
  leavePromise = sendProfileLeave().catch(pendingProfileLeave.set)
}

/**
 * Returns the option `profile` of a request that changes profiles. It contains the acting profile. If the profile
 * picker has left the acting profile (`hasLeftProfile`), the option contains an adult profile without a PIN instead, or
 * null if the account has no such profile. The list of profiles belongs to the account, so this option also makes
 * `callApi` return the reply if another profile is selected before the reply arrives.
 */
function buildActingProfileOption(): { profile: string | null } {
  if (!hasLeftProfile) return { profile: getProfileSession().profileId }
  const adultProfileWithoutPin = $profiles.get()?.find(isAdultProfileWithoutPin)
  return { profile: adultProfileWithoutPin?.profile_id ?? null }
}

interface NewProfileInput extends ProfileInput {
  /** Key of the new profile. After a lost reply, saving again with the same key creates no second profile. */
  key?: string
  limits?: ProfileLimits
}

export const createProfile = shareRunningCall(async (profileFields: NewProfileInput) =>
  replaceOrAddProfile(
    await callApi(calls.createProfile, { body: profileFields, ...buildActingProfileOption() }),
  ),
)
export const updateProfile = async (profileId: string, profileFields: Partial<ProfileInput>) => {
  const previousProfile = $profiles.get()?.find((profile) => profile.profile_id === profileId)
  const profile = await callApi(calls.updateProfile, {
    params: { id: profileId },
    body: profileFields,
    ...buildActingProfileOption(),
  })
  if (previousProfile?.audience !== profile.audience) void deleteReadCaches(profileId)
  return replaceOrAddProfile(profile)
}
/**
 * Creates the main profile during onboarding, or changes it if it exists already. It exists already if an earlier
 * attempt has created it, but the reply was lost or a later step failed.
 */
export const saveMainProfile = shareRunningCall(async (profileFields: ProfileInput): Promise<Profile> => {
  const mainProfile = (await loadProfiles()).find((profile) => profile.main)
  return mainProfile ? updateProfile(mainProfile.profile_id, profileFields) : createProfile(profileFields)
})
export const setProfilePin = async (profileId: string, pinBody: { pin: string; password?: string }) =>
  replaceOrAddProfile(
    await callApi(calls.setProfilePin, {
      params: { id: profileId },
      body: pinBody,
      ...buildActingProfileOption(),
    }),
  )
export const changeProfilePin = async (
  profileId: string,
  pinBody: { current_pin: string; new_pin: string; password?: string },
) =>
  replaceOrAddProfile(
    await callApi(calls.updateProfilePin, {
      params: { id: profileId },
      body: pinBody,
      ...buildActingProfileOption(),
    }),
  )
export const removeProfilePin = async (
  profileId: string,
  proofBody: { pin: string; password?: string } | { password: string },
) =>
  replaceOrAddProfile(
    await callApi(calls.removeProfilePin, {
      params: { id: profileId },
      body: proofBody,
      ...buildActingProfileOption(),
    }),
  )

export async function unlockProfile(
  profileId: string,
  secret: { pin: string } | { password: string },
): Promise<void> {
  await waitUntilProfileLeft()
  await callApi(calls.unlockProfile, { params: { id: profileId }, body: secret })
  pendingProfileLeave.clear()
  const profile = $profiles.get()?.find((candidate) => candidate.profile_id === profileId)
  if (profile) replaceOrAddProfile({ ...profile, unlocked: true })
}

export const deleteProfile = shareRunningCall(async (profileId: string, password?: string): Promise<void> => {
  const deletion = callApi(calls.deleteProfile, {
    params: { id: profileId },
    body: password === undefined ? {} : { password },
    ...buildActingProfileOption(),
  })
  await ignoreNotFound(deletion)
  void deleteReadCaches(profileId)
  $profiles.set(($profiles.get() ?? []).filter((profile) => profile.profile_id !== profileId))
  if ($profileId.get() === profileId) selectProfile(null)
})
