/**
 * An index store whose lookups find only documents that an audience with limits may see. The index leaves out titles
 * that the audience may not see, and people who are known to be invisible to it. Whether other people are visible is
 * read from the database. Each lookup of people therefore reads more matches until enough matches are visible, none are
 * left, or MAX_PERSON_MATCHES matches were read. The number of matches to read is estimated from the share of visible
 * matches. Reading far more matches than needed would take most of the time of a search for an audience with few
 * titles.
 */
import { getDocId, getSlotKind } from './slot.ts'
import {
  type DocVisibility,
  type IndexState,
  type IndexStore,
  type ScopedIndexStore,
  type SearchKind,
  type SearchRange,
  searchKinds,
  type TokenExpression,
  topicKinds,
} from './types.ts'

type FindSlots = (maxSlotCount: number) => number[] | Promise<number[]>

/** Factor by which the limit of a lookup grows when no match was visible. */
const LIMIT_GROWTH_FACTOR = 8
/**
 * Safety factor. A repeated lookup reads this many times the number of matches that would be enough if the share of
 * visible matches stayed the same.
 */
const READ_SAFETY_FACTOR = 1.5
/**
 * Maximum number of people that one lookup reads, most popular first. The maximum keeps short queries fast, such as a
 * letter with which many names begin: the database may have to check the visibility of each person. A longer query
 * finds the other matches. People who are known to be invisible do not count.
 */
const MAX_PERSON_MATCHES = 1_000
const MAX_KEY_MATCHES = 500

/**
 * The cache of an audience is replaced by an empty cache when it contains this many people, which take about one
 * megabyte.
 */
const MAX_CACHED_PEOPLE = 20_000
const MAX_CACHED_AUDIENCES = 20

type ScopeCache = {
  indexStateKey: string
  personVisibilityBySlot: Map<number, boolean>
}

/**
 * One cache for each audience, by its `isTitleVisible`. The map is weak, so that it does not keep this
 * function and the catalogue data behind it in memory.
 */
let scopeCaches = new WeakMap<DocVisibility['isTitleVisible'], ScopeCache>()
let createdCacheCount = 0

/**
 * Returns the cache of an audience. A new version of the index gets an empty cache. Each write of changed people to the
 * index changes the version, so the cache is outdated only while changes wait to be written. During a rebuild, changed
 * people are not written to the index, so every search then gets an empty cache.
 */
function getScopeCache(
  { isTitleVisible }: DocVisibility,
  { live: liveTableSet, version, building: isBuilding }: IndexState,
): ScopeCache {
  const indexStateKey = `${liveTableSet}${version}`
  const cachedScope = scopeCaches.get(isTitleVisible)
  if (
    cachedScope?.indexStateKey === indexStateKey &&
    !isBuilding &&
    cachedScope.personVisibilityBySlot.size < MAX_CACHED_PEOPLE
  )
    return cachedScope
  const scopeCache: ScopeCache = { indexStateKey, personVisibilityBySlot: new Map() }
  createdCacheCount += 1
  if (createdCacheCount > MAX_CACHED_AUDIENCES) {
    scopeCaches = new WeakMap()
    createdCacheCount = 1
  }
  scopeCaches.set(isTitleVisible, scopeCache)
  return scopeCache
}

type ScopeOptions = {
  visibility: DocVisibility
  state: IndexState
  reportUnreadMatches: () => void
}

/**
 * Returns a store for one audience. The returned object lists every method by name, so that a lookup that is added to
 * `IndexStore` later cannot bypass the audience. The store calls `reportUnreadMatches` when a lookup stopped at its
 * maximum, because more visible matches may then exist.
 */
export function createScopedStore(
  store: IndexStore,
  { visibility, state, reportUnreadMatches }: ScopeOptions,
): ScopedIndexStore {
  const { isTitleVisible, isPersonVisible, selectVisiblePeople } = visibility
  const { personVisibilityBySlot } = getScopeCache(visibility, state)
  const isPerson = (slot: number) => getSlotKind(slot) === 'actor'
  /** Returns undefined when only `selectVisiblePeople` can tell whether the person is visible. */
  const findPersonVisibility = (slot: number) =>
    isPersonVisible?.(getDocId(slot)) ?? personVisibilityBySlot.get(slot)
  // `mayPersonBeVisible` also accepts people whose visibility is not known yet. `keepVisibleSlots` then calls
  // `selectVisiblePeople` for the matching people.
  const mayPersonBeVisible = isPersonVisible && getMayBeVisiblePredicate(isPersonVisible)
  const keepVisibleSlots = async (slots: number[]) => {
    const newPersonSlots = slots.filter((slot) => isPerson(slot) && findPersonVisibility(slot) === undefined)
    if (newPersonSlots.length > 0) {
      const visibleDocIds = await selectVisiblePeople(newPersonSlots.map(getDocId))
      for (const slot of newPersonSlots) personVisibilityBySlot.set(slot, visibleDocIds.has(getDocId(slot)))
    }
    return slots.filter((slot) =>
      isPerson(slot) ? findPersonVisibility(slot) === true : isTitleVisible(getDocId(slot)),
    )
  }
  /**
   * Repeats a lookup of people with a growing limit. Stops when `maxSlotCount` visible people are found, when all
   * matches were read, or when the lookup has read MAX_PERSON_MATCHES matches.
   */
  const findVisiblePeople = async (findSlots: FindSlots, maxSlotCount: number): Promise<number[]> => {
    for (let readLimit = maxSlotCount; ; ) {
      const slots = await findSlots(readLimit)
      const visibleSlots = await keepVisibleSlots(slots)
      const hasEnoughVisibleSlots = visibleSlots.length >= maxSlotCount || slots.length < readLimit
      if (!hasEnoughVisibleSlots && readLimit >= MAX_PERSON_MATCHES) reportUnreadMatches()
      if (hasEnoughVisibleSlots || readLimit >= MAX_PERSON_MATCHES) return visibleSlots.slice(0, maxSlotCount)
      readLimit = Math.min(
        MAX_PERSON_MATCHES,
        computeNextReadLimit(readLimit, visibleSlots.length, maxSlotCount),
      )
    }
  }
  /**
   * Returns the first `maxSlotCount` visible slots of `slots`, which are the first MAX_KEY_MATCHES matches of a key or
   * of the beginning of a key. Few names share a key, so `slots` usually contains all matches of a whole key.
   */
  const keepFirstVisibleSlots = async (slots: number[], maxSlotCount: number): Promise<number[]> => {
    const visibleSlots = await keepVisibleSlots(slots)
    if (visibleSlots.length < maxSlotCount && slots.length >= MAX_KEY_MATCHES) reportUnreadMatches()
    return visibleSlots.slice(0, maxSlotCount)
  }
  const findVisibleSlotsOfKind = async (
    table: 'names' | 'topics',
    expression: TokenExpression,
    { range, limit: maxSlotCount }: { range: SearchRange; limit: number },
  ): Promise<number[]> => {
    const isPersonKind = range.kind === 'actor'
    const isVisible = isPersonKind ? mayPersonBeVisible : isTitleVisible
    const findSlots = (readLimit: number) => {
      if (isVisible)
        return store.findVisibleDocs({
          expression,
          range,
          isForNames: table === 'names',
          isVisible,
          limit: readLimit,
        })
      return table === 'names'
        ? store.findSlots(expression, range, readLimit)
        : store.findTopicSlots(expression, range, readLimit)
    }
    return isPersonKind ? findVisiblePeople(findSlots, maxSlotCount) : findSlots(maxSlotCount)
  }
  const createVisibleSlotLookup =
    (table: 'names' | 'topics', kinds: readonly SearchKind[]) =>
    async (expression: TokenExpression, range: SearchRange, maxSlotCount: number): Promise<number[]> => {
      const foundSlots: number[] = []
      for (const kind of kinds) {
        if (range.kind !== 'all' && range.kind !== kind) continue
        const kindRange = { ...range, kind }
        foundSlots.push(
          ...(await findVisibleSlotsOfKind(table, expression, { range: kindRange, limit: maxSlotCount })),
        )
      }
      return foundSlots
    }
  const { readState, loadCandidates, findWordsBySound, listWords, writeBatch, rebuildAll } = store
  return {
    readState,
    findSlots: createVisibleSlotLookup('names', searchKinds),
    findTopicSlots: createVisibleSlotLookup('topics', topicKinds),
    async findExactKeys(keys, range, maxSlotCount) {
      const foundSlots: number[] = []
      for (const key of new Set(keys))
        foundSlots.push(
          ...(await keepFirstVisibleSlots(
            await store.findExactKeys([key], range, MAX_KEY_MATCHES),
            maxSlotCount,
          )),
        )
      return foundSlots
    },
    async findKeyPrefix(key, range, maxSlotCount) {
      return keepFirstVisibleSlots(await store.findKeyPrefix(key, range, MAX_KEY_MATCHES), maxSlotCount)
    },
    loadCandidates,
    findWordsBySound,
    listWords,
    writeBatch,
    rebuildAll,
  }
}

/**
 * Returns how many matches to read next in order to find `maxSlotCount` visible matches. The previous lookup read
 * `readLimit` matches, of which `visibleCount` were visible.
 */
function computeNextReadLimit(readLimit: number, visibleCount: number, maxSlotCount: number): number {
  if (visibleCount === 0) return readLimit * LIMIT_GROWTH_FACTOR
  return Math.max(readLimit * 2, Math.ceil((readLimit / visibleCount) * maxSlotCount * READ_SAFETY_FACTOR))
}

type IsPersonVisible = NonNullable<DocVisibility['isPersonVisible']>
const mayBeVisiblePredicates = new WeakMap<IsPersonVisible, (docId: number) => boolean>()

/**
 * Returns a predicate that is false only for people who are known to be invisible. Returns the same function
 * object each time, because the index caches lookups by the predicate.
 */
function getMayBeVisiblePredicate(isPersonVisible: IsPersonVisible): (docId: number) => boolean {
  const mayBeVisible =
    mayBeVisiblePredicates.get(isPersonVisible) ?? ((docId) => isPersonVisible(docId) !== false)
  mayBeVisiblePredicates.set(isPersonVisible, mayBeVisible)
  return mayBeVisible
}
