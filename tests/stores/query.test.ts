/**
 * Read stores: when they send requests, which replies they share, how they retry, and their data after a profile
 * switch.
 */
import { atom } from 'nanostores'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { actAs, switchTo, findAdultRequests, network, profiles } = await signInHousehold()
const { createReadStore, discardAllReads, refetch, refetchAll } = await import(
  '../../src/lib/stores/query.ts'
)
const catalogue = await import('../../src/lib/contract/catalogue.ts')

type SlugInput = { params: { slug: string } } | null
const $input = atom<SlugInput>(null)
const $movie = createReadStore(catalogue.getMovieBySlug, $input)
const $sameMovie = createReadStore(catalogue.getMovieBySlug, $input)
const MOVIE_REQUEST_PATTERN = /GET \/api\/movies\/slug/
const setSlug = (slug: string | null) => $input.set(slug === null ? null : { params: { slug } })
let stopDisplayFunctions: (() => void)[] = []
const displayStore = ($store: typeof $movie) => {
  const stopDisplay = $store.listen(() => {})
  stopDisplayFunctions.push(stopDisplay)
  return stopDisplay
}

beforeEach(async () => {
  setSlug(null)
  await actAs('adult')
})
afterEach(() => {
  for (const stopDisplay of stopDisplayFunctions) stopDisplay()
  stopDisplayFunctions = []
  vi.useRealTimers()
})

describe('a read store', () => {
  it('a read store requests nothing while it is not displayed or has no input', async () => {
    setSlug('night-harbour')
    await network.waitUntilIdle()
    setSlug(null)
    displayStore($movie)
    await network.waitUntilIdle()
    expect(network.requests).toEqual([])
    expect($movie.get()).toEqual({ loading: false })
  })

  it('a displayed read store loads its reply, and loads again when its input changes', async () => {
    setSlug('night-harbour')
    displayStore($movie)
    expect($movie.get()).toMatchObject({ loading: true })
    await network.waitUntilIdle()
    expect($movie.get().data?.title).toBe('Night Harbour')
    setSlug('paper-kites')
    expect($movie.get().data).toBeUndefined()
    await network.waitUntilIdle()
    expect($movie.get().data?.title).toBe('Paper Kites')
  })

  it('read stores with the same input share one request and one reply', async () => {
    setSlug('night-harbour')
    displayStore($movie)
    displayStore($sameMovie)
    await network.waitUntilIdle()
    expect($sameMovie.get().data).toBe($movie.get().data)
    expect(network.requests).toHaveLength(1)
  })

  it('a read store uses a cached reply that is less than five minutes old', async () => {
    setSlug('night-harbour')
    displayStore($movie)
    await network.waitUntilIdle()
    setSlug('paper-kites')
    await network.waitUntilIdle()
    network.clearRequests()
    setSlug('night-harbour')
    expect($movie.get().data?.title).toBe('Night Harbour')
    expect(network.requests).toEqual([])
  })

  it('a reply that is not displayed is discarded after five minutes', async () => {
    setSlug('night-harbour')
    displayStore($movie)
    await network.waitUntilIdle()
    setSlug(null)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 })
    setSlug('night-harbour')
    expect($movie.get()).toMatchObject({ loading: true })
    expect($movie.get().data).toBeUndefined()
  })

  it('a local change of the data applies to every read store with the same input', async () => {
    setSlug('night-harbour')
    displayStore($movie)
    displayStore($sameMovie)
    await network.waitUntilIdle()
    const movie = $movie.get().data
    $movie.mutate(movie && { ...movie, title: 'Changed' })
    expect($sameMovie.get().data?.title).toBe('Changed')
  })
})

describe('requesting displayed data again', () => {
  it('the old data stays visible until the new data arrives', async () => {
    setSlug('night-harbour')
    displayStore($movie)
    await network.waitUntilIdle()
    network.clearRequests()
    refetch(catalogue.getMovieBySlug)
    expect($movie.get()).toMatchObject({ loading: true, data: { title: 'Night Harbour' } })
    await network.waitUntilIdle()
    expect($movie.get().loading).toBe(false)
    expect(network.requests).toHaveLength(1)
  })

  it('a refetch during a request causes a second request', async () => {
    const releaseRequest = network.hold(MOVIE_REQUEST_PATTERN)
    setSlug('night-harbour')
    displayStore($movie)
    await network.waitUntilIdle()
    refetch(catalogue.getMovieBySlug)
    releaseRequest()
    await network.waitUntilIdle()
    expect(network.requests).toHaveLength(2)
  })

  it('read stores of other endpoints, and read stores that are not displayed, are not reloaded', async () => {
    setSlug('night-harbour')
    const stopDisplay = displayStore($movie)
    await network.waitUntilIdle()
    network.clearRequests()
    refetch(catalogue.getSeriesBySlug)
    stopDisplay()
    setSlug(null)
    refetchAll()
    await network.waitUntilIdle()
    expect(network.requests).toEqual([])
    setSlug('night-harbour')
    displayStore($movie)
    await network.waitUntilIdle()
    expect(network.requests).toHaveLength(1)
  })

  it('discarding all reads removes the data before the new request', async () => {
    setSlug('night-harbour')
    displayStore($movie)
    await network.waitUntilIdle()
    discardAllReads()
    expect($movie.get()).toEqual({ loading: true })
    await network.waitUntilIdle()
    expect($movie.get().data?.title).toBe('Night Harbour')
  })
})

describe('failed requests of a read store', () => {
  it('a read store retries three times after failed connections, and then keeps the error', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    for (let attempt = 0; attempt < 4; attempt++) network.failNext(MOVIE_REQUEST_PATTERN, 0)
    setSlug('night-harbour')
    displayStore($movie)
    await waitFor(() => expect($movie.get().error?.status).toBe(0))
    await vi.advanceTimersByTimeAsync(700)
    await vi.advanceTimersByTimeAsync(1_400)
    await vi.advanceTimersByTimeAsync(2_800)
    await vi.advanceTimersByTimeAsync(60_000)
    expect($movie.get()).toMatchObject({ loading: false, error: { status: 0 } })
    expect(network.requests).toHaveLength(4)
  })

  it('a read store shows the data of a successful retry', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    network.failNext(MOVIE_REQUEST_PATTERN, 503)
    setSlug('night-harbour')
    displayStore($movie)
    await waitFor(() => expect($movie.get().error?.status).toBe(503))
    await vi.advanceTimersByTimeAsync(700)
    vi.useRealTimers()
    await network.waitUntilIdle()
    expect($movie.get()).toMatchObject({ loading: false, data: { title: 'Night Harbour' } })
    expect($movie.get().error).toBeUndefined()
  })

  it('a request that the server rejects is not retried', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    setSlug('no-such-movie')
    displayStore($movie)
    await waitFor(() => expect($movie.get().error?.status).toBe(404))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(network.requests).toHaveLength(1)
  })

  it('a failed request is sent again when the read store is displayed again', async () => {
    setSlug('no-such-movie')
    const stopDisplay = displayStore($movie)
    await network.waitUntilIdle()
    stopDisplay()
    setSlug(null)
    network.clearRequests()
    setSlug('no-such-movie')
    displayStore($movie)
    await network.waitUntilIdle()
    expect(network.requests).toHaveLength(1)
  })
})

describe('read stores after a profile switch', () => {
  it('a profile switch removes the reply immediately and requests it for the new profile', async () => {
    setSlug('paper-kites')
    displayStore($movie)
    await network.waitUntilIdle()
    const switchPromise = switchTo('kid')
    expect($movie.get().data).toBeUndefined()
    await switchPromise
    expect($movie.get().data?.title).toBe('Paper Kites')
    expect(network.requests.map(({ profile }) => profile)).toEqual([profiles.kid])
  })

  it('a reply for the previous profile that arrives after the profile switch is not used, even when that profile is selected again', async () => {
    const releaseRequest = network.hold(MOVIE_REQUEST_PATTERN)
    setSlug('night-harbour')
    displayStore($movie)
    await network.waitUntilIdle()
    setSlug(null)
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect(findAdultRequests()).toEqual([])
    await switchTo('adult')
    setSlug('night-harbour')
    await network.waitUntilIdle()
    expect($movie.get().data?.title).toBe('Night Harbour')
    expect(network.requests).toHaveLength(1)
  })

  it('a failed request for the previous profile is not retried', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    network.failNext(MOVIE_REQUEST_PATTERN, 503)
    setSlug('night-harbour')
    displayStore($movie)
    await waitFor(() => expect($movie.get().error?.status).toBe(503))
    vi.useRealTimers()
    setSlug(null)
    await switchTo('kid')
    await waitFor(() => expect($movie.get()).toEqual({ loading: false }))
    expect(findAdultRequests()).toEqual([])
  })
})
