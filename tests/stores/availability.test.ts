/** A profile can ask for a notice that is sent as soon as a title becomes available. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, switchTo, getCard, network, otherDevice, profiles } = await signInHousehold()
const { $availabilityRequest, $awaitedTitle, setAvailabilityRequested } = await import(
  '../../src/lib/stores/availability.ts'
)
const { $toast } = await import('../../src/lib/stores/toast.ts')

const kites = { type: 'movie' as const, id: getCard('Paper Kites').id }
const availabilityPath = `/api/profile/${profiles.adult}/availability/movie/${kites.id}`
for (const $store of [$availabilityRequest, $toast]) $store.listen(() => {})
const isRequested = () => $availabilityRequest.get().data?.requested

beforeEach(async () => {
  await otherDevice.put(availabilityPath, { requested: false })
  await actAs('adult')
  $awaitedTitle.set(kites)
  await network.waitUntilIdle()
})

describe('an availability request', () => {
  it('an availability request is stored for the profile and can be withdrawn', async () => {
    expect(isRequested()).toBe(false)
    await setAvailabilityRequested(kites, true)
    await network.waitUntilIdle()
    expect(isRequested()).toBe(true)
    expect((await otherDevice.get(availabilityPath)).body).toEqual({ requested: true })
    await setAvailabilityRequested(kites, false)
    await network.waitUntilIdle()
    expect(isRequested()).toBe(false)
  })

  it('a message is shown when the server rejects an availability request', async () => {
    network.failNext(/PUT/, 422)
    await setAvailabilityRequested(kites, true)
    expect($toast.get()).toMatchObject({ key: 'detail:notifyFailed', kind: 'bad' })
  })

  it('an availability request is visible only in the profile that sent the request', async () => {
    await setAvailabilityRequested(kites, true)
    await switchTo('guest')
    expect($awaitedTitle.get()).toBeNull()
    $awaitedTitle.set(kites)
    await network.waitUntilIdle()
    expect(isRequested()).toBe(false)
  })
})
