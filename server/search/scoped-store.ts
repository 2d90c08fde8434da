/**
 * An index store that returns only the documents of an audience with limits. The index itself knows the kids rule only, so
 * that each lookup reads more matches until enough of them are visible, or there are no more. How many more follows from the share
 * of visible ones: reading far more than needed would cost most of the time of a search for an audience of few titles.
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

/** Factor by which a lookup is repeated when none of its matches were visible. */
const LIMIT_GROWTH = 8
/** A repeated lookup reads this many times the matches that should be enough by the share of visible ones. */
const READ_MARGIN = 1.5
/**
 * Maximum number of matches that one lookup reads, most popular first, so that a letter that begins most names stays
 * fast. Whether a person is visible is read from the database, so fewer of them are read. A longer text finds the rest.
 */
const MAX_MATCHES: Record<SearchKind, number> = { movie: 50_000, tv: 50_000, actor: 1_000 }
const MAX_KEY_MATCHES = 500

/**
 * Names every method, so that a lookup that is added to the index cannot miss the audience. Calls `reportUnread` when a
 * lookup ended at the maximum, so that there may be more visible matches than it found.
 */
export function createScopedStore(
  store: IndexStore,
  selectVisible: SelectVisible,
  reportUnread: () => void,
): IndexStore {
  /** Slots of this search by whether they are visible, because its steps find many of them again. */
  const checkedSlots = new Map<number, boolean>()
  const keepVisible = async (slots: number[]) => {
    const newSlots = slots.filter((slot) => !checkedSlots.has(slot))
    if (newSlots.length > 0) {
      const visibleIds = await selectVisible(newSlots.map(getDocId))
      for (const slot of newSlots) checkedSlots.set(slot, visibleIds.has(getDocId(slot)))
    }
    return slots.filter((slot) => checkedSlots.get(slot))
  }
  /** Repeats a lookup with a growing limit until `limit` slots are visible, or there are no more. */
  const findVisible = async (find: FindSlots, limit: number, maxMatches: number): Promise<number[]> => {
    for (let size = limit; ; ) {
      const slots = await find(size)
      const visibleSlots = await keepVisible(slots)
      const isEnough = visibleSlots.length >= limit || slots.length < size
      if (!isEnough && size >= maxMatches) reportUnread()
      if (isEnough || size >= maxMatches) return visibleSlots.slice(0, limit)
      size = Math.min(maxMatches, computeNextSize(size, visibleSlots.length, limit))
    }
  }
  const findVisibleByKind =
    (findSlots: IndexStore['findSlots'], kinds: readonly SearchKind[]) =>
    async (expression: TokenExpression, range: SearchRange, limit: number): Promise<number[]> => {
      const foundSlots: number[] = []
      for (const kind of kinds) {
        if (range.kind !== 'all' && range.kind !== kind) continue
        const find = (size: number) => findSlots(expression, { ...range, kind }, size)
        foundSlots.push(...(await findVisible(find, limit, MAX_MATCHES[kind])))
      }
      return foundSlots
    }
  const { readState, loadCandidates, findWordsBySound, listWords, writeBatch, rebuildAll } = store
  return {
    readState,
    findSlots: findVisibleByKind(store.findSlots, searchKinds),
    findTopicSlots: findVisibleByKind(store.findTopicSlots, topicKinds),
    async findExactKeys(keys, range, limit) {
      const foundSlots: number[] = []
      for (const key of new Set(keys)) {
        const find = (size: number) => store.findExactKeys([key], range, size)
        foundSlots.push(...(await findVisible(find, limit, MAX_KEY_MATCHES)))
      }
      return foundSlots
    },
    findKeyPrefix: (key, range, limit) =>
      findVisible((size) => store.findKeyPrefix(key, range, size), limit, MAX_KEY_MATCHES),
    loadCandidates,
    findWordsBySound,
    listWords,
    writeBatch,
    rebuildAll,
  }
}

/** Returns how many matches to read next, after `size` matches with `visibleCount` visible ones, to find `limit` of these. */
function computeNextSize(size: number, visibleCount: number, limit: number): number {
  if (visibleCount === 0) return size * LIMIT_GROWTH
  return Math.max(size * 2, Math.ceil((size / visibleCount) * limit * READ_MARGIN))
}
