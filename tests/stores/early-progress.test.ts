/** The position of a player whose page closes before the code of the outbox is loaded. */
import { expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { getCard, network, otherDevice, profiles } = await signInHousehold()
const { saveProgress } = await import('../../src/lib/stores/save-progress.ts')
const { getWriteOwner } = await import('../../src/lib/stores/pending-writes.ts')

const kites = getCard('Paper Kites')
const readProgressSeconds = async () => {
  const { body } = await otherDevice.get(`/api/profile/${profiles.adult}/history/movie/${kites.id}`)
  return body.latest?.progress
}

it('a position is sent immediately when the page closes before the outbox is loaded', async () => {
  await waitFor(() => expect(getWriteOwner()).not.toBeNull())
  network.clearRequests()
  const savePromise = saveProgress({ title: kites, positionSeconds: 1_500, durationSeconds: 6_000 }, true)
  // A closing page still runs microtasks, but no further tasks.
  for (let microtaskIndex = 0; microtaskIndex < 20; microtaskIndex++) await Promise.resolve()
  expect(network.requests.map(({ method }) => method)).toEqual(['POST'])
  await savePromise
  expect(await readProgressSeconds()).toBe(1_500)
})

it('a position that the server has failed to save is sent again while the page is open', async () => {
  network.failNext(/POST .*history/, 503)
  await saveProgress({ title: kites, positionSeconds: 2_100, durationSeconds: 6_000 }, true)
  await waitFor(async () => expect(await readProgressSeconds()).toBe(2_100))
})
