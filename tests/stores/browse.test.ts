/** The lists of movies and series: filters, pages, and returning to a list. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles } =
  await signInHousehold()
const {
  $browseList,
  $browseResults,
  DEFAULT_BROWSE_SORT,
  findRandomTitle,
  formatBrowseFilters,
  loadMoreResults,
  openBrowseList,
  parseBrowseFilters,
} = await import('../../src/lib/stores/browse.ts')

const { markSeen } = await import('../../src/lib/stores/viewings.ts')
const { markViewingsChanged } = await import('../../src/lib/stores/query.ts')

const NO_FILTERS = parseBrowseFilters('')
const CRIME_GENRE_ID = 80
const listTitles = () => $browseResults.get().items.map(({ title }) => title)
const openList = async (type: 'movie' | 'tv', search = '') => {
  openBrowseList(type, parseBrowseFilters(search))
  await network.waitUntilIdle()
}

beforeEach(() => actAs('adult'))

describe('the URL of a list', () => {
  it('the URL of a list has no query without filters', () => {
    expect(NO_FILTERS.sort).toBe(DEFAULT_BROWSE_SORT)
    expect(formatBrowseFilters(NO_FILTERS)).toBe('')
  })

  it('the URL of a list contains every filter under its name in the specification', () => {
    const search =
      '?sort=title.asc&releaseYear=1999&releaseYear=2001&includeGenres=80&excludeGenres=27&language=fr' +
      '&rated=17%2B&rating=7&ratingVotes=1000&network=hbo&hideSeen=true&highQuality=true'
    expect(formatBrowseFilters(parseBrowseFilters(search))).toBe(search)
  })
})

describe('a list', () => {
  it('a list loads its first page', async () => {
    openBrowseList('movie', NO_FILTERS)
    expect($browseResults.get()).toMatchObject({ loading: true, items: [] })
    await network.waitUntilIdle()
    expect($browseResults.get()).toMatchObject({ total: 44, page: 1, loading: false })
    expect(listTitles()).toHaveLength(36)
    expect($browseResults.get().hasMore).toBe(true)
  })

  it('loading the next page of a list adds each title once', async () => {
    await openList('movie')
    await loadMoreResults()
    expect(new Set(listTitles()).size).toBe(44)
    expect($browseResults.get().hasMore).toBe(false)
  })

  it('when a title is added at the start of a list between two page loads, the title is shown, and no page is offered after the last page', async () => {
    const { id: titleId } = getCard('Cold Verdict')
    const setPublished = (published: boolean) =>
      otherDevice.patch(`/api/movies/${titleId}/publish`, { published })
    await setPublished(false)
    await openList('movie', '?sort=title.asc')
    await setPublished(true)
    network.clearRequests()
    await loadMoreResults()
    const { hasMore, total } = $browseResults.get()
    expect({ hasMore, total }).toEqual({ hasMore: false, total: 44 })
    expect(listTitles()).toHaveLength(44)
    expect(listTitles()[0]).toBe('Cold Verdict')
    expect(network.requests).toHaveLength(3)
  })

  it('the titles of a list match its filters and its sort order', async () => {
    await openList('movie', `?includeGenres=${CRIME_GENRE_ID}`)
    expect(listTitles().sort()).toEqual(['Cold Verdict', 'Night Harbour'])
    await openList('tv', '?sort=title.asc')
    expect(listTitles()).toEqual(['Garden Club', 'Iron Ledger'])
  })

  it('a list that is opened again shows the loaded pages without a request', async () => {
    await openList('movie')
    await loadMoreResults()
    await openList('tv')
    network.clearRequests()
    await openList('movie')
    expect(listTitles()).toHaveLength(44)
    expect(network.requests).toEqual([])
  })

  it('a list that hides seen titles is reloaded when it is opened again after a viewing', async () => {
    await openList('movie', '?hideSeen=true')
    await loadMoreResults()
    expect(listTitles()).toContain('Night Harbour')
    await openList('tv')
    await markSeen([{ type: 'movie', media_id: getCard('Night Harbour').id, scope: 'title' }])
    await network.waitUntilIdle()
    openBrowseList('movie', parseBrowseFilters('?hideSeen=true'))
    expect(listTitles()).toHaveLength(44)
    await network.waitUntilIdle()
    expect($browseResults.get()).toMatchObject({ total: 43, page: 2, loading: false })
    expect(listTitles()).not.toContain('Night Harbour')
  })

  it('in a list that hides seen titles, the next page skips no title after a title was marked as seen', async () => {
    await openList('movie', '?hideSeen=true')
    const [seenTitle] = $browseResults.get().items
    if (!seenTitle) throw new Error('no title')
    await markSeen([{ type: 'movie', media_id: seenTitle.id, scope: 'title' }])
    await loadMoreResults()
    const { total, items, page } = $browseResults.get()
    expect(page).toBe(2)
    expect(items).toHaveLength(total ?? 0)
    expect(listTitles()).not.toContain(seenTitle.title)
    markViewingsChanged()
    network.failNext(/hide-seen/, 500)
    await loadMoreResults()
    expect($browseResults.get()).toMatchObject({ loading: false, error: { status: 500 } })
  })

  it('if a page that was requested before a reload arrives after the reload, the reloaded results stay displayed', async () => {
    await openList('movie', '?hideSeen=true')
    const releaseRequest = network.hold(/page=2/)
    void loadMoreResults()
    await openList('tv')
    await markSeen([{ type: 'movie', media_id: getCard('Night Harbour').id, scope: 'title' }])
    await openList('movie', '?hideSeen=true')
    const reloadedTitles = listTitles()
    releaseRequest()
    await network.waitUntilIdle()
    expect(listTitles()).toEqual(reloadedTitles)
    expect(reloadedTitles).not.toContain('Night Harbour')
  })

  it('an outdated list keeps its titles when the reload fails, and is reloaded when it is opened again', async () => {
    await openList('movie', '?hideSeen=true')
    const loadedTitles = listTitles()
    markViewingsChanged()
    network.failNext(/hide-seen/, 500)
    await openList('movie', '?hideSeen=true')
    expect(listTitles()).toEqual(loadedTitles)
    expect($browseResults.get()).toMatchObject({ loading: false, error: null })
    network.clearRequests()
    await openList('movie', '?hideSeen=true')
    expect(network.requests).toHaveLength(1)
  })

  it('the "ends by" filter keeps its maximum runtime for all pages, and computes a new maximum runtime when the list is opened later', async () => {
    const listRequestedRuntimes = () =>
      network.requests.flatMap(({ url }) => new URL(url, location.href).searchParams.getAll('max-runtime'))
    // Uses times of tomorrow, so that the clock never moves back. The server would reject an access token that was
    // issued after its current time.
    const tomorrow = new Date(Date.now() + 24 * 60 * 60_000)
    const setTimeOfDay = (hours: number, minutes: number) =>
      vi.setSystemTime(new Date(tomorrow).setHours(hours, minutes))
    vi.useFakeTimers({ toFake: ['Date'] })
    setTimeOfDay(19, 0)
    try {
      await openList('movie', '?endBy=21:30')
      setTimeOfDay(19, 20)
      await loadMoreResults()
      expect(listRequestedRuntimes()).toEqual(['150', '150'])
      network.clearRequests()
      setTimeOfDay(20, 30)
      await openList('movie', '?endBy=21:30')
      expect(listRequestedRuntimes()).toEqual(['60'])
      expect(listTitles()).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  it('a page of the previous list that arrives after another list was opened is ignored', async () => {
    const releaseRequest = network.hold(/GET \/api\/movies/)
    openBrowseList('movie', NO_FILTERS)
    await openList('tv')
    releaseRequest()
    await network.waitUntilIdle()
    expect(listTitles().sort()).toEqual(['Garden Club', 'Iron Ledger'])
  })

  it('the loaded titles stay when loading the next page fails, and the next attempt loads the page', async () => {
    await openList('movie')
    network.failNext(/page=2/, 500)
    await loadMoreResults()
    expect($browseResults.get()).toMatchObject({ loading: false, error: { status: 500 } })
    expect(listTitles()).toHaveLength(36)
    await loadMoreResults()
    expect($browseResults.get()).toMatchObject({ error: null, page: 2 })
  })
})

describe('after a switch to a kids profile', () => {
  it('a switch to a kids profile removes the lists and pages of the adult', async () => {
    await openList('movie', `?includeGenres=${CRIME_GENRE_ID}`)
    await openList('movie')
    await loadMoreResults()
    await switchTo('kid')
    expect($browseList.get()).toBeNull()
    expect($browseResults.get()).toMatchObject({ items: [], total: null, page: 0 })
    expect(network.requests).toEqual([])
    await loadMoreResults()
    await openList('movie')
    expect(listTitles()).not.toContain('Night Harbour')
    expect($browseResults.get()).toMatchObject({ total: 42, page: 1 })
    expect(network.requests.map(({ url }) => new URL(url, location.href).searchParams.get('kids'))).toEqual([
      'true',
    ])
    expect(findAdultRequests()).toEqual([])
  })

  it('a page of the adult that arrives after the switch is ignored', async () => {
    await openList('movie')
    const releaseRequest = network.hold(/page=2/)
    void loadMoreResults()
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect(listTitles()).toEqual([])
    await openList('movie')
    expect(network.requests.map(({ profile }) => profile)).toEqual([profiles.kid])
  })

  it('a list of the adult is requested again when the adult profile is selected again', async () => {
    await openList('movie')
    await switchTo('kid')
    await switchTo('adult')
    await openList('movie')
    expect(network.requests).toHaveLength(1)
    expect(listTitles()).toContain('Night Harbour')
  })
})

describe('a random title', () => {
  it('a random title matches the filters of the list', async () => {
    const filters = parseBrowseFilters(`?includeGenres=${CRIME_GENRE_ID}`)
    openBrowseList('movie', filters)
    await network.waitUntilIdle()
    const { items, total } = $browseResults.get()
    const title = await findRandomTitle('movie', filters, total ?? 0)
    expect(items.map(({ id: titleId }) => titleId)).toContain(title?.id)
    expect(await findRandomTitle('movie', parseBrowseFilters('?releaseYear=1871'), 0)).toBeUndefined()
  })
})

describe('the latest titles', () => {
  const listReleasedParameters = () =>
    network.requests.map(({ url }) => new URL(url, location.href).searchParams.get('released'))

  it('a list of the latest titles leaves out unreleased titles, unless release years are chosen', async () => {
    network.requests.length = 0
    await openList('movie', '?sort=release_date.desc')
    expect(listReleasedParameters()).toEqual(['true'])
    network.requests.length = 0
    await openList('movie', '?sort=release_date.desc&releaseYear=2031')
    expect(listReleasedParameters()).toEqual([null])
  })
})
