import { best } from './best.ts'
import { bounds, tuning } from './constants.ts'
import { cosine } from './content.ts'
import { addEase } from './ease.ts'
import { crowdKernel } from './kernel.ts'
import type { Model } from './model.ts'
import { addNext } from './next.ts'
import { allow, type PickOptions } from './picks.ts'
import type { Neighbour } from './types.ts'

export type SimilarOptions = Omit<PickOptions, 'off' | 'diversity'>

/**
 * The titles most like one title, best first: content, with the crowd's evidence where there is some. A key the
 * model does not know has none. Nothing here depends on who asks, except `scope`.
 */
export function similar(model: Model, key: number, options: SimilarOptions): Neighbour[] {
  if (!model.content.flags[key]) return []
  const allowed = allow(model, options, new Set([key]))
  const candidates = new Set([...byContent(model, key, allowed), ...byCrowd(model, key, allowed)])
  const answer = best(options.limit)
  for (const other of candidates) {
    const score =
      tuning.similarContent * cosine(model.content, key, other) +
      crowdKernel(model, key, other) +
      tuning.similarPrior * model.content.prior[other]!
    if (answer.wants(other, score)) answer.keep(other, score)
  }
  return answer.sorted()
}

function byContent(model: Model, key: number, allowed: (key: number) => boolean): number[] {
  const { start, feats, weight, norm, postStart, post } = model.content
  const sums = model.scratch.titles
  const touched: number[] = []
  for (let at = start[key]!; at < start[key + 1]!; at++) {
    const id = feats[at]!
    for (let slot = postStart[id]!; slot < postStart[id + 1]!; slot++) {
      const other = post[slot]!
      if (sums[other] === 0) touched.push(other)
      sums[other]! += weight[id]! ** 2 * norm[other]!
    }
  }
  const near = best(bounds.candidates / 2)
  for (const other of touched) {
    if (near.wants(other, sums[other]!) && allowed(other)) near.keep(other, sums[other]!)
    sums[other] = 0
  }
  return near.sorted().map((one) => one.key)
}

function byCrowd(model: Model, key: number, allowed: (key: number) => boolean): number[] {
  const column = model.columnOf[key]!
  if (column < 0) return []
  const out = new Float64Array(model.crowd.keys.length)
  addEase(model.crowd, [{ column, weight: 1 }], out)
  addNext(model.crowd, [{ column, weight: 1 }], out)
  const near = best(bounds.candidates / 4)
  for (let other = 0; other < out.length; other++) {
    const score = out[other]!
    const at = model.crowd.keys[other]!
    if (score > 0 && near.wants(at, score) && allowed(at)) near.keep(at, score)
  }
  return near.sorted().map((one) => one.key)
}
