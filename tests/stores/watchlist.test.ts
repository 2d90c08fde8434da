/** The list button of a title: its state, changes with Undo, and changes on another device. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { TitleRef } from '../../src/lib/stores/watchlist.ts'
import { addMovies, createMovieRecord } from '../server/admin/admin-test-server.ts'
import { createSeriesRecord } from '../server/calendar/calendar-household.ts'
import { signInHousehold, startOutboxImmediately } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const household = await signInHousehold()
const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles } = household
const { $watchlistEntries, loadWatchlistEntry, setInWatchlist } = await import(
  '../../src/lib/stores/watchlist.ts'
)
const { reloadWatchlistEntries } = await import('../../src/lib/stores/title-reloads.ts')
const { changeWatchlistEntries } = await import('../../src/lib/stores/watchlist-bulk.ts')
const { $pendingWrites } = await import('../../src/lib/stores/pending-writes.ts')
const { setWatchState } = await import('../../src/lib/stores/watch-state.ts')
const { $watchlistVersion, refetchAll } = await import('../../src/lib/stores/query.ts')
// Every page loads this module, which keeps feedback, ratings and watchlist entries of titles up to date.
await import('../../src/lib/stores/account-events.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')

const harbour = getCard('Night Harbour')
const kites = getCard('Paper Kites')
const getWatchlistEntry = (title: TitleRef) => $watchlistEntries.get()[`${title.type}/${title.id}`]
const removeEntryOnServer = (title: typeof harbour) =>
  otherDevice.put(`/api/profile/${profiles.adult}/watchlist/${title.type}/${title.id}`, {
    in_watchlist: false,
  })
/** Adds a title to the watchlist with these values of the entry. Returns the stored entry. */
const restoreEntryOnServer = async (title: TitleRef, entryFields: object) => {
  const entries = [{ type: title.type, media_id: title.id, in_watchlist: true, ...entryFields }]
  return (await otherDevice.put(`/api/profile/${profiles.adult}/watchlist`, { entries })).body.results[0]
}
/** Adds a series without released episodes to the catalogue. */
const addEmptySeries = async () => {
  const [id = ''] = await addMovies(household, [createSeriesRecord(8, [], { seasons: [] })])
  const loadWatchState = async () =>
    (await otherDevice.get(`/api/profile/${profiles.adult}/watchlist/tv/${id}`)).body.state
  return { emptySeries: { type: 'tv', id } as const, loadWatchState }
}

beforeEach(async () => {
  await removeEntryOnServer(harbour)
  await removeEntryOnServer(kites)
  await actAs('adult')
})

describe('loading watchlist entries', () => {
  it('loading the watchlist entry of a title twice sends one request', async () => {
    await loadWatchlistEntry(harbour)
    await loadWatchlistEntry(harbour)
    expect(getWatchlistEntry(harbour)).toMatchObject({ in_watchlist: false })
    expect(network.requests).toHaveLength(1)
  })

  it('a loaded watchlist entry is reloaded after a change on another device', async () => {
    await loadWatchlistEntry(harbour)
    await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/movie/${harbour.id}`, {})
    await reloadWatchlistEntries()
    expect(getWatchlistEntry(harbour)).toMatchObject({ in_watchlist: true })
  })

  it('a reload after a change on another device updates the requested watchlist entries and discards all other entries', async () => {
    const records = Array.from({ length: 40 }, (_, index) => createMovieRecord(100 + index))
    const movies = (await addMovies(household, records)).map((id) => ({ type: 'movie', id }) as const)
    const [firstMovie, secondMovie] = movies
    if (!firstMovie || !secondMovie) throw new Error('no movies')
    await loadWatchlistEntry(firstMovie)
    await changeWatchlistEntries(
      movies.map(({ type, id }) => ({ type, media_id: id })),
      { in_watchlist: true },
    )
    for (const movie of [firstMovie, secondMovie]) await restoreEntryOnServer(movie, { state: 'watching' })
    await reloadWatchlistEntries()
    expect(getWatchlistEntry(firstMovie)).toMatchObject({ state: 'watching' })
    expect(getWatchlistEntry(secondMovie)).toBeUndefined()
    await loadWatchlistEntry(secondMovie)
    expect(getWatchlistEntry(secondMovie)).toMatchObject({ state: 'watching' })
  })

  it('if loading a watchlist entry failed, the entry is requested again when a button needs the entry', async () => {
    await restoreEntryOnServer(harbour, { state: 'watching' })
    network.failNext(/GET .*watchlist/, 429)
    await expect(loadWatchlistEntry(harbour)).rejects.toMatchObject({ status: 429 })
    expect(getWatchlistEntry(harbour)).toBeUndefined()
    await loadWatchlistEntry(harbour)
    expect(getWatchlistEntry(harbour)).toMatchObject({ in_watchlist: true, state: 'watching' })
  })

  it('if loading a watchlist entry failed, the entry is loaded when all displayed data is requested again', async () => {
    await restoreEntryOnServer(harbour, { state: 'watching' })
    network.failNext(/GET .*watchlist/, 429)
    await expect(loadWatchlistEntry(harbour)).rejects.toMatchObject({ status: 429 })
    refetchAll()
    await network.waitUntilIdle()
    expect(getWatchlistEntry(harbour)).toMatchObject({ in_watchlist: true, state: 'watching' })
  })

  it('if the user adds a title to the watchlist before its watchlist entry is loaded, the addition stays displayed', async () => {
    const releaseRequest = network.hold(/GET .*watchlist/)
    const loadPromise = loadWatchlistEntry(harbour)
    await setInWatchlist(harbour, true)
    releaseRequest()
    await loadPromise
    expect(getWatchlistEntry(harbour)).toMatchObject({ in_watchlist: true })
  })
})

describe('changes of the watchlist', () => {
  it('an added title is shown before the server has confirmed the change', async () => {
    const releaseRequest = network.hold(/PUT/)
    const changePromise = setInWatchlist(harbour, true)
    expect(getWatchlistEntry(harbour)).toMatchObject({ in_watchlist: true })
    expect($toast.get()).toBeNull()
    releaseRequest()
    await changePromise
    expect($toast.get()).toMatchObject({ key: 'common:added' })
    expect(getWatchlistEntry(harbour)).toMatchObject({ in_watchlist: true, state: 'planned' })
  })

  it('adding a title increases $watchlistVersion by one', async () => {
    const watchlistVersion = $watchlistVersion.get()
    await setInWatchlist(harbour, true)
    expect($watchlistVersion.get()).toBe(watchlistVersion + 1)
  })

  it('Undo removes an added title', async () => {
    await loadWatchlistEntry(harbour)
    await setInWatchlist(harbour, true)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(getWatchlistEntry(harbour)).toMatchObject({ in_watchlist: false })
  })

  it('an addition offers no Undo when it is unknown whether the title was in the watchlist before', async () => {
    const originalEntry = await restoreEntryOnServer(harbour, { state: 'watching' })
    await setInWatchlist(harbour, true)
    expect($toast.get()).toMatchObject({ key: 'common:added' })
    expect($toast.get()?.undo).toBeUndefined()
    expect(getWatchlistEntry(harbour)).toEqual(originalEntry)
  })

  it('Undo restores the watch state, the favourite mark and the time of addition of a removed title', async () => {
    const originalEntry = await restoreEntryOnServer(harbour, {
      state: 'watching',
      favorite: true,
      added_at: '2024-05-06T12:00:00.000Z',
    })
    await loadWatchlistEntry(harbour)
    await setInWatchlist(harbour, false)
    expect(getWatchlistEntry(harbour)).toMatchObject({ in_watchlist: false, added_at: null })
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(getWatchlistEntry(harbour)).toEqual(originalEntry)
    expect(originalEntry).toMatchObject({ state: 'watching', favorite: true })
  })

  it('when the server rejects an addition to the watchlist, the previous watchlist entry is restored and a message is shown', async () => {
    await loadWatchlistEntry(harbour)
    network.failNext(/PUT/, 422)
    await setInWatchlist(harbour, true)
    expect(getWatchlistEntry(harbour)).toMatchObject({ in_watchlist: false })
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
  })

  it('setting a watch state adds the title to the watchlist', async () => {
    await setWatchState(harbour, 'watching')
    expect(getWatchlistEntry(harbour)).toMatchObject({ in_watchlist: true, state: 'watching' })
    expect($toast.get()).toMatchObject({ key: 'mylist:stateUpdated' })
  })

  it('the message after completing a title confirms the new watch state, even if the title was already seen, and Undo restores the previous watch state', async () => {
    await setWatchState(harbour, 'completed')
    expect($toast.get()).toMatchObject({ key: 'mylist:stateUpdated' })
    await setWatchState(harbour, 'planned')
    await setWatchState(harbour, 'completed')
    await network.waitUntilIdle()
    expect(getWatchlistEntry(harbour)).toMatchObject({ state: 'completed' })
    expect($toast.get()).toMatchObject({ key: 'mylist:stateUpdated' })
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(getWatchlistEntry(harbour)).toMatchObject({ state: 'planned' })
  })

  it.each(['loaded by a button', 'displayed by My List'])(
    'a series without released episodes can be completed, and Undo restores the previous watch state, which was %s',
    async (source) => {
      const { emptySeries, loadWatchState } = await addEmptySeries()
      const entry = await restoreEntryOnServer(emptySeries, { state: 'watching' })
      if (source === 'loaded by a button') await loadWatchlistEntry(emptySeries)
      await setWatchState(emptySeries, 'completed', source === 'loaded by a button' ? undefined : entry)
      expect(await loadWatchState()).toBe('completed')
      expect($toast.get()).toMatchObject({ key: 'mylist:stateUpdated' })
      $toast.get()?.undo?.()
      await network.waitUntilIdle()
      expect(await loadWatchState()).toBe('watching')
    },
  )

  it('if a series without released episodes is completed offline, the server stores the watch state "completed" later', async () => {
    const { emptySeries, loadWatchState } = await addEmptySeries()
    const entry = await restoreEntryOnServer(emptySeries, { state: 'watching' })
    await startOutboxImmediately(household)
    network.setOffline(true)
    await setWatchState(emptySeries, 'completed', entry)
    network.setOffline(false)
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(await loadWatchState()).toBe('completed')
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(await loadWatchState()).toBe('watching')
  })
})

describe('after a switch to a kids profile', () => {
  it('the watchlist entry of the adult is not shown, and no request is sent for the adult profile', async () => {
    await setInWatchlist(kites, true)
    await switchTo('kid')
    expect(getWatchlistEntry(kites)).toBeUndefined()
    await loadWatchlistEntry(kites)
    expect(getWatchlistEntry(kites)).toMatchObject({ in_watchlist: false })
    await reloadWatchlistEntries()
    expect(findAdultRequests()).toEqual([])
    await switchTo('adult')
    expect(getWatchlistEntry(kites)).toBeUndefined()
    await loadWatchlistEntry(kites)
    expect(getWatchlistEntry(kites)).toMatchObject({ in_watchlist: true })
  })

  it('a watchlist entry that arrives after the switch is ignored', async () => {
    const releaseRequest = network.hold(/GET .*watchlist/)
    void loadWatchlistEntry(kites)
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect(getWatchlistEntry(kites)).toBeUndefined()
  })

  it('a watchlist change by the adult is stored, but the child sees neither the change nor a message', async () => {
    const releaseRequest = network.hold(/PUT/)
    void setInWatchlist(kites, true)
    await network.waitUntilIdle()
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect(getWatchlistEntry(kites)).toBeUndefined()
    expect($toast.get()).toBeNull()
    const { body } = await otherDevice.get(`/api/profile/${profiles.adult}/watchlist/movie/${kites.id}`)
    expect(body).toMatchObject({ in_watchlist: true })
  })
})
