/** Lookups in the search index for an audience that may see only some of the documents. */
import { expect, test, vi } from 'vitest'
import { createScopedStore } from '../../../server/search/scoped-store.ts'
import { computeSlot, getDocId } from '../../../server/search/slot.ts'
import { emptyIndexState, type IndexStore } from '../../../server/search/types.ts'

/** Returns a scoped store with `personCount` people that match every query, and mocks that record the lookups. */
function createPeopleStore(personCount: number, isVisible: (docId: number) => boolean) {
  const slots = Array.from({ length: personCount }, (_, docId) => computeSlot('actor', 0, docId, false))
  const findSlotsMock = vi.fn((limit: number) => slots.slice(0, limit))
  const selectVisiblePeople = vi.fn(async (docIds: number[]) => new Set(docIds.filter(isVisible)))
  const reportUnreadMatches = vi.fn()
  const store = {
    findSlots: (_expression, _range, limit) => findSlotsMock(limit),
    findExactKeys: (_keys, _range, limit) => findSlotsMock(limit),
    findKeyPrefix: (_key, _range, limit) => findSlotsMock(limit),
  } as Pick<IndexStore, 'findSlots' | 'findExactKeys' | 'findKeyPrefix'> as IndexStore
  const visibility = { isTitleVisible: () => false, selectVisiblePeople }
  const scopedStore = createScopedStore(store, { visibility, state: emptyIndexState, reportUnreadMatches })
  const findPeople = async (limit: number) =>
    (
      await scopedStore.findSlots({ token: 'a', prefix: true }, { kind: 'actor', isKidsOnly: false }, limit)
    ).map(getDocId)
  return { scopedStore, findSlotsMock, selectVisiblePeople, reportUnreadMatches, findPeople }
}

test('a search limited to an audience reads more matches when few are visible, and checks the visibility of each match once', async () => {
  const { findSlotsMock, findPeople, selectVisiblePeople, reportUnreadMatches } = createPeopleStore(
    900,
    (id) => id % 100 === 99,
  )
  expect(await findPeople(5)).toEqual([99, 199, 299, 399, 499])
  expect(findSlotsMock.mock.calls).toEqual([[5], [40], [320], [800]])
  const checkedIds = selectVisiblePeople.mock.calls.flat(2)
  expect(checkedIds).toHaveLength(800)
  expect(new Set(checkedIds).size).toBe(800)
  await findPeople(5)
  expect(selectVisiblePeople.mock.calls.flat(2)).toHaveLength(800)
  expect(reportUnreadMatches).not.toHaveBeenCalled()
})

test('a search limited to an audience stops at its maximum of matches and reports that more may exist', async () => {
  const { findPeople, reportUnreadMatches } = createPeopleStore(1_500, (id) => id === 999 || id === 1_000)
  expect(await findPeople(2)).toEqual([999])
  expect(reportUnreadMatches).toHaveBeenCalledOnce()
  expect(await findPeople(1)).toEqual([999])
  expect(reportUnreadMatches).toHaveBeenCalledOnce()
})

test('a lookup by name key that is limited to an audience reads at most 500 matches and reports that more may exist', async () => {
  const { scopedStore, findSlotsMock, reportUnreadMatches } = createPeopleStore(600, (id) => id === 550)
  expect(await scopedStore.findKeyPrefix('a', { kind: 'all', isKidsOnly: false }, 60)).toEqual([])
  expect(await scopedStore.findExactKeys(['a'], { kind: 'all', isKidsOnly: false }, 60)).toEqual([])
  expect(findSlotsMock.mock.calls).toEqual([[500], [500]])
  expect(reportUnreadMatches).toHaveBeenCalledTimes(2)
})

test('a lookup of titles for an audience, by name or by topic, calls the index once, with the visibility check of the audience', async () => {
  const findVisibleDocs = vi.fn<IndexStore['findVisibleDocs']>(() => [])
  const isTitleVisible = () => true
  const store = createScopedStore({ findVisibleDocs } as Partial<IndexStore> as IndexStore, {
    visibility: { isTitleVisible, selectVisiblePeople: async () => new Set() },
    state: emptyIndexState,
    reportUnreadMatches: () => {},
  })
  const [expression, range] = [{ token: 'a', prefix: true }, { kind: 'movie', isKidsOnly: false } as const]
  await store.findSlots(expression, range, 2)
  await store.findTopicSlots(expression, range, 2)
  const lookup = { expression, range, isVisible: isTitleVisible, limit: 2 }
  expect(findVisibleDocs.mock.calls).toEqual([
    [{ ...lookup, isForNames: true }],
    [{ ...lookup, isForNames: false }],
  ])
})

test('while the index is built, each search limited to an audience checks again whether people are visible', async () => {
  const person = computeSlot('actor', 0, 1, false)
  const visibility = { isTitleVisible: () => false, selectVisiblePeople: vi.fn(async () => new Set([1])) }
  const findPerson = async (isBuilding: boolean) => {
    const store = createScopedStore({ findSlots: () => [person] } as Partial<IndexStore> as IndexStore, {
      visibility,
      state: { ...emptyIndexState, building: isBuilding },
      reportUnreadMatches: () => {},
    })
    return store.findSlots({ token: 'a', prefix: true }, { kind: 'actor', isKidsOnly: false }, 2)
  }
  expect([await findPerson(false), await findPerson(false)]).toEqual([[person], [person]])
  expect(visibility.selectVisiblePeople).toHaveBeenCalledTimes(1)
  expect([await findPerson(true), await findPerson(true)]).toEqual([[person], [person]])
  expect(visibility.selectVisiblePeople).toHaveBeenCalledTimes(3)
})

test('a search limited to an audience checks only people whose visibility is not in the index', async () => {
  const slots = Array.from({ length: 40 }, (_, docId) => computeSlot('actor', 0, docId, false))
  const findVisibleDocs = vi.fn<IndexStore['findVisibleDocs']>(({ isVisible, limit }) =>
    slots.filter((slot) => isVisible(getDocId(slot))).slice(0, limit),
  )
  const selectVisiblePeople = vi.fn(async (docIds: number[]) => new Set(docIds.filter((id) => id > 5)))
  const isPersonVisible = (docId: number) => (docId < 10 ? undefined : docId % 10 === 0)
  const visibility = { isTitleVisible: () => false, isPersonVisible, selectVisiblePeople }
  const findPeople = async () => {
    const store = createScopedStore({ findVisibleDocs } as Partial<IndexStore> as IndexStore, {
      visibility,
      state: emptyIndexState,
      reportUnreadMatches: () => {},
    })
    const foundSlots = await store.findSlots(
      { token: 'a', prefix: true },
      { kind: 'actor', isKidsOnly: false },
      50,
    )
    return foundSlots.map(getDocId)
  }
  expect(await findPeople()).toEqual([6, 7, 8, 9, 10, 20, 30])
  expect(selectVisiblePeople.mock.calls).toEqual([[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]])
  expect(await findPeople()).toEqual([6, 7, 8, 9, 10, 20, 30])
  const [firstLookup, secondLookup] = findVisibleDocs.mock.calls.map(([lookup]) => lookup)
  expect(secondLookup?.isVisible).toBe(firstLookup?.isVisible)
  expect(selectVisiblePeople).toHaveBeenCalledTimes(1)
})
