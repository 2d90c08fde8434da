/**
 * Steps of an adult who knows the PINs and the password. A step sends requests and applies them to the model, or lets
 * time pass.
 */
import { expect } from 'vitest'
import { TEST_PASSWORD } from '../../support/server.ts'
import { type AccessWorld, signInAgain, type WorldDevice } from './access-world.ts'
import type { AccessStep, StepInput } from './child-steps.ts'

const PINS = ['4821', '7390', '1111']
const CLOCK_STEPS_MS = [
  60_000,
  11 * 60_000,
  6 * 3_600_000,
  11.9 * 3_600_000,
  12.1 * 3_600_000,
  26 * 3_600_000,
]
const MAX_UNDELAYED_PIN_GUESSES = 5

const chooseDevice = ({ tablet, phone }: AccessWorld, randomNumber: number): WorldDevice =>
  randomNumber % 4 === 0 ? phone : tablet

/**
 * Unlocks a profile with the PIN or the password. The password is used if too many wrong PINs have been entered, and
 * for a third of the values of `randomNumber`.
 */
async function unlockProfile(world: AccessWorld, { id, randomNumber }: StepInput): Promise<void> {
  const device = chooseDevice(world, randomNumber)
  const profile = id === null ? undefined : world.model.profiles.get(id)
  if (id === null || !profile || !device.isSignedIn) return
  const isPinBlocked = (world.pinGuessCountsByProfileId.get(id) ?? 0) >= MAX_UNDELAYED_PIN_GUESSES
  const secret =
    isPinBlocked || randomNumber % 3 === 0 ? { password: TEST_PASSWORD } : { pin: profile.pin ?? '9999' }
  const response = await world.sendRequest(device, null, ['POST', `/api/profile/${id}/unlock`, secret])
  if ('password' in secret && response.status === 429) return
  expect(response.status).toBe(200)
  if ('pin' in secret) world.pinGuessCountsByProfileId.delete(id)
  world.model.unlockProfile(device.modelDevice, id)
}

/**
 * Reads the devices of the account. The request must succeed only if the model allows the request
 * and the model regards the sender as a proven adult.
 */
async function readDevices(world: AccessWorld, { id, randomNumber }: StepInput): Promise<void> {
  const device = chooseDevice(world, randomNumber)
  if (!device.isSignedIn) return
  const response = await world.sendRequest(device, id, ['GET', '/api/auth/devices'])
  const outcome = world.model.applyRequest(device.modelDevice, id, { acceptsLockedProfile: true })
  const isProven = outcome.isAllowed && world.model.isAdultProven(outcome.actingProfile)
  expect(response.status).toBe(isProven ? 200 : 403)
}

/** Sets the PIN of a profile without a PIN, or removes the PIN of a profile. The request contains the password. */
async function togglePin(world: AccessWorld, { id, randomNumber }: StepInput): Promise<void> {
  const device = chooseDevice(world, randomNumber)
  const profile = id === null ? undefined : world.model.profiles.get(id)
  if (id === null || !profile || !device.isSignedIn) return
  const newPin = PINS[randomNumber % PINS.length] ?? ''
  const password = TEST_PASSWORD
  const path = `/api/profile/${id}`
  const shouldSetPin = profile.pin === null
  const outcome = world.model.applyRequest(device.modelDevice, null, {
    pathProfileId: id,
    acceptsLockedProfile: !shouldSetPin,
  })
  const response = shouldSetPin
    ? await world.sendRequest(device, null, ['POST', `${path}/lock`, { pin: newPin, password }])
    : await world.sendRequest(device, null, ['PUT', `${path}/remove-lock`, { password }])
  if (response.status === 429) return
  expect([response.status, outcome.isAllowed]).toEqual([200, true])
  const isActingProfile =
    device.modelDevice.actingProfileId === id && outcome.isAllowed && outcome.actingProfile !== null
  Object.assign(profile, { pin: shouldSetPin ? newPin : null, pinVersion: profile.pinVersion + 1 })
  world.pinGuessCountsByProfileId.delete(id)
  if (isActingProfile && shouldSetPin) world.model.unlockProfile(device.modelDevice, id)
}

/** Creates a profile. The request contains the password. An account can have at most eight profiles. */
async function createProfile(world: AccessWorld, { randomNumber }: StepInput): Promise<void> {
  const { model, phone } = world
  const isKids = randomNumber % 3 !== 0
  const body = { name: 'New', kids: isKids, password: TEST_PASSWORD }
  const response = await world.sendRequest(phone, null, ['POST', '/api/profile', body])
  if (response.status === 429) return
  expect(response.status).toBe(model.profiles.size < 8 ? 201 : 409)
  if (response.status === 201)
    model.profiles.set(response.body.profile_id, { isMain: false, isKids, pin: null, pinVersion: 0 })
}

/** Makes a profile a kids profile or an adult profile, if the phone may enter the profile. Skips the main profile. */
async function changeKidsFlag(world: AccessWorld, { id, randomNumber }: StepInput): Promise<void> {
  const { model, phone } = world
  const profile = id === null ? undefined : model.profiles.get(id)
  if (id === null || !profile || profile.isMain || !model.canEnter(phone.modelDevice, id)) return
  const isKids = randomNumber % 2 === 0
  const response = await world.sendRequest(phone, null, [
    'PUT',
    `/api/profile/${id}`,
    { kids: isKids, password: TEST_PASSWORD },
  ])
  model.applyRequest(phone.modelDevice, null, { pathProfileId: id })
  if (response.status === 429) return
  expect(response.status).toBe(200)
  profile.isKids = isKids
}

async function deleteProfile(world: AccessWorld, { id }: StepInput): Promise<void> {
  const { model, phone, tablet, household } = world
  const profile = id === null ? undefined : model.profiles.get(id)
  if (id === null || !profile || profile.isMain || id === household.kidId) return
  const response = await world.sendRequest(phone, null, [
    'DELETE',
    `/api/profile/${id}`,
    { password: TEST_PASSWORD },
  ])
  if (response.status === 429) return
  expect(response.status).toBe(204)
  model.profiles.delete(id)
  for (const { modelDevice } of [phone, tablet])
    if (modelDevice.actingProfileId === id)
      Object.assign(modelDevice, { actingProfileId: null, unlock: null })
}

/**
 * Requests the stream of an unsafe title on the tablet. If the server returns a media URL, stores the URL, so that the
 * child can request it in a later step.
 */
async function openVideo(world: AccessWorld, { id }: StepInput): Promise<void> {
  const { tablet, titles, model } = world
  if (!tablet.isSignedIn) return
  const path = `/proxy/torrent-streamer/stream/movie/${titles.unsafe.imdbId}`
  const response = await world.sendRequest(tablet, id, ['GET', path])
  const outcome = model.applyRequest(tablet.modelDevice, id)
  if (response.status !== 200 || !outcome.isAllowed) return
  const profileId = outcome.actingProfile === null ? null : tablet.modelDevice.actingProfileId
  const pinVersion = profileId === null ? 0 : (model.profiles.get(profileId)?.pinVersion ?? 0)
  world.mediaUrls.push({ path: response.body.sources[0].url, profileId, pinVersion })
}

/** Signs the tablet out if it is signed in, and then signs it in again. */
async function signInTabletAgain(world: AccessWorld): Promise<void> {
  const { tablet } = world
  if (tablet.isSignedIn) await world.sendRequest(tablet, null, ['POST', '/api/auth/logout'])
  await signInAgain(world, tablet)
}

/** Changes the PIN of the main profile on the phone, which ends the unlock of that profile on the tablet. */
async function changePinOnPhone(world: AccessWorld, { randomNumber }: StepInput): Promise<void> {
  const { model, phone, household } = world
  const profile = model.profiles.get(household.mainId)
  if (!profile?.pin || (world.pinGuessCountsByProfileId.get(household.mainId) ?? 0) > 0) return
  const newPin = PINS[randomNumber % PINS.length] ?? ''
  const body = { current_pin: profile.pin, new_pin: newPin, password: TEST_PASSWORD }
  const path = `/api/profile/${household.mainId}/update-lock`
  const outcome = model.applyRequest(phone.modelDevice, null, {
    pathProfileId: household.mainId,
    acceptsLockedProfile: true,
  })
  const response = await world.sendRequest(phone, null, ['PUT', path, body])
  if (response.status === 429) return
  expect(response.status).toBe(200)
  Object.assign(profile, { pin: newPin, pinVersion: profile.pinVersion + 1 })
  if (phone.modelDevice.actingProfileId === household.mainId && outcome.isAllowed && outcome.actingProfile)
    model.unlockProfile(phone.modelDevice, household.mainId)
}

async function waitSomeTime(world: AccessWorld, { randomNumber }: StepInput): Promise<void> {
  world.advanceClocks(CLOCK_STEPS_MS[randomNumber % CLOCK_STEPS_MS.length] ?? 0)
}

export const ADULT_STEPS_BY_NAME: Record<string, AccessStep> = {
  unlock: unlockProfile,
  readDevices,
  togglePin,
  changePinOnPhone,
  createProfile,
  changeKidsFlag,
  deleteProfile,
  openVideo,
  signInTabletAgain,
  waitSomeTime,
}
