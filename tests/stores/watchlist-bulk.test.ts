/** Bulk changes on the My List page: one action that changes several titles. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { WatchlistEntry } from '../../src/lib/contract/watchlist.ts'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles, server } =
  await signInHousehold()
const { changeWatchlistEntries } = await import('../../src/lib/stores/watchlist-bulk.ts')
const { completeTitles, setWatchState } = await import('../../src/lib/stores/watch-state.ts')
const { $watchlistEntries } = await import('../../src/lib/stores/watchlist.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')

const titleNames = ['Night Harbour', 'Iron Ledger', 'Paper Kites']
const watchlistPath = `/api/profile/${profiles.adult}/watchlist`
const findBulkRequests = () =>
  network.requests.filter(({ method, url }) => method === 'PUT' && url === watchlistPath)
const readEntries = async (): Promise<WatchlistEntry[]> =>
  (await otherDevice.get(`${watchlistPath}?limit=100&sort=title.asc`)).body.results
const readWatchStates = async () => (await readEntries()).map(({ state }) => state)
$watchlistEntries.listen(() => {})

/**
 * Returns 150 entries, so that a bulk change needs two requests. The first 100, the maximum of a request, are copies of
 * the first entry of My List. The other 50 are copies of the second entry.
 */
const createManyEntries = async (): Promise<WatchlistEntry[]> => {
  const [firstEntry, secondEntry] = await readEntries()
  return Array.from({ length: 150 }, (_, index) => (index < 100 ? firstEntry : secondEntry) as WatchlistEntry)
}

beforeEach(async () => {
  const entries = titleNames.map(getCard).map(({ type, id }) => ({
    type,
    media_id: id,
    in_watchlist: true,
    state: 'planned',
    favorite: false,
  }))
  await otherDevice.put(watchlistPath, { entries })
  await actAs('adult')
})

describe('a change of several titles', () => {
  it('a bulk change is sent in one request and shown on every title', async () => {
    expect(await changeWatchlistEntries(await readEntries(), { state: 'completed' }, 'mylist:changed')).toBe(
      true,
    )
    expect(findBulkRequests()).toHaveLength(1)
    expect(await readWatchStates()).toEqual(['completed', 'completed', 'completed'])
    expect($watchlistEntries.get()[`movie/${getCard('Night Harbour').id}`]).toMatchObject({
      state: 'completed',
    })
    expect($toast.get()).toMatchObject({ key: 'mylist:changed', values: { count: 3 } })
  })

  it('a favourite mark is shown before the server replies, also while the watch state changes', async () => {
    const { type, id } = getCard('Night Harbour')
    const getShownEntry = () => $watchlistEntries.get()[`movie/${id}`]
    const releaseRequests = network.hold(/^PUT /)
    const favouriteChangePromise = changeWatchlistEntries([{ type, media_id: id }], { favorite: true })
    const stateChange = setWatchState({ type, id }, 'watching')
    expect(getShownEntry()).toMatchObject({ favorite: true, state: 'watching' })
    releaseRequests()
    await Promise.all([favouriteChangePromise, stateChange])
    await network.waitUntilIdle()
    expect(getShownEntry()).toMatchObject({ favorite: true, state: 'watching' })
    network.failNext(/^PUT /, 400)
    expect(await changeWatchlistEntries([{ type, media_id: id }], { favorite: false })).toBe(false)
    expect(getShownEntry()).toMatchObject({ favorite: true, state: 'watching' })
  })

  it('Undo reverts a bulk change for every title, including the time at which each title was added', async () => {
    const originalEntries = await readEntries()
    await changeWatchlistEntries(originalEntries, { in_watchlist: false }, 'mylist:changed')
    expect(await readEntries()).toEqual([])
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(await readEntries()).toEqual(originalEntries)
  })

  it('if a completed watchlist entry has no time of addition, Undo of its removal restores the entry and marks nothing as seen', async () => {
    const { id: media_id } = getCard('Night Harbour')
    expect((await otherDevice.delete(`/api/profile/${profiles.adult}/history`)).status).toBe(200)
    const completedEntry = { type: 'movie', media_id, state: 'completed', added_at: null }
    await otherDevice.put(watchlistPath, { entries: [completedEntry] })
    const originalEntries = await readEntries()
    expect(originalEntries.find((entry) => entry.media_id === media_id)).toMatchObject(completedEntry)
    await changeWatchlistEntries(originalEntries, { in_watchlist: false }, 'mylist:changed')
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(await readEntries()).toEqual(originalEntries)
    const { body } = await otherDevice.get(`/api/profile/${profiles.adult}/viewings?media_id=${media_id}`)
    expect(body.results).toEqual([])
  })

  it('a bulk change is sent in requests of at most 100 titles', async () => {
    await changeWatchlistEntries(await createManyEntries(), { favorite: true })
    expect(findBulkRequests().map(({ body }) => JSON.parse(body).entries.length)).toEqual([100, 50])
  })

  it('a bulk change skips deleted titles and shows a message', async () => {
    const deletedTitle = { type: 'movie', media_id: '9999999' } as const
    const remainingEntry = (await readEntries())[0] as WatchlistEntry
    expect(await changeWatchlistEntries([remainingEntry, deletedTitle], { favorite: true })).toBe(true)
    expect($toast.get()).toMatchObject({ key: 'common:changeRejected', kind: 'bad' })
    expect((await readEntries())[0]).toMatchObject({ favorite: true })
  })

  it('completing several titles marks the titles as seen and also completes a series without episodes, and Undo reverts all changes', async () => {
    await otherDevice.delete(`/api/profile/${profiles.adult}/history`)
    const originalEntries = await readEntries()
    const [emptySeries] = originalEntries.filter(({ type }) => type === 'tv')
    const { primary } = server.database
    const episodesQuery = primary.selectFrom('episode').where('title_id', '=', Number(emptySeries?.media_id))
    const episodeRows = await episodesQuery.selectAll().execute()
    await primary.deleteFrom('episode').where('title_id', '=', Number(emptySeries?.media_id)).execute()
    expect(await completeTitles(originalEntries, 'mylist:changed')).toBe(true)
    expect(await readWatchStates()).toEqual(['completed', 'completed', 'completed'])
    expect($toast.get()).toMatchObject({ key: 'mylist:changed', values: { count: 3 } })
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(await readEntries()).toEqual(originalEntries)
    await primary.insertInto('episode').values(episodeRows).execute()
  })

  it('a bulk change that needs several requests changes no title when the server rejects one request', async () => {
    const entries = await readEntries()
    const unknownTitles = Array.from({ length: 100 }, () => ({ type: 'movie', media_id: '9999999' }) as const)
    network.failNext(/PUT/, 422)
    expect(
      await changeWatchlistEntries([...unknownTitles, ...entries], { in_watchlist: false }, 'mylist:changed'),
    ).toBe(false)
    expect($toast.get()).toMatchObject({ key: 'errors:generic', kind: 'bad' })
    await network.waitUntilIdle()
    expect(await readEntries()).toEqual(entries)
  })

  it('completing titles marks nothing as seen when the server rejects the change of the watch states', async () => {
    const viewingsPath = `/api/profile/${profiles.adult}/viewings`
    await otherDevice.delete(`/api/profile/${profiles.adult}/history`)
    network.failNext(/PUT/, 422)
    expect(await completeTitles(await readEntries(), 'mylist:changed')).toBe(false)
    expect((await otherDevice.get(viewingsPath)).body.results).toEqual([])
    expect(await readWatchStates()).toEqual(['planned', 'planned', 'planned'])
  })

  it('a rejected bulk change changes no title and shows a message', async () => {
    network.failNext(/PUT/, 422)
    expect(await changeWatchlistEntries(await readEntries(), { state: 'watching' }, 'mylist:changed')).toBe(
      false,
    )
    expect($toast.get()).toMatchObject({ key: 'errors:generic', kind: 'bad' })
    expect(await readWatchStates()).toEqual(['planned', 'planned', 'planned'])
  })
})

describe('after a switch to a kids profile', () => {
  it('a bulk change by the adult is stored, but the child sees neither the change nor a message', async () => {
    const entries = await readEntries()
    const releaseRequest = network.hold(/PUT/)
    void changeWatchlistEntries(entries, { state: 'watching' }, 'mylist:changed')
    await network.waitUntilIdle()
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect($watchlistEntries.get()).toEqual({})
    expect($toast.get()).toBeNull()
    expect(findAdultRequests()).toEqual([])
    expect(await readWatchStates()).toEqual(['watching', 'watching', 'watching'])
  })

  it('a large bulk change that needs several requests is stored even if the profile is switched before the replies arrive', async () => {
    const manyEntries = await createManyEntries()
    const releaseRequest = network.hold(/PUT/)
    void changeWatchlistEntries(manyEntries, { favorite: true })
    await network.waitUntilIdle()
    expect(findBulkRequests()).toHaveLength(2)
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect(network.requests).toEqual([])
    expect((await readEntries())[0]).toMatchObject({ favorite: true })
  })
})
