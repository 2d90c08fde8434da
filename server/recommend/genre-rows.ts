import { tuning } from './constants.ts'
import { genresOf } from './content.ts'
import { diversify } from './diversity.ts'
import { type Evidence, weigh } from './evidence.ts'
import type { Model } from './model.ts'
import { allow, type PickOptions } from './picks.ts'
import { reasonsFor } from './reasons.ts'
import { type Scored, scoreCandidates } from './score.ts'
import type { Pick, Signal } from './types.ts'

export interface GenreRow {
  readonly genre: number
  /** How much of the profile's taste this genre is, for ordering only. */
  readonly taste: number
  readonly picks: readonly Pick[]
}

export interface GenreRowOptions extends PickOptions {
  /** Rows at most; `limit` is titles per row. */
  readonly genres: number
}

/**
 * Rows of the genres a profile likes best, most liked first; no title is in two rows. A row with fewer than three
 * titles is no row. Without any taste the genres of what is popular stand in.
 */
export function topGenres(model: Model, signals: readonly Signal[], options: GenreRowOptions): GenreRow[] {
  const evidence = weigh(model, signals, options.off ?? new Set())
  const allowed = allow(model, options, evidence.known)
  const shown = new Set<number>()
  const rows: GenreRow[] = []
  const whole = scoreCandidates(model, evidence, allowed, options.limit * 8)
  for (const { genre, taste } of tastes(model, evidence, whole)) {
    if (rows.length === options.genres) break
    const inGenre = (key: number): boolean =>
      !shown.has(key) && allowed(key) && genresOf(model.content, key).includes(genre)
    const wanted = { ...evidence, genres: [{ genre, signal: `genre:${genre}`, weight: 0 }] }
    const own = whole.filter(({ key }) => inGenre(key))
    const scored =
      own.length >= options.limit * 2 ? own : scoreCandidates(model, wanted, inGenre, options.limit)
    const picks = diversify(model, scored, options.limit, options.diversity)
    if (picks.length < 3) continue
    for (const { key } of picks) shown.add(key)
    const told = picks.map((pick) => ({ ...pick, reasons: reasonsFor(model, evidence, pick.key) }))
    rows.push({ genre, taste, picks: told })
  }
  return rows
}

/**
 * Genres by how much more the profile meets them than the catalogue has them, onboarding choices included. What the
 * best candidates are made of decides between genres no signal speaks for.
 */
function tastes(
  model: Model,
  evidence: Evidence,
  whole: readonly Scored[],
): { genre: number; taste: number }[] {
  const { genreIds, weight } = model.content
  const taste = new Float64Array(genreIds.length)
  const add = (key: number, gain: number): void => {
    const genres = genresOf(model.content, key)
    for (const genre of genres) taste[genreIds.indexOf(genre)]! += gain / Math.sqrt(genres.length)
  }
  for (const anchor of evidence.anchors) if (anchor.key < model.content.size) add(anchor.key, anchor.weight)
  for (const { genre, weight: gain } of evidence.genres) {
    const at = genreIds.indexOf(genre)
    if (at >= 0) taste[at]! += gain * (tuning.onboarding * evidence.fade + 1)
  }
  for (const { key } of whole.slice(0, 50)) add(key, 0.001)
  return Array.from(genreIds, (genre, at) => ({ genre, taste: taste[at]! * weight[at]! ** 0.5 }))
    .filter((one) => one.taste > 0)
    .sort((a, b) => b.taste - a.taste || a.genre - b.genre)
}
