/**
 * Whether two records from different sources are about the same title. Ids decide where both have them. Otherwise each
 * thing they have in common or not adds to the odds, in natural logarithms; the weights are round figures for how much
 * oftener such an agreement is seen between records of one title than of two, and not fitted to any data.
 */
import { foldTitle, likeness, plainTitle } from '../../../src/lib/rules/fold-title.ts'
import type { Ids, MediaType } from './row.ts'

export interface Facts {
  ids?: Ids
  type?: MediaType | undefined
  /** In every language that is known, the original one too. */
  titles: readonly string[]
  year?: number | null | undefined
  /** Minutes. */
  runtime?: number | null | undefined
  directors?: readonly string[]
  cast?: readonly string[]
}

export interface Verdict {
  same: boolean
  /** Probability, 0 to 1. */
  score: number
  /** An id decided; nothing else was looked at. */
  byId: boolean
}

/** Two records at random that came up for each other are seldom about the same title. */
const PRIOR = -6

export function samePair(a: Facts, b: Facts): Verdict {
  const ids = compareIds(a, b)
  if (ids !== null) return { same: ids, score: ids ? 1 : 0, byId: true }
  if (a.type && b.type && a.type !== b.type) return { same: false, score: 0, byId: false }
  const odds = PRIOR + evidence(a, b)
  return { same: odds > 0, score: 1 / (1 + Math.exp(-odds)), byId: false }
}

/** True or false when an id of the same kind is on both sides; the IMDb's first, since it is one for all types. */
export function compareIds(a: Facts, b: Facts): boolean | null {
  const sameType = !!a.type && a.type === b.type
  for (const kind of ['imdb', 'tmdb', 'tvdb', 'trakt'] as const) {
    if (kind !== 'imdb' && !sameType) continue
    const [left, right] = [a.ids?.[kind], b.ids?.[kind]]
    if (left !== undefined && right !== undefined) return left === right
  }
  return null
}

export function evidence(a: Facts, b: Facts): number {
  return (
    titleEvidence(a.titles, b.titles) +
    yearEvidence(a.year, b.year) +
    runtimeEvidence(a.runtime, b.runtime) +
    peopleEvidence(a, b)
  )
}

function titleEvidence(a: readonly string[], b: readonly string[]): number {
  const plain = new Set(b.map(plainTitle))
  if (a.some((one) => plain.has(plainTitle(one)))) return 6
  const folded = new Set(b.map(foldTitle))
  if (a.some((one) => folded.has(foldTitle(one)))) return 5
  const best = Math.max(0, ...a.flatMap((one) => b.map((other) => likeness(one, other))))
  return best >= 0.5 ? 2 : best > 0 ? -1 : -3
}

function yearEvidence(a: number | null | undefined, b: number | null | undefined): number {
  if (!a || !b) return 0
  const apart = Math.abs(a - b)
  return apart === 0 ? 2.5 : apart === 1 ? 1 : apart === 2 ? -2 : -5
}

function runtimeEvidence(a: number | null | undefined, b: number | null | undefined): number {
  if (!a || !b) return 0
  const apart = Math.abs(a - b) / Math.max(a, b)
  return apart <= 0.02 ? 2 : apart <= 0.08 ? 0 : apart <= 0.2 ? -1 : -2
}

/** A director works with the same actors again: beside the director the cast says half of what it says alone. */
function peopleEvidence(a: Facts, b: Facts): number {
  const directors = inCommon(a.directors, b.directors)
  const cast = inCommon(a.cast, b.cast)
  const byDirector = directors === null ? 0 : directors > 0 ? 4 : -4
  const byCast = cast === null ? 0 : cast === 0 ? -3 : cast === 1 ? 1.5 : 4
  return byDirector + (directors && cast ? byCast / 2 : byCast)
}

/** Names by their words in any order: `Chan-wook Park` is `Park Chan-wook`. Null when one side names nobody. */
function inCommon(a: readonly string[] = [], b: readonly string[] = []): number | null {
  if (a.length === 0 || b.length === 0) return null
  const names = new Set(b.map(nameKey))
  return a.filter((name) => names.has(nameKey(name))).length
}
const nameKey = (name: string) => plainTitle(name).split(' ').sort().join(' ')
