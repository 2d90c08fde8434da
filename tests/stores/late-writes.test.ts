/**
 * Changes that are sent late. The server stores the newest change of two devices, and the changes of one device keep
 * their order. The stores then show what the server has stored.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSeededGenerator } from '../../server/images/random.ts'
import type { MediaCard } from '../../src/lib/contract/media.ts'
import { signInHousehold, startOutboxImmediately } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const household = await signInHousehold()
const { actAs, credentials, getCard, network, otherDevice, profiles } = household
const { sendOrQueueWrite } = await import('../../src/lib/stores/lazy-outbox.ts')
const { $pendingWrites, getWriteOwner } = await import('../../src/lib/stores/pending-writes.ts')
const { $displayedFeedback, loadFeedback, setFeedback } = await import('../../src/lib/stores/feedback.ts')
const { $displayedRatings, loadRating, setRating } = await import('../../src/lib/stores/ratings.ts')
const { $watchlistEntries, changeWatchlistEntry, loadWatchlistEntry } = await import(
  '../../src/lib/stores/watchlist.ts'
)

const titles = ['Paper Kites', 'Night Harbour', 'Cold Verdict'].map(getCard)
const [kites] = titles as [MediaCard]
const getPath = (resourceName: string, { type, id }: MediaCard = kites) =>
  `/api/profile/${profiles.adult}/${resourceName}/${type}/${id}`
await startOutboxImmediately(household)
for (const $store of [$pendingWrites, $displayedFeedback, $displayedRatings, $watchlistEntries])
  $store.listen(() => {})

/** Lets time pass on both devices and on the server, which runs in this process. */
const advanceTime = (durationMs = 10_000) => vi.setSystemTime(Date.now() + durationMs)
const reconnect = async () => {
  network.setOffline(false)
  await waitFor(() => expect($pendingWrites.get()).toEqual([]))
  await network.waitUntilIdle()
}
/** Returns what the server has stored for a title: the rating, the feedback, and whether it is in the watchlist. */
const readServerState = async (title: MediaCard) => ({
  rating: (await otherDevice.get(getPath('ratings', title))).body.rating,
  feedback: (await otherDevice.get(getPath('feedback', title))).body.feedback,
  isInWatchlist: (await otherDevice.get(getPath('watchlist', title))).body.in_watchlist,
})
const getShownState = ({ type, id }: MediaCard) => ({
  rating: $displayedRatings.get()[`${type}/${id}`],
  feedback: $displayedFeedback.get()[`${type}/${id}`],
  isInWatchlist: $watchlistEntries.get()[`${type}/${id}`]?.in_watchlist,
})

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

beforeEach(async () => {
  await waitFor(() => expect(getWriteOwner()).not.toBeNull())
  await actAs('adult')
  await otherDevice.login(credentials.email)
  for (const title of titles) {
    await otherDevice.put(getPath('ratings', title), { rating: null })
    await otherDevice.put(getPath('feedback', title), { feedback: null })
    await otherDevice.put(getPath('watchlist', title), { in_watchlist: false })
    await otherDevice.delete(`/api/profile/${profiles.adult}/history/${title.type}/${title.id}`)
  }
  advanceTime()
})

describe('a change without a network', () => {
  it('does not replace a newer change of another device, and the stores show the newer change', async () => {
    network.setOffline(true)
    await setRating(kites, 6, null)
    await setFeedback(kites, 'disliked')
    await changeWatchlistEntry(kites, { in_watchlist: true })
    advanceTime()
    await otherDevice.put(getPath('ratings'), { rating: 9 })
    await otherDevice.put(getPath('feedback'), { feedback: 'like' })
    await otherDevice.put(getPath('watchlist'), { in_watchlist: true, state: 'watching' })
    await otherDevice.put(getPath('watchlist'), { in_watchlist: false })
    advanceTime()
    await reconnect()
    const newestState = { rating: 9, feedback: 'liked', isInWatchlist: false }
    expect(await readServerState(kites)).toEqual(newestState)
    expect(getShownState(kites)).toEqual(newestState)
  })

  it('is not replaced by an older change that reaches the server later from another device', async () => {
    const repeatFields = { first_failed_at: new Date(Date.now()).toISOString() }
    advanceTime()
    network.setOffline(true)
    await setRating(kites, 6, null)
    advanceTime(60_000)
    await reconnect()
    const sentAt = new Date(Date.now()).toISOString()
    await otherDevice.put(getPath('ratings'), { rating: 9, ...repeatFields, sent_at: sentAt })
    expect((await readServerState(kites)).rating).toBe(6)
  })

  it('is stored, although an earlier "mark as seen" of the title is sent first and also changes the watchlist entry', async () => {
    network.setOffline(true)
    await sendOrQueueWrite({
      kind: 'mark',
      id: `mark-${Date.now()}`,
      body: {
        key: `mark-${Date.now()}`,
        scopes: [{ type: 'movie', media_id: kites.id, scope: 'title' }],
        at: new Date(Date.now()).toISOString(),
      },
    })
    advanceTime()
    await changeWatchlistEntry(kites, { in_watchlist: true, state: 'planned' })
    advanceTime()
    await reconnect()
    expect((await otherDevice.get(getPath('watchlist'))).body).toMatchObject({
      in_watchlist: true,
      state: 'planned',
    })
  })

  it('a rating given while the previous rating is being sent replaces the previous rating, even if sending takes long', async () => {
    network.setOffline(true)
    await setRating(kites, 6, null)
    advanceTime()
    await network.waitUntilIdle()
    network.clearRequests()
    const releaseRequest = network.hold(/PUT .*ratings/, 'request', 1)
    network.setOffline(false)
    await waitFor(() => expect(network.requests.some(({ method }) => method === 'PUT')).toBe(true))
    await setRating(kites, 8, 6)
    advanceTime()
    releaseRequest()
    await reconnect()
    expect((await readServerState(kites)).rating).toBe(8)
    expect(getShownState(kites).rating).toBe(8)
  })
})

it('a "mark as seen" waits for the reply to an earlier watchlist change of the same title', async () => {
  await loadWatchlistEntry(kites)
  const releaseRequest = network.hold(/PUT .*watchlist/, 'request', 1)
  const additionPromise = changeWatchlistEntry(kites, { in_watchlist: true })
  await waitFor(() => expect(network.requests.some(({ method }) => method === 'PUT')).toBe(true))
  const key = `mark-${Date.now()}`
  const scopes = [{ type: 'movie' as const, media_id: kites.id, scope: 'title' as const }]
  await sendOrQueueWrite({ kind: 'mark', id: key, body: { key, scopes } })
  await additionPromise
  releaseRequest()
  await waitFor(() => expect($pendingWrites.get()).toEqual([]))
  expect((await otherDevice.get(getPath('watchlist'))).body).toMatchObject({ state: 'completed' })
})

it('a removal of progress waits for the reply to a report of progress that is being sent', async () => {
  const listReports = () => network.requests.filter(({ method }) => method === 'POST')
  const releaseRequest = network.hold(/POST .*history/, 'request', 1)
  const at = new Date().toISOString()
  const reportPromise = sendOrQueueWrite({
    kind: 'progress',
    title: kites,
    place: {},
    progress: 60,
    duration: 100,
    at,
  })
  await waitFor(() => expect(listReports()).not.toEqual([]))
  await sendOrQueueWrite({ kind: 'reset', title: kites })
  await reportPromise
  await network.waitUntilIdle()
  releaseRequest()
  await waitFor(() => expect($pendingWrites.get()).toEqual([]))
  const { body } = await otherDevice.get(`/api/profile/${profiles.adult}/history/movie/${kites.id}`)
  expect(body.latest).toBeNull()
})

it('a new rating stays displayed when the previous rating is loaded while the new rating is being saved', async () => {
  const releaseRequest = network.hold(/PUT .*ratings/)
  const savePromise = setRating(kites, 8, null)
  await loadRating(kites)
  releaseRequest()
  await savePromise
  expect(getShownState(kites).rating).toBe(8)
})

const STEP_COUNT = 120
const VALUES_BY_FIELD = {
  rating: [null, 2, 5, 9],
  feedback: [null, 'liked', 'disliked'],
  isInWatchlist: [true, false],
} as const

it.each([1, 2, 3, 4])(
  'after random changes of two devices, the newest values are stored (seed %i)',
  async (seed) => {
    const drawNumber = createSeededGenerator(seed)
    const pickValue = <T>(values: readonly T[]) => values[Math.floor(drawNumber() * values.length)] as T
    const expectedStates = new Map<MediaCard, Record<string, unknown>>(
      titles.map((title) => [title, { rating: null, feedback: null, isInWatchlist: false }]),
    )
    for (const title of titles)
      await Promise.all([loadRating(title), loadFeedback(title), loadWatchlistEntry(title)])
    /** Changes that this device has made since it went offline. */
    let offlineChanges: { title: MediaCard; field: keyof typeof VALUES_BY_FIELD }[] = []
    const reconnectAndCompare = async () => {
      // The server may receive a change although its reply is lost. The change is then sent again.
      if (offlineChanges.length > 0 && drawNumber() < 0.5) network.loseNextReply(/PUT/)
      network.setOffline(false)
      await network.waitUntilIdle()
      dispatchEvent(new Event('online'))
      await reconnect()
      for (const title of titles) expect(await readServerState(title)).toEqual(expectedStates.get(title))
      for (const { title, field } of offlineChanges)
        expect([field, getShownState(title)[field]]).toEqual([field, expectedStates.get(title)?.[field]])
      offlineChanges = []
    }
    let isOffline = false
    for (let step = 0; step < STEP_COUNT; step += 1) {
      advanceTime(500 + Math.floor(drawNumber() * 1_000))
      if (drawNumber() < 0.15) {
        isOffline = !isOffline
        if (isOffline) network.setOffline(true)
        else await reconnectAndCompare()
        continue
      }
      const title = pickValue(titles)
      const field = pickValue(['rating', 'feedback', 'isInWatchlist'] as const)
      const value = pickValue<string | number | boolean | null>(VALUES_BY_FIELD[field])
      Object.assign(expectedStates.get(title) ?? {}, { [field]: value })
      const isOwnDevice = drawNumber() < 0.6
      if (isOwnDevice && isOffline) offlineChanges.push({ title, field })
      if (field === 'rating')
        await (isOwnDevice
          ? setRating(title, value as number | null, undefined)
          : otherDevice.put(getPath('ratings', title), { rating: value }))
      else if (field === 'feedback')
        await (isOwnDevice
          ? setFeedback(title, value as 'liked' | 'disliked' | null)
          : otherDevice.put(getPath('feedback', title), {
              feedback: (value as string | null)?.slice(0, -1) ?? null,
            }))
      else
        await (isOwnDevice ? changeWatchlistEntry : putWatchlistEntryOnOtherDevice)(title, {
          in_watchlist: value as boolean,
        })
    }
    await reconnectAndCompare()
  },
)

const putWatchlistEntryOnOtherDevice = async (title: MediaCard, body: { in_watchlist: boolean }) => {
  await otherDevice.put(getPath('watchlist', title), body)
}
