import type { SignalKind } from './types.ts'

/**
 * Every number that was chosen, in one place. What moves accuracy was chosen on slices of the training part of
 * ml_latest_small (each user's last fifth of *training* ratings, twice over) and rounded. Judged by eye or by
 * judgement: the weights of kinds of signals, of onboarding genres, of similar titles and of genre rows.
 */

/** How strongly a signal speaks when it is the newest. */
export const signalWeights: Readonly<Record<SignalKind, number>> = {
  liked: 1.2,
  completed: 0.8,
  in_list: 0.5,
  watched: 0.4,
  disliked: -0.5,
  genre: 1,
}

/** The `value` of an interaction for training: what a profile did, as how gladly it did it. */
export const interactionValues: Readonly<Record<Exclude<SignalKind, 'genre'>, number>> = {
  liked: 1.2,
  completed: 0.9,
  in_list: 0.5,
  watched: 0.5,
  disliked: 0.1,
}

/** Families of content features; the weight is multiplied by the rarity of the feature. */
export const families = [
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
    | 'anchors'
    | 'ridge'
    | 'minSupport'
    | 'next'
    | 'nextMemory'
    | 'nextHorizon'
    | 'nextShrink'
    | 'content'
    | 'prior'
    | 'genre'
    | 'onboarding'
    | 'similarContent'
    | 'similarPrior'
    | 'fame'
    | 'trust'
    | 'contentTrust'
    | 'diversity'
    | 'leastShare',
    number
  >
> = {
  /** A signal counts e^(-n/recency), n = newer signals of the profile. */
  recency: 20,
  /** Signals beyond this many newer ones count nothing (e^-5). */
  anchors: 100,
  /** Ridge of EASE: also how much company a title needs before the crowd outweighs its content. */
  ridge: 120,
  /** Fewer profiles than this on a title teach the crowd nothing: noise, and a neighbour's secret. */
  minSupport: 3,
  /** Weight of "what profiles watched next" beside EASE, its memory in steps, its horizon, its shrinkage. */
  next: 0.7,
  nextMemory: 30,
  nextHorizon: 90,
  nextShrink: 10,
  /** Weight of content similarity without a crowd, and the profiles after which it is half of that. */
  content: 0.12,
  contentTrust: 1000,
  /** Weight of popularity: the oldest belief, weakened by every newer signal. */
  prior: 0.1,
  /** Weight of an onboarding genre, weakened likewise. */
  genre: 0.04,
  /** How many likes an onboarding genre is worth for the genre rows of a new profile, beyond one. */
  onboarding: 3,
  /** Similar titles: content beside the crowd, and a grain of popularity between equals. */
  similarContent: 0.3,
  similarPrior: 0.02,
  /** e^(fame * prior) is about votes^0.8: how the crowd's scores grow with popularity. */
  fame: 8,
  /** Profiles after which the crowd's own popularity counts as much as the catalogue's. */
  trust: 200,
  /** How much of a score a pick loses for repeating the picks above it. */
  diversity: 0.3,
  /** A signal with a smaller part in a pick than this is not its reason. */
  leastShare: 0.05,
}

/** Bounds of memory and time. */
export const bounds = {
  /** Titles kept per feature, the most popular first. */
  posting: 512,
  /** Candidates scored exactly. */
  candidates: 800,
  /** Features of a profile whose postings are read. */
  features: 100,
  /** Popular titles that are always candidates. */
  popular: 100,
  /** Titles looked at in popularity order when candidates run short. */
  fill: 100_000,
  /** Float32 cells of the crowd model: 64 MB. */
  crowdCells: 4096 * 4096,
} as const
