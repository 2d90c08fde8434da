/**
 * Steps of a child who uses the tablet and knows neither a PIN nor the password.
 * Most steps compare the response of the server with the model. They throw an Error if the response contains more than
 * the child may see.
 */
import { expect } from 'vitest'
import type { AccessWorld } from './access-world.ts'
import { PROOF_ENDPOINTS, sendProofRequest } from './proof-requests.ts'

/**
 * Random input of a step. `id` is the X-Profile-Id of a request or the profile that the step concerns.
 * `otherId` is the profile in the path of a request. `randomNumber` selects a variant of the step.
 */
export interface StepInput {
  id: string | null
  otherId: string | null
  randomNumber: number
}
export type AccessStep = (world: AccessWorld, input: StepInput) => Promise<void>

const isChildSignedOut = ({ tablet }: AccessWorld) => !tablet.isSignedIn

/** Requests an unsafe title in one of five ways: its details by slug or id, its stream, a search or a list. */
async function lookForUnsafeTitle(world: AccessWorld, { id, randomNumber }: StepInput): Promise<void> {
  const { tablet, model, titles } = world
  const { slug, imdbId, id: titleId } = titles.unsafe
  const paths = [
    `/api/movies/slug/${slug}`,
    `/api/movies/${titleId}`,
    `/proxy/torrent-streamer/stream/movie/${imdbId}`,
    '/api/search?q=Lantern&kids=false',
    '/api/movies?kids=false',
  ]
  const path = paths[randomNumber % paths.length] ?? ''
  const response = await world.sendRequest(tablet, id, ['GET', path])
  if (isChildSignedOut(world)) return expect(response.status).toBe(401)
  const outcome = model.applyRequest(tablet.modelDevice, id)
  if (!outcome.isAllowed) return expect(response.status).toBe(403)
  const isUnsafeTitleReturned =
    response.status === 200 &&
    JSON.stringify(response.body).includes(path.includes('/stream/') ? '/proxy/m/' : slug)
  expect([path, isUnsafeTitleReturned]).toEqual([
    path,
    model.canSeeUnsafeTitles(tablet.modelDevice, outcome.actingProfile),
  ])
}

/** Tries to enter two profiles with one request: the profile in X-Profile-Id and the profile in the path. */
async function enterProfile(world: AccessWorld, { id, otherId }: StepInput): Promise<void> {
  const { tablet, model } = world
  const path = `/api/profile/${otherId ?? world.foreignProfileId}/continue-watching`
  const response = await world.sendRequest(tablet, id, ['GET', path])
  if (isChildSignedOut(world)) return expect(response.status).toBe(401)
  const outcome = model.applyRequest(tablet.modelDevice, id, {
    pathProfileId: otherId ?? world.foreignProfileId,
  })
  expect(response.status === 200).toBe(outcome.isAllowed)
}

/** Sends a random request that needs a proof, with a wrong password or without a password. The request must fail. */
async function sendUnprovenRequest(
  world: AccessWorld,
  { id, otherId, randomNumber }: StepInput,
): Promise<void> {
  const { tablet, model, titles } = world
  const profileId = otherId ?? world.household.kidId
  const [, endpoint] = PROOF_ENDPOINTS[randomNumber % PROOF_ENDPOINTS.length] ?? []
  if (!endpoint || endpoint.path.includes('/feedback/')) return
  const rules =
    endpoint.access === 'user'
      ? { acceptsLockedProfile: true }
      : endpoint.access === 'viewer'
        ? {}
        : { pathProfileId: profileId, acceptsLockedProfile: endpoint.access === 'profile:any' }
  const stateBefore = structuredClone(tablet.modelDevice)
  const outcome = model.applyRequest(tablet.modelDevice, id, rules)
  if (outcome.isAllowed && model.isAdultProven(outcome.actingProfile) && !isChildSignedOut(world)) {
    // An adult profile acts on the device, so the request would succeed and change the account. The step sends no
    // request and restores the model.
    tablet.modelDevice = stateBefore
    return
  }
  await world.sendRequest(tablet, id, ['GET', '/api/nothing'])
  const response = await sendProofRequest(tablet.client, endpoint, {
    profileId,
    mediaId: titles.safe.id,
    password: endpoint.proof === 'password' ? 'Wrong12345' : null,
  })
  const statuses = isChildSignedOut(world) ? [401] : endpoint.proof === 'password' ? [403, 429] : [403, 404]
  expect([endpoint.path, statuses]).toEqual([endpoint.path, expect.arrayContaining([response.status])])
}

async function guessPin(world: AccessWorld, { id }: StepInput): Promise<void> {
  const { tablet, model, pinGuessCountsByProfileId } = world
  if (id === null) return
  const response = await world.sendRequest(tablet, null, [
    'POST',
    `/api/profile/${id}/unlock`,
    { pin: '0000' },
  ])
  if (isChildSignedOut(world)) return expect(response.status).toBe(401)
  const profile = model.profiles.get(id)
  if (!profile) return expect(response.status).toBe(404)
  expect(response.status).toBe(profile.pin === null ? 200 : 403)
  if (profile.pin === null) model.unlockProfile(tablet.modelDevice, id)
  else pinGuessCountsByProfileId.set(id, (pinGuessCountsByProfileId.get(id) ?? 0) + 1)
}

async function unlockWithoutSecret(world: AccessWorld, { id }: StepInput): Promise<void> {
  const response = await world.sendRequest(world.tablet, null, [
    'POST',
    `/api/profile/${id ?? world.foreignProfileId}/unlock`,
    {},
  ])
  expect([401, 404, 422]).toContain(response.status)
}

async function guessPassword(world: AccessWorld): Promise<void> {
  const body = { email: world.household.email, password: 'Wrong12345' }
  const response = await world.sendRequest(world.tablet, null, ['POST', '/api/auth/login', body])
  expect([401, 429]).toContain(response.status)
}

/** Requests the media URL of an unsafe video that an adult opened earlier on the tablet. */
async function requestOldMediaUrl(world: AccessWorld, { randomNumber }: StepInput): Promise<void> {
  const { mediaUrls, model, tablet, server } = world
  const mediaUrl = mediaUrls[randomNumber % (mediaUrls.length || 1)]
  if (!mediaUrl) return
  world.advanceClocks(1_100)
  const { status } = await server.request(mediaUrl.path, { method: 'HEAD' })
  const { actingProfileId } = tablet.modelDevice
  const isAllowed =
    tablet.isSignedIn &&
    (mediaUrl.profileId === null ||
      (model.canEnter(tablet.modelDevice, mediaUrl.profileId) &&
        model.profiles.get(mediaUrl.profileId)?.pinVersion === mediaUrl.pinVersion &&
        model.profiles.get(mediaUrl.profileId)?.isKids === false)) &&
    (actingProfileId === null || model.profiles.get(actingProfileId)?.isKids !== true)
  if (!isAllowed) expect(status).toBe(404)
}

/** Refreshes the session and requests the data of the player for an unsafe title in the same request. */
async function playWithRefresh(world: AccessWorld): Promise<void> {
  const { tablet, model, titles } = world
  const watch = { type: 'movie', slug: titles.unsafe.slug }
  const response = await world.sendRequest(tablet, null, ['POST', '/api/auth/refresh', { watch }])
  if (isChildSignedOut(world)) return expect(response.status).toBe(401)
  tablet.client.accessToken = response.body.access_token
  tablet.tokenIssuedAtMs = model.nowMs
  const outcome = model.applyRequest(tablet.modelDevice, null)
  const actingProfile = outcome.isAllowed ? outcome.actingProfile : null
  if (!actingProfile || actingProfile.isKids) expect(response.body.watch).toBeUndefined()
  expect(response.body.user.email).toBe(model.isAdultProven(actingProfile) ? world.household.email : null)
}

async function openProfilePicker(world: AccessWorld, { id }: StepInput): Promise<void> {
  const { tablet, model } = world
  const response = await world.sendRequest(tablet, id, ['POST', '/api/profile/leave'])
  if (isChildSignedOut(world)) return expect(response.status).toBe(401)
  const outcome = model.applyRequest(tablet.modelDevice, id, { acceptsLockedProfile: true })
  expect(response.status).toBe(outcome.isAllowed ? 204 : 403)
  if (outcome.isAllowed) model.chooseProfile(tablet.modelDevice, null)
}

async function signOut(world: AccessWorld): Promise<void> {
  await world.sendRequest(world.tablet, null, ['POST', '/api/auth/logout'])
  world.tablet.isSignedIn = false
}

/**
 * Sends two requests at the same time, as from two tabs: one for an unsafe title, and one that chooses the kids
 * profile. Afterwards the device leaves its profile, as when the profile picker is opened.
 */
async function switchDuringRequest(world: AccessWorld, { id }: StepInput): Promise<void> {
  const { tablet, model, titles, household } = world
  if (isChildSignedOut(world)) return
  await world.sendRequest(tablet, null, ['GET', '/api/nothing'])
  const couldSeeUnsafeTitle = [...model.profiles].some(
    ([profileId, { isKids }]) => !isKids && model.canEnter(tablet.modelDevice, profileId),
  )
  const { client } = tablet
  const [titleResponse] = await Promise.all([
    client.send(
      'GET',
      `/api/movies/${titles.unsafe.id}`,
      undefined,
      id === null ? {} : { 'X-Profile-Id': id },
    ),
    client.send('GET', `/api/profile/${household.kidId}/watchlist`),
  ])
  if (!couldSeeUnsafeTitle) expect(titleResponse.status).not.toBe(200)
  await client.post('/api/profile/leave')
  model.chooseProfile(tablet.modelDevice, null)
}

export const CHILD_STEPS_BY_NAME: Record<string, AccessStep> = {
  lookForUnsafeTitle,
  enterProfile,
  sendUnprovenRequest,
  guessPin,
  unlockWithoutSecret,
  guessPassword,
  requestOldMediaUrl,
  playWithRefresh,
  openProfilePicker,
  signOut,
  switchDuringRequest,
}
