/** The vocabulary of one index, read when first needed and kept up with later writes. */
import { setImmediate } from 'node:timers/promises'
import type { IndexState, Store } from './types.ts'
import { type Near, Packer, type Vocabulary, wordAt, wordsNear } from './vocabulary.ts'

type Cached = { live: string; base: Vocabulary; baseVersion: number; late: Vocabulary; lateVersion: number }
type How = { edits: number; sameFirst: boolean; open: boolean }

const cache = new WeakMap<object, Promise<Cached>>()
/** Read and packed while other work waits: some milliseconds. */
const page = 4_000
const empty = new Packer().packed()

export type Words = {
  known(word: string): boolean
  near(word: string, how: How): readonly Near[]
}

/** Words asked for lately: with each letter of the last word typed, those before it are asked for again. */
const NEAR_MOST = 200
const nearby = new WeakMap<Cached, Map<string, readonly Near[]>>()

function nearOf(vocabulary: Cached, word: string, how: How): readonly Near[] {
  const kept = nearby.get(vocabulary) ?? new Map<string, readonly Near[]>()
  nearby.set(vocabulary, kept)
  const key = `${word} ${how.edits} ${how.sameFirst} ${how.open}`
  const found =
    kept.get(key) ?? [vocabulary.base, vocabulary.late].flatMap((one) => wordsNear(one, word, how))
  kept.delete(key)
  kept.set(key, found)
  if (kept.size > NEAR_MOST) kept.delete(kept.keys().next().value ?? '')
  return found
}

/** Concurrent callers share one load; words written since are read as a small second list. */
export async function wordsOf(store: Store, state: IndexState): Promise<Words> {
  const last = cache.get(store)
  const next = (async () => refresh(store, state, await last?.catch(() => undefined)))()
  cache.set(store, next)
  const vocabulary = await next
  const { base, late } = vocabulary
  return {
    known: (word) => holds(base, word) || holds(late, word),
    near: (word, how) => nearOf(vocabulary, word, how),
  }
}

async function refresh(store: Store, state: IndexState, cached: Cached | undefined): Promise<Cached> {
  if (cached?.live === state.live && cached.lateVersion >= state.version) return cached
  if (cached?.live === state.live) {
    const late = await load(store, cached.baseVersion)
    if (late.size < 1000 + cached.base.size / 10) return { ...cached, late, lateVersion: state.version }
  }
  const base = await load(store, -1)
  return { live: state.live, base, baseVersion: state.version, late: empty, lateVersion: state.version }
}

async function load(store: Store, version: number): Promise<Vocabulary> {
  const packer = new Packer()
  let after = ''
  for (;;) {
    const rows = await store.words(after, version, page)
    for (const [word, documents] of rows) packer.add(word, documents)
    if (rows.length === 0) return packer.packed()
    after = rows.at(-1)?.[0] ?? after
    await setImmediate()
  }
}

/** Binary search. Words beyond the basic plane may sort differently in the database and then count as unknown. */
function holds(vocabulary: Vocabulary, word: string): boolean {
  let [low, high] = [0, vocabulary.size]
  while (low < high) {
    const middle = (low + high) >> 1
    if (wordAt(vocabulary, middle) < word) low = middle + 1
    else high = middle
  }
  return low < vocabulary.size && wordAt(vocabulary, low) === word
}
