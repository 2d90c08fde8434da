import { tuning } from './constants.ts'
import { cosine } from './content.ts'
import type { Model } from './model.ts'
import type { Scored } from './score.ts'

/**
 * Maximal marginal relevance (Carbonell & Goldstein 1998): a pick loses up to `diversity` of the spread of the pool
 * for being like one above it. `scored` is best first; the best stays first.
 */
export function diversify(
  model: Model,
  scored: readonly Scored[],
  limit: number,
  diversity = tuning.diversity,
): Scored[] {
  const pool = scored.slice(0, limit * 4)
  if (diversity === 0 || pool.length <= 1) return pool.slice(0, limit)
  const spread = pool[0]!.score - pool[pool.length - 1]!.score
  const repeats = new Float64Array(pool.length)
  const left = pool.map((_, at) => at)
  const chosen: Scored[] = []
  while (chosen.length < limit && left.length > 0) {
    let place = 0
    let top = Number.NEGATIVE_INFINITY
    for (const [slot, at] of left.entries()) {
      const score = pool[at]!.score - diversity * spread * repeats[at]!
      if (score > top) {
        top = score
        place = slot
      }
    }
    const [taken] = left.splice(place, 1)
    const pick = pool[taken!]!
    chosen.push(pick)
    for (const at of left)
      repeats[at] = Math.max(repeats[at]!, cosine(model.content, pick.key, pool[at]!.key))
  }
  return chosen
}
