/** The profiles of the account, and the profile that acts in this tab. */
import { atom, computed } from 'nanostores'
import { callApi, setActingProfileGetter } from '../client/call.ts'
import { deleteReadCaches } from '../client/stored-session.ts'
import type { Profile } from '../contract/profiles.ts'
import * as calls from '../contract/profiles.ts'
import { readActingProfileId } from '../storage.ts'
import { ACTING_PROFILE_KEY, KIDS_PROFILE_KEY, UNLOCKED_PROFILES_KEY } from '../storage-keys.ts'

/** Null until the profiles are loaded. */
export const $profiles = atom<Profile[] | null>(null)
export const $profileId = atom<string | null>(readActingProfileId())
export const $profile = computed(
  [$profiles, $profileId],
  (profiles, id) => profiles?.find((profile) => profile.profile_id === id && profile.unlocked) ?? null,
)

setActingProfileGetter(() => $profileId.get())

export async function loadProfiles(): Promise<Profile[]> {
  const { results } = await callApi(calls.listProfiles)
  $profiles.set(results)
  return results
}

// The boot script requests data for kids profiles before the profiles are loaded, so it needs this information in
// local storage.
$profile.listen((profile) => {
  if (profile?.kids) globalThis.localStorage?.setItem(KIDS_PROFILE_KEY, profile.profile_id)
  else if (profile) globalThis.localStorage?.removeItem(KIDS_PROFILE_KEY)
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

export function selectProfile(id: string | null): void {
  $profileId.set(id)
  for (const storage of [sessionStorage, localStorage]) {
    if (id === null) storage.removeItem(ACTING_PROFILE_KEY)
    else storage.setItem(ACTING_PROFILE_KEY, id)
  }
}

/** Returns the profile selected last, which gets the initial focus in the profile picker. */
export function getLastProfileId(): string | null {
  return readActingProfileId()
}

/** Replaces a profile in `$profiles`, or adds it. */
function storeProfile(profile: Profile): Profile {
  const profiles = $profiles.get() ?? []
  const isKnown = profiles.some((known) => known.profile_id === profile.profile_id)
  $profiles.set(
    isKnown
      ? profiles.map((known) => (known.profile_id === profile.profile_id ? profile : known))
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

export const createProfile = async (body: ProfileInput) =>
  storeProfile(await callApi(calls.createProfile, { body }))
export const updateProfile = async (id: string, body: Partial<ProfileInput>) => {
  const previous = $profiles.get()?.find((profile) => profile.profile_id === id)
  const profile = await callApi(calls.updateProfile, { params: { id }, body })
  if (previous?.kids !== profile.kids) deleteReadCaches(id)
  return storeProfile(profile)
}
export const lockProfile = async (id: string, body: { pin: string; password?: string }) =>
  storeProfile(await callApi(calls.setProfilePin, { params: { id }, body }))
export const changeProfilePin = async (id: string, body: { current_pin: string; new_pin: string }) =>
  storeProfile(await callApi(calls.updateProfilePin, { params: { id }, body }))
export const removeProfileLock = async (id: string, body: { pin: string } | { password: string }) =>
  storeProfile(await callApi(calls.removeProfilePin, { params: { id }, body }))

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
