/** State of one search, and the evaluation of the documents that its steps find. */
import type { Query } from './query.ts'
import { costLimit, type Scored, scoreOf } from './score.ts'
import { inRange, kindOf } from './slot.ts'
import type { IndexState, Range, Store } from './types.ts'

type MatchesBySlot = Map<number, Scored>
export type Run = {
  store: Store
  state: IndexState
  query: Query
  kids: boolean
  pool: MatchesBySlot
  seen: Set<number>
}

export function bestCost(matches: MatchesBySlot): number {
  let lowest = Number.POSITIVE_INFINITY
  for (const { cost } of matches.values()) if (cost < lowest) lowest = cost
  return lowest
}

/**
 * Scores the documents that this search has not evaluated yet, and adds those within the accepted cost to
 * `run.matches`.
 */
export async function judge(run: Run, slots: number[]): Promise<void> {
  const range: Range = { kind: 'all', kids: run.kids }
  const newSlots = [...new Set(slots)].filter((slot) => !run.seen.has(slot) && inRange(slot, range))
  for (const slot of newSlots) run.seen.add(slot)
  let lowest = bestCost(run.pool)
  for (const candidate of await run.store.candidates(newSlots)) {
    const maxCost = costLimit(run.query, lowest)
    const scored = scoreOf(run.query, candidate, run.state.top[kindOf(candidate.slot)], maxCost)
    if (!scored) continue
    run.pool.set(candidate.slot, scored)
    lowest = Math.min(lowest, scored.cost)
  }
}
