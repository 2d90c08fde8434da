/** The list button of a title: its state, changes with Undo, and changes on another device. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, switchTo, card, findAdultRequests, network, otherDevice, profiles } = await signInHousehold()
const { $watchlistEntries, loadWatchlistEntry, reloadWatchlistEntries, setInWatchlist } = await import(
  '../../src/lib/stores/watchlist.ts'
)
const { setWatchState } = await import('../../src/lib/stores/watch-state.ts')
const { $watchlistVersion } = await import('../../src/lib/stores/query.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')

const harbour = card('Night Harbour')
const kites = card('Paper Kites')
const getEntry = (title: typeof harbour) => $watchlistEntries.get()[`${title.type}/${title.id}`]
const removeOnServer = (title: typeof harbour) =>
  otherDevice.put(`/api/profile/${profiles.adult}/watchlist/${title.type}/${title.id}`, {
    in_watchlist: false,
  })

beforeEach(async () => {
  await removeOnServer(harbour)
  await removeOnServer(kites)
  await actAs('adult')
})

describe('loading watchlist entries', () => {
  it('loads the entry of a title once', async () => {
    await loadWatchlistEntry(harbour)
    await loadWatchlistEntry(harbour)
    expect(getEntry(harbour)).toMatchObject({ in_watchlist: false })
    expect(network.requests).toHaveLength(1)
  })

  it('loads known entries again after a change on another device', async () => {
    await loadWatchlistEntry(harbour)
    await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/movie/${harbour.id}`, {})
    await reloadWatchlistEntries()
    expect(getEntry(harbour)).toMatchObject({ in_watchlist: true })
  })

  it('keeps a change that the user makes while the entry is loading', async () => {
    const release = network.hold(/GET .*watchlist/)
    const loadPromise = loadWatchlistEntry(harbour)
    await setInWatchlist(harbour, true)
    release()
    await loadPromise
    expect(getEntry(harbour)).toMatchObject({ in_watchlist: true })
  })
})

describe('changes of the watchlist', () => {
  it('shows an addition before the server has confirmed it', async () => {
    const release = network.hold(/PUT/)
    const changePromise = setInWatchlist(harbour, true)
    expect(getEntry(harbour)).toMatchObject({ in_watchlist: true })
    expect($toast.get()).toBeNull()
    release()
    await changePromise
    expect($toast.get()).toMatchObject({ key: 'common:added' })
    expect(getEntry(harbour)).toMatchObject({ in_watchlist: true, state: 'planned' })
  })

  it('notifies the My List page that the list has changed', async () => {
    const version = $watchlistVersion.get()
    await setInWatchlist(harbour, true)
    expect($watchlistVersion.get()).toBe(version + 1)
  })

  it('removes the title again when Undo is pressed', async () => {
    await setInWatchlist(harbour, true)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(getEntry(harbour)).toMatchObject({ in_watchlist: false })
  })

  it('returns to the previous state and shows a message when the server rejects the change', async () => {
    await loadWatchlistEntry(harbour)
    network.failNext(/PUT/, 422)
    await setInWatchlist(harbour, true)
    expect(getEntry(harbour)).toMatchObject({ in_watchlist: false })
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
  })

  it('adds a title with a watch state', async () => {
    await setWatchState(harbour, 'watching')
    expect(getEntry(harbour)).toMatchObject({ in_watchlist: true, state: 'watching' })
    expect($toast.get()).toMatchObject({ key: 'mylist:stateUpdated' })
  })
})

describe('after a switch to a kids profile', () => {
  it('does not show the state of the adult, and sends no request for the adult profile', async () => {
    await setInWatchlist(kites, true)
    await switchTo('kid')
    expect(getEntry(kites)).toBeUndefined()
    await loadWatchlistEntry(kites)
    expect(getEntry(kites)).toMatchObject({ in_watchlist: false })
    await reloadWatchlistEntries()
    expect(findAdultRequests()).toEqual([])
    await switchTo('adult')
    expect(getEntry(kites)).toBeUndefined()
    await loadWatchlistEntry(kites)
    expect(getEntry(kites)).toMatchObject({ in_watchlist: true })
  })

  it('ignores an entry that arrives after the switch', async () => {
    const release = network.hold(/GET .*watchlist/)
    void loadWatchlistEntry(kites)
    await switchTo('kid')
    release()
    await network.waitUntilIdle()
    expect(getEntry(kites)).toBeUndefined()
  })

  it('completes a change of the adult, but shows neither the change nor its message', async () => {
    const release = network.hold(/PUT/)
    void setInWatchlist(kites, true)
    await network.waitUntilIdle()
    await switchTo('kid')
    release()
    await network.waitUntilIdle()
    expect(getEntry(kites)).toBeUndefined()
    expect($toast.get()).toBeNull()
    const { body } = await otherDevice.get(`/api/profile/${profiles.adult}/watchlist/movie/${kites.id}`)
    expect(body).toMatchObject({ in_watchlist: true })
  })
})
