/**
 * The search call. First what was typed, literally; only if that finds little, wider and wider readings of it.
 * Every step asks the index for documents, most popular first, and the ranking judges each by its names.
 */
import { bestCost, type Run } from './judge.ts'
import { parseQuery } from './query.ts'
import { costLimit, nameAt, prefixCost } from './score.ts'
import { kindOf } from './slot.ts'
import { literalSteps, widerSteps } from './steps.ts'
import { countCap, kinds, type SearchAnswer, type SearchRequest, type Store } from './types.ts'

/** How many of the literal matches of each kind are ranked; the rest follow in order of popularity. */
const rankedPerKind = 72

/**
 * Titles and people for `q`. Counts cover every kind whatever `type` asks for, and stop at `countCap` a kind
 * (`exact` says whether one did). Text without anything to look for answers nothing; no text is an error.
 */
export async function searchIn(store: Store, request: SearchRequest): Promise<SearchAnswer> {
  const query = parseQuery(request.q)
  const state = await store.state()
  const run: Run = { store, state, query, kids: request.scope.kids, pool: new Map(), seen: new Set() }
  const literal = await literalSteps(run, rankedPerKind)
  const best = () => bestCost(run.pool)
  // A whole name, or a page of names that hold what was typed: no need to guess. Much typed and found: guess a little.
  const settled = best() < 0.1 || (best() < prefixCost && literal.length >= 12)
  const lightly = best() < prefixCost && query.written.length >= 8
  if (query.words.length > 0 && !settled) await widerSteps(run, best, lightly)
  return answer(run, literal, request)
}

async function answer(run: Run, literal: number[], request: SearchRequest): Promise<SearchAnswer> {
  // Guesses much worse than the best one would only be noise.
  const worst = costLimit(run.query, bestCost(run.pool))
  const literals = new Set(literal)
  const ranked = [...run.pool.values()]
    .filter(({ cost, candidate }) => cost <= worst || literals.has(candidate.slot))
    .sort((a, b) => b.score - a.score || a.candidate.slot - b.candidate.slot)
  const inPool = new Set(ranked.map(({ candidate }) => candidate.slot))
  const rest = literal.filter((slot) => !inPool.has(slot))
  const counts = { all: 0, movie: 0, tv: 0, actor: 0 }
  for (const slot of [...inPool, ...rest]) counts[kindOf(slot)] += 1
  let exact = true
  for (const kind of kinds) {
    if (counts[kind] > countCap) exact = false
    counts[kind] = Math.min(counts[kind], countCap)
    counts.all += counts[kind]
  }
  const wanted = (slot: number) => request.type === 'all' || kindOf(slot) === request.type
  const order = [...inPool, ...rest].filter(wanted)
  const page = order.slice(request.offset ?? 0, (request.offset ?? 0) + request.limit)
  const missing = new Map(
    (await run.store.candidates(page.filter((s) => !run.pool.has(s)))).map((c) => [c.slot, c]),
  )
  const hits = page.flatMap((slot) => {
    const scored = run.pool.get(slot)
    const candidate = scored?.candidate ?? missing.get(slot)
    if (!candidate) return []
    const matched = nameAt(candidate, scored?.name ?? 0)
    return [{ kind: kindOf(slot), media_id: candidate.mediaId, score: scored?.score ?? -9, matched }]
  })
  return { counts, exact, hits }
}
