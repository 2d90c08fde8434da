/** Caches the vocabulary of each index. Loads a vocabulary when first needed, and updates it after writes. */
import { setImmediate } from 'node:timers/promises'
import type { IndexState, IndexStore } from './types.ts'
import {
  containsWord,
  findNearWords,
  type NearWord,
  type Vocabulary,
  VocabularyPacker,
} from './vocabulary.ts'

type CachedVocabulary = {
  live: string
  base: Vocabulary
  baseVersion: number
  recent: Vocabulary
  recentVersion: number
}
type NearOptions = { edits: number; hasSameFirstLetter: boolean; isWordOpen: boolean }

const vocabularyCache = new WeakMap<object, Promise<CachedVocabulary>>()
/** Number of words per database query. Packing these words blocks the event loop for a few milliseconds. */
const pageSize = 4_000
const emptyVocabulary = new VocabularyPacker().toVocabulary()

export type IndexWords = {
  has(word: string): boolean
  findNear(word: string, options: NearOptions): readonly NearWord[]
}

/** Maximum number of cached near-word lists. Each typed letter starts a search for mostly the same words. */
const MAX_CACHED_NEAR = 200
const nearCache = new WeakMap<CachedVocabulary, Map<string, readonly NearWord[]>>()

function findNear(vocabulary: CachedVocabulary, word: string, options: NearOptions): readonly NearWord[] {
  const nearWordsByWord = nearCache.get(vocabulary) ?? new Map<string, readonly NearWord[]>()
  nearCache.set(vocabulary, nearWordsByWord)
  const key = `${word} ${options.edits} ${options.hasSameFirstLetter} ${options.isWordOpen}`
  const nearWords =
    nearWordsByWord.get(key) ??
    [vocabulary.base, vocabulary.recent].flatMap((part) => findNearWords(part, word, options))
  nearWordsByWord.delete(key)
  nearWordsByWord.set(key, nearWords)
  if (nearWordsByWord.size > MAX_CACHED_NEAR)
    nearWordsByWord.delete(nearWordsByWord.keys().next().value ?? '')
  return nearWords
}

/**
 * Returns the words of the index. Concurrent callers share one load. Words written since the last full load
 * are in a second, small vocabulary.
 */
export async function loadIndexWords(store: IndexStore, state: IndexState): Promise<IndexWords> {
  const previousLoad = vocabularyCache.get(store)
  const pendingLoad = (async () =>
    refreshVocabulary(store, state, await previousLoad?.catch(() => undefined)))()
  vocabularyCache.set(store, pendingLoad)
  const vocabulary = await pendingLoad
  const { base, recent } = vocabulary
  return {
    has: (word) => containsWord(base, word) || containsWord(recent, word),
    findNear: (word, options) => findNear(vocabulary, word, options),
  }
}

async function refreshVocabulary(
  store: IndexStore,
  state: IndexState,
  cachedVocabulary: CachedVocabulary | undefined,
): Promise<CachedVocabulary> {
  if (cachedVocabulary?.live === state.live && cachedVocabulary.recentVersion >= state.version)
    return cachedVocabulary
  if (cachedVocabulary?.live === state.live) {
    const recent = await loadVocabulary(store, cachedVocabulary.baseVersion)
    if (recent.size < 1000 + cachedVocabulary.base.size / 10)
      return { ...cachedVocabulary, recent, recentVersion: state.version }
  }
  const base = await loadVocabulary(store, -1)
  return {
    live: state.live,
    base,
    baseVersion: state.version,
    recent: emptyVocabulary,
    recentVersion: state.version,
  }
}

async function loadVocabulary(store: IndexStore, version: number): Promise<Vocabulary> {
  const packer = new VocabularyPacker()
  let afterWord = ''
  for (;;) {
    const rows = await store.listWords(afterWord, version, pageSize)
    for (const [word, documents] of rows) packer.add(word, documents)
    if (rows.length === 0) return packer.toVocabulary()
    afterWord = rows.at(-1)?.[0] ?? afterWord
    await setImmediate()
  }
}
