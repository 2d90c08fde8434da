/** Changes that are made offline: they are stored for the profile that made them, and each change is sent once. */

import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { WriteRequest } from '../../src/lib/client/pending-writes.ts'
import { signInHousehold, startOutboxAtOnce } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, card, findAdultRequests, network, otherDevice, profiles } = household
const { revertQueuedWrite, sendOrQueueWrite } = await import('../../src/lib/stores/lazy-outbox.ts')
const { $lastSentWrite, $pendingWatchlistChanges, $pendingWrites, getWriteOwner } = await import(
  '../../src/lib/stores/pending-writes.ts'
)
const { $watchlistEntries, setInWatchlist } = await import('../../src/lib/stores/watchlist.ts')
const { saveProfilePreferences } = await import('../../src/lib/stores/preferences.ts')
const { $profile, loadProfiles } = await import('../../src/lib/stores/profile.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')

const kites = card('Paper Kites')
const harbour = card('Night Harbour')
const readEntry = async (title: typeof kites, profile = profiles.adult) => {
  otherDevice.profileId = profile
  const { body } = await otherDevice.get(`/api/profile/${profile}/watchlist/${title.type}/${title.id}`)
  otherDevice.profileId = profiles.adult
  return body
}
const listStoredKeys = () =>
  Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '').filter((key) =>
    key.startsWith('marquee-waiting'),
  )
/** Restores the network. Afterwards `network.requests` contains only the requests since then. */
const goOnline = async () => {
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
  it('an offline change is stored, displayed, and sent when the network returns', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    expect($pendingWrites.get()).toMatchObject([{ kind: 'list', body: { in_watchlist: true } }])
    expect($pendingWatchlistChanges.get()).toEqual({ [`movie/${kites.id}`]: { in_watchlist: true } })
    await goOnline()
    expect(await readEntry(kites)).toMatchObject({ in_watchlist: true })
    expect($pendingWrites.get()).toEqual([])
    expect($watchlistEntries.get()[`movie/${kites.id}`]).toMatchObject({
      in_watchlist: true,
      state: 'planned',
    })
  })

  it('an offline change is combined with later changes of the same title', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    await setInWatchlist(kites, false)
    expect($pendingWrites.get()).toHaveLength(1)
    await goOnline()
    expect(network.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
    expect(await readEntry(kites)).toMatchObject({ in_watchlist: false })
  })

  it('an offline change can be reverted before it is sent', async () => {
    network.setOffline(true)
    const write = { kind: 'reset', title: kites } as const
    await sendOrQueueWrite(write)
    expect(await revertQueuedWrite(write)).toBe(true)
    expect(await revertQueuedWrite(write)).toBe(false)
    await goOnline()
    expect(network.requests.filter(({ method }) => method === 'DELETE')).toEqual([])
  })

  it('a change is also stored when the server fails, and is sent at the next attempt', async () => {
    network.failNext(/PUT/, 503)
    await setInWatchlist(kites, true)
    expect($pendingWrites.get()).toHaveLength(1)
    dispatchEvent(new Event('online'))
    await vi.waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(await readEntry(kites)).toMatchObject({ in_watchlist: true })
  })

  it('a pending change is deleted with a message when the server rejects it', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    network.failNext(/PUT/, 422)
    await goOnline()
    expect($toast.get()).toMatchObject({ key: 'common:changeRefused', kind: 'bad' })
    expect($pendingWrites.get()).toEqual([])
    expect(listStoredKeys()).toEqual([])
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
    await goOnline()
  })

  it('the pending writes of this tab are updated when another tab changes the stored writes', async () => {
    network.setOffline(true)
    await setInWatchlist(kites, true)
    const [key = ''] = listStoredKeys()
    localStorage.removeItem(key)
    dispatchEvent(Object.assign(new Event('storage'), { key }))
    expect($pendingWrites.get()).toEqual([])
    await goOnline()
  })

  it('an offline change of preferences applies at once, and is saved when the network returns', async () => {
    network.setOffline(true)
    await saveProfilePreferences({ hide_spoilers: true })
    expect($profile.get()?.preferences.hide_spoilers).toBe(true)
    await goOnline()
    await loadProfiles()
    expect($profile.get()?.preferences.hide_spoilers).toBe(true)
    await saveProfilePreferences({ hide_spoilers: false })
  })

  it('each kind of change is sent with its own request', async () => {
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

describe('a change while an earlier change of the same title is sent', () => {
  const listPuts = () => network.requests.filter(({ method }) => method === 'PUT')

  it('is displayed at once, and sent after the reply to the earlier change', async () => {
    const release = network.hold(/PUT/)
    const changes = [setInWatchlist(kites, true), setInWatchlist(kites, false)]
    await network.waitUntilIdle()
    expect(listPuts()).toHaveLength(1)
    expect($watchlistEntries.get()[`movie/${kites.id}`]).toMatchObject({ in_watchlist: false })
    release()
    await Promise.all(changes)
    await vi.waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(listPuts()).toHaveLength(2)
    expect($watchlistEntries.get()[`movie/${kites.id}`]).toMatchObject({ in_watchlist: false })
    expect(await readEntry(kites)).toMatchObject({ in_watchlist: false })
  })

  it('is sent even if the connection of the earlier change failed', async () => {
    const release = network.hold(/PUT/)
    const changes = [setInWatchlist(kites, true), setInWatchlist(kites, false)]
    await network.waitUntilIdle()
    network.failNext(/PUT/, 0)
    release()
    await Promise.all(changes)
    await vi.waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(await readEntry(kites)).toMatchObject({ in_watchlist: false })
  })

  it('does not wait for changes of other titles', async () => {
    const release = network.hold(new RegExp(`PUT .*${kites.id}`))
    const change = setInWatchlist(kites, true)
    await setInWatchlist(harbour, true)
    expect(await readEntry(harbour)).toMatchObject({ in_watchlist: true })
    release()
    await change
  })
})

describe('after a switch to a kids profile', () => {
  it('keeps the pending changes of the adult in the adult profile', async () => {
    network.setOffline(true)
    await setInWatchlist(harbour, true)
    await switchTo('kid')
    expect($pendingWrites.get()).toEqual([])
    expect($pendingWatchlistChanges.get()).toEqual({})
    expect($watchlistEntries.get()).toEqual({})
    await goOnline()
    expect(findAdultRequests()).toEqual([])
    expect(listStoredKeys()).toHaveLength(1)
    await switchTo('adult')
    await vi.waitFor(() => expect($pendingWrites.get()).toEqual([]))
    expect(await readEntry(harbour)).toMatchObject({ in_watchlist: true })
    expect(await readEntry(kites, profiles.kid)).toMatchObject({ in_watchlist: false })
  })

  it('stores a change for the profile that made it, even if the switch follows immediately', async () => {
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

  it('does not show the kid a change that is being sent during the switch', async () => {
    network.setOffline(true)
    await setInWatchlist(harbour, true)
    const release = network.hold(/PUT/)
    network.clear()
    network.setOffline(false)
    await vi.waitFor(() => expect(network.requests.some(({ method }) => method === 'PUT')).toBe(true))
    await switchTo('kid')
    release()
    await network.waitUntilIdle()
    expect($lastSentWrite.get()).toBeNull()
    expect($watchlistEntries.get()).toEqual({})
    expect(await readEntry(harbour)).toMatchObject({ in_watchlist: true })
  })

  it('keeps a change of the adult that is rejected during the switch, and shows the kid no message', async () => {
    network.setOffline(true)
    await setInWatchlist(harbour, true)
    const release = network.hold(/PUT/)
    network.failNext(/PUT/, 422)
    network.clear()
    network.setOffline(false)
    await vi.waitFor(() => expect(network.requests.some(({ method }) => method === 'PUT')).toBe(true))
    await switchTo('kid')
    release()
    await network.waitUntilIdle()
    expect($toast.get()).toBeNull()
    expect(listStoredKeys()).toHaveLength(1)
    await switchTo('adult')
    await vi.waitFor(() => expect(listStoredKeys()).toEqual([]))
  })

  it('saves changed preferences of the adult in the adult profile', async () => {
    const release = network.hold(/PUT/)
    const savePromise = saveProfilePreferences({ simple_home: true })
    await network.waitUntilIdle()
    await switchTo('kid')
    release()
    await savePromise
    expect($profile.get()?.preferences.simple_home).toBe(false)
    await switchTo('adult')
    expect($profile.get()?.preferences.simple_home).toBe(true)
    await saveProfilePreferences({ simple_home: false })
  })
})
