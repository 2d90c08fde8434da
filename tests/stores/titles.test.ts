/** The rows of the home page, title pages and actor pages. */
import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/lib/rules/limits.ts'
import { addMovies, createMovieRecord } from '../server/admin/admin-test-server.ts'
import { signInHousehold } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles } = household
const titleStores = await import('../../src/lib/stores/titles.ts')
const { refetch } = await import('../../src/lib/stores/query.ts')
const { setFeedback } = await import('../../src/lib/stores/feedback.ts')
const catalogue = await import('../../src/lib/contract/catalogue.ts')
const actorStores = await import('../../src/lib/stores/actor.ts')
const { $heroSynopsis, $heroTitle } = await import('../../src/lib/stores/hero-synopsis.ts')
const { $becauseRows, $topGenres } = await import('../../src/lib/stores/recommendation-settings.ts')

const HOME_STORES = [
  titleStores.$featuredMovies,
  titleStores.$featuredSeries,
  titleStores.$topPicks,
  $topGenres,
  titleStores.$continueWatching,
  $becauseRows,
]
const PAGE_STORES = [
  titleStores.$titleDetails,
  titleStores.$similarTitles,
  titleStores.$titleProgress,
  titleStores.$seasonEpisodes,
  actorStores.$actor,
  actorStores.$actorWithTitles,
]
for (const $store of [...HOME_STORES, ...PAGE_STORES, $heroSynopsis]) $store.listen(() => {})
const listTitles = ($store: typeof titleStores.$featuredMovies) =>
  $store.get().data?.results.map(({ title }) => title) ?? []
const openTitle = async (name: string) => {
  const { type, slug } = getCard(name)
  titleStores.$currentTitle.set({ type, slug })
  await network.waitUntilIdle()
}

beforeEach(() => actAs('adult'))

describe('the home page', () => {
  it('the home page loads every row of the profile', async () => {
    await switchTo('guest')
    for (const $store of HOME_STORES) expect($store.get()).toMatchObject({ loading: false, data: {} })
    expect(listTitles(titleStores.$featuredMovies)).toContain('Night Harbour')
    const guestRequests = network.requests.filter(({ url }) => url.includes(profiles.guest))
    expect(guestRequests).toHaveLength(4)
  })

  it('the home page of a kids profile requests and shows only titles that are safe for kids', async () => {
    await switchTo('kid')
    expect(listTitles(titleStores.$featuredMovies)).toContain('Paper Kites')
    expect(listTitles(titleStores.$featuredMovies)).not.toContain('Night Harbour')
    expect(listTitles(titleStores.$featuredSeries)).toEqual(['Garden Club'])
    const catalogueRequests = network.requests.filter(({ url }) => !url.includes('continue-watching'))
    expect(catalogueRequests).not.toHaveLength(0)
    expect(catalogueRequests.every(({ url }) => url.includes('kids=true'))).toBe(true)
  })

  it('when the hero shows a title, its synopsis is loaded', async () => {
    $heroTitle.set(getCard('Night Harbour'))
    await network.waitUntilIdle()
    expect($heroSynopsis.get()).toEqual({ text: 'The story of Night Harbour.', lang: 'en' })
  })

  it('a disliked title disappears from a displayed row immediately, and returns to its position after Undo', async () => {
    await switchTo('guest')
    const displayedTitles = listTitles(titleStores.$topPicks)
    const dislikedTitle = displayedTitles[0] ?? ''
    await setFeedback(getCard(dislikedTitle), 'disliked')
    await expect.poll(() => listTitles(titleStores.$topPicks)).not.toContain(dislikedTitle)
    await setFeedback(getCard(dislikedTitle), null)
    await expect.poll(() => listTitles(titleStores.$topPicks)).toEqual(displayedTitles)
  })

  it('when a displayed row is loaded again, a new title takes the last position, and after a profile switch the position from the server', async () => {
    await network.waitUntilIdle()
    const displayedTitles = listTitles(titleStores.$featuredMovies)
    await addMovies(household, [createMovieRecord(500, { popularity: 1_000_000 })])
    refetch(catalogue.listFeaturedMovies)
    await network.waitUntilIdle()
    expect(listTitles(titleStores.$featuredMovies)).toEqual([
      ...displayedTitles.slice(0, LIMITS.featured - 1),
      'Lantern 500',
    ])
    await switchTo('guest')
    expect(listTitles(titleStores.$featuredMovies)[0]).toBe('Lantern 500')
  })

  it('a row that failed to load shows an error, and other rows do not', async () => {
    network.failNext(/series\/featured/, 422)
    await switchTo('guest')
    expect(titleStores.$featuredSeries.get()).toMatchObject({ error: { status: 422 }, loading: false })
    expect(titleStores.$featuredMovies.get().error).toBeUndefined()
  })
})

describe('a title page', () => {
  it('a title page loads details, progress and similar titles', async () => {
    await openTitle('Night Harbour')
    expect(titleStores.$titleDetails.get().data).toMatchObject({ title: 'Night Harbour', type: 'movie' })
    expect(titleStores.$titleProgress.get().data).toEqual({
      latest: null,
      episodes: [],
      next_episode: null,
      seen: false,
    })
    expect(titleStores.$similarTitles.get().data?.results.map(({ title }) => title)).toContain('Cold Verdict')
  })

  it('a title page loads the episodes of the selected season', async () => {
    await openTitle('Iron Ledger')
    const seasons = titleStores.$titleDetails.get().data?.seasons ?? []
    titleStores.$selectedSeasonId.set(seasons[1]?.id ?? null)
    await network.waitUntilIdle()
    expect(titleStores.$seasonEpisodes.get().data?.results.map(({ title }) => title)).toEqual([
      'Part 2.1',
      'Part 2.2',
      'Part 2.3',
    ])
  })

  it('a title page reports 404 for a title that does not exist', async () => {
    titleStores.$currentTitle.set({ type: 'movie', slug: 'nothing' })
    await network.waitUntilIdle()
    expect(titleStores.$titleDetails.get()).toMatchObject({ error: { status: 404 } })
  })

  it('a title page of a kids profile reports 404 for a title that is not safe for kids', async () => {
    await switchTo('kid')
    await openTitle('Night Harbour')
    expect(titleStores.$titleDetails.get()).toMatchObject({ error: { status: 404 } })
  })
})

describe('an actor page', () => {
  it('an actor page loads the person and the filmography', async () => {
    actorStores.$actorSlug.set('ada-winter')
    await network.waitUntilIdle()
    expect(actorStores.$actor.get().data?.name).toBe('Ada Winter')
    const { movies, series } = actorStores.$actorWithTitles.get().data ?? {}
    expect(movies?.map(({ title }) => title).sort()).toEqual(['Cold Verdict', 'Night Harbour'])
    expect(series).toEqual([])
  })

  it('an actor page loads all titles of a person, even if they do not fit on one page of a list', async () => {
    const titleCount = LIMITS.maxPageSize + 5
    const cast = [{ person: { name: 'Omar Busy', tmdb_id: 990_001 }, character: 'Extra' }]
    const records = Array.from({ length: titleCount }, (_, index) => createMovieRecord(index, { cast }))
    await addMovies(household, records)
    actorStores.$actorSlug.set('omar-busy')
    await network.waitUntilIdle()
    expect(actorStores.$actorWithTitles.get().data?.movies).toHaveLength(titleCount)
  })
})

describe('after a switch to a kids profile', () => {
  it('a switch to a kids profile removes rows, title, season, actor and opened card of the adult', async () => {
    titleStores.$openedCard.set(getCard('Night Harbour'))
    $heroTitle.set(getCard('Night Harbour'))
    actorStores.$actorSlug.set('ada-winter')
    await openTitle('Iron Ledger')
    titleStores.$selectedSeasonId.set(titleStores.$titleDetails.get().data?.seasons?.[0]?.id ?? null)
    await network.waitUntilIdle()
    const switchPromise = switchTo('kid')
    for (const $store of HOME_STORES) expect($store.get().data).toBeUndefined()
    await switchPromise
    for (const $store of PAGE_STORES) expect($store.get()).toEqual({ loading: false })
    expect(titleStores.$openedCard.get()).toBeNull()
    expect(titleStores.$currentTitle.get()).toBeNull()
    expect(titleStores.$selectedSeasonId.get()).toBeNull()
    expect(actorStores.$actorSlug.get()).toBeNull()
    expect($heroSynopsis.get()).toBeNull()
    expect(findAdultRequests()).toEqual([])
    expect(new Set(network.requests.map(({ profile }) => profile))).toEqual(new Set([profiles.kid]))
  })

  it('details of the adult that arrive after the switch are ignored', async () => {
    const releaseRequest = network.hold(/slug/)
    void openTitle('Night Harbour')
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect(titleStores.$titleDetails.get()).toEqual({ loading: false })
  })

  it('progress from another device is loaded when the adult returns', async () => {
    await switchTo('kid')
    const { type, id } = getCard('Paper Kites')
    const progressBody = { type, media_id: id, progress: 1_200, data: { video_duration: 6_000 } }
    await otherDevice.post(`/api/profile/${profiles.adult}/history`, progressBody)
    await switchTo('adult')
    expect(titleStores.$continueWatching.get().data?.results.map(({ media }) => media.title)).toEqual([
      'Paper Kites',
    ])
    expect(listTitles(titleStores.$featuredMovies)).toContain('Night Harbour')
  })
})
