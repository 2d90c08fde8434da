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
 * Returns the titles most similar to a title, best first: content similarity plus the collaborative model where it
 * knows both. Returns an empty list for an unknown key. The result depends on the viewer only through `scope`.
 */
export function similar(model: Model, key: number, options: SimilarOptions): Neighbour[] {
  if (!model.content.flags[key]) return []
  const allowed = allow(model, options, new Set([key]))
  const candidates = new Set([
    ...findByContent(model, key, allowed),
    ...findByCollaboration(model, key, allowed),
  ])
  const topTitles = best(options.limit)
  for (const otherKey of candidates) {
    const score =
      tuning.similarContent * cosine(model.content, key, otherKey) +
      crowdKernel(model, key, otherKey) +
      tuning.similarPrior * model.content.prior[otherKey]!
    if (topTitles.wants(otherKey, score)) topTitles.keep(otherKey, score)
  }
  return topTitles.sorted()
}

function findByContent(model: Model, key: number, allowed: (key: number) => boolean): number[] {
  const { start, feats, weight, norm, postStart, post } = model.content
  const sums = model.scratch.titles
  const touchedKeys: number[] = []
  for (let index = start[key]!; index < start[key + 1]!; index++) {
    const featureId = feats[index]!
    for (let position = postStart[featureId]!; position < postStart[featureId + 1]!; position++) {
      const otherKey = post[position]!
      if (sums[otherKey] === 0) touchedKeys.push(otherKey)
      sums[otherKey]! += weight[featureId]! ** 2 * norm[otherKey]!
    }
  }
  const topTitles = best(bounds.candidates / 2)
  for (const otherKey of touchedKeys) {
    if (topTitles.wants(otherKey, sums[otherKey]!) && allowed(otherKey))
      topTitles.keep(otherKey, sums[otherKey]!)
    sums[otherKey] = 0
  }
  return topTitles.sorted().map((entry) => entry.key)
}

function findByCollaboration(model: Model, key: number, allowed: (key: number) => boolean): number[] {
  const column = model.columnOf[key]!
  if (column < 0) return []
  const scores = new Float64Array(model.crowd.keys.length)
  addEase(model.crowd, [{ column, weight: 1 }], scores)
  addNext(model.crowd, [{ column, weight: 1 }], scores)
  const topTitles = best(bounds.candidates / 4)
  for (let otherColumn = 0; otherColumn < scores.length; otherColumn++) {
    const score = scores[otherColumn]!
    const otherKey = model.crowd.keys[otherColumn]!
    if (score > 0 && topTitles.wants(otherKey, score) && allowed(otherKey)) topTitles.keep(otherKey, score)
  }
  return topTitles.sorted().map((entry) => entry.key)
}
