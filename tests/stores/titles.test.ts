/** The rows of the home page, title pages and actor pages. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, switchTo, card, findAdultRequests, network, otherDevice, profiles } = await signInHousehold()
const stores = await import('../../src/lib/stores/titles.ts')
const { $heroSynopsis, $heroTitle } = await import('../../src/lib/stores/hero-synopsis.ts')
const { $becauseRows } = await import('../../src/lib/stores/recommendation-settings.ts')

const HOME_STORES = [
  stores.$featuredMovies,
  stores.$featuredSeries,
  stores.$topPicks,
  stores.$topGenres,
  stores.$continueWatching,
  $becauseRows,
]
const PAGE_STORES = [
  stores.$titleDetails,
  stores.$similarTitles,
  stores.$titleProgress,
  stores.$seasonEpisodes,
  stores.$actor,
  stores.$actorMovies,
  stores.$actorSeries,
]
for (const $store of [...HOME_STORES, ...PAGE_STORES, $heroSynopsis]) $store.listen(() => {})
const listTitles = ($store: typeof stores.$featuredMovies) =>
  $store.get().data?.results.map(({ title }) => title) ?? []
const openTitle = async (name: string) => {
  const { type, slug } = card(name)
  stores.$currentTitle.set({ type, slug })
  await network.waitUntilIdle()
}

beforeEach(() => actAs('adult'))

describe('the home page', () => {
  it('loads every row of the profile', async () => {
    await switchTo('guest')
    for (const $store of HOME_STORES) expect($store.get()).toMatchObject({ loading: false, data: {} })
    expect(listTitles(stores.$featuredMovies)).toContain('Night Harbour')
    const ownRequests = network.requests.filter(({ url }) => url.includes(profiles.guest))
    expect(ownRequests).toHaveLength(4)
  })

  it('shows only safe titles to a kids profile, and requests only such titles', async () => {
    await switchTo('kid')
    expect(listTitles(stores.$featuredMovies)).toContain('Paper Kites')
    expect(listTitles(stores.$featuredMovies)).not.toContain('Night Harbour')
    expect(listTitles(stores.$featuredSeries)).toEqual(['Garden Club'])
    const lists = network.requests.filter(({ url }) => !url.includes('continue-watching'))
    expect(lists.every(({ url }) => url.includes('kids=true'))).toBe(true)
  })

  it('loads the synopsis of the hero', async () => {
    $heroTitle.set(card('Night Harbour'))
    await network.waitUntilIdle()
    expect($heroSynopsis.get()).toBe('The story of Night Harbour.')
  })

  it('shows the error of a row that failed', async () => {
    network.failNext(/series\/featured/, 422)
    await switchTo('guest')
    expect(stores.$featuredSeries.get()).toMatchObject({ error: { status: 422 }, loading: false })
    expect(stores.$featuredMovies.get().error).toBeUndefined()
  })
})

describe('a title page', () => {
  it('loads details, progress and similar titles', async () => {
    await openTitle('Night Harbour')
    expect(stores.$titleDetails.get().data).toMatchObject({ title: 'Night Harbour', type: 'movie' })
    expect(stores.$titleProgress.get().data).toEqual({ latest: null, episodes: [] })
    expect(stores.$similarTitles.get().data?.results.map(({ title }) => title)).toContain('Cold Verdict')
  })

  it('loads the episodes of the selected season', async () => {
    await openTitle('Iron Ledger')
    const seasons = stores.$titleDetails.get().data?.seasons ?? []
    stores.$selectedSeasonId.set(seasons[1]?.id ?? null)
    await network.waitUntilIdle()
    expect(stores.$seasonEpisodes.get().data?.results.map(({ title }) => title)).toEqual([
      'Part 2.1',
      'Part 2.2',
      'Part 2.3',
    ])
  })

  it('reports a title that does not exist', async () => {
    stores.$currentTitle.set({ type: 'movie', slug: 'nothing' })
    await network.waitUntilIdle()
    expect(stores.$titleDetails.get()).toMatchObject({ error: { status: 404 } })
  })

  it('reports an unsafe title to a kids profile like a title that does not exist', async () => {
    await switchTo('kid')
    await openTitle('Night Harbour')
    expect(stores.$titleDetails.get()).toMatchObject({ error: { status: 404 } })
  })
})

describe('an actor page', () => {
  it('loads the person and the filmography', async () => {
    stores.$actorSlug.set('ada-winter')
    await network.waitUntilIdle()
    expect(stores.$actor.get().data?.name).toBe('Ada Winter')
    expect(listTitles(stores.$actorMovies).sort()).toEqual(['Cold Verdict', 'Night Harbour'])
    expect(listTitles(stores.$actorSeries)).toEqual([])
  })
})

describe('after a switch to a kids profile', () => {
  it('a switch to a kids profile removes rows, title, season, actor and opened card of the adult', async () => {
    stores.$openedCard.set(card('Night Harbour'))
    $heroTitle.set(card('Night Harbour'))
    stores.$actorSlug.set('ada-winter')
    await openTitle('Iron Ledger')
    stores.$selectedSeasonId.set(stores.$titleDetails.get().data?.seasons?.[0]?.id ?? null)
    await network.waitUntilIdle()
    const switchPromise = switchTo('kid')
    for (const $store of HOME_STORES) expect($store.get().data).toBeUndefined()
    await switchPromise
    for (const $store of PAGE_STORES) expect($store.get()).toEqual({ loading: false })
    expect(stores.$openedCard.get()).toBeNull()
    expect(stores.$currentTitle.get()).toBeNull()
    expect(stores.$selectedSeasonId.get()).toBeNull()
    expect(stores.$actorSlug.get()).toBeNull()
    expect($heroSynopsis.get()).toBeNull()
    expect(findAdultRequests()).toEqual([])
    expect(network.requests.every(({ profile }) => profile === profiles.kid)).toBe(true)
  })

  it('ignores details of the adult that arrive after the switch', async () => {
    const release = network.hold(/slug/)
    void openTitle('Night Harbour')
    await switchTo('kid')
    release()
    await network.waitUntilIdle()
    expect(stores.$titleDetails.get()).toEqual({ loading: false })
  })

  it('loads changes that were made in the meantime when the adult returns', async () => {
    await switchTo('kid')
    const { type, id } = card('Paper Kites')
    const position = { type, media_id: id, progress: 1_200, data: { video_duration: 6_000 } }
    await otherDevice.post(`/api/profile/${profiles.adult}/history`, position)
    await switchTo('adult')
    expect(stores.$continueWatching.get().data?.results.map(({ media }) => media.title)).toEqual([
      'Paper Kites',
    ])
    expect(listTitles(stores.$featuredMovies)).toContain('Night Harbour')
  })
})
