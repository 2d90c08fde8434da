/** Marking as seen with Undo, also without a network, and the history page. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signInHousehold, startOutboxImmediately } from '../support/store-environment.ts'

const household = await signInHousehold()
const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles } = household
const { markSeen } = await import('../../src/lib/stores/viewings.ts')
const { changeViewing, removeFromHistory } = await import('../../src/lib/stores/history-edits.ts')
const historyPageStore = await import('../../src/lib/stores/history-page.ts')
const { listMonths } = await import('../../src/islands/history/days.ts')
const { setWatchState } = await import('../../src/lib/stores/watch-state.ts')
const { setInWatchlist } = await import('../../src/lib/stores/watchlist.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')
const { $pendingWrites } = await import('../../src/lib/stores/pending-writes.ts')
const { isMarkPending } = await import('../../src/lib/stores/pending-marks.ts')
const { $historyPage, loadMoreHistory, openHistory, parseHistoryFilters } = historyPageStore
const { markViewingsChanged } = await import('../../src/lib/stores/query.ts')

const harbour = getCard('Night Harbour')
const ledger = getCard('Iron Ledger')
const profilePath = `/api/profile/${profiles.adult}`
const viewingScope = { type: 'movie', media_id: harbour.id, scope: 'title' } as const
const loadViewings = async () => (await otherDevice.get(`${profilePath}/viewings`)).body.results
/**
 * Adds viewings of one movie to the database. The viewings are one minute apart, and the last viewing was one minute
 * ago.
 */
const insertViewings = (count: number) =>
  household.server.database.primary
    .insertInto('play')
    .values(
      Array.from({ length: count }, (_, index) => ({
        profile_id: profiles.adult,
        title_id: Number(harbour.id),
        season_number: 0,
        episode_number: 0,
        name: '',
        watched_at: Date.now() - (index + 1) * 60_000,
        by_day: 0 as const,
        note: null,
      })),
    )
    .execute()
const pressUndo = async () => {
  $toast.get()?.undo?.()
  await network.waitUntilIdle()
}

$historyPage.listen(() => {})
beforeEach(async () => {
  network.setOffline(false)
  await otherDevice.delete(`${profilePath}/history`)
  await actAs('adult')
})

describe('marking as seen', () => {
  it('marking a title as seen adds a viewing, and Undo removes the viewing', async () => {
    expect(await markSeen([viewingScope])).toBe(true)
    expect($toast.get()).toMatchObject({ key: 'common:markedSeen', values: { count: 1 } })
    expect(await loadViewings()).toHaveLength(1)
    await pressUndo()
    expect(await loadViewings()).toEqual([])
  })

  it('marking a title that is already seen reports that nothing was marked and offers no Undo', async () => {
    await markSeen([viewingScope])
    await markSeen([viewingScope])
    expect($toast.get()).toMatchObject({ key: 'common:alreadySeen' })
    expect($toast.get()?.undo).toBeUndefined()
  })

  it('marking the same title as seen twice before the reply adds one viewing, and the message still offers Undo', async () => {
    const releaseRequests = network.hold(/viewings/)
    const marks = [markSeen([viewingScope]), markSeen([viewingScope])]
    releaseRequests()
    expect(await Promise.all(marks)).toEqual([true, true])
    expect($toast.get()).toMatchObject({ key: 'common:markedSeen', values: { count: 1 } })
    await pressUndo()
    expect(await loadViewings()).toEqual([])
  })

  it('a message is shown when the server rejects a mark as seen or the undo of a mark', async () => {
    network.failNext(/POST/, 422)
    expect(await markSeen([viewingScope])).toBe(false)
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
    await markSeen([viewingScope])
    await otherDevice.delete(`${profilePath}/history`)
    await pressUndo()
    expect($toast.get()).toMatchObject({ key: 'common:changedSince', kind: 'bad' })
  })

  it('setting the watch state of a series to completed marks its episodes as seen, and Undo reverts both', async () => {
    await setInWatchlist(ledger, true)
    await setWatchState(ledger, 'completed')
    expect((await loadViewings()).length).toBeGreaterThan(1)
    expect((await otherDevice.get(`${profilePath}/watchlist/tv/${ledger.id}`)).body.state).toBe('completed')
    await pressUndo()
    expect(await loadViewings()).toEqual([])
    expect((await otherDevice.get(`${profilePath}/watchlist/tv/${ledger.id}`)).body.state).toBe('planned')
  })

  it('when several titles are marked as seen offline, the message shows their number', async () => {
    await startOutboxImmediately(household)
    network.setOffline(true)
    await markSeen([viewingScope, { type: 'tv', media_id: ledger.id, scope: 'title' }])
    expect($toast.get()).toMatchObject({ key: 'common:markedSeen', values: { count: 2 } })
    await pressUndo()
  })

  it('when titles are marked as seen in several requests and the server rejects one request, no title is marked', async () => {
    const unknownScopes = Array.from({ length: 100 }, () => ({ ...viewingScope, media_id: '9999999' }))
    expect(await markSeen([...unknownScopes, viewingScope])).toBe(false)
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
    await network.waitUntilIdle()
    expect(await loadViewings()).toEqual([])
  })

  it('a title that is marked as seen offline is marked on the server later, unless Undo removes the mark before it is sent', async () => {
    await startOutboxImmediately(household)
    network.setOffline(true)
    await markSeen([viewingScope])
    expect(isMarkPending($pendingWrites.get(), harbour)).toBe(true)
    await pressUndo()
    expect($pendingWrites.get()).toEqual([])
    await markSeen([viewingScope])
    network.setOffline(false)
    await network.waitUntilIdle()
    expect(await loadViewings()).toHaveLength(1)
    await pressUndo()
    expect(await loadViewings()).toEqual([])
  })
})

describe('the history page', () => {
  it('the history page lists viewings, and reloads after a removal or a changed date', async () => {
    await markSeen([viewingScope], { date: 'chosen', day: '2024-05-06' })
    openHistory(parseHistoryFilters(''))
    await network.waitUntilIdle()
    const [viewing] = $historyPage.get().items
    expect(viewing).toMatchObject({ watched_at: '2024-05-06T12:00:00.000Z', date_only: true, marked: true })
    const viewingRef = { type: harbour.type, media_id: harbour.id, watched_at: viewing?.watched_at ?? null }
    await changeViewing(viewingRef, { day: '2023-01-02' })
    await network.waitUntilIdle()
    expect($historyPage.get().items[0]?.watched_at).toBe('2023-01-02T12:00:00.000Z')
    await removeFromHistory({ viewings: [{ ...viewingRef, watched_at: '2023-01-02T12:00:00.000Z' }] })
    await network.waitUntilIdle()
    expect($historyPage.get().items).toEqual([])
    await pressUndo()
    expect($historyPage.get().items).toHaveLength(1)
  })

  it('a viewing of the last day of a month is listed in that month, also in time zones east of UTC+12', async () => {
    vi.stubEnv('TZ', 'Pacific/Auckland')
    await markSeen([viewingScope], { date: 'chosen', day: '2025-12-31' })
    const countViewings = async (month: string) => {
      openHistory(parseHistoryFilters(`?month=${month}`))
      await network.waitUntilIdle()
      return $historyPage.get().items.length
    }
    expect([await countViewings('2025-12'), await countViewings('2026-01')]).toEqual([1, 0])
    expect(listMonths($historyPage.get().oldest, 'all').at(-1)?.value).toBe('2025-12')
    vi.unstubAllEnvs()
  })

  it('removing a viewing several times removes it once and keeps the message with the Undo button', async () => {
    await markSeen([viewingScope], { date: 'chosen', day: '2024-05-06' })
    await markSeen([viewingScope], { again: true })
    const removal = {
      viewings: [{ type: harbour.type, media_id: harbour.id, watched_at: '2024-05-06T12:00:00.000Z' }],
    }
    network.clearRequests()
    await Promise.all([removeFromHistory(removal), removeFromHistory(removal)])
    expect(network.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1)
    await removeFromHistory(removal)
    expect($toast.get()).toMatchObject({ key: 'seen:removed' })
    expect(await loadViewings()).toHaveLength(1)
    await pressUndo()
    expect(await loadViewings()).toHaveLength(2)
  })

  it('Undo reverts a note and a date that were changed in one step', async () => {
    await markSeen([viewingScope], { date: 'chosen', day: '2024-05-06' })
    openHistory(parseHistoryFilters(''))
    await network.waitUntilIdle()
    const viewingRef = { type: harbour.type, media_id: harbour.id, watched_at: '2024-05-06T12:00:00.000Z' }
    const changeAndGetShownNote = async (
      viewing: typeof viewingRef,
      changes: Parameters<typeof changeViewing>[1],
    ) => {
      await changeViewing(viewing, changes)
      await network.waitUntilIdle()
      return $historyPage.get().items[0]?.note
    }
    expect(await changeAndGetShownNote(viewingRef, { note: 'With Ada, in the rain.' })).toBe(
      'With Ada, in the rain.',
    )
    expect($toast.get()).toMatchObject({ key: 'history:noteSaved' })
    await changeAndGetShownNote(viewingRef, { note: 'Better the second time.', day: '2023-01-02' })
    expect($historyPage.get().items[0]).toMatchObject({
      note: 'Better the second time.',
      watched_at: '2023-01-02T12:00:00.000Z',
    })
    await pressUndo()
    expect($historyPage.get().items[0]).toMatchObject({
      note: 'With Ada, in the rain.',
      watched_at: viewingRef.watched_at,
    })
    expect(await changeAndGetShownNote(viewingRef, { note: '' })).toBeNull()
    expect($toast.get()).toMatchObject({ key: 'history:noteRemoved' })
    await pressUndo()
    expect($historyPage.get().items[0]?.note).toBe('With Ada, in the rain.')
    network.failNext(/PUT .*viewings$/, 422)
    expect(await changeAndGetShownNote(viewingRef, { note: 'Not saved.', day: '2023-01-02' })).toBe(
      'With Ada, in the rain.',
    )
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
    network.failNext(/viewings\/note/, 403)
    expect(await changeAndGetShownNote(viewingRef, { note: 'Lost' })).toBe('With Ada, in the rain.')
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
    network.clearRequests()
    expect(await changeViewing(viewingRef, {})).toBe(true)
    expect(network.requests).toEqual([])
  })

  it('the history page filters by type, month and title, and writes the filters to the URL', async () => {
    await markSeen([viewingScope], { date: 'chosen', day: '2024-05-06' })
    const countShownViewings = async (query: string) => {
      openHistory(parseHistoryFilters(query))
      await network.waitUntilIdle()
      return $historyPage.get().items.length
    }
    expect(await countShownViewings('?type=tv')).toBe(0)
    expect(await countShownViewings('?month=2024-05')).toBe(1)
    expect(await countShownViewings('?month=2024-06')).toBe(0)
    expect(await countShownViewings(`?title=movie-${harbour.id}`)).toBe(1)
    expect(await countShownViewings(`?title=tv-${ledger.id}`)).toBe(0)
    expect(historyPageStore.formatHistoryFilters(parseHistoryFilters('?type=tv&month=2024-13&title=x'))).toBe(
      '?type=tv',
    )
  })

  describe('with 250 displayed viewings', () => {
    beforeEach(async () => {
      await insertViewings(250)
      openHistory(parseHistoryFilters(''))
      await network.waitUntilIdle()
      while ($historyPage.get().next !== null) await loadMoreHistory()
      network.clearRequests()
    })

    it('a change of the history reloads all displayed viewings and replaces them in one step', async () => {
      const itemCounts: number[] = []
      const stopListening = $historyPage.listen(({ items }) => itemCounts.push(items.length))
      await otherDevice.post(`${profilePath}/viewings`, {
        key: 'newest',
        scopes: [viewingScope],
        again: true,
      })
      markViewingsChanged()
      await network.waitUntilIdle()
      stopListening()
      expect(itemCounts).toEqual([250, 250])
      expect($historyPage.get().items[0]).toMatchObject({ marked: true })
      expect(network.requests).toHaveLength(3)
      await loadMoreHistory()
      expect($historyPage.get()).toMatchObject({ next: null, items: { length: 251 } })
    })

    it('a viewing that is added during a reload is displayed after the reload', async () => {
      const releaseReply = network.hold(/viewings/, 'reply')
      markViewingsChanged()
      await network.waitUntilIdle()
      await otherDevice.post(`${profilePath}/viewings`, { key: 'late', scopes: [viewingScope], again: true })
      markViewingsChanged()
      releaseReply()
      await network.waitUntilIdle()
      expect($historyPage.get().items[0]).toMatchObject({ marked: true })
      expect($historyPage.get().items).toHaveLength(250)
    })

    it('a reload stops when another filter is selected, and its reply is ignored', async () => {
      const releaseReply = network.hold(/viewings/, 'reply')
      markViewingsChanged()
      await network.waitUntilIdle()
      openHistory(parseHistoryFilters('?type=tv'))
      releaseReply()
      await network.waitUntilIdle()
      expect($historyPage.get()).toMatchObject({ items: [], next: null, isLoaded: true, loading: false })
      expect(network.requests).toHaveLength(2)
    })
  })

  it('the history page shows the error of a failed request, and loads at the next attempt', async () => {
    network.failNext(/viewings/, 422)
    openHistory(parseHistoryFilters('?type=movie'))
    await network.waitUntilIdle()
    expect($historyPage.get()).toMatchObject({ isLoaded: false, loading: false, error: { status: 422 } })
    await loadMoreHistory()
    expect($historyPage.get()).toMatchObject({ isLoaded: true, error: null })
  })

  it('the history page is empty after a switch to a kids profile', async () => {
    await markSeen([viewingScope])
    openHistory(parseHistoryFilters(''))
    await network.waitUntilIdle()
    await switchTo('kid')
    expect($historyPage.get().items).toEqual([])
    openHistory(parseHistoryFilters(''))
    await network.waitUntilIdle()
    expect($historyPage.get().items).toEqual([])
    expect(findAdultRequests()).toEqual([])
  })
})
