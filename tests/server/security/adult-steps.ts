/** Steps of an adult who knows the PINs and the password. Each step also applies its change to the model. */
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
const FREE_PIN_GUESSES = 5

const chooseDevice = ({ tablet, phone }: AccessWorld, number: number): WorldDevice =>
  number % 4 === 0 ? phone : tablet

/** Unlocks a profile with its PIN, or with the password after too many wrong PINs of a child. */
async function unlockProfile(world: AccessWorld, { id, number }: StepInput): Promise<void> {
  const device = chooseDevice(world, number)
  const profile = id === null ? undefined : world.model.profiles.get(id)
  if (id === null || !profile || !device.isSignedIn) return
  const isBlocked = (world.pinGuesses.get(id) ?? 0) >= FREE_PIN_GUESSES
  const secret = isBlocked || number % 3 === 0 ? { password: TEST_PASSWORD } : { pin: profile.pin ?? '9999' }
  const response = await world.send(device, null, ['POST', `/api/profile/${id}/unlock`, secret])
  if ('password' in secret && response.status === 429) return
  expect(response.status).toBe(200)
  if ('pin' in secret) world.pinGuesses.delete(id)
  world.model.unlock(device.state, id)
}

/** Reads an account setting. The request must succeed if an adult profile acts, and fail otherwise. */
async function openAccount(world: AccessWorld, { id, number }: StepInput): Promise<void> {
  const device = chooseDevice(world, number)
  if (!device.isSignedIn) return
  const response = await world.send(device, id, ['GET', '/api/auth/devices'])
  const outcome = world.model.request(device.state, id, { acceptsLocked: true })
  const isProven = outcome.isAllowed && world.model.isAdultProven(outcome.acting)
  expect(response.status).toBe(isProven ? 200 : 403)
}

/** Sets, changes or removes a PIN with the password. */
async function changePin(world: AccessWorld, { id, number }: StepInput): Promise<void> {
  const device = chooseDevice(world, number)
  const profile = id === null ? undefined : world.model.profiles.get(id)
  if (id === null || !profile || !device.isSignedIn) return
  const newPin = PINS[number % PINS.length] ?? ''
  const password = TEST_PASSWORD
  const path = `/api/profile/${id}`
  const isSet = profile.pin === null
  const outcome = world.model.request(device.state, null, { pathId: id, acceptsLocked: !isSet })
  const response = isSet
    ? await world.send(device, null, ['POST', `${path}/lock`, { pin: newPin, password }])
    : await world.send(device, null, ['PUT', `${path}/remove-lock`, { password }])
  if (response.status === 429) return
  expect([response.status, outcome.isAllowed]).toEqual([200, true])
  const isActing = device.state.actingId === id && outcome.isAllowed && outcome.acting !== null
  Object.assign(profile, { pin: isSet ? newPin : null, pinVersion: profile.pinVersion + 1 })
  world.pinGuesses.delete(id)
  if (isActing && isSet) world.model.unlock(device.state, id)
}

/** Creates a profile with the password. An account has at most eight profiles. */
async function createProfile(world: AccessWorld, { number }: StepInput): Promise<void> {
  const { model, phone } = world
  const kids = number % 3 !== 0
  const body = { name: 'New', kids, password: TEST_PASSWORD }
  const response = await world.send(phone, null, ['POST', '/api/profile', body])
  if (response.status === 429) return
  expect(response.status).toBe(model.profiles.size < 8 ? 201 : 409)
  if (response.status === 201)
    model.profiles.set(response.body.profile_id, { main: false, kids, pin: null, pinVersion: 0 })
}

/** Turns a profile into a kids profile, or a kids profile into an adult profile. */
async function changeKids(world: AccessWorld, { id, number }: StepInput): Promise<void> {
  const { model, phone } = world
  const profile = id === null ? undefined : model.profiles.get(id)
  if (id === null || !profile || profile.main || !model.canEnter(phone.state, id)) return
  const kids = number % 2 === 0
  const response = await world.send(phone, null, [
    'PUT',
    `/api/profile/${id}`,
    { kids, password: TEST_PASSWORD },
  ])
  model.request(phone.state, null, { pathId: id })
  if (response.status === 429) return
  expect(response.status).toBe(200)
  profile.kids = kids
}

async function deleteProfile(world: AccessWorld, { id }: StepInput): Promise<void> {
  const { model, phone, tablet, household } = world
  const profile = id === null ? undefined : model.profiles.get(id)
  if (id === null || !profile || profile.main || id === household.kidId) return
  const response = await world.send(phone, null, [
    'DELETE',
    `/api/profile/${id}`,
    { password: TEST_PASSWORD },
  ])
  if (response.status === 429) return
  expect(response.status).toBe(204)
  model.profiles.delete(id)
  for (const { state } of [phone, tablet])
    if (state.actingId === id) Object.assign(state, { actingId: null, unlock: null })
}

/** Opens an unsafe video on the tablet. The child may use its URL later. */
async function openVideo(world: AccessWorld, { id }: StepInput): Promise<void> {
  const { tablet, titles, model } = world
  if (!tablet.isSignedIn) return
  const path = `/proxy/torrent-streamer/stream/movie/${titles.unsafe.imdbId}`
  const response = await world.send(tablet, id, ['GET', path])
  const outcome = model.request(tablet.state, id)
  if (response.status !== 200 || !outcome.isAllowed) return
  const profileId = outcome.acting === null ? null : tablet.state.actingId
  const pinVersion = profileId === null ? 0 : (model.profiles.get(profileId)?.pinVersion ?? 0)
  world.mediaUrls.push({ path: response.body.sources[0].url, profileId, pinVersion })
}

/** Signs the tablet in again. */
async function changeSession(world: AccessWorld): Promise<void> {
  const { tablet } = world
  if (tablet.isSignedIn) await world.send(tablet, null, ['POST', '/api/auth/logout'])
  await signInAgain(world, tablet)
}

/** Changes the PIN of the main profile on the phone, which ends the unlock of that profile on the tablet. */
async function changePinOnPhone(world: AccessWorld, { number }: StepInput): Promise<void> {
  const { model, phone, household } = world
  const profile = model.profiles.get(household.mainId)
  if (!profile?.pin || (world.pinGuesses.get(household.mainId) ?? 0) > 0) return
  const newPin = PINS[number % PINS.length] ?? ''
  const body = { current_pin: profile.pin, new_pin: newPin, password: TEST_PASSWORD }
  const path = `/api/profile/${household.mainId}/update-lock`
  const outcome = model.request(phone.state, null, { pathId: household.mainId, acceptsLocked: true })
  const response = await world.send(phone, null, ['PUT', path, body])
  if (response.status === 429) return
  expect(response.status).toBe(200)
  Object.assign(profile, { pin: newPin, pinVersion: profile.pinVersion + 1 })
  if (phone.state.actingId === household.mainId && outcome.isAllowed && outcome.acting)
    model.unlock(phone.state, household.mainId)
}

async function waitSomeTime(world: AccessWorld, { number }: StepInput): Promise<void> {
  world.advance(CLOCK_STEPS_MS[number % CLOCK_STEPS_MS.length] ?? 0)
}

export const ADULT_STEPS: Record<string, AccessStep> = {
  unlock: unlockProfile,
  openAccount,
  changePin,
  changePinOnPhone,
  createProfile,
  changeKids,
  deleteProfile,
  openVideo,
  changeSession,
  waitSomeTime,
}
