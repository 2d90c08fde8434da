import type { SignalKind } from './types.ts'

/**
 * All tuned parameters of the recommender. Parameters that affect accuracy were chosen on slices of the training
 * data of ml_latest_small (the last fifth of each user's training ratings, at two depths) and rounded. The weights of
 * signal kinds, onboarding genres, similar titles and genre rows were chosen by hand.
 */

/** Weight of a signal before its decay by newer signals. */
export const signalWeights: Readonly<Record<SignalKind, number>> = {
  liked: 1.2,
  completed: 0.8,
  in_list: 0.5,
  watched: 0.4,
  disliked: -0.5,
  genre: 1,
}

/** Implicit rating of an interaction in the training data (`TrainingInteraction.value`). */
export const interactionValues: Readonly<Record<Exclude<SignalKind, 'genre'>, number>> = {
  liked: 1.2,
  completed: 0.9,
  in_list: 0.5,
  watched: 0.5,
  disliked: 0.1,
}

/**
 * Families of content features with their weights. The weight of a feature is the family weight times its rarity
 * (inverse document frequency).
 */
export const featureFamilyWeights = [
  ['genre', 0.5],
  ['keyword', 0.5],
  ['cast', 0.4],
  ['director', 0.6],
  ['crew', 0.25],
  ['language', 0.3],
  ['decade', 0.2],
  ['niche', 0.1],
  ['word', 0.2],
] as const

export const tuning: Readonly<
  Record<
    | 'recency'
    | 'maxAnchors'
    | 'ridge'
    | 'minSupport'
    | 'sequence'
    | 'sequenceMemorySteps'
    | 'sequenceHorizonSteps'
    | 'sequenceShrinkage'
    | 'content'
    | 'prior'
    | 'genre'
    | 'onboardingGenreLikes'
    | 'similarContent'
    | 'popularityExponent'
    | 'localPopularityTrust'
    | 'contentTrust'
    | 'diversity'
    | 'minReasonShare',
    number
  >
> = {
  /**
   * Decay of older signals: the weight of a signal is multiplied by e^(-n/recency), where n is the number of newer
   * signals.
   */
  recency: 20,
  /** Maximum number of anchors (signals with a title); older anchors would weigh less than e^-5. */
  maxAnchors: 100,
  /**
   * Ridge (L2 regularisation) of EASE. It also controls how many interactions a title needs before the item-item
   * model outweighs its content features.
   */
  ridge: 120,
  /**
   * Titles with fewer profiles than this are not part of the item-item model: their data is noise and could reveal
   * the history of one profile.
   */
  minSupport: 3,
  /**
   * Sequence model: its weight relative to EASE, its decay in steps, the number of steps it looks ahead, and its
   * shrinkage.
   */
  sequence: 0.7,
  sequenceMemorySteps: 30,
  sequenceHorizonSteps: 90,
  sequenceShrinkage: 10,
  /**
   * Weight of content similarity when there are no interactions, and the number of profiles at which that weight is
   * halved.
   */
  content: 0.12,
  contentTrust: 1000,
  /** Weight of the popularity prior, which decays with every newer signal. */
  prior: 0.1,
  /** Weight of an onboarding genre, which decays like the popularity prior. */
  genre: 0.04,
  /** Weight of an onboarding genre in the genre rows of a new profile. A like adds 1, and every genre starts at 1. */
  onboardingGenreLikes: 3,
  /** Similar titles: weight of the resemblance by content relative to the item-item model. */
  similarContent: 0.15,
  /**
   * Exponent of popularity in the score that is expected of the item-item model; e^(popularityExponent * prior) is
   * about votes^0.8.
   */
  popularityExponent: 8,
  /** Number of profiles at which popularity on this server counts as much as popularity in the catalogue. */
  localPopularityTrust: 200,
  /**
   * Diversification: the largest share of the score range that a title loses for its similarity to titles ranked
   * above it.
   */
  diversity: 0.3,
  /** A signal with a smaller share of a score than this is not shown as a reason. */
  minReasonShare: 0.05,
}

/** Limits of memory and time. */
export const limits = {
  /** Maximum number of titles in the posting list of a feature; the most popular are kept. */
  maxPostings: 512,
  /** Maximum number of candidates that are scored exactly, per candidate source. */
  maxCandidates: 800,
  /** Maximum number of features of a profile whose posting lists are read; those with the highest weight are used. */
  maxProfileFeatures: 100,
  /** Number of most popular titles that are always candidates. */
  popularCandidates: 100,
  /** Maximum number of titles examined in order of popularity when there are too few candidates. */
  maxPopularScanned: 100_000,
  /** Maximum number of cells of the item-item model. A cell is a Float32, so the limit is 64 MiB. */
  maxModelCells: 4096 * 4096,
} as const
