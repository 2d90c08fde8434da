/**
 * An index store that returns only the documents of an audience with limits. The index itself knows the kids rule only, so
 * that each lookup reads more matches until enough of them are visible, or there are no more.
 */
import { getDocId } from './slot.ts'
import {
  type IndexStore,
  type SearchKind,
  type SearchRange,
  type SearchRequest,
  searchKinds,
  type TokenExpression,
  topicKinds,
} from './types.ts'

type SelectVisible = NonNullable<SearchRequest['scope']['selectVisible']>
type FindSlots = (limit: number) => number[] | Promise<number[]>

/** Factor by which a lookup is repeated when too few of its matches were visible. */
const LIMIT_GROWTH = 8

/** Names every method, so that a lookup that is added to the index cannot miss the audience. */
export function createScopedStore(store: IndexStore, selectVisible: SelectVisible): IndexStore {
  const keepVisible = async (slots: number[]) => {
    const visibleIds = await selectVisible(slots.map(getDocId))
    return slots.filter((slot) => visibleIds.has(getDocId(slot)))
  }
  /** Repeats a lookup of one kind or key with a growing limit until `limit` slots are visible, or there are no more. */
  const findVisible = async (find: FindSlots, limit: number): Promise<number[]> => {
    for (let size = limit; ; size *= LIMIT_GROWTH) {
      const slots = await find(size)
      const visibleSlots = await keepVisible(slots)
      if (visibleSlots.length >= limit || slots.length < size) return visibleSlots.slice(0, limit)
    }
  }
  const findVisibleByKind =
    (find: IndexStore['findSlots'], kinds: readonly SearchKind[]) =>
    async (expression: TokenExpression, range: SearchRange, limit: number): Promise<number[]> => {
      const foundSlots: number[] = []
      for (const kind of kinds)
        if (range.kind === 'all' || range.kind === kind)
          foundSlots.push(...(await findVisible((size) => find(expression, { ...range, kind }, size), limit)))
      return foundSlots
    }
  const { cacheKey, readState, loadCandidates, findWordsBySound, listWords, writeBatch, rebuildAll } = store
  return {
    cacheKey,
    readState,
    findSlots: findVisibleByKind(store.findSlots, searchKinds),
    findTopicSlots: findVisibleByKind(store.findTopicSlots, topicKinds),
    async findExactKeys(keys, range, limit) {
      const foundSlots: number[] = []
      for (const key of new Set(keys))
        foundSlots.push(...(await findVisible((size) => store.findExactKeys([key], range, size), limit)))
      return foundSlots
    },
    findKeyPrefix: (key, range, limit) => findVisible((size) => store.findKeyPrefix(key, range, size), limit),
    loadCandidates,
    findWordsBySound,
    listWords,
    writeBatch,
    rebuildAll,
  }
}
