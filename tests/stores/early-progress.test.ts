/** The position of a player whose page closes before the code of the outbox is loaded. */
import { expect, it, vi } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { card, network, otherDevice, profiles } = await signInHousehold()
const { saveProgress } = await import('../../src/lib/stores/progress.ts')
const { getWriteOwner } = await import('../../src/lib/stores/pending-writes.ts')
const { listStoredKeys } = await import('../../src/lib/storage.ts')
const { EARLY_WRITES_KEY_PREFIX } = await import('../../src/lib/storage-keys.ts')

it('a position is stored and sent at once when the page closes before the outbox is loaded', async () => {
  const kites = card('Paper Kites')
  await vi.waitFor(() => expect(getWriteOwner()).not.toBeNull())
  network.clear()
  const savePromise = saveProgress({ title: kites, progress: 1_500, duration: 6_000 }, true)
  expect(listStoredKeys(EARLY_WRITES_KEY_PREFIX)).toHaveLength(1)
  // A closing page still runs microtasks, but no further tasks.
  for (let microtask = 0; microtask < 20; microtask++) await Promise.resolve()
  expect(network.requests.map(({ method }) => method)).toEqual(['POST'])
  await savePromise
  await network.waitUntilIdle()
  const { body } = await otherDevice.get(`/api/profile/${profiles.adult}/history/movie/${kites.id}`)
  expect(body.latest.progress).toBe(1_500)
})
