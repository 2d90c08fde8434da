/** Input and output types of the recommender. They are independent of database rows and HTTP. */

/** A title in the training data. `key` is a small non-negative integer that is unique across movies and series. */
export interface TrainingTitle {
  readonly key: number
  readonly type: 'movie' | 'tv'
  /** Sort name: in lower case, without accents and without a leading article. */
  readonly name?: string
  /** TMDB genre ids. */
  readonly genres: readonly number[]
  readonly keywords: readonly (string | number)[]
  /** Person ids of actors in billing order. Only the first 6 ids become features (build-content.ts). */
  readonly cast: readonly number[]
  /** Person ids of directors, or creators of a series. */
  readonly directors: readonly number[]
  /** Person ids of writers, composers and other crew. */
  readonly crew: readonly number[]
  /** ISO 639-1 code of the original language. */
  readonly language: string | null
  readonly year: number | null
  /** Average rating from 0 to 10. */
  readonly rating: number
  readonly votes: number
  readonly popularity: number
  readonly overviewTokens?: readonly string[]
  /** True for titles that are safe for kids. */
  readonly kids: boolean
  /** Age in years of the age rating; null or absent when it is unknown. */
  readonly age?: number | null
  /** Parental guide in the format of `packGuide` (rules/maturity.ts); 0 or absent when it is unknown. */
  readonly guide?: number
}

export type SignalKind = 'liked' | 'disliked' | 'completed' | 'watched' | 'in_list' | 'genre'

/** A signal of a profile's preferences. Signals about titles have `titleKey`, and onboarding genres have `genre`. */
export interface ProfileSignal {
  readonly kind: SignalKind
  readonly titleKey?: number
  readonly genre?: number
  /** Time of the signal in milliseconds since 1970. */
  readonly at: number
  /** Overrides the weight of the kind (see `signalWeights`). */
  readonly weight?: number
  /**
   * True when the profile has disabled the signal. The signal then does not change scores, but its title is still not
   * recommended again.
   */
  readonly isDisabled?: boolean
}

/** An interaction of a profile with a title. `value` is an implicit rating from 0 to 1.2 (see `interactionValues`). */
export interface TrainingInteraction {
  /** Number that identifies the profile in this training. */
  readonly profile: number
  readonly titleKey: number
  /** Time of the interaction in milliseconds since 1970. */
  readonly at: number
  readonly value: number
}

/**
 * Decides by the key of a title whether the title is accepted. `RecommendOptions.scope` accepts the titles that the
 * viewer may see: published, not blocked, and suitable for the audience.
 */
export type TitleFilter = (titleKey: number) => boolean

export type RecommendationReasonKind = 'liked' | 'watched' | 'in_list' | 'genre' | 'popular'

/**
 * A reason for a recommendation: a signal or popularity. `share` is the contribution of the reason to the score divided
 * by the sum of all positive contributions. It is greater than 0 and at most 1.
 */
export interface RecommendationReason {
  readonly kind: RecommendationReasonKind
  readonly key?: number
  readonly genre?: number
  /** Id of the signal, with which `disableSignals` can disable it. Absent for `popular`, which is not a signal. */
  readonly signal?: string
  readonly share: number
}

export interface RecommendedTitle {
  readonly key: number
  readonly score: number
  readonly reasons: readonly RecommendationReason[]
}

export interface SimilarTitle {
  readonly key: number
  readonly score: number
}

/** Returns the stable id of a signal. The signal can be disabled by this id. */
export function getSignalId(signal: ProfileSignal): string {
  return signal.kind === 'genre' ? `genre:${signal.genre}` : `${signal.kind}:${signal.titleKey}`
}

const POSITIVE_TITLE_KINDS: readonly SignalKind[] = ['liked', 'completed', 'watched', 'in_list']

/**
 * Returns the ids of the signals that are disabled together with a signal. All positive signals about a title are
 * disabled together, because otherwise the title would still change scores through another signal. In addition, a
 * signal gets another id when its kind changes, for example when a series is completed. The signal must then stay
 * disabled.
 */
export function listJointSignalIds(signalId: string): string[] {
  const [kind, subjectId] = signalId.split(':')
  return POSITIVE_TITLE_KINDS.some((positiveKind) => positiveKind === kind)
    ? POSITIVE_TITLE_KINDS.map((positiveKind) => `${positiveKind}:${subjectId}`)
    : [signalId]
}

/**
 * Returns all signals. Signals with an id in `disabledIds`, and the signals that are disabled together with them, get
 * `isDisabled: true`.
 */
export function disableSignals(
  signals: readonly ProfileSignal[],
  disabledIds: Iterable<string>,
): ProfileSignal[] {
  const jointIds = new Set([...disabledIds].flatMap(listJointSignalIds))
  return signals.map((signal) =>
    jointIds.has(getSignalId(signal)) ? { ...signal, isDisabled: true } : signal,
  )
}
