/** The search page: results while typing, recent searches, and search without a network. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { importFurtherTitles } from '../support/store-titles.ts'
import { waitFor } from '../support/wait-for.ts'

const { actAs, switchTo, browser, findAdultRequests, network, getCard, otherDevice, server } =
  await signInHousehold()
const searchStore = await import('../../src/lib/stores/search.ts')
const { $recentSearches, $search, $searchGuideFilters, $searchType, clearRecentSearches } = searchStore
const { openSearch, selectHits, setSearchGuideFilters, setSearchQuery, setSearchType, storeRecentSearch } =
  searchStore
const { addDays } = await import('../../src/lib/rules/calendar-days.ts')
const { cacheReply } = await import('../../src/lib/client/read-cache.ts')
const { loadProfiles, $profileId } = await import('../../src/lib/stores/profile.ts')

const SEARCH_REQUEST_PATTERN = /GET \/api\/search/
const listResultNames = () =>
  $search.get().reply?.results.map((hit) => (hit.kind === 'actor' ? hit.actor.name : hit.media.title))
const searchAndWait = async (query: string) => {
  setSearchQuery(query, 0)
  // `vi.waitFor` would give up after one second. On a busy machine, the first search with a filter takes longer,
  // because this search builds an index.
  await waitFor(() => expect($search.get().reply ?? $search.get().error).not.toBeNull())
}
/** Caches the list of profiles, because a profile is shown offline only if this list is cached. */
const cacheProfileList = async () =>
  cacheReply('/api/profile', $profileId.get(), { results: await loadProfiles() })

beforeEach(async () => {
  await actAs('adult')
  setSearchQuery('')
})

describe('typing a query', () => {
  it('a typed query finds titles and is written to the URL', async () => {
    await searchAndWait('night harbour')
    expect(listResultNames()).toEqual(['Night Harbour'])
    expect(browser.history.url.search).toBe('?q=night+harbour')
  })

  it('a genre in the query filters the titles, and removing the genre filter removes the name of the genre from the query', async () => {
    await searchAndWait('Crime harbour')
    expect($search.get().reply?.facets).toEqual([{ kind: 'genre', value: '80', query_without: 'harbour' }])
    expect(listResultNames()).toEqual(['Night Harbour'])
    setSearchQuery($search.get().reply?.facets?.[0]?.query_without ?? '', 0)
    await waitFor(() => expect($search.get().reply?.facets).toEqual([]))
    expect(listResultNames()).toEqual(['Night Harbour'])
    expect(browser.history.url.search).toBe('?q=harbour')
  })

  it('several letters typed in quick succession cause one request', async () => {
    for (const query of ['nig', 'nigh', 'night']) setSearchQuery(query, 5)
    await waitFor(() => expect(listResultNames()).toEqual(['Night Harbour']))
    expect(network.requests.map(({ url }) => url)).toEqual(['/api/search?q=night&limit=30'])
  })

  it('a reply to an earlier query that arrives after the reply to a newer query is ignored', async () => {
    const releaseRequest = network.hold(/q=cold/)
    setSearchQuery('cold', 0)
    await waitFor(() => expect(network.requests).toHaveLength(1))
    await searchAndWait('night')
    releaseRequest()
    await network.waitUntilIdle()
    expect(listResultNames()).toEqual(['Night Harbour'])
  })

  it('an empty query shows the start view', async () => {
    await searchAndWait('night')
    setSearchQuery('')
    expect($search.get()).toEqual({ query: '', reply: null, error: null })
    expect(browser.history.url.search).toBe('')
  })

  it('a failed search shows an error', async () => {
    network.failNext(SEARCH_REQUEST_PATTERN, 500)
    await searchAndWait('night')
    expect($search.get()).toMatchObject({ reply: null, error: { status: 500 } })
  })
})

describe('the tabs of the search page', () => {
  const QUERY = 'foggy quay'
  beforeAll(() =>
    importFurtherTitles(server.deps, [
      ...Array.from({ length: 40 }, (_, index) => ({
        type: 'movie' as const,
        name: `Foggy Quay ${index + 1}`,
        popularity: 500,
      })),
      { type: 'tv' as const, name: 'Songs from the Foggy Quay', popularity: 1, rating_votes: 10 },
    ]),
  )
  const getShownHits = () => selectHits($search.get(), $searchType.get())
  const listShownTitles = () =>
    getShownHits().hits.flatMap((hit) => (hit.kind === 'actor' ? [] : hit.media.title))

  it('the tab of a type shows all hits of the type, and the tab "All" shows its earlier reply without a request', async () => {
    await searchAndWait(QUERY)
    const { reply } = $search.get()
    expect(reply).toMatchObject({ counts: { all: 41, movie: 40, tv: 1, actor: 0 } })
    expect(listShownTitles()).toHaveLength(30)
    const seriesPromise = setSearchType('tv')
    expect(getShownHits()).toEqual({ hits: [], isLoading: true, error: undefined })
    await seriesPromise
    expect(listShownTitles()).toEqual(['Songs from the Foggy Quay'])
    const moviesPromise = setSearchType('movie')
    expect(getShownHits()).toMatchObject({ isLoading: false, hits: { length: 30 } })
    await moviesPromise
    expect(listShownTitles()).toHaveLength(40)
    network.clearRequests()
    for (const type of ['actor', 'tv', 'all'] as const) await setSearchType(type)
    expect(network.requests).toEqual([])
    expect(getShownHits().hits).toEqual(reply?.results)
  })

  it('a search on the tab of a type loads the hits of that type, and an error is shown until the next attempt if the request fails', async () => {
    await setSearchType('tv')
    await searchAndWait(QUERY)
    expect(listShownTitles()).toEqual(['Songs from the Foggy Quay'])
    setSearchQuery('')
    network.failNext(/type=tv/, 500)
    await searchAndWait(QUERY)
    expect(getShownHits()).toMatchObject({ hits: [], isLoading: false, error: { status: 500 } })
    await setSearchType('tv')
    expect(listShownTitles()).toEqual(['Songs from the Foggy Quay'])
  })

  it('the results of a tab are ignored when they arrive after a new search was started', async () => {
    await searchAndWait(QUERY)
    const releaseRequest = network.hold(/type=tv/)
    const typeChangePromise = setSearchType('tv')
    await setSearchType('all')
    setSearchQuery('night', 0)
    await waitFor(() => expect(listResultNames()).toEqual(['Night Harbour']))
    releaseRequest()
    await typeChangePromise
    expect(selectHits($search.get(), 'tv').hits).toEqual([])
  })
})

describe('the guide filter', () => {
  /** Excludes every test title, because no test title has a parental guide. */
  const guideFilters = ['violence-none']

  it('opening the search page without a query removes the filter and sends the last query again', async () => {
    setSearchGuideFilters(guideFilters)
    await searchAndWait('night')
    expect(listResultNames()).toEqual([])
    history.replaceState(null, '', '/search/')
    openSearch('')
    await waitFor(() => expect(listResultNames()).toEqual(['Night Harbour']))
    expect($searchGuideFilters.get()).toEqual([])
    expect(browser.history.url.search).toBe('?q=night')
  })

  it('opening the search page without a query keeps the results of the last query if no filter was set', async () => {
    await searchAndWait('night')
    network.clearRequests()
    openSearch('')
    await network.waitUntilIdle()
    expect(network.requests).toEqual([])
    expect(listResultNames()).toEqual(['Night Harbour'])
  })

  it('the query and the filter of the URL are applied when the search page is opened', async () => {
    openSearch(`?q=night&guide=${guideFilters[0]}`)
    await waitFor(() => expect($search.get().reply).not.toBeNull())
    expect($searchGuideFilters.get()).toEqual(guideFilters)
    expect(listResultNames()).toEqual([])
  })

  it.each([200, 500])(
    'a reply with status %i to a request with the previous filter is ignored when it arrives after the filter was changed',
    async (status) => {
      const releaseRequest = network.hold(/guide=violence-none/)
      if (status !== 200) network.failNext(/guide=violence-none/, status)
      $searchGuideFilters.set(guideFilters)
      setSearchQuery('night', 0)
      await waitFor(() => expect(network.requests).toHaveLength(1))
      setSearchGuideFilters([])
      await waitFor(() => expect(listResultNames()).toEqual(['Night Harbour']))
      releaseRequest()
      await network.waitUntilIdle()
      expect(listResultNames()).toEqual(['Night Harbour'])
    },
  )
})

describe('recent searches', () => {
  it('recent searches are the latest eight different queries, with the newest query first', () => {
    for (const query of ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg', 'hh', 'ii', 'cc']) storeRecentSearch(query)
    expect($recentSearches.get()).toEqual(['cc', 'ii', 'hh', 'gg', 'ff', 'ee', 'dd', 'bb'])
  })

  it('recent searches exclude queries of one letter', () => {
    clearRecentSearches()
    storeRecentSearch('  x ')
    expect($recentSearches.get()).toEqual([])
  })

  it('recent searches belong to a profile and are restored when the profile is selected again', async () => {
    clearRecentSearches()
    storeRecentSearch('night harbour')
    await switchTo('kid')
    expect($recentSearches.get()).toEqual([])
    storeRecentSearch('kites')
    await switchTo('adult')
    expect($recentSearches.get()).toEqual(['night harbour'])
  })

  it('recent searches are empty when the stored value cannot be parsed', async () => {
    localStorage.setItem(`marquee-recent-${$profileId.get()}`, '{')
    await switchTo('guest')
    await switchTo('adult')
    expect($recentSearches.get()).toEqual([])
    clearRecentSearches()
  })
})

describe('without a network', () => {
  it('offline search finds titles whose pages the profile has visited', async () => {
    await cacheProfileList()
    const details = { ...getCard('Night Harbour'), original_title: 'Night Harbour', title: 'Night Harbour' }
    await cacheReply('/api/movies/slug/night-harbour', $profileId.get(), details)
    network.setOffline(true)
    await searchAndWait('harb')
    expect($search.get()).toMatchObject({ isOfflineReply: true, error: null })
    expect(listResultNames()).toEqual(['Night Harbour'])
    network.setOffline(false)
  })

  it('offline search finds the titles of the cached calendar, even if statistics are cached too', async () => {
    await cacheProfileList()
    const profilePath = `/api/profile/${$profileId.get()}`
    const loadReply = async (pathAndQuery: string) =>
      (await otherDevice.get(`${profilePath}/${pathAndQuery}`)).body
    await otherDevice.put(`${profilePath}/watchlist/tv/${getCard('Iron Ledger').id}`)
    const { previous } = await loadReply('calendar?from=2026-11-25&until=2026-11-26')
    const calendarQuery = `calendar?from=${previous}&until=${addDays(previous, 1)}`
    await cacheReply(`${profilePath}/${calendarQuery}`, $profileId.get(), await loadReply(calendarQuery))
    await cacheReply(`${profilePath}/statistics`, $profileId.get(), await loadReply('statistics'))
    network.setOffline(true)
    await searchAndWait('ledg')
    expect(listResultNames()).toEqual(['Iron Ledger'])
    network.setOffline(false)
  })

  it('offline search with a guide filter finds only titles whose parental guide is known and within the limit', async () => {
    await cacheProfileList()
    const createDetails = (name: string, severity: 'Mild' | 'Severe') => ({
      ...getCard(name),
      original_title: name,
      parental_guide: [{ category: 'Violence & Gore', severity, votes: 10 }],
    })
    await cacheReply('/api/movies/slug/a', $profileId.get(), createDetails('Night Harbour', 'Mild'))
    await cacheReply('/api/movies/slug/b', $profileId.get(), createDetails('Cold Verdict', 'Severe'))
    // Cards have no parental guide. When a card is cached after the details of its title, the guide in the details must
    // still apply.
    const cards = [getCard('Night Harbour'), getCard('Paper Kites')].map((title) => ({
      ...title,
      original_title: title.title,
    }))
    await cacheReply('/api/movies/featured?limit=9', $profileId.get(), { results: cards })
    network.setOffline(true)
    setSearchGuideFilters(['violence-moderate'])
    for (const [query, names] of [
      ['harb', ['Night Harbour']],
      ['verd', []],
      ['kites', []],
    ] as const) {
      await searchAndWait(query)
      await waitFor(() => expect($search.get().reply?.query).toBe(query))
      expect(listResultNames()).toEqual(names)
    }
    setSearchGuideFilters([])
    await waitFor(() => expect(listResultNames()).toEqual(['Paper Kites']))
    network.setOffline(false)
  })

  it('offline search for available titles finds neither people nor titles that cannot be played', async () => {
    await cacheProfileList()
    const createTitle = (name: string, available: boolean) => ({
      ...getCard(name),
      original_title: name,
      available,
    })
    const results = [createTitle('Night Harbour', false), createTitle('Iron Ledger', true)]
    const person = { id: '1', slug: 'nigel-iron', name: 'Nigel Iron', profile_path: null }
    await cacheReply('/api/movies/featured?limit=8', $profileId.get(), { results, person })
    network.setOffline(true)
    searchStore.setSearchLimitedToAvailable(true)
    await searchAndWait('iron')
    expect(listResultNames()).toEqual(['Iron Ledger'])
    setSearchQuery('night har', 0)
    await waitFor(() => expect($search.get().reply?.query).toBe('night har'))
    expect(listResultNames()).toEqual([])
    searchStore.setSearchLimitedToAvailable(false)
    await waitFor(() => expect(listResultNames()).toEqual(['Night Harbour']))
    network.setOffline(false)
  })

  it('offline search does not find titles that only another profile has visited', async () => {
    await cacheProfileList()
    await cacheReply('/api/movies/slug/night-harbour', $profileId.get(), getCard('Night Harbour'))
    await switchTo('kid')
    network.setOffline(true)
    await searchAndWait('harb')
    expect(listResultNames()).toEqual([])
    network.setOffline(false)
  })
})

describe('after a switch to a kids profile', () => {
  it('a switch to a kids profile removes the query and the results of the adult', async () => {
    await searchAndWait('night harbour')
    $searchType.set('movie')
    await switchTo('kid')
    expect($search.get()).toEqual({ query: '', reply: null, error: null })
    expect($searchType.get()).toBe('all')
    expect(findAdultRequests()).toEqual([])
    await switchTo('adult')
    expect($search.get().query).toBe('')
    expect(network.requests).toEqual([])
  })

  it('a query that the adult has just typed is not sent', async () => {
    setSearchQuery('night harbour', 5)
    await switchTo('kid')
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(network.requests).toEqual([])
  })

  it('search results of the adult that arrive after the switch are ignored, even for the same query', async () => {
    const releaseRequest = network.hold(SEARCH_REQUEST_PATTERN)
    setSearchQuery('night', 0)
    await waitFor(() => expect(network.requests).toHaveLength(1))
    await switchTo('kid')
    releaseRequest()
    await searchAndWait('night')
    expect(listResultNames()).toEqual([])
    expect(network.requests.at(-1)?.url).toContain('kids=true')
  })
})

describe('the filters in the URL of the search page', () => {
  it('the URL contains the type and the filter for available titles, and a reload restores these filters', async () => {
    await searchAndWait('night')
    await setSearchType('tv')
    searchStore.setSearchLimitedToAvailable(true)
    expect(browser.history.url.search).toBe('?q=night&type=tv&available=true')
    await actAs('adult')
    openSearch('?q=night&type=tv&available=true')
    expect($searchType.get()).toBe('tv')
    expect(searchStore.$isSearchLimitedToAvailable.get()).toBe(true)
    openSearch('?q=harbour&type=other')
    expect($searchType.get()).toBe('all')
    expect(searchStore.$isSearchLimitedToAvailable.get()).toBe(false)
    expect(browser.history.url.search).toBe('?q=harbour')
  })
})
