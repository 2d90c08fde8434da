/** The state of one search (`SearchRun`), and the evaluation of the documents that its steps (steps.ts) find. */
import type { SearchQuery } from './query.ts'
import { getAcceptedCostLimit, type ScoredCandidate, scoreCandidate } from './score.ts'
import { getSlotKind, isInRange } from './slot.ts'
import type { IndexState, IndexStore, ScopedIndexStore, SearchRange } from './types.ts'

type MatchesBySlot = Map<number, ScoredCandidate>
export type SearchRun = {
  /** Finds only documents that the audience of the search may see. */
  store: ScopedIndexStore
  /** Finds all documents. The cached vocabulary belongs to this store. */
  indexStore: IndexStore
  state: IndexState
  query: SearchQuery
  isKidsOnly: boolean
  matches: MatchesBySlot
  evaluatedSlots: Set<number>
}

export function getLowestCost(matches: MatchesBySlot): number {
  let lowestCost = Number.POSITIVE_INFINITY
  for (const { cost } of matches.values()) if (cost < lowestCost) lowestCost = cost
  return lowestCost
}

/**
 * Scores the documents that this search has not evaluated yet, and adds the documents with an accepted cost to
 * `run.matches`.
 */
export async function evaluateMatches(run: SearchRun, slots: number[]): Promise<void> {
  const range: SearchRange = { kind: 'all', isKidsOnly: run.isKidsOnly }
  const newSlots = [...new Set(slots)].filter(
    (slot) => !run.evaluatedSlots.has(slot) && isInRange(slot, range),
  )
  for (const slot of newSlots) run.evaluatedSlots.add(slot)
  let lowestCost = getLowestCost(run.matches)
  for (const candidate of await run.store.loadCandidates(newSlots)) {
    const maxCost = getAcceptedCostLimit(run.query, lowestCost)
    const scoredCandidate = scoreCandidate(
      run.query,
      candidate,
      run.state.top[getSlotKind(candidate.slot)],
      maxCost,
    )
    if (!scoredCandidate) continue
    run.matches.set(candidate.slot, scoredCandidate)
    lowestCost = Math.min(lowestCost, scoredCandidate.cost)
  }
}
