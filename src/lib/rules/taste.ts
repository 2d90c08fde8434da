/** What a profile likes, as weights over genres, keywords and people; pure and deterministic. docs/recommendations.md. */

/** Features of a title with their weights, scaled to length 1. */
export type Vector = ReadonlyMap<string, number>

const WEIGHTS = { genre: 1, keyword: 1.4, person: 1.1 } as const
const KINDS = { liked: 1, watched: 0.6, in_list: 0.5, disliked: -1.2 } as const
/** What somebody did counts half after so long. */
const HALF_LIFE_MS = 180 * 86_400_000
const CHOSEN_GENRE = 0.35

export function titleVector({
  genres,
  keywords,
  people,
}: {
  genres: number[]
  keywords: string[]
  people: number[]
}): Vector {
  const raw = new Map<string, number>()
  for (const genre of genres) raw.set(`g${genre}`, WEIGHTS.genre)
  for (const keyword of keywords) raw.set(`k${keyword}`, WEIGHTS.keyword)
  for (const person of new Set(people)) raw.set(`p${person}`, WEIGHTS.person)
  const length = Math.hypot(...raw.values()) || 1
  return new Map([...raw].map(([feature, weight]) => [feature, weight / length]))
}

interface Known {
  title_id: number
  kind: keyof typeof KINDS
  /** Milliseconds since 1970. */
  at: number
  vector: Vector
}
export interface Taste {
  signals: { titleId: number; kind: keyof typeof KINDS; weight: number; vector: Vector }[]
  chosenGenres: readonly number[]
}

export function tasteOf(known: readonly Known[], chosenGenres: readonly number[], now: number): Taste {
  const signals = known.map(({ title_id, kind, at, vector }) => ({
    titleId: title_id,
    kind,
    weight: KINDS[kind] * 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS),
    vector,
  }))
  return { signals, chosenGenres }
}

export type Reason =
  | { kind: 'liked' | 'watched' | 'in_list'; titleId: number }
  | { kind: 'genre'; genre: number }

/** How well a title fits a taste, and the two signals that say most for it. */
export function affinity(taste: Taste, vector: Vector): { score: number; reasons: Reason[] } {
  let score = 0
  const for_: { share: number; reason: Reason }[] = []
  for (const { titleId, kind, weight, vector: other } of taste.signals) {
    let overlap = 0
    for (const [feature, value] of vector) overlap += value * (other.get(feature) ?? 0)
    const share = overlap * weight
    score += share
    if (share > 0.12 && kind !== 'disliked') for_.push({ share, reason: { kind, titleId } })
  }
  for (const genre of taste.chosenGenres) {
    const share = (vector.get(`g${genre}`) ?? 0) * CHOSEN_GENRE
    score += share
    if (share > 0) for_.push({ share, reason: { kind: 'genre', genre } })
  }
  for_.sort((a, b) => b.share - a.share)
  const scale = 1 + Math.log1p(taste.signals.length)
  return { score: score / scale, reasons: for_.slice(0, 2).map((one) => one.reason) }
}
