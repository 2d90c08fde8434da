/** One search under way: what was judged so far, and the judging of more. */
import type { Query } from './query.ts'
import { costLimit, type Scored, scoreOf } from './score.ts'
import { inRange, kindOf } from './slot.ts'
import type { IndexState, Range, Store } from './types.ts'

type Pool = Map<number, Scored>
export type Run = {
  store: Store
  state: IndexState
  query: Query
  kids: boolean
  pool: Pool
  seen: Set<number>
}

export function bestCost(pool: Pool): number {
  let best = Number.POSITIVE_INFINITY
  for (const { cost } of pool.values()) if (cost < best) best = cost
  return best
}

/** Judges documents not judged yet. Those too far from the query are forgotten unless `keep`. */
export async function judge(run: Run, slots: number[]): Promise<void> {
  const range: Range = { kind: 'all', kids: run.kids }
  const fresh = [...new Set(slots)].filter((slot) => !run.seen.has(slot) && inRange(slot, range))
  for (const slot of fresh) run.seen.add(slot)
  let best = bestCost(run.pool)
  for (const candidate of await run.store.candidates(fresh)) {
    const limit = costLimit(run.query, best)
    const scored = scoreOf(run.query, candidate, run.state.top[kindOf(candidate.slot)], limit)
    if (!scored) continue
    run.pool.set(candidate.slot, scored)
    best = Math.min(best, scored.cost)
  }
}
