/** Changes that are made offline: they are stored for the profile that made them, and each change is sent once. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WriteRequest } from '../../src/lib/client/write-request.ts'
import { signInHousehold, startOutboxImmediately } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const household = await signInHousehold()
const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles } = household
const { revertQueuedWrite, sendOrQueueWrite } = await import('../../src/lib/stores/lazy-outbox.ts')
const { $areWritesDelayed, $lastSentWrite, $pendingWatchlistChanges, $pendingWrites, getWriteOwner } =
  await import('../../src/lib/stores/pending-writes.ts')
const { $watchlistEntries, changeWatchlistEntry, loadWatchlistEntry, setInWatchlist } = await import(
  '../../src/lib/stores/watchlist.ts'
)
const { saveAccountPreferences, saveProfilePreferences } = await import('../../src/lib/stores/preferences.ts')
const { $session, $user } = await import('../../src/lib/stores/session.ts')
const { loadStoredUser, storeUser } = await import('../../src/lib/client/stored-session.ts')
const { $profile, $profiles, loadProfiles } = await import('../../src/lib/stores/profile.ts')
const { $refetchAllCount } = await import('../../src/lib/stores/query.ts')
const { refreshSession } = await import('../../src/lib/client/auth.ts')
const { callApi } = await import('../../src/lib/client/call.ts')
const { isOffline } = await import('../../src/lib/client/connectivity.ts')
const { cacheReply } = await import('../../src/lib/client/read-cache.ts')
const { listFeaturedMovies } = await import('../../src/lib/contract/catalogue.ts')
const { $toast, dismissToast } = await import('../../src/lib/stores/toast.ts')

const kites = getCard('Paper Kites')
const harbour = getCard('Night Harbour')
const readWatchlistEntry = async (title: typeof kites, profileId = profiles.adult) => {
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
  network.clearRequests()
  network.setOffline(false)
  await network.waitUntilIdle()
}
await startOutboxImmediately(household)
for (const $store of [$session, $pendingWrites, $pendingWatchlistChanges, $lastSentWrite, $watchlistEntries])
  $store.listen(() => {})

beforeEach(async () => {
  await waitFor(() => expect(getWriteOwner()).not.toBeNull())
  for (const title of [kites, harbour])
    await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/movie/${title.id}`, {
      in_watchlist: false,
    })
  await actAs('adult')
})

afterEach(() => void vi.useRealTimers())

const listWriteMethods = () =>
  network.requests.filter(({ method }) => method !== 'GET').map(({ method }) => method)
/** Lets the retry timers of the outbox run only when the test advances the time. */
const freezeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

describe('a change without a network', () => {
  it('an offline change is stored and displayed, and sent when the network returns', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    expect($pendingWrites.get()).toMatchObject([{ kind: 'list', body: { in_watchlist: true } }])
    expect($pendingWatchlistChanges.get()).toEqual({ [`movie/${kites.id}`]: { in_watchlist: true } })
    await reconnect()
    expect(await readWatchlistEntry(kites)).toMatchObject({ in_watchlist: true })
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
    expect(await readWatchlistEntry(kites)).toMatchObject({ in_watchlist: false })
  })

  it('a removal and its Undo are sent as one request that keeps the watch state of the title and the date at which it was added', async () => {
    const entryFields = { in_watchlist: true, state: 'watching', added_at: '2024-05-06T12:00:00.000Z' }
    await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/movie/${kites.id}`, entryFields)
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
    expect(await readWatchlistEntry(kites)).toMatchObject(entryFields)
  })

  it('if the reply to a removal was lost, sending the removal again does not replace a newer change of another device', async () => {
    await setInWatchlist(kites, true)
    network.failNext(/PUT/, 504)
    await setInWatchlist(kites, false)
    await otherDevice.put(`/api/profile/${profiles.adult}/watchlist/movie/${kites.id}`, { state: 'watching' })
    // Simulates that a minute has passed since the first attempt.
    const [storageKey = ''] = listStoredKeys()
    const storedWrite = JSON.parse(localStorage.getItem(storageKey) ?? '')
    const triedAtMs = storedWrite.triedAtMs - 60_000
    localStorage.setItem(storageKey, JSON.stringify({ ...storedWrite, triedAtMs }))
    dispatchEvent(new Event('online'))
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(await readWatchlistEntry(kites)).toMatchObject({ in_watchlist: true, state: 'watching' })
  })

  it('when a title was added and removed offline, Undo restores the entry with its watch state', async () => {
    network.setOffline(true)
    await changeWatchlistEntry(kites, { in_watchlist: true, state: 'watching' })
    await setInWatchlist(kites, false)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    await reconnect()
    expect(await readWatchlistEntry(kites)).toMatchObject({ in_watchlist: true, state: 'watching' })
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
    await waitFor(() => expect($areWritesDelayed.get()).toBe(true))
    dispatchEvent(new Event('online'))
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect($areWritesDelayed.get()).toBe(false)
    expect(await readWatchlistEntry(kites)).toMatchObject({ in_watchlist: true })
  })

  it('when the server rejects a pending change, the change is deleted and a message is shown', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    network.failNext(/PUT/, 422)
    await reconnect()
    expect($toast.get()).toMatchObject({ key: 'common:changeRejected', kind: 'bad' })
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
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect($toast.get()?.key).toBe(isRepeated ? undefined : 'common:changeRejected')
  })

  it('when the response to clearing all progress was lost, Undo restores the progress of all titles except those whose progress another device has removed since then', async () => {
    const historyPath = `/api/profile/${profiles.adult}/history`
    for (const { id: media_id } of [kites, harbour])
      await otherDevice.post(historyPath, {
        type: 'movie',
        media_id,
        progress: 600,
        data: { video_duration: 6_000 },
      })
    // Simulates a removal that the server applies but whose response is lost: the other device removes the progress,
    // and the request of this tab fails.
    await otherDevice.delete(historyPath)
    network.failNext(/DELETE/, 504)
    await sendOrQueueWrite({ kind: 'clear' })
    network.setOffline(true)
    expect(await revertQueuedWrite({ kind: 'clear' })).toBe(true)
    const releaseUndo = network.hold(/undo/)
    network.setOffline(false)
    await waitFor(() => expect(network.requests.some(({ url }) => url.endsWith('/undo'))).toBe(true))
    await otherDevice.post(historyPath, {
      type: 'movie',
      media_id: harbour.id,
      progress: 900,
      data: { video_duration: 6_000 },
    })
    await otherDevice.delete(`${historyPath}/movie/${harbour.id}`)
    releaseUndo()
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    const readProgressSeconds = async (id: string) =>
      (await otherDevice.get(`${historyPath}/movie/${id}`)).body.latest?.progress
    expect([await readProgressSeconds(kites.id), await readProgressSeconds(harbour.id)]).toEqual([
      600,
      undefined,
    ])
  })

  it('if the server rejects a change while the page is hidden, the message is shown when the page is visible again', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    $toast.set(null)
    network.failNext(/PUT/, 422)
    household.browser.document.hidden = true
    await reconnect()
    expect($toast.get()).toBeNull()
    household.browser.document.hidden = false
    document.dispatchEvent(new Event('visibilitychange'))
    expect($toast.get()).toMatchObject({ key: 'common:changeRejected', kind: 'bad' })
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

  it('this tab no longer lists a pending write that another tab has deleted from the storage', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    const [storageKey = ''] = listStoredKeys()
    localStorage.removeItem(storageKey)
    dispatchEvent(Object.assign(new Event('storage'), { key: storageKey }))
    expect($pendingWrites.get()).toEqual([])
    await reconnect()
  })

  it('this tab sends a change that another tab stored before the other tab was closed', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    await network.waitUntilIdle()
    const [storageKey = ''] = listStoredKeys()
    const storedWrite = localStorage.getItem(storageKey) ?? ''
    localStorage.removeItem(storageKey)
    await reconnect()
    expect(await readWatchlistEntry(kites)).toMatchObject({ in_watchlist: false })
    localStorage.setItem(storageKey, storedWrite)
    dispatchEvent(Object.assign(new Event('storage'), { key: storageKey, newValue: storedWrite }))
    await waitFor(() => expect(listStoredKeys()).toEqual([]))
    expect(await readWatchlistEntry(kites)).toMatchObject({ in_watchlist: true })
  })

  it('an offline change of preferences applies immediately and is sent when the network returns', async () => {
    network.setOffline(true)
    await saveProfilePreferences({ hide_spoilers: true })
    expect($profile.get()?.preferences.hide_spoilers).toBe(true)
    await reconnect()
    await loadProfiles()
    expect($profile.get()?.preferences.hide_spoilers).toBe(true)
    await saveProfilePreferences({ hide_spoilers: false })
  })

  it('an offline change of the rows of the home page applies immediately', async () => {
    const home_rows = ['top', 'watchlist'] as never
    network.setOffline(true)
    await saveProfilePreferences({ home_rows })
    expect($profile.get()?.preferences.home_rows).toEqual(home_rows)
    await sendOrQueueWrite({ kind: 'rating', title: kites, rating: 8 })
    network.failNext(/PUT .*profile/, 422)
    await reconnect()
    await loadProfiles()
  })

  it('an offline change of account preferences stays applied while it is being sent after the network has returned', async () => {
    network.setOffline(true)
    await refreshSession()
    await saveAccountPreferences({ media_quality: '720p' })
    expect($user.get()?.preferences.media_quality).toBe('720p')
    const releaseRequest = network.hold(/PUT/)
    await reconnect()
    await waitFor(() => expect(listWriteMethods()).toContain('PUT'))
    expect($user.get()?.preferences.media_quality).toBe('720p')
    releaseRequest()
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect($user.get()?.preferences.media_quality).toBe('720p')
    await saveAccountPreferences({ media_quality: 'auto' })
  })

  it('if another user signs in through another tab before the reply to a change of account preferences arrives, the reply does not replace the stored user', async () => {
    const releaseRequest = network.hold(/PUT/)
    const savePromise = saveAccountPreferences({ media_quality: '720p' })
    const user = loadStoredUser()
    if (!user) throw new Error('No user is signed in')
    const otherUser = { ...user, user_id: 'other' }
    storeUser(otherUser)
    releaseRequest()
    await savePromise
    expect(loadStoredUser()).toEqual(otherUser)
    storeUser(user)
    await saveAccountPreferences({ media_quality: 'auto' })
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

it('displayed replies from the read cache are reloaded when the server responds again', async () => {
  const readFeatured = () => callApi(listFeaturedMovies, { query: { limit: 20 } })
  const stopListening = $refetchAllCount.listen(() => {})
  await cacheReply('/api/profile', null, { results: $profiles.get(), group: [] })
  await cacheReply('/api/movies/featured?limit=20', profiles.adult, { results: [] })
  const countBefore = $refetchAllCount.get()
  network.failNext(/featured/, 0)
  expect(await readFeatured()).toEqual({ results: [] })
  expect(isOffline()).toBe(true)
  await readFeatured()
  await waitFor(() => expect($refetchAllCount.get()).toBe(countBefore + 1))
  stopListening()
})

describe('a change without a reply', () => {
  const resetWrite = { kind: 'reset', title: kites } as const

  it('a change without a reply is stored after four seconds, and is not sent again when the reply arrives after that', async () => {
    freezeTimers()
    const releaseRequest = network.hold(/PUT/)
    const changePromise = setInWatchlist(kites, true)
    await vi.advanceTimersByTimeAsync(3_900)
    expect($pendingWrites.get()).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    await changePromise
    expect($pendingWrites.get()).toMatchObject([{ kind: 'list', tried: true }])
    expect($areWritesDelayed.get()).toBe(true)
    expect($toast.get()).toMatchObject({ key: 'common:added' })
    releaseRequest()
    vi.useRealTimers()
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    await waitFor(() => expect($areWritesDelayed.get()).toBe(false))
    expect(listWriteMethods()).toEqual(['PUT'])
    expect($watchlistEntries.get()[`movie/${kites.id}`]).toMatchObject({ state: 'planned' })
  })

  it.each([
    ['hidden', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['closed', () => dispatchEvent(new Event('pagehide'))],
  ])('a change without a reply is stored when the page is %s', async (_, dispatchPageEvent) => {
    const releaseRequest = network.hold(/PUT/)
    const changePromise = setInWatchlist(kites, true)
    expect(listStoredKeys()).toEqual([])
    household.browser.document.hidden = true
    dispatchPageEvent()
    household.browser.document.hidden = false
    await changePromise
    expect(listStoredKeys()).toHaveLength(1)
    releaseRequest()
    await waitFor(() => expect(listStoredKeys()).toEqual([]))
    expect(listWriteMethods()).toEqual(['PUT'])
  })

  it('a stored change is deleted and a message is shown when the late reply of the server rejects the change', async () => {
    freezeTimers()
    const releaseRequest = network.hold(/PUT/)
    network.failNext(/PUT/, 422)
    const changePromise = setInWatchlist(kites, true)
    await vi.advanceTimersByTimeAsync(4_100)
    await changePromise
    vi.useRealTimers()
    releaseRequest()
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect($toast.get()).toMatchObject({ key: 'common:changeRejected' })
    expect(listWriteMethods()).toEqual(['PUT'])
  })

  it('while a removal of progress has no reply, its Undo is queued immediately, and is sent after the reply to the removal', async () => {
    freezeTimers()
    const releaseRequest = network.hold(/DELETE/)
    const resetPromise = sendOrQueueWrite(resetWrite)
    await vi.advanceTimersByTimeAsync(4_100)
    await resetPromise
    vi.useRealTimers()
    expect(await revertQueuedWrite(resetWrite)).toBe(true)
    expect($pendingWrites.get()).toMatchObject([{ kind: 'reset', undone: true }, { kind: 'undo' }])
    expect(listWriteMethods()).toEqual(['DELETE'])
    releaseRequest()
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(listWriteMethods()).toEqual(['DELETE', 'POST'])
  })

  it('a newer change of the same title is sent after the reply to the first change, even if that reply takes longer than four seconds', async () => {
    freezeTimers()
    const releaseRequest = network.hold(/PUT/)
    const firstChangePromise = setInWatchlist(kites, true)
    await vi.advanceTimersByTimeAsync(4_100)
    await firstChangePromise
    await setInWatchlist(kites, false)
    vi.useRealTimers()
    expect(listWriteMethods()).toEqual(['PUT'])
    releaseRequest()
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(listWriteMethods()).toEqual(['PUT', 'PUT'])
    expect(await readWatchlistEntry(kites)).toMatchObject({ in_watchlist: false })
  })

  it('when the storage is full, a change waits for the reply even if the reply takes longer than four seconds', async () => {
    freezeTimers()
    const releaseRequest = network.hold(/PUT/)
    const replyPromise = sendOrQueueWrite({ kind: 'rating', title: kites, rating: 8 })
    const storage = localStorage as unknown as { isFull: boolean }
    storage.isFull = true
    await vi.advanceTimersByTimeAsync(4_100)
    vi.useRealTimers()
    releaseRequest()
    expect(await replyPromise).toMatchObject({ rating: 8 })
    storage.isFull = false
  })

  it('a change that was stored after four seconds is completed even if another profile is selected before the reply arrives', async () => {
    freezeTimers()
    const releaseRequest = network.hold(/PUT/)
    void setInWatchlist(kites, true)
    await vi.advanceTimersByTimeAsync(4_100)
    vi.useRealTimers()
    await switchTo('kid')
    releaseRequest()
    await waitFor(() => expect(listStoredKeys()).toEqual([]))
    expect($lastSentWrite.get()).toBeNull()
    expect(await readWatchlistEntry(kites)).toMatchObject({ in_watchlist: true })
  })
})

describe('retries of pending changes', () => {
  const failPutRequests = (status: number, pattern = /PUT/) => {
    for (let attempt = 0; attempt < 40; attempt++) network.failNext(pattern, status)
  }

  it('the delay before the next attempt does not increase when several changes are made during an outage', async () => {
    dispatchEvent(new Event('online'))
    await network.waitUntilIdle()
    freezeTimers()
    failPutRequests(503)
    for (const rating of [1, 2, 3, 4, 5]) await sendOrQueueWrite({ kind: 'rating', title: kites, rating })
    await vi.advanceTimersByTimeAsync(0)
    expect($areWritesDelayed.get()).toBe(true)
    const countAttempts = async (durationMs: number) => {
      network.clearRequests()
      await vi.advanceTimersByTimeAsync(durationMs)
      return listWriteMethods().length
    }
    expect(await countAttempts(4_000)).toBe(1)
    expect([await countAttempts(7_900), await countAttempts(200)]).toEqual([0, 1])
    vi.useRealTimers()
    await network.reset()
    dispatchEvent(new Event('online'))
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
  })

  it('pending changes are sent as soon as another request reaches the server', async () => {
    network.failNext(/PUT/, 0)
    await setInWatchlist(kites, true)
    expect($pendingWrites.get()).toHaveLength(1)
    expect(isOffline()).toBe(true)
    await callApi(listFeaturedMovies, { query: { limit: 20 } })
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
  })

  it('displayed replies are reloaded when the network returns, even if sending the pending changes fails', async () => {
    const stopListening = $refetchAllCount.listen(() => {})
    network.setOffline(true)
    await setInWatchlist(kites, true)
    const countBefore = $refetchAllCount.get()
    failPutRequests(503)
    network.setOffline(false)
    await waitFor(() => expect($areWritesDelayed.get()).toBe(true))
    await waitFor(() => expect($refetchAllCount.get()).toBe(countBefore + 1))
    expect($pendingWrites.get()).toHaveLength(1)
    await network.reset()
    dispatchEvent(new Event('online'))
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    stopListening()
  })

  it('after Undo has removed the last pending change, no change counts as delayed', async () => {
    const entries = [{ type: 'movie' as const, media_id: kites.id, favorite: true }]
    const write: WriteRequest = { kind: 'several', id: 'undone', entries }
    failPutRequests(503)
    await sendOrQueueWrite(write)
    dispatchEvent(new Event('online'))
    await waitFor(() => expect($areWritesDelayed.get()).toBe(true))
    expect(await revertQueuedWrite(write)).toBe(true)
    await waitFor(() => expect($areWritesDelayed.get()).toBe(false))
  })

  it('a change that always fails with status 500 holds back only the changes of the same title', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    await sendOrQueueWrite({ kind: 'rating', title: kites, rating: 8 })
    await setInWatchlist(harbour, true)
    failPutRequests(500, new RegExp(`PUT .*watchlist.*${kites.id}`))
    await reconnect()
    expect($pendingWrites.get()).toMatchObject([
      { kind: 'list', title: { id: kites.id } },
      { kind: 'rating' },
    ])
    expect(await readWatchlistEntry(harbour)).toMatchObject({ in_watchlist: true })
    const reply = await sendOrQueueWrite({ kind: 'rating', title: harbour, rating: 7 })
    expect(reply).toMatchObject({ rating: 7 })
    expect($pendingWrites.get()).toHaveLength(2)
    await network.reset()
    dispatchEvent(new Event('online'))
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(await readWatchlistEntry(kites)).toMatchObject({ in_watchlist: true })
  })
})

describe('a change while an earlier change of the same title is sent', () => {
  const listPutRequests = () => network.requests.filter(({ method }) => method === 'PUT')

  it('a second change is displayed immediately, and sent after the reply to the first change', async () => {
    const releaseRequest = network.hold(/PUT/)
    const changePromises = [setInWatchlist(kites, true), setInWatchlist(kites, false)]
    await network.waitUntilIdle()
    expect(listPutRequests()).toHaveLength(1)
    expect($watchlistEntries.get()[`movie/${kites.id}`]).toMatchObject({ in_watchlist: false })
    releaseRequest()
    await Promise.all(changePromises)
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(listPutRequests()).toHaveLength(2)
    expect($watchlistEntries.get()[`movie/${kites.id}`]).toMatchObject({ in_watchlist: false })
    expect(await readWatchlistEntry(kites)).toMatchObject({ in_watchlist: false })
  })

  it('a second change is sent even if the connection of the first change failed', async () => {
    const releaseRequest = network.hold(/PUT/)
    const changePromises = [setInWatchlist(kites, true), setInWatchlist(kites, false)]
    await network.waitUntilIdle()
    network.failNext(/PUT/, 0)
    releaseRequest()
    await Promise.all(changePromises)
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(await readWatchlistEntry(kites)).toMatchObject({ in_watchlist: false })
  })

  it('a change does not wait for changes of other titles', async () => {
    const releaseRequest = network.hold(new RegExp(`PUT .*${kites.id}`))
    const changePromise = setInWatchlist(kites, true)
    await setInWatchlist(harbour, true)
    expect(await readWatchlistEntry(harbour)).toMatchObject({ in_watchlist: true })
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
    await waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(await readWatchlistEntry(harbour)).toMatchObject({ in_watchlist: true })
    expect(await readWatchlistEntry(kites, profiles.kid)).toMatchObject({ in_watchlist: false })
  })

  it('a change is stored for the adult profile even if the switch follows immediately', async () => {
    network.setOffline(true)
    void setInWatchlist(harbour, true)
    await switchTo('kid')
    expect($pendingWrites.get()).toEqual([])
    expect(listStoredKeys()).toEqual([expect.stringContaining(profiles.adult)])
    network.setOffline(false)
    await switchTo('adult')
    await waitFor(() => expect(listStoredKeys()).toEqual([]))
    expect(await readWatchlistEntry(harbour)).toMatchObject({ in_watchlist: true })
  })

  it('if a change of the adult profile is being sent during the switch, the child does not see the change', async () => {
    network.setOffline(true)
    await setInWatchlist(harbour, true)
    const releaseRequest = network.hold(/PUT/)
    network.clearRequests()
    network.setOffline(false)
    await waitFor(() => expect(network.requests.some(({ method }) => method === 'PUT')).toBe(true))
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect($lastSentWrite.get()).toBeNull()
    expect($watchlistEntries.get()).toEqual({})
    expect(await readWatchlistEntry(harbour)).toMatchObject({ in_watchlist: true })
  })

  it('if the server rejects a change of the adult profile during the switch, the change stays stored until the adult profile is selected again, and the child sees no message', async () => {
    network.setOffline(true)
    await setInWatchlist(harbour, true)
    const releaseRequest = network.hold(/PUT/)
    network.failNext(/PUT/, 422)
    network.clearRequests()
    network.setOffline(false)
    await waitFor(() => expect(network.requests.some(({ method }) => method === 'PUT')).toBe(true))
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect($toast.get()).toBeNull()
    expect(listStoredKeys()).toHaveLength(1)
    await switchTo('adult')
    await waitFor(() => expect(listStoredKeys()).toEqual([]))
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
