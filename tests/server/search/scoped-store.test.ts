/** Lookups of a search whose audience may see only some documents. */
import { expect, test, vi } from 'vitest'
import { createScopedStore } from '../../../server/search/scoped-store.ts'
import { computeSlot, getDocId } from '../../../server/search/slot.ts'
import type { IndexStore } from '../../../server/search/types.ts'

/** Returns a scoped store of `count` people that match everything, and records what its lookups do. */
function createPeopleStore(count: number, isVisible: (docId: number) => boolean) {
  const slots = Array.from({ length: count }, (_, docId) => computeSlot('actor', 0, docId, false))
  const find = vi.fn((limit: number) => slots.slice(0, limit))
  const selectVisible = vi.fn(async (docIds: number[]) => new Set(docIds.filter(isVisible)))
  const reportUnread = vi.fn()
  const store = {
    findSlots: (_expression, _range, limit) => find(limit),
    findExactKeys: (_keys, _range, limit) => find(limit),
    findKeyPrefix: (_key, _range, limit) => find(limit),
  } as Pick<IndexStore, 'findSlots' | 'findExactKeys' | 'findKeyPrefix'> as IndexStore
  const scopedStore = createScopedStore(store, selectVisible, reportUnread)
  const findPeople = async (limit: number) =>
    (await scopedStore.findSlots({ token: 'a', prefix: true }, { kind: 'actor', kids: false }, limit)).map(
      getDocId,
    )
  return { scopedStore, find, selectVisible, reportUnread, findPeople }
}

test('reads as many more matches as the share of visible ones requires, and asks for each of them only once', async () => {
  const { find, findPeople, selectVisible, reportUnread } = createPeopleStore(900, (id) => id % 100 === 99)
  expect(await findPeople(5)).toEqual([99, 199, 299, 399, 499])
  expect(find.mock.calls).toEqual([[5], [40], [320], [800]])
  const checkedIds = selectVisible.mock.calls.flat(2)
  expect(checkedIds).toHaveLength(800)
  expect(new Set(checkedIds).size).toBe(800)
  await findPeople(5)
  expect(selectVisible.mock.calls.flat(2)).toHaveLength(800)
  expect(reportUnread).not.toHaveBeenCalled()
})

test('stops at the maximum of its lookup and reports that there may be more', async () => {
  const { findPeople, reportUnread } = createPeopleStore(1_500, (id) => id === 999 || id === 1_000)
  expect(await findPeople(2)).toEqual([999])
  expect(reportUnread).toHaveBeenCalledOnce()
  expect(await findPeople(1)).toEqual([999])
  expect(reportUnread).toHaveBeenCalledOnce()
})

test('reads at most 500 matches of a key', async () => {
  const { scopedStore, find, reportUnread } = createPeopleStore(600, (id) => id === 550)
  expect(await scopedStore.findKeyPrefix('a', { kind: 'all', kids: false }, 60)).toEqual([])
  expect(await scopedStore.findExactKeys(['a'], { kind: 'all', kids: false }, 60)).toEqual([])
  expect(find.mock.calls).toEqual([[60], [480], [500], [60], [480], [500]])
  expect(reportUnread).toHaveBeenCalledTimes(2)
})
