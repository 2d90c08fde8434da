/**
 * Runs one search. The first steps look up the words exactly as typed; wider steps follow only if those find little.
 * Every step asks the index for documents, most popular first, and the ranking evaluates each of them by its names.
 */
import { bestCost, type Run } from './judge.ts'
import { parseQuery } from './query.ts'
import { costLimit, nameAt, prefixCost } from './score.ts'
import { kindOf } from './slot.ts'
import { literalSteps, widerSteps } from './steps.ts'
import { countCap, kinds, type SearchAnswer, type SearchRequest, type Store } from './types.ts'

/** Number of literal matches of each kind that are ranked; the rest follow in order of popularity. */
const rankedPerKind = 72

/**
 * Returns titles and people for `request.q`. The counts cover every kind whatever `type` is, and stop at `countLimit`
 * per kind; `exact` is false when a count stopped there. Text without letters, digits or symbols returns no hits; it
 * is not an error.
 */
export async function searchIn(store: Store, request: SearchRequest): Promise<SearchAnswer> {
  const query = parseQuery(request.q)
  const state = await store.state()
  const run: Run = { store, state, query, kids: request.scope.kids, pool: new Map(), seen: new Set() }
  const literalSlots = await literalSteps(run, rankedPerKind)
  const currentBest = () => bestCost(run.pool)
  // Wider steps are not needed when a whole name matches, or when the names of a full page contain the words as
  // typed. For a long query with such a match, only the cheap wider steps run.
  const isSettled = currentBest() < 0.1 || (currentBest() < prefixCost && literalSlots.length >= 12)
  const cheapStepsOnly = currentBest() < prefixCost && query.written.length >= 8
  if (query.words.length > 0 && !isSettled) await widerSteps(run, currentBest, cheapStepsOnly)
  return buildResult(run, literalSlots, request)
}

async function buildResult(run: Run, literalSlots: number[], request: SearchRequest): Promise<SearchAnswer> {
  // Drops wider matches that are much worse than the best one.
  const maxCost = costLimit(run.query, bestCost(run.pool))
  const literalSlotSet = new Set(literalSlots)
  const ranked = [...run.pool.values()]
    .filter(({ cost, candidate }) => cost <= maxCost || literalSlotSet.has(candidate.slot))
    .sort((a, b) => b.score - a.score || a.candidate.slot - b.candidate.slot)
  const rankedSlots = new Set(ranked.map(({ candidate }) => candidate.slot))
  const unrankedSlots = literalSlots.filter((slot) => !rankedSlots.has(slot))
  const counts = { all: 0, movie: 0, tv: 0, actor: 0 }
  for (const slot of [...rankedSlots, ...unrankedSlots]) counts[kindOf(slot)] += 1
  let exact = true
  for (const kind of kinds) {
    if (counts[kind] > countCap) exact = false
    counts[kind] = Math.min(counts[kind], countCap)
    counts.all += counts[kind]
  }
  const isRequestedKind = (slot: number) => request.type === 'all' || kindOf(slot) === request.type
  const orderedSlots = [...rankedSlots, ...unrankedSlots].filter(isRequestedKind)
  const pageSlots = orderedSlots.slice(request.offset ?? 0, (request.offset ?? 0) + request.limit)
  const unscoredCandidates = new Map(
    (await run.store.candidates(pageSlots.filter((slot) => !run.pool.has(slot)))).map((candidate) => [
      candidate.slot,
      candidate,
    ]),
  )
  const hits = pageSlots.flatMap((slot) => {
    const scored = run.pool.get(slot)
    const candidate = scored?.candidate ?? unscoredCandidates.get(slot)
    if (!candidate) return []
    const matched = nameAt(candidate, scored?.name ?? 0)
    return [{ kind: kindOf(slot), media_id: candidate.mediaId, score: scored?.score ?? -9, matched }]
  })
  return { counts, exact, hits }
}
