/** The My List page: its result pages and filters, and changes while it is open. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold, startOutboxImmediately } from '../support/store-environment.ts'

const household = await signInHousehold()
const {
  actAs,
  switchTo,
  browser,
  getCard,
  findAdultRequests,
  network,
  otherDevice,
  profiles,
  server,
  titles,
} = household
const {
  $pendingWatchlistEntries,
  $watchlistFilters,
  $watchlistPage,
  formatWatchlistFilters,
  loadMoreWatchlistEntries,
  openWatchlistPage,
  parseWatchlistFilters,
} = await import('../../src/lib/stores/watchlist-page.ts')
const { setInWatchlist } = await import('../../src/lib/stores/watchlist.ts')
const { setWatchState } = await import('../../src/lib/stores/watch-state.ts')

const NO_FILTERS = parseWatchlistFilters('')
const getWatchlistPath = (profileId: string) => `/api/profile/${profileId}/watchlist`
const listShownTitles = () => $watchlistPage.get().items.map(({ media }) => media.title)
const openWatchlist = async (search = '') => {
  openWatchlistPage(parseWatchlistFilters(search))
  await network.waitUntilIdle()
}
const replaceWatchlist = async (profileId: string, titleNames: readonly string[], change: object = {}) => {
  otherDevice.profileId = profileId
  const { body } = await otherDevice.get(`${getWatchlistPath(profileId)}?limit=100`)
  const createEntries = (ids: { type: string; media_id: string }[], entryChange: object) =>
    ids.map(({ type, media_id }) => ({ type, media_id, ...entryChange }))
  if (body.results.length > 0)
    await otherDevice.put(getWatchlistPath(profileId), {
      entries: createEntries(body.results, { in_watchlist: false }),
    })
  const addedTitles = titleNames.map(getCard).map(({ type, id }) => ({ type, media_id: id }))
  if (addedTitles.length > 0)
    await otherDevice.put(getWatchlistPath(profileId), {
      entries: createEntries(addedTitles, { in_watchlist: true, ...change }),
    })
  otherDevice.profileId = profiles.adult
}

browser.document.presentSelectors.add('[data-my-list]')
for (const $store of [$watchlistPage, $watchlistFilters, $pendingWatchlistEntries]) $store.listen(() => {})

beforeEach(async () => {
  await replaceWatchlist(profiles.adult, ['Night Harbour', 'Iron Ledger', 'Paper Kites'])
  await replaceWatchlist(profiles.kid, ['Moon Balloon'])
  await actAs('adult')
})

describe('the URL of the page', () => {
  it('the URL of the page contains the filters, but no default values', () => {
    expect(formatWatchlistFilters(NO_FILTERS)).toBe('')
    const search = '?type=tv&state=watching&favorite=true&sort=title.asc'
    expect(formatWatchlistFilters(parseWatchlistFilters(search))).toBe(search)
    expect(parseWatchlistFilters('?type=x&state=y&sort=z')).toEqual(NO_FILTERS)
  })
})

describe('the list of watchlist entries', () => {
  it('the watchlist page shows the watchlist entries of the profile', async () => {
    await openWatchlist()
    expect(listShownTitles().sort()).toEqual(['Iron Ledger', 'Night Harbour', 'Paper Kites'])
    expect($watchlistPage.get()).toMatchObject({ total: 3, loading: false, error: null })
    expect($watchlistPage.get().hasMore).toBe(false)
  })

  it('the list is filtered and sorted by the server', async () => {
    await openWatchlist('?type=movie&sort=title.asc')
    expect(listShownTitles()).toEqual(['Night Harbour', 'Paper Kites'])
  })

  it('opening a list that was loaded earlier sends no request', async () => {
    await openWatchlist()
    await openWatchlist('?type=tv')
    network.clearRequests()
    await openWatchlist()
    expect(listShownTitles()).toHaveLength(3)
    expect(network.requests).toEqual([])
  })

  it('the open list is reloaded when the watchlist changes', async () => {
    await openWatchlist()
    await setInWatchlist(getCard('Cold Verdict'), true)
    await network.waitUntilIdle()
    expect(listShownTitles()).toContain('Cold Verdict')
  })

  it('a failed request shows an error, and the list is loaded at the next attempt', async () => {
    network.failNext(/watchlist/, 422)
    await openWatchlist()
    expect($watchlistPage.get()).toMatchObject({ total: null, loading: false, error: { status: 422 } })
    await loadMoreWatchlistEntries()
    expect(listShownTitles()).toHaveLength(3)
  })

  it('loading more titles of a list with more than 100 entries adds its next page', async () => {
    const expectedCount = await addManyEntries(120)
    await openWatchlist()
    expect($watchlistPage.get().items).toHaveLength(100)
    expect($watchlistPage.get().hasMore).toBe(true)
    await loadMoreWatchlistEntries()
    expect(new Set($watchlistPage.get().items.map(({ media_id }) => media_id)).size).toBe(expectedCount)
    expect($watchlistPage.get().hasMore).toBe(false)
  })

  it('leaving a list while its next page loads does not prevent loading that page later', async () => {
    await addManyEntries(120)
    await openWatchlist()
    const releaseReload = network.hold(/GET .*watchlist\?.*page=1&/)
    const releaseNextPage = network.hold(/GET .*watchlist\?.*page=2&/)
    await setInWatchlist(getCard('Cold Verdict'), true)
    await network.waitUntilIdle()
    void loadMoreWatchlistEntries()
    releaseReload()
    await network.waitUntilIdle()
    expect($watchlistPage.get()).toMatchObject({ loading: true })
    await openWatchlist('?type=tv')
    releaseNextPage()
    await network.waitUntilIdle()
    await openWatchlist()
    expect($watchlistPage.get()).toMatchObject({ loading: false })
    await loadMoreWatchlistEntries()
    expect($watchlistPage.get().hasMore).toBe(false)
  })

  it('if a list is opened while another list is reloading, the opened list is also reloaded', async () => {
    await openWatchlist('?state=planned')
    expect(listShownTitles()).toContain('Night Harbour')
    await openWatchlist()
    const releaseReload = network.hold(/GET .*watchlist\?/)
    await setWatchState(getCard('Night Harbour'), 'watching')
    await network.waitUntilIdle()
    await openWatchlist('?state=planned')
    releaseReload()
    await network.waitUntilIdle()
    expect(listShownTitles()).not.toContain('Night Harbour')
  })

  it('titles that were added offline are shown if they match the filters', async () => {
    await startOutboxImmediately(household)
    await openWatchlist()
    network.setOffline(true)
    await setInWatchlist(getCard('Cold Verdict'), true)
    expect($pendingWatchlistEntries.get()).toMatchObject([{ media: { title: 'Cold Verdict' } }])
    await openWatchlist('?type=tv')
    expect($pendingWatchlistEntries.get()).toEqual([])
    network.setOffline(false)
    await network.waitUntilIdle()
    expect($pendingWatchlistEntries.get()).toEqual([])
  })
})

/**
 * Adds copies of a movie to the catalogue, unless an earlier call has added them. Adds all copies to the watchlist of
 * the adult. Returns the number of entries in this watchlist.
 */
async function addManyEntries(entryCount: number): Promise<number> {
  const { primary } = server.database
  const templateRow = await primary
    .selectFrom('title')
    .selectAll()
    .where('title_id', '=', Number(titles['Paper Kites']?.id))
    .executeTakeFirstOrThrow()
  for (let index = 0; index < entryCount; index++) {
    const { title_id: _id, imdb_id: _imdbId, ...columns } = templateRow as Record<string, unknown>
    await primary
      .insertInto('title')
      .values({ ...columns, slug: `copy-${index}`, source_hash: `copy-${index}` } as never)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const copiedRows = await primary
    .selectFrom('title')
    .select('title_id')
    .where('slug', 'like', 'copy-%')
    .execute()
  const entries = copiedRows.map(({ title_id }) => ({ type: 'movie', media_id: String(title_id) }))
  for (let startIndex = 0; startIndex < entries.length; startIndex += 60)
    await otherDevice.put(getWatchlistPath(profiles.adult), {
      entries: entries.slice(startIndex, startIndex + 60),
    })
  return 3 + entryCount
}

describe('after a switch to a kids profile', () => {
  it('a switch to a kids profile shows the watchlist of the child, without watchlist entries and filters of the adult', async () => {
    await openWatchlist('?type=tv&sort=title.asc')
    await openWatchlist()
    await switchTo('kid')
    expect($watchlistFilters.get()).toEqual(NO_FILTERS)
    expect($watchlistPage.get()).toMatchObject({ items: [], total: null })
    await openWatchlist()
    expect(listShownTitles()).toEqual(['Moon Balloon'])
    expect(findAdultRequests()).toEqual([])
  })

  it('watchlist entries of the adult that arrive after the switch are ignored', async () => {
    const releaseRequest = network.hold(/watchlist/)
    openWatchlistPage(NO_FILTERS)
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect($watchlistPage.get().items).toEqual([])
    await openWatchlist()
    expect(listShownTitles()).toEqual(['Moon Balloon'])
  })

  it('the list of the adult is shown again, each title once, when the adult profile is selected again', async () => {
    await openWatchlist()
    await switchTo('kid')
    await openWatchlist()
    await switchTo('adult')
    await openWatchlist()
    expect(listShownTitles().sort()).toEqual(['Iron Ledger', 'Night Harbour', 'Paper Kites'])
  })

  it('titles that the adult added while offline are not shown to the child', async () => {
    await startOutboxImmediately(household)
    network.setOffline(true)
    await setInWatchlist(getCard('Cold Verdict'), true)
    await network.waitUntilIdle()
    await switchTo('kid')
    expect($pendingWatchlistEntries.get()).toEqual([])
    network.setOffline(false)
    await network.waitUntilIdle()
    expect(findAdultRequests()).toEqual([])
    await switchTo('adult')
    const { body } = await otherDevice.get(
      `${getWatchlistPath(profiles.adult)}/movie/${getCard('Cold Verdict').id}`,
    )
    expect(body).toMatchObject({ in_watchlist: true })
  })
})
