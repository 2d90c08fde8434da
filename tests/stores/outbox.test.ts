/** Changes that are made offline: they are stored for the profile that made them, and each change is sent once. */

import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { WriteRequest } from '../../src/lib/client/pending-writes.ts'
import { signInHousehold, startOutboxAtOnce } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, card, findAdultRequests, network, otherDevice, profiles } = household
const { revertQueuedWrite, sendOrQueueWrite } = await import('../../src/lib/stores/lazy-outbox.ts')
const { $areWritesDelayed, $lastSentWrite, $pendingWatchlistChanges, $pendingWrites, getWriteOwner } =
  await import('../../src/lib/stores/pending-writes.ts')
const { $watchlistEntries, changeEntry, loadWatchlistEntry, setInWatchlist } = await import(
  '../../src/lib/stores/watchlist.ts'
)
const { saveProfilePreferences } = await import('../../src/lib/stores/preferences.ts')
const { $profile, $profiles, loadProfiles } = await import('../../src/lib/stores/profile.ts')
const { $refetchAllCount } = await import('../../src/lib/stores/query.ts')
const { callApi } = await import('../../src/lib/client/call.ts')
const { isOffline } = await import('../../src/lib/client/connectivity.ts')
const { cacheReply } = await import('../../src/lib/client/read-cache.ts')
const { listFeaturedMovies } = await import('../../src/lib/contract/catalogue.ts')
const { $toast, dismissToast } = await import('../../src/lib/stores/toast.ts')

const kites = card('Paper Kites')
const harbour = card('Night Harbour')
const readEntry = async (title: typeof kites, profileId = profiles.adult) => {
  otherDevice.profileId = profileId
  const { body } = await otherDevice.get(`/api/profile/${profileId}/watchlist/${title.type}/${title.id}`)
  otherDevice.profileId = profiles.adult
  return body
}
const listStoredKeys = () =>
  Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '').filter((key) =>
    key.startsWith('marquee-waiting'),
  )
/** Restores the network. Afterwards `network.requests` contains only the requests since then. */
const reconnect = async () => {
  network.clear()
  network.setOffline(false)
  await network.waitUntilIdle()
}
await startOutboxAtOnce(household)
for (const $store of [$pendingWrites, $pendingWatchlistChanges, $lastSentWrite, $watchlistEntries])
  $store.listen(() => {})

beforeEach(async () => {
  await vi.waitFor(() => expect(getWriteOwner()).not.toBeNull())
  for (const title of [kites, harbour])
    await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/movie/${title.id}`, {
      in_watchlist: false,
    })
  await actAs('adult')
})

describe('a change without a network', () => {
  it('an offline change is stored and displayed, and sent when the network returns', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    expect($pendingWrites.get()).toMatchObject([{ kind: 'list', body: { in_watchlist: true } }])
    expect($pendingWatchlistChanges.get()).toEqual({ [`movie/${kites.id}`]: { in_watchlist: true } })
    await reconnect()
    expect(await readEntry(kites)).toMatchObject({ in_watchlist: true })
    expect($pendingWrites.get()).toEqual([])
    expect($watchlistEntries.get()[`movie/${kites.id}`]).toMatchObject({
      in_watchlist: true,
      state: 'planned',
    })
  })

  it('several offline changes of one title are sent as one request', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    await setInWatchlist(kites, false)
    expect($pendingWrites.get()).toHaveLength(1)
    await reconnect()
    expect(network.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
    expect(await readEntry(kites)).toMatchObject({ in_watchlist: false })
  })

  it('a removal and its Undo are sent as one request that keeps the state and the date of the entry', async () => {
    const values = { in_watchlist: true, state: 'watching', added_at: '2024-05-06T12:00:00.000Z' }
    await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/movie/${kites.id}`, values)
    await loadWatchlistEntry(kites)
    network.setOffline(true)
    await setInWatchlist(kites, false)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect($watchlistEntries.get()[`movie/${kites.id}`]).toMatchObject({
      in_watchlist: true,
      state: 'watching',
    })
    await reconnect()
    expect(network.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
    expect(await readEntry(kites)).toMatchObject(values)
  })

  it('the Undo of a removal restores the state of an addition that was not sent yet', async () => {
    network.setOffline(true)
    await changeEntry(kites, { in_watchlist: true, state: 'watching' })
    await setInWatchlist(kites, false)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    await reconnect()
    expect(await readEntry(kites)).toMatchObject({ in_watchlist: true, state: 'watching' })
  })

  it('an offline change can be reverted before it is sent', async () => {
    network.setOffline(true)
    const resetWrite = { kind: 'reset', title: kites } as const
    await sendOrQueueWrite(resetWrite)
    expect(await revertQueuedWrite(resetWrite)).toBe(true)
    expect(await revertQueuedWrite(resetWrite)).toBe(false)
    await reconnect()
    expect(network.requests.filter(({ method }) => method === 'DELETE')).toEqual([])
  })

  it('a change that fails with a server error is stored and sent at the next attempt', async () => {
    for (let attempt = 0; attempt < 2; attempt++) network.failNext(/PUT/, 503)
    await setInWatchlist(kites, true)
    expect($pendingWrites.get()).toHaveLength(1)
    dispatchEvent(new Event('online'))
    await vi.waitFor(() => expect($areWritesDelayed.get()).toBe(true))
    dispatchEvent(new Event('online'))
    await vi.waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect($areWritesDelayed.get()).toBe(false)
    expect(await readEntry(kites)).toMatchObject({ in_watchlist: true })
  })

  it('a pending change that the server rejects is deleted and shows a message', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    network.failNext(/PUT/, 422)
    await reconnect()
    expect($toast.get()).toMatchObject({ key: 'common:changeRefused', kind: 'bad' })
    expect($pendingWrites.get()).toEqual([])
    expect(listStoredKeys()).toEqual([])
  })

  it.each([
    ['shows a message when it was sent once', false],
    ['shows no message when an earlier attempt may have succeeded', true],
  ])('an undo that has nothing to restore %s', async (_, isRepeated) => {
    const resetWrite = { kind: 'reset', title: kites } as const
    network.failNext(/DELETE/, 504)
    await sendOrQueueWrite(resetWrite)
    network.setOffline(true)
    expect(await revertQueuedWrite(resetWrite)).toBe(true)
    if (isRepeated) network.failNext(/undo/, 504)
    dismissToast($toast.get()?.id ?? 0)
    await reconnect()
    if (isRepeated) dispatchEvent(new Event('online'))
    await vi.waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect($toast.get()?.key).toBe(isRepeated ? undefined : 'common:changeRefused')
  })

  it('the Undo of a removal without a response restores it, although another device removes progress meanwhile', async () => {
    const historyPath = `/api/profile/${profiles.adult}/history`
    for (const { id: media_id } of [kites, harbour])
      await otherDevice.post(historyPath, {
        type: 'movie',
        media_id,
        progress: 600,
        data: { video_duration: 6_000 },
      })
    // The server applies the removal, but the response is lost.
    await otherDevice.delete(historyPath)
    network.failNext(/DELETE/, 504)
    await sendOrQueueWrite({ kind: 'clear' })
    network.setOffline(true)
    expect(await revertQueuedWrite({ kind: 'clear' })).toBe(true)
    const releaseUndo = network.hold(/undo/)
    network.setOffline(false)
    await vi.waitFor(() => expect(network.requests.some(({ url }) => url.endsWith('/undo'))).toBe(true))
    await otherDevice.post(historyPath, {
      type: 'movie',
      media_id: harbour.id,
      progress: 900,
      data: { video_duration: 6_000 },
    })
    await otherDevice.delete(`${historyPath}/movie/${harbour.id}`)
    releaseUndo()
    await vi.waitFor(() => expect($pendingWrites.get()).toEqual([]))
    const readSeconds = async (id: string) =>
      (await otherDevice.get(`${historyPath}/movie/${id}`)).body.latest?.progress
    expect([await readSeconds(kites.id), await readSeconds(harbour.id)]).toEqual([600, undefined])
  })

  it('a change that the server rejects while the page is in the background shows a message when it is visible', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    $toast.set(null)
    network.failNext(/PUT/, 422)
    household.browser.document.hidden = true
    await reconnect()
    expect($toast.get()).toBeNull()
    household.browser.document.hidden = false
    document.dispatchEvent(new Event('visibilitychange'))
    expect($toast.get()).toMatchObject({ key: 'common:changeRefused', kind: 'bad' })
  })

  it('an offline change fails when the storage is full', async () => {
    network.setOffline(true)
    const storage = localStorage as unknown as { isFull: boolean }
    storage.isFull = true
    await expect(
      sendOrQueueWrite({ kind: 'feedback', title: kites, feedback: 'liked' }),
    ).rejects.toMatchObject({
      status: 0,
    })
    storage.isFull = false
    await reconnect()
  })

  it('the pending writes of this tab are updated when another tab changes the stored writes', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    const [storageKey = ''] = listStoredKeys()
    localStorage.removeItem(storageKey)
    dispatchEvent(Object.assign(new Event('storage'), { key: storageKey }))
    expect($pendingWrites.get()).toEqual([])
    await reconnect()
  })

  it('an offline change of preferences applies at once and is sent when the network returns', async () => {
    network.setOffline(true)
    await saveProfilePreferences({ hide_spoilers: true })
    expect($profile.get()?.preferences.hide_spoilers).toBe(true)
    await reconnect()
    await loadProfiles()
    expect($profile.get()?.preferences.hide_spoilers).toBe(true)
    await saveProfilePreferences({ hide_spoilers: false })
  })

  it('each kind of write is sent with the method and URL of its endpoint', async () => {
    const writes: WriteRequest[] = [
      { kind: 'feedback', title: kites, feedback: 'liked' },
      { kind: 'card', title: kites, event: 'dismiss' },
      {
        kind: 'progress',
        title: kites,
        place: {},
        progress: 60,
        duration: 600,
        at: new Date().toISOString(),
      },
      { kind: 'several', id: 'x', entries: [{ type: 'movie', media_id: kites.id, favorite: true }] },
      { kind: 'reset', title: kites },
      { kind: 'clear' },
      { kind: 'user', preferences: { media_quality: '720p' } },
    ]
    for (const write of writes) await sendOrQueueWrite(write)
    const profilePath = `/api/profile/${profiles.adult}`
    expect(
      network.requests.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url}`),
    ).toEqual([
      `PUT ${profilePath}/feedback/movie/${kites.id}`,
      `PUT ${profilePath}/interaction/movie/${kites.id}`,
      `POST ${profilePath}/history`,
      `PUT ${profilePath}/watchlist`,
      `DELETE ${profilePath}/history/movie/${kites.id}`,
      `DELETE ${profilePath}/history`,
      'PUT /api/auth/user',
    ])
    await sendOrQueueWrite({ kind: 'user', preferences: { media_quality: 'auto' } })
  })
})

it('displayed replies from the device are reloaded when the server responds again', async () => {
  const readFeatured = () => callApi(listFeaturedMovies, { query: { limit: 20 } })
  const stopListening = $refetchAllCount.listen(() => {})
  await cacheReply('/api/profile', null, { results: $profiles.get(), group: [] })
  await cacheReply('/api/movies/featured?limit=20', profiles.adult, { results: [] })
  const countBefore = $refetchAllCount.get()
  network.failNext(/featured/, 0)
  expect(await readFeatured()).toEqual({ results: [] })
  expect(isOffline()).toBe(true)
  await readFeatured()
  await vi.waitFor(() => expect($refetchAllCount.get()).toBe(countBefore + 1))
  stopListening()
})

describe('a change while an earlier change of the same title is sent', () => {
  const listPuts = () => network.requests.filter(({ method }) => method === 'PUT')

  it('a second change is displayed at once, and sent after the reply to the first change', async () => {
    const releaseRequest = network.hold(/PUT/)
    const changePromises = [setInWatchlist(kites, true), setInWatchlist(kites, false)]
    await network.waitUntilIdle()
    expect(listPuts()).toHaveLength(1)
    expect($watchlistEntries.get()[`movie/${kites.id}`]).toMatchObject({ in_watchlist: false })
    releaseRequest()
    await Promise.all(changePromises)
    await vi.waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(listPuts()).toHaveLength(2)
    expect($watchlistEntries.get()[`movie/${kites.id}`]).toMatchObject({ in_watchlist: false })
    expect(await readEntry(kites)).toMatchObject({ in_watchlist: false })
  })

  it('a second change is sent even if the connection of the first change failed', async () => {
    const releaseRequest = network.hold(/PUT/)
    const changePromises = [setInWatchlist(kites, true), setInWatchlist(kites, false)]
    await network.waitUntilIdle()
    network.failNext(/PUT/, 0)
    releaseRequest()
    await Promise.all(changePromises)
    await vi.waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(await readEntry(kites)).toMatchObject({ in_watchlist: false })
  })

  it('a change does not wait for changes of other titles', async () => {
    const releaseRequest = network.hold(new RegExp(`PUT .*${kites.id}`))
    const changePromise = setInWatchlist(kites, true)
    await setInWatchlist(harbour, true)
    expect(await readEntry(harbour)).toMatchObject({ in_watchlist: true })
    releaseRequest()
    await changePromise
  })
})

describe('after a switch to a kids profile', () => {
  it('the pending changes of the adult are sent only after the adult profile is selected again', async () => {
    network.setOffline(true)
    await setInWatchlist(harbour, true)
    await switchTo('kid')
    expect($pendingWrites.get()).toEqual([])
    expect($pendingWatchlistChanges.get()).toEqual({})
    expect($watchlistEntries.get()).toEqual({})
    await reconnect()
    expect(findAdultRequests()).toEqual([])
    expect(listStoredKeys()).toHaveLength(1)
    await switchTo('adult')
    await vi.waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(await readEntry(harbour)).toMatchObject({ in_watchlist: true })
    expect(await readEntry(kites, profiles.kid)).toMatchObject({ in_watchlist: false })
  })

  it('a change is stored for the adult profile even if the switch follows immediately', async () => {
    network.setOffline(true)
    void setInWatchlist(harbour, true)
    await switchTo('kid')
    expect($pendingWrites.get()).toEqual([])
    expect(listStoredKeys()).toEqual([expect.stringContaining(profiles.adult)])
    network.setOffline(false)
    await switchTo('adult')
    await vi.waitFor(() => expect(listStoredKeys()).toEqual([]))
    expect(await readEntry(harbour)).toMatchObject({ in_watchlist: true })
  })

  it('a change of the adult that is being sent during the switch is not shown to the kid', async () => {
    network.setOffline(true)
    await setInWatchlist(harbour, true)
    const releaseRequest = network.hold(/PUT/)
    network.clear()
    network.setOffline(false)
    await vi.waitFor(() => expect(network.requests.some(({ method }) => method === 'PUT')).toBe(true))
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect($lastSentWrite.get()).toBeNull()
    expect($watchlistEntries.get()).toEqual({})
    expect(await readEntry(harbour)).toMatchObject({ in_watchlist: true })
  })

  it('a change of the adult that is rejected during the switch is kept, and the kid sees no message', async () => {
    network.setOffline(true)
    await setInWatchlist(harbour, true)
    const releaseRequest = network.hold(/PUT/)
    network.failNext(/PUT/, 422)
    network.clear()
    network.setOffline(false)
    await vi.waitFor(() => expect(network.requests.some(({ method }) => method === 'PUT')).toBe(true))
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect($toast.get()).toBeNull()
    expect(listStoredKeys()).toHaveLength(1)
    await switchTo('adult')
    await vi.waitFor(() => expect(listStoredKeys()).toEqual([]))
  })

  it('preferences that the adult was saving during the switch are saved in the adult profile', async () => {
    const releaseRequest = network.hold(/PUT/)
    const savePromise = saveProfilePreferences({ simple_home: true })
    await network.waitUntilIdle()
    await switchTo('kid')
    releaseRequest()
    await savePromise
    expect($profile.get()?.preferences.simple_home).toBe(false)
    await switchTo('adult')
    expect($profile.get()?.preferences.simple_home).toBe(true)
    await saveProfilePreferences({ simple_home: false })
  })
})
