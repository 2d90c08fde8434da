import { best } from './best.ts'
import { bounds, tuning } from './constants.ts'
import { addEase } from './ease.ts'
import type { Evidence } from './evidence.ts'
import { type Model, pull } from './model.ts'
import { addNext } from './next.ts'
import type { Scope } from './types.ts'

export interface Scored {
  readonly key: number
  readonly score: number
}

/** Scores of the crowd by column, or null when no anchor is known to it. */
export function crowdScores(model: Model, anchors: Evidence['anchors']): Float64Array | null {
  const known = anchors.filter((anchor) => anchor.column >= 0)
  if (known.length === 0) return null
  const out = new Float64Array(model.crowd.keys.length)
  addEase(model.crowd, known, out)
  addNext(model.crowd, known, out)
  return out
}

/**
 * A title the crowd never met is given what the crowd says, in the mean, of titles as popular as it: the least
 * squares line of this profile's crowd scores over a power of the votes. Never less than nothing.
 */
export function expectation(model: Model, crowd: Float64Array | null): (key: number) => number {
  if (!crowd) return () => 0
  const fame = (key: number): number => Math.exp(tuning.fame * model.content.prior[key]!)
  let n = 0
  let x = 0
  let y = 0
  let xx = 0
  let xy = 0
  for (let column = 0; column < crowd.length; column++) {
    const key = model.crowd.keys[column]!
    if (model.columnOf[key] !== column) continue
    const f = fame(key)
    n++
    x += f
    y += crowd[column]!
    xx += f * f
    xy += f * crowd[column]!
  }
  const spread = n * xx - x * x
  if (n < 100 || spread <= 0) return () => 0
  const slope = Math.max(0, (n * xy - x * y) / spread)
  const base = (y - slope * x) / n
  return (key) => Math.max(0, base + slope * fame(key))
}

/** Runs `work` with the content vector of the anchors laid out by feature, then clears it. */
function withProfile<T>(
  model: Model,
  evidence: Evidence,
  work: (profile: Float64Array, used: number[]) => T,
): T {
  const { start, feats, weight, norm } = model.content
  const profile = model.scratch.features
  const used: number[] = []
  for (const anchor of evidence.anchors) {
    if (anchor.key >= model.content.size) continue
    const gain = model.contentWeight * anchor.weight * norm[anchor.key]!
    for (let at = start[anchor.key]!; at < start[anchor.key + 1]!; at++) {
      const id = feats[at]!
      if (profile[id] === 0) used.push(id)
      profile[id]! += gain * weight[id]! ** 2
    }
  }
  try {
    return work(profile, used)
  } finally {
    for (const id of used) profile[id] = 0
  }
}

/** The titles that share the rarest and most wanted features of a profile, by what the cut postings show. */
function nearContent(model: Model, profile: Float64Array, used: number[], allowed: Scope): number[] {
  const { postStart, post, norm } = model.content
  const sums = model.scratch.titles
  const touched: number[] = []
  const wanted = best(bounds.features)
  for (const id of used) if (profile[id]! > 0 && wanted.wants(id, profile[id]!)) wanted.keep(id, profile[id]!)
  for (const { key: id } of wanted.sorted())
    for (let at = postStart[id]!; at < postStart[id + 1]!; at++) {
      const key = post[at]!
      if (sums[key] === 0) touched.push(key)
      sums[key]! += profile[id]! * norm[key]!
    }
  const near = best(bounds.candidates)
  for (const key of touched) {
    const score = sums[key]! * pull(model, key)
    if (near.wants(key, score) && allowed(key)) near.keep(key, score)
    sums[key] = 0
  }
  return near.sorted().map(({ key }) => key)
}

/** Popular titles of the wanted genres, and of all. At least `enough` in all if the catalogue has them in reach. */
function popular(model: Model, evidence: Evidence, allowed: Scope, into: Set<number>, enough: number): void {
  const { genreIds, postStart, post, order } = model.content
  for (const { genre } of evidence.genres) {
    const id = genreIds.indexOf(genre)
    if (id < 0) continue
    for (let at = postStart[id]!; at < postStart[id + 1]!; at++) if (allowed(post[at]!)) into.add(post[at]!)
  }
  let added = 0
  for (let at = 0; at < order.length && at < bounds.fill; at++) {
    if (added >= bounds.popular && into.size >= enough) return
    if (!allowed(order[at]!)) continue
    into.add(order[at]!)
    added++
  }
}

/**
 * Every candidate of a profile with its exact score, best first. The candidates are bounded (the crowd's best, the
 * nearest by content, the popular); `allowed` is asked before a title may become one.
 */
export function scoreCandidates(model: Model, evidence: Evidence, allowed: Scope, enough: number): Scored[] {
  const crowd = crowdScores(model, evidence.anchors)
  const expected = expectation(model, crowd)
  return withProfile(model, evidence, (profile, used) => {
    const keys = new Set<number>()
    if (crowd) {
      const near = best(bounds.candidates)
      for (let column = 0; column < crowd.length; column++) {
        const key = model.crowd.keys[column]!
        if (near.wants(key, crowd[column]!) && allowed(key)) near.keep(key, crowd[column]!)
      }
      for (const { key } of near.sorted()) keys.add(key)
    }
    for (const key of nearContent(model, profile, used, allowed)) keys.add(key)
    popular(model, evidence, allowed, keys, enough)
    const wanted = new Map(
      evidence.genres.map(({ genre, weight }) => [model.content.genreIds.indexOf(genre), weight]),
    )
    const scored: Scored[] = []
    for (const key of keys) {
      const column = model.columnOf[key]!
      const met = crowd && column >= 0 ? crowd[column]! : expected(key)
      const score = met + contentScore(model, profile, key)
      scored.push({
        key,
        score: score + evidence.fade * (background(model, key) + genreScore(model, wanted, key)),
      })
    }
    return scored.sort((a, b) => b.score - a.score || a.key - b.key)
  })
}

function contentScore(model: Model, profile: Float64Array, key: number): number {
  const { start, feats, norm } = model.content
  let sum = 0
  for (let at = start[key]!; at < start[key + 1]!; at++) sum += profile[feats[at]!]!
  return sum * norm[key]! * pull(model, key)
}

/** What speaks for a title before anything is known of the profile. */
export const background = (model: Model, key: number): number => tuning.prior * model.fame[key]!

/** What onboarding genres say about a title: a title of one genre is more of it than a title of four. */
export function genreScore(model: Model, wanted: ReadonlyMap<number, number>, key: number): number {
  if (wanted.size === 0) return 0
  const { start, feats, genreIds } = model.content
  let sum = 0
  let count = 0
  for (let at = start[key]!; at < start[key + 1]! && feats[at]! < genreIds.length; at++) {
    sum += wanted.get(feats[at]!) ?? 0
    count++
  }
  return count ? (tuning.genre * sum) / Math.sqrt(count) : 0
}
