/** Bits of `flags`; 0 means there is no title with that key. */
export const flag = { movie: 1, tv: 2, kids: 4 } as const

/**
 * What titles are made of: a sparse matrix titles x features, its transpose cut to the most popular titles of each
 * feature, and one popularity per title. Feature ids below `genreIds.length` are genres.
 */
export interface Content {
  readonly size: number
  readonly flags: Uint8Array
  readonly year: Int16Array
  readonly prior: Float32Array
  /** Keys, most popular first. */
  readonly order: Uint32Array
  readonly genreIds: Int32Array
  /** Features of title k: feats[start[k]] .. feats[start[k + 1]], ascending. */
  readonly start: Uint32Array
  readonly feats: Uint32Array
  /** Weight of a feature; the vector of a title is weight * norm. */
  readonly weight: Float32Array
  readonly norm: Float32Array
  readonly postStart: Uint32Array
  readonly post: Uint32Array
}

/** Cosine of two titles, 0..1. Unknown keys have none. */
export function cosine(content: Content, one: number, other: number): number {
  const { start, feats, weight, norm } = content
  if (!(one < content.size && other < content.size)) return 0
  let a = start[one]!
  let b = start[other]!
  let sum = 0
  while (a < start[one + 1]! && b < start[other + 1]!) {
    const difference = feats[a]! - feats[b]!
    if (difference === 0) sum += weight[feats[a]!]! ** 2
    if (difference <= 0) a++
    if (difference >= 0) b++
  }
  return sum * norm[one]! * norm[other]!
}

/** The genre ids of a title. */
export function genresOf(content: Content, key: number): number[] {
  const genres: number[] = []
  for (let at = content.start[key] ?? 0; at < (content.start[key + 1] ?? 0); at++) {
    const id = content.feats[at]!
    if (id >= content.genreIds.length) break
    genres.push(content.genreIds[id]!)
  }
  return genres
}
