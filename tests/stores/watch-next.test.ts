/** The titles that the profile can watch next: loaded for the profile, again after a change, and offline from the cache. */
import { beforeEach, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, card, findAdultRequests, network, otherDevice, profiles } = household
const { $watchNext, $watchNextFilters, openWatchNext } = await import('../../src/lib/stores/watch-next.ts')
const { cacheReply, findCachedReply } = await import('../../src/lib/client/read-cache.ts')
const { $profileId, loadProfiles } = await import('../../src/lib/stores/profile.ts')
const { discardAllReads } = await import('../../src/lib/stores/query.ts')
const { setInWatchlist } = await import('../../src/lib/stores/watchlist.ts')
const { parseWatchNextFilters } = await import('../../src/lib/rules/watch-next.ts')

const ledger = card('Iron Ledger')
const harbour = card('Night Harbour')
const NO_FILTERS = parseWatchNextFilters('')
const listIds = () => $watchNext.get().data?.results.map(({ media }) => media.id)

$watchNext.listen(() => {})
$watchNextFilters.listen(() => {})
const openWatchNextPage = async (filters = NO_FILTERS) => {
  openWatchNext(filters)
  await network.waitUntilIdle()
}
beforeEach(async () => {
  await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/tv/${ledger.id}`)
  await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/movie/${harbour.id}`, {
    in_watchlist: false,
  })
  await actAs('adult')
})

it('Watch next contains the titles of My List, and changes when My List changes', async () => {
  await openWatchNextPage()
  expect(listIds()).toEqual([ledger.id])
  await setInWatchlist(harbour, true)
  await network.waitUntilIdle()
  expect(listIds()).toEqual([harbour.id, ledger.id])
})

it('Watch next is requested again when its page is opened again, because a title may have been watched in the meantime', async () => {
  await openWatchNextPage()
  await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/movie/${harbour.id}`)
  await openWatchNextPage()
  expect(listIds()).toEqual([harbour.id, ledger.id])
})

it('a change of the filters of Watch next sends no request', async () => {
  await openWatchNextPage()
  network.clear()
  $watchNextFilters.set({ ...NO_FILTERS, minutes: 30 })
  await network.waitUntilIdle()
  expect(network.requests).toEqual([])
})

it('Watch next and its filters are removed when another profile is selected', async () => {
  await openWatchNextPage({ ...NO_FILTERS, minutes: 30 })
  await switchTo('kid')
  expect(listIds()).toEqual([])
  expect($watchNextFilters.get()).toEqual(NO_FILTERS)
  expect(findAdultRequests()).toEqual([])
})

it('Watch next shows the cached reply without a network, and an error when no reply is cached', async () => {
  await cacheReply('/api/profile', $profileId.get(), { results: await loadProfiles() })
  await openWatchNextPage()
  const url = `/api/profile/${profiles.adult}/watch-next`
  await expect.poll(() => findCachedReply(url, profiles.adult), { timeout: 5_000 }).toBeDefined()
  network.setOffline(true)
  discardAllReads()
  await expect.poll(listIds).toEqual([ledger.id])
  network.setOffline(false)
  network.failNext(/watch-next/, 403)
  discardAllReads()
  await expect.poll(() => $watchNext.get().error?.status).toBe(403)
})
