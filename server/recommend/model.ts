import { buildContent } from './build-content.ts'
import {
  type CollaborativeModel,
  type CollaborativeOptions,
  trainCollaborativeModel,
} from './collaborative.ts'
import { tuning } from './constants.ts'
import type { ContentModel } from './content.ts'
import type { TrainingInteraction, TrainingTitle } from './types.ts'

/** A trained recommendation model. Serving requests changes only `scratch`. */
export interface RecommendationModel {
  /** Identifier that the caller of `buildModel` or `refreshModel` chose. It can be used as a cache key. */
  readonly version: string
  readonly content: ContentModel
  readonly collaborative: CollaborativeModel
  /** Column of the collaborative model by title key; -1 for titles outside that model. */
  readonly columnByKey: Int32Array
  /**
   * Popularity by title key. It starts as popularity in the catalogue. With more profiles, popularity on this server
   * gets more weight.
   */
  readonly popularity: Float32Array
  /** Weight of content similarity in `computeTitleAffinity`. The weight decreases with the number of profiles. */
  readonly contentWeight: number
  /** Scratch memory for a synchronous computation. All values are zero between computations. */
  readonly scratch: { readonly featureValues: Float64Array; readonly titleScores: Float32Array }
}

export interface ModelOptions {
  readonly version: string
  readonly collaborative?: CollaborativeOptions
}

/**
 * Trains a model and returns it. The time grows linearly with the number of titles. It also grows with the cube of the
 * number of profiles, or of the number of titles of the collaborative model if that number is smaller (ease.ts).
 * Training blocks the event loop, so the server trains in a process of its own (trainer.ts).
 */
export function buildModel(
  titles: Iterable<TrainingTitle>,
  interactions: Iterable<TrainingInteraction>,
  options: ModelOptions,
): RecommendationModel {
  return assembleModel(
    options.version,
    buildContent(titles),
    trainCollaborativeModel(interactions, options.collaborative),
  )
}

/** Returns a model with the same content features and a newly trained collaborative model. */
export function refreshModel(
  model: RecommendationModel,
  interactions: Iterable<TrainingInteraction>,
  options: ModelOptions,
): RecommendationModel {
  return assembleModel(
    options.version,
    model.content,
    trainCollaborativeModel(interactions, options.collaborative),
  )
}

/** Assembles a model from its trained parts. */
export function assembleModel(
  version: string,
  content: ContentModel,
  collaborative: CollaborativeModel,
): RecommendationModel {
  const columnByKey = new Int32Array(content.size).fill(-1)
  collaborative.keys.forEach((titleKey, column) => {
    if (titleKey < content.size && content.flags[titleKey]) columnByKey[titleKey] = column
  })
  const scratch = {
    featureValues: new Float64Array(content.featureWeights.length),
    titleScores: new Float32Array(content.size),
  }
  const popularity = blendPopularity(content, collaborative, columnByKey)
  const contentWeight =
    (tuning.contentWeight * tuning.contentHalfWeightProfiles) /
    (collaborative.profiles + tuning.contentHalfWeightProfiles)
  return { version, content, collaborative, columnByKey, popularity, contentWeight, scratch }
}

/**
 * Returns the factor by which the content similarity between a liked title and this title is multiplied: the square of
 * the popularity of this title. Of two titles that are equally similar to a liked title, the more popular title is
 * more likely to be chosen next. Unlike the popularity prior, this factor does not decay.
 */
export const getPopularityFactor = (model: RecommendationModel, titleKey: number): number =>
  Math.max(0, model.popularity[titleKey] ?? 0) ** 2

/**
 * Blends the popularity prior of the catalogue with the popularity on this server. The popularity on this server is
 * twice the square root of the share of profiles that interacted with the title. It is shifted to the same mean as the
 * prior. Its weight depends on the number of all profiles, not on the number of interactions with the title. If only a
 * few of many profiles chose a title, this low share is also information about the popularity of the title. A title
 * outside the collaborative model keeps its prior.
 */
function blendPopularity(
  content: ContentModel,
  collaborative: CollaborativeModel,
  columnByKey: Int32Array,
): Float32Array {
  const localPopularityWeight =
    collaborative.profiles / (collaborative.profiles + tuning.localPopularityHalfWeightProfiles)
  const popularity = content.prior.slice()
  const modelColumns = [...collaborative.keys.keys()].filter(
    (column) => columnByKey[collaborative.keys[column]!] === column,
  )
  const getLocalPopularity = (column: number): number =>
    2 *
    Math.sqrt(
      (collaborative.columnStarts[column + 1]! - collaborative.columnStarts[column]!) /
        collaborative.profiles,
    )
  let meanDifference = 0
  for (const column of modelColumns)
    meanDifference +=
      (content.prior[collaborative.keys[column]!]! - getLocalPopularity(column)) / modelColumns.length
  for (const column of modelColumns) {
    const titleKey = collaborative.keys[column]!
    popularity[titleKey] =
      (1 - localPopularityWeight) * content.prior[titleKey]! +
      localPopularityWeight * (getLocalPopularity(column) + meanDifference)
  }
  return popularity
}
