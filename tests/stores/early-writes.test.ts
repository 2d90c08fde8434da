/** Changes that are made before the code of the outbox is loaded. */
import { expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { getCard, network, otherDevice, profiles } = await signInHousehold()
const { $pendingWrites, getWriteOwner } = await import('../../src/lib/stores/pending-writes.ts')
const { $watchlistEntries, setInWatchlist } = await import('../../src/lib/stores/watchlist.ts')
const { listStoredKeys } = await import('../../src/lib/storage.ts')
const { EARLY_WRITES_KEY_PREFIX } = await import('../../src/lib/storage-keys.ts')
for (const $store of [$pendingWrites, $watchlistEntries]) $store.listen(() => {})

const kites = getCard('Paper Kites')
const titleKey = `movie/${kites.id}`
const listEarlyWrites = () => listStoredKeys(EARLY_WRITES_KEY_PREFIX)

it('when an earlier page stored a write before its outbox was loaded, this page sends that write before its own changes', async () => {
  await waitFor(() => expect(getWriteOwner()).not.toBeNull())
  const earlyWrite = { kind: 'list', title: { type: 'movie', id: kites.id }, body: { in_watchlist: true } }
  localStorage.setItem(
    `${EARLY_WRITES_KEY_PREFIX} 1 0.1`,
    JSON.stringify({ write: earlyWrite, owner: getWriteOwner() }),
  )
  const releaseRequest = network.hold(/PUT/)
  const changes = [setInWatchlist(kites, true), setInWatchlist(kites, false)]
  expect(listEarlyWrites()).toHaveLength(3)
  await Promise.all(changes)
  expect(listEarlyWrites()).toEqual([])
  expect($watchlistEntries.get()[titleKey]).toMatchObject({ in_watchlist: false })
  releaseRequest()
  await waitFor(() => expect($pendingWrites.get()).toEqual([]))
  const { body } = await otherDevice.get(`/api/profile/${profiles.adult}/watchlist/${titleKey}`)
  expect(body).toMatchObject({ in_watchlist: false })
  expect($watchlistEntries.get()[titleKey]).toMatchObject({ in_watchlist: false })
})

it('newer changes of another device are not replaced by writes that an earlier page stored before its outbox was loaded', async () => {
  const { moveSeveralEarlyWritesToOutbox } = await import('../../src/lib/stores/outbox.ts')
  const ratingPath = `/api/profile/${profiles.adult}/ratings/${titleKey}`
  const feedbackPath = `/api/profile/${profiles.adult}/feedback/${titleKey}`
  await otherDevice.put(ratingPath, { rating: 9 })
  await otherDevice.put(feedbackPath, { feedback: 'like' })
  const title = { type: 'movie', id: kites.id }
  for (const write of [
    { kind: 'rating', title, rating: 3 },
    { kind: 'feedback', title, feedback: 'disliked' },
  ])
    localStorage.setItem(
      `${EARLY_WRITES_KEY_PREFIX} ${Date.now() - 3_600_000} ${write.kind}`,
      JSON.stringify({ write, owner: getWriteOwner() }),
    )
  moveSeveralEarlyWritesToOutbox()
  await waitFor(() => expect($pendingWrites.get()).toEqual([]))
  expect((await otherDevice.get(ratingPath)).body).toMatchObject({ rating: 9 })
  expect((await otherDevice.get(feedbackPath)).body).toMatchObject({ feedback: 'liked' })
})

it('writes from before the outbox was loaded stay in the storage while the limit of pending writes is reached, and become pending later', async () => {
  const { moveSeveralEarlyWritesToOutbox } = await import('../../src/lib/stores/outbox.ts')
  network.setOffline(true)
  const owner = getWriteOwner()
  const pendingKeys = Array.from(
    { length: 500 },
    (_, index) => `marquee-waiting ${owner?.accountId} ${owner?.profileId} unmark ${index}`,
  )
  for (const [index, key] of pendingKeys.entries())
    localStorage.setItem(key, JSON.stringify({ kind: 'unmark', id: `${index}`, key, seq: index }))
  for (const kind of ['feedback', 'rating'])
    localStorage.setItem(
      `${EARLY_WRITES_KEY_PREFIX} 1 ${kind}`,
      JSON.stringify({
        write: { kind, title: { type: 'movie', id: kites.id }, feedback: 'liked', rating: 8 },
        owner,
      }),
    )
  moveSeveralEarlyWritesToOutbox()
  expect(listEarlyWrites()).toHaveLength(2)
  for (const key of pendingKeys) localStorage.removeItem(key)
  moveSeveralEarlyWritesToOutbox()
  expect(listEarlyWrites()).toEqual([])
  expect($pendingWrites.get()).toMatchObject([{ kind: 'feedback' }, { kind: 'rating' }])
})
