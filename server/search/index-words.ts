/** Caches the vocabulary of each index. Loads a vocabulary when it is first needed, and updates it after writes. */
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
  liveTableSet: string
  baseVocabulary: Vocabulary
  baseVersion: number
  recentVocabulary: Vocabulary
  recentVersion: number
}
type NearWordOptions = { maxEdits: number; hasSameFirstLetter: boolean; isWordUnfinished: boolean }

const vocabularyCache = new WeakMap<object, Promise<CachedVocabulary>>()
/** Number of words per database query. Packing these words blocks the event loop for a few milliseconds. */
const wordsPerPage = 4_000
const emptyVocabulary = new VocabularyPacker().toVocabulary()

export type IndexWords = {
  has(word: string): boolean
  findNearWords(word: string, options: NearWordOptions): readonly NearWord[]
}

/**
 * Maximum number of cached results of `findCachedNearWords`. Each typed letter starts a new search, which looks up
 * mostly the same words as the previous search.
 */
const MAX_CACHED_NEAR_WORD_LISTS = 200
const nearWordsCache = new WeakMap<CachedVocabulary, Map<string, readonly NearWord[]>>()

function findCachedNearWords(
  vocabulary: CachedVocabulary,
  word: string,
  options: NearWordOptions,
): readonly NearWord[] {
  const nearWordsByCacheKey = nearWordsCache.get(vocabulary) ?? new Map<string, readonly NearWord[]>()
  nearWordsCache.set(vocabulary, nearWordsByCacheKey)
  const cacheKey = `${word} ${options.maxEdits} ${options.hasSameFirstLetter} ${options.isWordUnfinished}`
  const nearWords =
    nearWordsByCacheKey.get(cacheKey) ??
    [vocabulary.baseVocabulary, vocabulary.recentVocabulary].flatMap((partVocabulary) =>
      findNearWords(partVocabulary, word, options),
    )
  nearWordsByCacheKey.delete(cacheKey)
  nearWordsByCacheKey.set(cacheKey, nearWords)
  if (nearWordsByCacheKey.size > MAX_CACHED_NEAR_WORD_LISTS)
    nearWordsByCacheKey.delete(nearWordsByCacheKey.keys().next().value ?? '')
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
  const { baseVocabulary, recentVocabulary } = vocabulary
  return {
    has: (word) => containsWord(baseVocabulary, word) || containsWord(recentVocabulary, word),
    findNearWords: (word, options) => findCachedNearWords(vocabulary, word, options),
  }
}

async function refreshVocabulary(
  store: IndexStore,
  state: IndexState,
  cachedVocabulary: CachedVocabulary | undefined,
): Promise<CachedVocabulary> {
  if (cachedVocabulary?.liveTableSet === state.live && cachedVocabulary.recentVersion >= state.version)
    return cachedVocabulary
  if (cachedVocabulary?.liveTableSet === state.live) {
    const recentVocabulary = await loadVocabulary(store, cachedVocabulary.baseVersion)
    if (recentVocabulary.wordCount < 1000 + cachedVocabulary.baseVocabulary.wordCount / 10)
      return { ...cachedVocabulary, recentVocabulary, recentVersion: state.version }
  }
  const baseVocabulary = await loadVocabulary(store, -1)
  return {
    liveTableSet: state.live,
    baseVocabulary,
    baseVersion: state.version,
    recentVocabulary: emptyVocabulary,
    recentVersion: state.version,
  }
}

async function loadVocabulary(store: IndexStore, afterVersion: number): Promise<Vocabulary> {
  const packer = new VocabularyPacker()
  let afterWord = ''
  for (;;) {
    const wordRows = await store.listWords(afterWord, afterVersion, wordsPerPage)
    for (const [word, documentCount] of wordRows) packer.add(word, documentCount)
    if (wordRows.length === 0) return packer.toVocabulary()
    afterWord = wordRows.at(-1)?.[0] ?? afterWord
    await setImmediate()
  }
}
