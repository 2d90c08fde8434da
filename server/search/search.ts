/**
 * Runs one search. The first steps look up the words exactly as typed; wider steps follow only if those find little.
 * Every step asks the index for documents, most popular first, and the ranking evaluates each of them by its names.
 */
import { getLowestCost, type SearchRun } from './evaluate.ts'
import { parseQuery } from './query.ts'
import { createScopedStore } from './scoped-store.ts'
import { getAcceptedCostLimit, getStoredName, prefixCostLimit } from './score.ts'
import { getKind } from './slot.ts'
import { runLiteralSteps, runWiderSteps } from './steps.ts'
import { countLimit, type IndexStore, type SearchRequest, type SearchResult, searchKinds } from './types.ts'

/** Number of literal matches of each kind that are ranked; the rest follow in order of popularity. */
const rankedPerKind = 72

/**
 * Returns titles and people for `request.q`. The counts cover every kind whatever `type` is, and stop at `countLimit`
 * per kind; `exact` is false when a count stopped there. Text without letters, digits or symbols returns no hits; it
 * is not an error.
 */
export async function runSearch(store: IndexStore, request: SearchRequest): Promise<SearchResult> {
  const query = parseQuery(request.q)
  const { kids, selectVisible } = request.scope
  const state = await store.readState()
  const run: SearchRun = {
    indexStore: store,
    store: selectVisible ? createScopedStore(store, selectVisible) : store,
    state,
    query,
    isKidsOnly: kids,
    matches: new Map(),
    evaluatedSlots: new Set(),
  }
  const literalSlots = await runLiteralSteps(run, rankedPerKind)
  const getCurrentBest = () => getLowestCost(run.matches)
  // Wider steps are not needed when a whole name matches, or when the names of a full page contain the words as
  // typed. For a long query with such a match, only the cheap wider steps run.
  const hasGoodMatches =
    getCurrentBest() < 0.1 || (getCurrentBest() < prefixCostLimit && literalSlots.length >= 12)
  const isLimitedToCheapSteps = getCurrentBest() < prefixCostLimit && query.written.length >= 8
  if (query.words.length > 0 && !hasGoodMatches)
    await runWiderSteps(run, getCurrentBest, isLimitedToCheapSteps)
  return buildResult(run, literalSlots, request)
}

async function buildResult(
  run: SearchRun,
  literalSlots: number[],
  request: SearchRequest,
): Promise<SearchResult> {
  // Drops wider matches that are much worse than the best one.
  const maxCost = getAcceptedCostLimit(run.query, getLowestCost(run.matches))
  const literalSlotSet = new Set(literalSlots)
  const ranked = [...run.matches.values()]
    .filter(({ cost, candidate }) => cost <= maxCost || literalSlotSet.has(candidate.slot))
    .sort((a, b) => b.score - a.score || a.candidate.slot - b.candidate.slot)
  const rankedSlots = new Set(ranked.map(({ candidate }) => candidate.slot))
  const unrankedSlots = literalSlots.filter((slot) => !rankedSlots.has(slot))
  const counts = { all: 0, movie: 0, tv: 0, actor: 0 }
  for (const slot of [...rankedSlots, ...unrankedSlots]) counts[getKind(slot)] += 1
  let isExact = true
  for (const kind of searchKinds) {
    if (counts[kind] > countLimit) isExact = false
    counts[kind] = Math.min(counts[kind], countLimit)
    counts.all += counts[kind]
  }
  const isRequestedKind = (slot: number) => request.type === 'all' || getKind(slot) === request.type
  const orderedSlots = [...rankedSlots, ...unrankedSlots].filter(isRequestedKind)
  const pageSlots = orderedSlots.slice(request.offset ?? 0, (request.offset ?? 0) + request.limit)
  const unscoredCandidates = new Map(
    (await run.store.loadCandidates(pageSlots.filter((slot) => !run.matches.has(slot)))).map((candidate) => [
      candidate.slot,
      candidate,
    ]),
  )
  const hits = pageSlots.flatMap((slot) => {
    const scored = run.matches.get(slot)
    const candidate = scored?.candidate ?? unscoredCandidates.get(slot)
    if (!candidate) return []
    const matched = getStoredName(candidate, scored?.nameIndex ?? 0)
    return [{ kind: getKind(slot), media_id: candidate.mediaId, score: scored?.score ?? -9, matched }]
  })
  return { counts, exact: isExact, hits }
}
