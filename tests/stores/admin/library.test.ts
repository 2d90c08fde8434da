/** The dashboard's sections for the catalogue and the block list. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../../support/store-environment.ts'

const { actAs, switchTo, getCard, network } = await signInHousehold('http://marquee.example/dashboard/')
const { openDashboardSection } = await import('../../../src/lib/stores/admin/dashboard-view.ts')
const titlesStore = await import('../../../src/lib/stores/admin/titles.ts')
const { $blockEntries, addBlockEntry, removeBlockEntry, searchBlockCandidates } = await import(
  '../../../src/lib/stores/admin/blocklist.ts'
)
const { $binView, $deletedTitles, restoreTitle } = await import(
  '../../../src/lib/stores/admin/deleted-titles.ts'
)
const { $toast } = await import('../../../src/lib/stores/toast.ts')

const { $adminMovies, $adminSeries, $editedTitle, $editedTitleId } = titlesStore
for (const $store of [$adminMovies, $adminSeries, $deletedTitles, $editedTitle, $blockEntries, $toast])
  $store.listen(() => {})
const harbour = getCard('Night Harbour')
const waitUntilSettled = async <T>(promise: Promise<T>) => {
  const settledValue = await promise
  await network.waitUntilIdle()
  return settledValue
}
const openSection = async (section: 'catalogue' | 'blocklist', filters = {}) => {
  openDashboardSection(section, filters)
  await network.waitUntilIdle()
}
const pressUndo = async () => {
  $toast.get()?.undo?.()
  await network.waitUntilIdle()
}
const listTitles = () => $adminMovies.get().data?.results.map(({ title }) => title)

beforeEach(async () => {
  await actAs('adult')
})

describe('the catalogue', () => {
  it('the catalogue lists titles of one type, and finds titles by name', async () => {
    await openSection('catalogue', { search: 'night' })
    expect(listTitles()).toEqual(['Night Harbour'])
    await openSection('catalogue', { type: 'tv', kids: 'true' })
    expect($adminSeries.get().data?.results.map(({ title }) => title)).toEqual(['Garden Club'])
    expect($adminMovies.get()).toEqual({ loading: false })
  })

  it('hiding titles can be reverted with Undo', async () => {
    await openSection('catalogue', { published: 'false' })
    await waitUntilSettled(titlesStore.setTitlesPublished([harbour.id], false))
    expect(listTitles()).toEqual(['Night Harbour'])
    await pressUndo()
    expect(listTitles()).toEqual([])
  })

  it('Undo of hiding or publishing does not change titles that were already hidden or published before', async () => {
    const coldVerdict = getCard('Cold Verdict')
    await openSection('catalogue', { published: 'false' })
    await waitUntilSettled(titlesStore.setTitlesPublished([harbour.id], false))
    await waitUntilSettled(titlesStore.setTitlesPublished([harbour.id, coldVerdict.id], false))
    expect(listTitles()).toEqual(['Cold Verdict', 'Night Harbour'])
    await pressUndo()
    expect(listTitles()).toEqual(['Night Harbour'])
    await waitUntilSettled(titlesStore.setTitlesPublished([harbour.id, coldVerdict.id], true))
    expect(listTitles()).toEqual([])
    await pressUndo()
    expect(listTitles()).toEqual(['Night Harbour'])
    await waitUntilSettled(titlesStore.setTitlesPublished([harbour.id], true))
  })

  it('deleting titles can be reverted with Undo', async () => {
    await openSection('catalogue', { search: 'cold' })
    await waitUntilSettled(titlesStore.deleteTitles([getCard('Cold Verdict').id]))
    expect(listTitles()).toEqual([])
    await pressUndo()
    expect(listTitles()).toEqual(['Cold Verdict'])
    expect($deletedTitles.get().data?.results).toEqual([])
  })

  it('when the second request of a bulk change fails, the message counts the changed titles and offers Undo, and the ids of the first request are returned', async () => {
    await openSection('catalogue', { published: 'false' })
    const handledIds = [harbour.id, ...Array.from({ length: 99 }, (_, index) => `unknown-${index}`)]
    const titleIds = [...handledIds, getCard('Cold Verdict').id]
    const failSecondRequest = (pattern: RegExp) =>
      titlesStore.$bulkProgress.listen((progress) => {
        if (progress?.done === 100) network.failNext(pattern, 500)
      })
    const stopFailures = failSecondRequest(/titles\/(publish|delete)/)
    expect(await waitUntilSettled(titlesStore.setTitlesPublished(titleIds, false))).toEqual(handledIds)
    expect($toast.get()).toMatchObject({
      key: 'dashboardlibrary:partlyChanged',
      kind: 'bad',
      values: { done: 1, total: 101 },
    })
    expect(listTitles()).toEqual(['Night Harbour'])
    await pressUndo()
    expect(listTitles()).toEqual([])
    expect(await waitUntilSettled(titlesStore.deleteTitles(titleIds))).toEqual(handledIds)
    expect($deletedTitles.get().data?.results).toMatchObject([{ title: 'Night Harbour' }])
    await pressUndo()
    expect($deletedTitles.get().data?.results).toEqual([])
    stopFailures()
  })

  it('when the first request of a bulk change fails, the message states the reason without Undo, and no title counts as changed', async () => {
    network.failNext(/titles\/delete/, 0)
    expect(await waitUntilSettled(titlesStore.deleteTitles([harbour.id]))).toEqual([])
    expect($toast.get()).toMatchObject({ key: 'dashboard:offline', kind: 'bad' })
    expect($toast.get()).not.toHaveProperty('undo')
  })

  it('the message after a bulk change counts only changed titles, and offers Undo only if titles have changed', async () => {
    await waitUntilSettled(titlesStore.setTitlesPublished([harbour.id, getCard('Cold Verdict').id], false))
    await waitUntilSettled(titlesStore.setTitlesPublished([harbour.id], true))
    await waitUntilSettled(titlesStore.setTitlesPublished([harbour.id, getCard('Cold Verdict').id], true))
    expect($toast.get()).toMatchObject({ key: 'dashboardlibrary:publishedCount', values: { count: 1 } })
    await waitUntilSettled(titlesStore.setTitlesPublished([harbour.id], true))
    expect($toast.get()).toMatchObject({ values: { count: 0 } })
    expect($toast.get()).not.toHaveProperty('undo')
  })

  it('the ids of all matching titles are ignored when the filters change before the reply arrives', async () => {
    await openSection('catalogue', { search: 'night' })
    const filters = { search: 'night' }
    expect(await titlesStore.loadMatchingTitleIds(filters)).toEqual([harbour.id])
    const releaseReply = network.hold(/titles\/matching/, 'reply')
    const staleIdsPromise = titlesStore.loadMatchingTitleIds(filters)
    openDashboardSection('catalogue', { search: 'cold' })
    releaseReply()
    expect(await waitUntilSettled(staleIdsPromise)).toBeNull()
  })

  it('restoring a title that is not in the bin is reported as a failure', async () => {
    await waitUntilSettled(restoreTitle(harbour.id))
    expect($toast.get()).toMatchObject({ key: 'errors:gone', kind: 'bad' })
  })

  it('a deleted title is listed in the bin and can be restored', async () => {
    await openSection('catalogue', { search: 'cold' })
    await waitUntilSettled(titlesStore.deleteTitles([getCard('Cold Verdict').id]))
    expect($deletedTitles.get().data?.results).toMatchObject([{ title: 'Cold Verdict' }])
    $binView.setKey('search', 'night')
    await network.waitUntilIdle()
    expect($deletedTitles.get().data).toMatchObject({ results: [], total_results: 0 })
    $binView.setKey('search', 'verdict')
    await network.waitUntilIdle()
    expect($deletedTitles.get().data).toMatchObject({ total_results: 1 })
    await waitUntilSettled(restoreTitle(getCard('Cold Verdict').id))
    expect($deletedTitles.get().data?.results).toEqual([])
    expect(listTitles()).toEqual(['Cold Verdict'])
  })

  it('a changed title is saved, and Undo restores the previous values', async () => {
    await openSection('catalogue')
    $editedTitleId.set(harbour.id)
    await network.waitUntilIdle()
    const title = $editedTitle.get().data
    if (!title) throw new Error('The title was not loaded')
    expect(await waitUntilSettled(titlesStore.saveTitle(title, { safe_for_kids: true }))).toBeNull()
    expect($editedTitle.get().data?.safe_for_kids).toBe(true)
    await pressUndo()
    expect($editedTitle.get().data?.safe_for_kids).toBe(false)
    network.failNext(/titles/, 500)
    expect(await waitUntilSettled(titlesStore.saveTitle(title, { safe_for_kids: true }))).toBe(
      'dashboard:failed',
    )
  })
})

describe('the block list', () => {
  it('the search for the block list finds titles and people', async () => {
    expect(await searchBlockCandidates('movie', 'night')).toMatchObject([
      { id: harbour.id, name: 'Night Harbour' },
    ])
    expect(await searchBlockCandidates('actor', 'ada')).toMatchObject([{ name: 'Ada Winter', year: null }])
  })

  it('blocking a title can be reverted with Undo', async () => {
    await openSection('blocklist')
    expect(await waitUntilSettled(addBlockEntry({ type: 'movie', media_id: harbour.id }))).toBeNull()
    expect($blockEntries.get().data?.results.map(({ label }) => label)).toEqual(['Night Harbour'])
    expect(await waitUntilSettled(addBlockEntry({ type: 'movie', media_id: harbour.id }))).toBe(
      'dashboard:alreadyBlocked',
    )
    await pressUndo()
    expect($blockEntries.get().data?.results).toEqual([])
  })

  it('removing an entry from the block list can be reverted with Undo', async () => {
    await openSection('blocklist', { type: 'keyword', search: 'heist' })
    await waitUntilSettled(addBlockEntry({ type: 'keyword', value: 'heist', reason: 'test' }))
    const [blockEntry] = $blockEntries.get().data?.results ?? []
    if (!blockEntry) throw new Error('The entry was not added')
    await waitUntilSettled(removeBlockEntry(blockEntry))
    expect($blockEntries.get().data?.results).toEqual([])
    await pressUndo()
    expect($blockEntries.get().data?.results).toMatchObject([{ value: 'heist', reason: 'test' }])
  })
})

describe('after a switch to a kids profile', () => {
  it('a switch to a kids profile removes the dashboard data of the adult without further requests', async () => {
    await openSection('catalogue', { search: 'night' })
    $editedTitleId.set(harbour.id)
    await network.waitUntilIdle()
    const switchPromise = switchTo('kid')
    expect([$adminMovies.get().data, $editedTitle.get().data]).toEqual([undefined, undefined])
    await switchPromise
    expect($editedTitleId.get()).toBeNull()
    expect(network.requests).toEqual([])
  })
})
