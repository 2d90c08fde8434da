import type { SignalKind } from './types.ts'

/**
 * All parameters of the recommender. Parameters that affect accuracy were tuned with the last fifth of each user's
 * training ratings in the MovieLens data set ml_latest_small, and then rounded. The weights of signal kinds, onboarding
 * genres, similar titles and genre rows were chosen by hand.
 */

/** Weight of a signal before newer signals reduce it. */
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
 * Families of content features with their weights. The weight of a feature is the weight of its family times its rarity
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
    | 'recencyDecayTitles'
    | 'maxAnchors'
    | 'ridge'
    | 'minSupport'
    | 'sequenceWeight'
    | 'sequenceDecaySteps'
    | 'sequenceHorizonSteps'
    | 'sequenceShrinkage'
    | 'contentWeight'
    | 'priorWeight'
    | 'onboardingGenreWeight'
    | 'onboardingGenreExtraWeight'
    | 'similarityWeight'
    | 'popularityExponent'
    | 'localPopularityHalfWeightProfiles'
    | 'contentHalfWeightProfiles'
    | 'diversity'
    | 'minReasonShare',
    number
  >
> = {
  /**
   * Decay of older signals: the weight of a signal is multiplied by e^(-n/recencyDecayTitles), where n is the number of
   * titles with newer signals.
   */
  recencyDecayTitles: 20,
  /**
   * Maximum number of anchors (signals with a title). It limits the time of a request. Older anchors are left out;
   * their factor would be at most e^-5. Signals with equal times, such as those of one import, do not reduce each
   * other. If more of these signals exist than the maximum, the titles with the highest ids are left out, although
   * their weights are not lower.
   */
  maxAnchors: 100,
  /**
   * Ridge (L2 regularisation) of EASE. It also determines how many interactions a title needs before the collaborative
   * model has more influence on the score than the content features of the title.
   */
  ridge: 120,
  /**
   * Number of profiles that must have interacted with a title before the title is in the collaborative model.
   * Interactions with other titles are noise, and could reveal the history of a single profile.
   */
  minSupport: 3,
  /** Weight of the sequence model relative to EASE. */
  sequenceWeight: 0.7,
  /**
   * Number of steps after which the weight of a later title has decayed to 1/e. A step is one title in the order in
   * which a profile chose its titles.
   */
  sequenceDecaySteps: 30,
  /** Maximum number of steps between two titles that the sequence model connects. */
  sequenceHorizonSteps: 90,
  /**
   * Number that is added to the number of profiles of a title. The sequence model divides weights by the square root of
   * the sum. The addition reduces the weights of titles with few profiles most.
   */
  sequenceShrinkage: 10,
  /** Weight of content similarity on a server without interactions. */
  contentWeight: 0.12,
  /** Number of profiles at which the weight of content similarity is halved. */
  contentHalfWeightProfiles: 1000,
  /** Weight of the popularity prior. The weight decays with every title that has a signal. */
  priorWeight: 0.1,
  /** Weight of an onboarding genre in the score of a title. The weight decays with every title that has a signal. */
  onboardingGenreWeight: 0.04,
  /**
   * Initial extra weight of an onboarding genre in the ranking of genre rows. This extra weight decays to 0. The base
   * weight of 1 does not decay.
   */
  onboardingGenreExtraWeight: 3,
  /**
   * Weight of the base similarity (resemblance.ts) relative to the collaborative affinity in the score of a similar
   * title.
   */
  similarityWeight: 0.15,
  /**
   * Exponent of popularity in the expected collaborative score (`fitExpectedScore`). The popularity prior is about
   * ln(votes) / 10, so e^(popularityExponent * prior) is about votes^0.8.
   */
  popularityExponent: 8,
  /** Number of profiles at which popularity on this server and popularity in the catalogue have equal weight. */
  localPopularityHalfWeightProfiles: 200,
  /**
   * Diversification: the largest share of the score range that a title can lose because it is similar to a title ranked
   * above it.
   */
  diversity: 0.3,
  /** A signal whose share of the score is below this value is not shown as a reason. */
  minReasonShare: 0.05,
}

/** Limits of memory and time. */
export const limits = {
  /** Maximum number of titles in the posting list of a feature. The most popular titles are kept. */
  maxPostings: 512,
  /** Maximum number of candidates per candidate source for which exact scores are computed. */
  maxCandidates: 800,
  /**
   * Maximum number of features of a profile whose posting lists are read. The features with the highest weights are
   * used.
   */
  maxProfileFeatures: 100,
  /** Number of most popular titles that are always candidates. */
  popularCandidateCount: 100,
  /** Maximum number of titles that are examined in order of popularity when there are too few candidates. */
  maxScannedPopularTitles: 100_000,
  /** Maximum number of cells of the EASE weights (ease.ts). A cell is a Float32, so the limit is 64 MiB. */
  maxModelCells: 4096 * 4096,
} as const
