/**
 * The titles that the profile can watch next: loaded for the profile, again after a change, and offline from the cache.
 */
import { beforeEach, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles } = household
const { $watchNext, $watchNextFilters, openWatchNext } = await import('../../src/lib/stores/watch-next.ts')
const { cacheReply, findCachedReply } = await import('../../src/lib/client/read-cache.ts')
const { $profileId, loadProfiles } = await import('../../src/lib/stores/profile.ts')
const { discardAllReads } = await import('../../src/lib/stores/query.ts')
const { setInWatchlist } = await import('../../src/lib/stores/watchlist.ts')
const { parseWatchNextFilters } = await import('../../src/lib/rules/watch-next.ts')

const ledger = getCard('Iron Ledger')
const harbour = getCard('Night Harbour')
const NO_FILTERS = parseWatchNextFilters('')
const listTitleIds = () => $watchNext.get().data?.results.map(({ media }) => media.id)

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

it('Watch next lists the titles of the watchlist, including a title that is added while its page is open', async () => {
  await openWatchNextPage()
  expect(listTitleIds()).toEqual([ledger.id])
  await setInWatchlist(harbour, true)
  await network.waitUntilIdle()
  expect(listTitleIds()).toEqual([harbour.id, ledger.id])
})

it('Watch next is requested again when its page is opened again', async () => {
  await openWatchNextPage()
  await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/movie/${harbour.id}`)
  await openWatchNextPage()
  expect(listTitleIds()).toEqual([harbour.id, ledger.id])
})

it('changing the filters of Watch next sends no request', async () => {
  await openWatchNextPage()
  network.clearRequests()
  $watchNextFilters.set({ ...NO_FILTERS, minutes: 30 })
  await network.waitUntilIdle()
  expect(network.requests).toEqual([])
})

it('the titles of Watch next are removed and its filters are reset when another profile is selected', async () => {
  await openWatchNextPage({ ...NO_FILTERS, minutes: 30 })
  await switchTo('kid')
  expect(listTitleIds()).toEqual([])
  expect($watchNextFilters.get()).toEqual(NO_FILTERS)
  expect(findAdultRequests()).toEqual([])
})

it('Watch next shows the cached reply while offline, and an error when the server rejects the request', async () => {
  await cacheReply('/api/profile', $profileId.get(), { results: await loadProfiles() })
  await openWatchNextPage()
  const watchNextUrl = `/api/profile/${profiles.adult}/watch-next`
  await expect.poll(() => findCachedReply(watchNextUrl, profiles.adult), { timeout: 5_000 }).toBeDefined()
  network.setOffline(true)
  discardAllReads()
  await expect.poll(listTitleIds).toEqual([ledger.id])
  network.setOffline(false)
  network.failNext(/watch-next/, 403)
  discardAllReads()
  await expect.poll(() => $watchNext.get().error?.status).toBe(403)
})
