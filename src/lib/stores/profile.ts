/** The account's profiles and the one that acts in this tab. */
import { atom, computed } from 'nanostores'
import { actAs, call } from '../client/call.ts'
import { forgetKept } from '../client/remembered.ts'
import type { Profile } from '../contract/profiles.ts'
import * as calls from '../contract/profiles.ts'

const KEY = 'marquee-profile'
const KIDS_KEY = 'marquee-kids'

/** Null until they are loaded. */
export const $profiles = atom<Profile[] | null>(null)
export const $profileId = atom<string | null>(remembered())
export const $profile = computed(
  [$profiles, $profileId],
  (profiles, id) => profiles?.find((profile) => profile.profile_id === id && profile.unlocked) ?? null,
)

actAs(() => $profileId.get())

/** This tab's profile, else the one chosen last on this device. */
function remembered(): string | null {
  return globalThis.sessionStorage?.getItem(KEY) ?? globalThis.localStorage?.getItem(KEY) ?? null
}

export async function loadProfiles(): Promise<Profile[]> {
  const { results } = await call(calls.listProfiles)
  $profiles.set(results)
  return results
}

/** The boot script asks for what a kids profile is shown without knowing profiles. */
$profile.listen((profile) => {
  if (profile?.kids) globalThis.localStorage?.setItem(KIDS_KEY, profile.profile_id)
  else if (profile) globalThis.localStorage?.removeItem(KIDS_KEY)
})

/** Locked profiles whose PIN was said: without a network, nothing of the others is shown (client/shelf.ts). */
$profiles.listen((profiles) => {
  const open = (profiles ?? []).filter((one) => one.locked && one.unlocked)
  globalThis.sessionStorage?.setItem('marquee-unlocked', open.map((one) => one.profile_id).join(' '))
})

export function selectProfile(id: string | null): void {
  $profileId.set(id)
  for (const storage of [sessionStorage, localStorage]) {
    if (id === null) storage.removeItem(KEY)
    else storage.setItem(KEY, id)
  }
}

/** The profile chosen last on this device, for the first focus of the picker. */
export function lastProfileId(): string | null {
  return remembered()
}

function replace(profile: Profile): Profile {
  const others = $profiles.get() ?? []
  const known = others.some((one) => one.profile_id === profile.profile_id)
  $profiles.set(
    known
      ? others.map((one) => (one.profile_id === profile.profile_id ? profile : one))
      : [...others, profile],
  )
  return profile
}

export interface ProfileWish {
  name: string
  avatar?: number
  kids?: boolean
  preferences?: Partial<Profile['preferences']>
  password?: string
}

export const createProfile = async (body: ProfileWish) => replace(await call(calls.createProfile, { body }))
export const updateProfile = async (id: string, body: Partial<ProfileWish>) => {
  const before = $profiles.get()?.find((one) => one.profile_id === id)
  const profile = await call(calls.updateProfile, { params: { id }, body })
  if (before?.kids !== profile.kids) forgetKept(id)
  return replace(profile)
}
export const lockProfile = async (id: string, body: { pin: string; password?: string }) =>
  replace(await call(calls.lockProfile, { params: { id }, body }))
export const updateLock = async (id: string, body: { current_pin: string; new_pin: string }) =>
  replace(await call(calls.updateLock, { params: { id }, body }))
export const removeLock = async (id: string, body: { pin: string } | { password: string }) =>
  replace(await call(calls.removeLock, { params: { id }, body }))

export async function unlockProfile(id: string, pin: string): Promise<void> {
  await call(calls.unlockProfile, { params: { id }, body: { pin } })
  const profile = $profiles.get()?.find((one) => one.profile_id === id)
  if (profile) replace({ ...profile, unlocked: true })
}

export async function deleteProfile(id: string, password?: string): Promise<void> {
  await call(calls.deleteProfile, { params: { id }, body: password === undefined ? {} : { password } })
  forgetKept(id)
  $profiles.set(($profiles.get() ?? []).filter((one) => one.profile_id !== id))
  if ($profileId.get() === id) selectProfile(null)
}
