/** The My List page: its result pages and filters, and changes while it is open. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold, startOutboxAtOnce } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, browser, card, findAdultRequests, network, otherDevice, profiles, server, titles } =
  household
const {
  $hasMoreWatchlistEntries,
  $pendingWatchlistEntries,
  $watchlistFilters,
  $watchlistPage,
  formatWatchlistFilters,
  loadMoreWatchlistEntries,
  openWatchlistPage,
  parseWatchlistFilters,
} = await import('../../src/lib/stores/watchlist-page.ts')
const { setInWatchlist } = await import('../../src/lib/stores/watchlist.ts')

const NO_FILTERS = parseWatchlistFilters('')
const getListPath = (profile: string) => `/api/profile/${profile}/watchlist`
const listShownTitles = () => $watchlistPage.get().items.map(({ media }) => media.title)
const openList = async (search = '') => {
  openWatchlistPage(parseWatchlistFilters(search))
  await network.waitUntilIdle()
}
const replaceList = async (profile: string, names: readonly string[], change: object = {}) => {
  otherDevice.profileId = profile
  const { body } = await otherDevice.get(`${getListPath(profile)}?limit=100`)
  const createEntries = (ids: { type: string; media_id: string }[], entryChange: object) =>
    ids.map(({ type, media_id }) => ({ type, media_id, ...entryChange }))
  if (body.results.length > 0)
    await otherDevice.put(getListPath(profile), {
      entries: createEntries(body.results, { in_watchlist: false }),
    })
  const addedTitles = names.map(card).map(({ type, id }) => ({ type, media_id: id }))
  if (addedTitles.length > 0)
    await otherDevice.put(getListPath(profile), {
      entries: createEntries(addedTitles, { in_watchlist: true, ...change }),
    })
  otherDevice.profileId = profiles.adult
}

browser.document.presentSelectors.add('[data-my-list]')
for (const $store of [$watchlistPage, $watchlistFilters, $pendingWatchlistEntries]) $store.listen(() => {})

beforeEach(async () => {
  await replaceList(profiles.adult, ['Night Harbour', 'Iron Ledger', 'Paper Kites'])
  await replaceList(profiles.kid, ['Moon Balloon'])
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

describe('the list', () => {
  it('loads the entries of the profile', async () => {
    await openList()
    expect(listShownTitles().sort()).toEqual(['Iron Ledger', 'Night Harbour', 'Paper Kites'])
    expect($watchlistPage.get()).toMatchObject({ total: 3, loading: false, error: null })
    expect($hasMoreWatchlistEntries.get()).toBe(false)
  })

  it('the list is filtered and sorted by the server', async () => {
    await openList('?type=movie&sort=title.asc')
    expect(listShownTitles()).toEqual(['Night Harbour', 'Paper Kites'])
  })

  it('sends no request when a list that was loaded earlier is opened again', async () => {
    await openList()
    await openList('?type=tv')
    network.clear()
    await openList()
    expect(listShownTitles()).toHaveLength(3)
    expect(network.requests).toEqual([])
  })

  it('the open list is reloaded when the watchlist changes', async () => {
    await openList()
    await setInWatchlist(card('Cold Verdict'), true)
    await network.waitUntilIdle()
    expect(listShownTitles()).toContain('Cold Verdict')
  })

  it('shows an error when the list cannot be loaded, and loads the list at the next attempt', async () => {
    network.failNext(/watchlist/, 422)
    await openList()
    expect($watchlistPage.get()).toMatchObject({ total: null, loading: false, error: { status: 422 } })
    await loadMoreWatchlistEntries()
    expect(listShownTitles()).toHaveLength(3)
  })

  it('loads the next page of a list of more than 100 entries', async () => {
    const expectedCount = await addManyEntries(120)
    await openList()
    expect($watchlistPage.get().items).toHaveLength(100)
    expect($hasMoreWatchlistEntries.get()).toBe(true)
    await loadMoreWatchlistEntries()
    expect(new Set($watchlistPage.get().items.map(({ media_id }) => media_id)).size).toBe(expectedCount)
    expect($hasMoreWatchlistEntries.get()).toBe(false)
  })

  it('shows titles that were added offline, if they match the filters', async () => {
    await startOutboxAtOnce(household)
    await openList()
    network.setOffline(true)
    await setInWatchlist(card('Cold Verdict'), true)
    expect($pendingWatchlistEntries.get()).toMatchObject([{ media: { title: 'Cold Verdict' } }])
    await openList('?type=tv')
    expect($pendingWatchlistEntries.get()).toEqual([])
    network.setOffline(false)
    await network.waitUntilIdle()
    expect($pendingWatchlistEntries.get()).toEqual([])
  })
})

/** Adds copies of a movie to the catalogue and to the list of the adult. Returns the length of the list. */
async function addManyEntries(count: number): Promise<number> {
  const { primary } = server.database
  const template = await primary
    .selectFrom('title')
    .selectAll()
    .where('title_id', '=', Number(titles['Paper Kites']?.id))
    .executeTakeFirstOrThrow()
  for (let index = 0; index < count; index++) {
    const { title_id: _id, imdb_id: _imdbId, ...columns } = template as Record<string, unknown>
    await primary
      .insertInto('title')
      .values({ ...columns, slug: `copy-${index}`, source_hash: `copy-${index}` } as never)
      .execute()
  }
  const copies = await primary
    .selectFrom('title')
    .select('title_id')
    .where('slug', 'like', 'copy-%')
    .execute()
  const entries = copies.map(({ title_id }) => ({ type: 'movie', media_id: String(title_id) }))
  for (let start = 0; start < entries.length; start += 60)
    await otherDevice.put(getListPath(profiles.adult), { entries: entries.slice(start, start + 60) })
  return 3 + count
}

describe('after a switch to a kids profile', () => {
  it('a switch to a kids profile shows the list of the kid, without entries and filters of the adult', async () => {
    await openList('?type=tv&sort=title.asc')
    await openList()
    await switchTo('kid')
    expect($watchlistFilters.get()).toEqual(NO_FILTERS)
    expect($watchlistPage.get()).toMatchObject({ items: [], total: null })
    await openList()
    expect(listShownTitles()).toEqual(['Moon Balloon'])
    expect(findAdultRequests()).toEqual([])
  })

  it('ignores entries of the adult that arrive after the switch', async () => {
    const release = network.hold(/watchlist/)
    openWatchlistPage(NO_FILTERS)
    await switchTo('kid')
    release()
    await network.waitUntilIdle()
    expect($watchlistPage.get().items).toEqual([])
    await openList()
    expect(listShownTitles()).toEqual(['Moon Balloon'])
  })

  it('requests the list of the adult again when the adult profile is selected again, and shows each title once', async () => {
    await openList()
    await switchTo('kid')
    await openList()
    await switchTo('adult')
    await openList()
    expect(listShownTitles().sort()).toEqual(['Iron Ledger', 'Night Harbour', 'Paper Kites'])
  })

  it('does not show titles that the adult added without a network', async () => {
    await startOutboxAtOnce(household)
    network.setOffline(true)
    await setInWatchlist(card('Cold Verdict'), true)
    await switchTo('kid')
    expect($pendingWatchlistEntries.get()).toEqual([])
    network.setOffline(false)
    await network.waitUntilIdle()
    expect(findAdultRequests()).toEqual([])
    await switchTo('adult')
    const { body } = await otherDevice.get(`${getListPath(profiles.adult)}/movie/${card('Cold Verdict').id}`)
    expect(body).toMatchObject({ in_watchlist: true })
  })
})
