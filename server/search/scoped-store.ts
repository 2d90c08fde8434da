/**
 * An index store that returns only the documents of an audience with limits. The index itself knows the kids rule only, so
 * that each lookup reads more matches until enough of them are visible, or there are no more. How many more follows from the share
 * of visible ones: reading far more than needed would cost most of the time of a search for an audience of few titles.
 */
import { getDocId, getKind } from './slot.ts'
import {
  type DocVisibility,
  type IndexState,
  type IndexStore,
  type SearchKind,
  type SearchRange,
  searchKinds,
  type TokenExpression,
  topicKinds,
} from './types.ts'

type FindSlots = (limit: number) => number[] | Promise<number[]>

/** Factor by which a lookup is repeated when none of its matches were visible. */
const LIMIT_GROWTH = 8
/** A repeated lookup reads this many times the matches that should be enough by the share of visible ones. */
const READ_MARGIN = 1.5
/**
 * Maximum number of matches that one lookup reads, most popular first, so that a letter that begins most names stays
 * fast. Whether a person is visible may have to be read from the database, so fewer of them are read. A longer text finds the
 * rest. On SQLite, these are matches that the audience may see, or may perhaps see.
 */
const MAX_TITLE_MATCHES = 50_000
const MAX_PERSON_MATCHES = 1_000
const MAX_KEY_MATCHES = 500

/** Lookups of titles that read at least so many matches are cached. Their results have at most some hundreds of slots. */
const MIN_CACHED_MATCHES = 1_000
const MAX_CACHED_LOOKUPS = 400
/** The cache of an audience is emptied at so many people, which take about one megabyte. */
const MAX_CACHED_PEOPLE = 20_000
const MAX_CACHED_AUDIENCES = 20

type Lookup = { slots: number[]; hasUnreadMatches: boolean; matchCount: number }
type ScopeCache = {
  state: string
  /** Lookups of titles. The first letters of a query are typed again and again. */
  lookups: Map<string, Lookup>
  /** Slots of people by whether they are visible. */
  people: Map<number, boolean>
}

/** One cache for each of some audiences, by `isTitleVisible`. It ends with the function, which holds the catalogue in memory. */
let scopeCaches = new WeakMap<DocVisibility['isTitleVisible'], ScopeCache>()
let createdCacheCount = 0

/** A changed person is written to the index before a search, except while it is built. Nothing is cached then. */
function getScopeCache(
  { isTitleVisible }: DocVisibility,
  { live, version, building }: IndexState,
): ScopeCache {
  const state = `${live}${version}`
  const cachedScope = scopeCaches.get(isTitleVisible)
  if (cachedScope?.state === state && !building && cachedScope.people.size < MAX_CACHED_PEOPLE)
    return cachedScope
  const cache: ScopeCache = { state, lookups: new Map(), people: new Map() }
  createdCacheCount += 1
  if (createdCacheCount > MAX_CACHED_AUDIENCES) {
    scopeCaches = new WeakMap()
    createdCacheCount = 1
  }
  scopeCaches.set(isTitleVisible, cache)
  return cache
}

type ScopeOptions = {
  visibility: DocVisibility
  /** State of the index. */
  state: IndexState
  reportUnread: () => void
}

/**
 * Names every method, so that a lookup that is added to the index cannot miss the audience. Calls `reportUnread` when a
 * lookup ended at the maximum, so that there may be more visible matches than it found.
 */
export function createScopedStore(
  store: IndexStore,
  { visibility, state, reportUnread }: ScopeOptions,
): IndexStore {
  const { isTitleVisible, isPersonVisible, selectVisiblePeople } = visibility
  const { lookups: cachedLookups, people: checkedPeople } = getScopeCache(visibility, state)
  const isPerson = (slot: number) => getKind(slot) === 'actor'
  /** Returns undefined for a person who must be asked for. */
  const findPersonVisibility = (slot: number) => isPersonVisible?.(getDocId(slot)) ?? checkedPeople.get(slot)
  // People who must be asked for are kept here, and asked for among the matches.
  const mayPersonBeVisible = isPersonVisible && getPossiblePredicate(isPersonVisible)
  const keepVisible = async (slots: number[]) => {
    const newPeople = slots.filter((slot) => isPerson(slot) && findPersonVisibility(slot) === undefined)
    if (newPeople.length > 0) {
      const visibleIds = await selectVisiblePeople(newPeople.map(getDocId))
      for (const slot of newPeople) checkedPeople.set(slot, visibleIds.has(getDocId(slot)))
    }
    return slots.filter((slot) =>
      isPerson(slot) ? findPersonVisibility(slot) === true : isTitleVisible(getDocId(slot)),
    )
  }
  /** Repeats a lookup with a growing limit until `limit` slots are visible, or there are no more. */
  const lookUpVisible = async (find: FindSlots, limit: number, maxMatches: number): Promise<Lookup> => {
    for (let size = limit; ; ) {
      const slots = await find(size)
      const visibleSlots = await keepVisible(slots)
      const isEnough = visibleSlots.length >= limit || slots.length < size
      if (isEnough || size >= maxMatches)
        return {
          slots: visibleSlots.slice(0, limit),
          hasUnreadMatches: !isEnough,
          matchCount: slots.length,
        }
      size = Math.min(maxMatches, computeNextSize(size, visibleSlots.length, limit))
    }
  }
  const getSlots = ({ slots, hasUnreadMatches }: Lookup): number[] => {
    if (hasUnreadMatches) reportUnread()
    return slots
  }
  const findVisible = async (find: FindSlots, limit: number, maxMatches: number) =>
    getSlots(await lookUpVisible(find, limit, maxMatches))
  /** Few names share a key, so all are read at once. */
  const keepFirstVisible = async (slots: number[], limit: number): Promise<number[]> => {
    const visibleSlots = await keepVisible(slots)
    if (visibleSlots.length < limit && slots.length >= MAX_KEY_MATCHES) reportUnread()
    return visibleSlots.slice(0, limit)
  }
  const findVisibleTitles = async (key: string, find: FindSlots, limit: number): Promise<number[]> => {
    const cachedLookup = cachedLookups.get(key)
    const lookup = cachedLookup ?? (await lookUpVisible(find, limit, MAX_TITLE_MATCHES))
    if (lookup.matchCount >= MIN_CACHED_MATCHES) {
      // The most recently used lookup comes last.
      cachedLookups.delete(key)
      cachedLookups.set(key, lookup)
      if (cachedLookups.size > MAX_CACHED_LOOKUPS)
        cachedLookups.delete(cachedLookups.keys().next().value ?? '')
    }
    return getSlots(lookup)
  }
  const findVisibleOfKind = async (
    table: 'names' | 'topics',
    expression: TokenExpression,
    { range, limit }: { range: SearchRange; limit: number },
  ): Promise<number[]> => {
    const isVisible = range.kind === 'actor' ? mayPersonBeVisible : isTitleVisible
    if (isVisible && store.findVisibleDocs) {
      const lookup = { expression, range, names: table === 'names', isVisible }
      const findDocs = (size: number) => store.findVisibleDocs?.({ ...lookup, limit: size }) ?? []
      return range.kind === 'actor' ? findVisible(findDocs, limit, MAX_PERSON_MATCHES) : findDocs(limit)
    }
    const find = (size: number) =>
      table === 'names'
        ? store.findSlots(expression, range, size)
        : store.findTopicSlots(expression, range, size)
    if (range.kind === 'actor') return findVisible(find, limit, MAX_PERSON_MATCHES)
    return findVisibleTitles(JSON.stringify([table, expression, range, limit]), find, limit)
  }
  const findVisibleByKind =
    (table: 'names' | 'topics', kinds: readonly SearchKind[]) =>
    async (expression: TokenExpression, range: SearchRange, limit: number): Promise<number[]> => {
      const foundSlots: number[] = []
      for (const kind of kinds) {
        if (range.kind !== 'all' && range.kind !== kind) continue
        const kindRange = { ...range, kind }
        foundSlots.push(...(await findVisibleOfKind(table, expression, { range: kindRange, limit })))
      }
      return foundSlots
    }
  const { readState, loadCandidates, findWordsBySound, listWords, writeBatch, rebuildAll } = store
  return {
    readState,
    findSlots: findVisibleByKind('names', searchKinds),
    findTopicSlots: findVisibleByKind('topics', topicKinds),
    async findExactKeys(keys, range, limit) {
      const foundSlots: number[] = []
      for (const key of new Set(keys))
        foundSlots.push(
          ...(await keepFirstVisible(await store.findExactKeys([key], range, MAX_KEY_MATCHES), limit)),
        )
      return foundSlots
    },
    async findKeyPrefix(key, range, limit) {
      return keepFirstVisible(await store.findKeyPrefix(key, range, MAX_KEY_MATCHES), limit)
    },
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

type IsPersonVisible = NonNullable<DocVisibility['isPersonVisible']>
const possiblePredicates = new WeakMap<IsPersonVisible, (docId: number) => boolean>()

/** Returns the predicate for people who are visible or must be asked for, the same one each time. */
function getPossiblePredicate(isPersonVisible: IsPersonVisible): (docId: number) => boolean {
  const mayBeVisible =
    possiblePredicates.get(isPersonVisible) ?? ((docId) => isPersonVisible(docId) !== false)
  possiblePredicates.set(isPersonVisible, mayBeVisible)
  return mayBeVisible
}
