/** Bits of `ContentModel.flags`. 0 means that no title has this key. */
export const titleFlags = { movie: 1, tv: 2, kids: 4 } as const

/**
 * Content features of all titles: a sparse matrix of titles x features, its transpose, and one popularity prior per
 * title. The transpose consists of posting lists with the most popular titles of each feature. Feature ids below
 * `genreIds.length` are genres. The field names are part of the model file format (pack.ts).
 */
export interface ContentModel {
  readonly size: number
  readonly flags: Uint8Array
  readonly year: Int16Array
  readonly prior: Float32Array
  /** Genre bits of each title; see title-traits.ts. */
  readonly genres: Uint32Array
  /** Other traits of each title, packed by `packTraits` (title-traits.ts). */
  readonly traits: Uint32Array
  /** Titles whose names suggest one franchise have the same number; see franchise.ts. */
  readonly franchise: Uint32Array
  /** Weight of each genre bit. Rarer genres have higher weights. */
  readonly genreWeight: Float32Array
  /** Weight of each language code. Rarer languages have higher weights. */
  readonly languageWeight: Float32Array
  /** Title keys, highest popularity prior first. */
  readonly keysByPrior: Uint32Array
  readonly genreIds: Int32Array
  /** Features of title k: featureIds[featureStarts[k]] to featureIds[featureStarts[k + 1] - 1], ascending. */
  readonly featureStarts: Uint32Array
  readonly featureIds: Uint32Array
  readonly featureWeights: Float32Array
  /** For each title, 1 divided by the length of its feature vector; 0 for a title without features. */
  readonly inverseNorms: Float32Array
  /**
   * Titles with feature f: postingKeys[postingStarts[f]] to postingKeys[postingStarts[f + 1] - 1], highest popularity
   * prior first.
   */
  readonly postingStarts: Uint32Array
  readonly postingKeys: Uint32Array
}

/** Returns the cosine similarity of two titles, 0 to 1; 0 for unknown keys. */
export function computeContentSimilarity(content: ContentModel, keyA: number, keyB: number): number {
  const { featureStarts, featureIds, featureWeights, inverseNorms } = content
  if (!(keyA < content.size && keyB < content.size)) return 0
  let indexA = featureStarts[keyA]!
  let indexB = featureStarts[keyB]!
  let dotProduct = 0
  while (indexA < featureStarts[keyA + 1]! && indexB < featureStarts[keyB + 1]!) {
    const difference = featureIds[indexA]! - featureIds[indexB]!
    if (difference === 0) dotProduct += featureWeights[featureIds[indexA]!]! ** 2
    if (difference <= 0) indexA++
    if (difference >= 0) indexB++
  }
  return dotProduct * inverseNorms[keyA]! * inverseNorms[keyB]!
}

/** Returns the TMDB genre ids of a title. */
export function getGenres(content: ContentModel, titleKey: number): number[] {
  const genres: number[] = []
  for (
    let index = content.featureStarts[titleKey] ?? 0;
    index < (content.featureStarts[titleKey + 1] ?? 0);
    index++
  ) {
    const featureId = content.featureIds[index]!
    if (featureId >= content.genreIds.length) break
    genres.push(content.genreIds[featureId]!)
  }
  return genres
}
