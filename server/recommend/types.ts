/** What the engine is told and what it answers. Plain data only: no database rows, no HTTP. */

export type TitleType = 'movie' | 'tv'

/** One title as the engine sees it. `key` is a small non-negative integer, unique over movies and series. */
export interface Title {
  readonly key: number
  readonly type: TitleType
  /** TMDB genre ids. */
  readonly genres: readonly number[]
  readonly keywords: readonly (string | number)[]
  /** Person ids, billing order; the first 10 count. */
  readonly cast: readonly number[]
  /** Person ids of directors, or creators of a series. */
  readonly directors: readonly number[]
  /** Person ids of writers, composers and other crew. */
  readonly crew: readonly number[]
  /** ISO 639-1, or null. */
  readonly language: string | null
  readonly year: number | null
  /** 0..10. */
  readonly rating: number
  readonly votes: number
  readonly popularity: number
  readonly overviewTokens?: readonly string[]
  /** Safe for kids. */
  readonly kids: boolean
}

export type SignalKind = 'liked' | 'disliked' | 'completed' | 'watched' | 'in_list' | 'genre'

/** One thing a profile told us. Title signals carry `titleKey`, onboarding genres carry `genre`. */
export interface Signal {
  readonly kind: SignalKind
  readonly titleKey?: number
  readonly genre?: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Overrides the weight of the kind (see `signalWeights`). */
  readonly weight?: number
}

/** One profile met one title. `value` 0..1.5 says how gladly (see `interactionValues`). */
export interface Interaction {
  readonly profile: number
  readonly titleKey: number
  readonly at: number
  readonly value: number
}

/** Kids, published, blocked, audience: everything that decides whether this viewer may see the title. */
export type Scope = (key: number) => boolean

export type ReasonKind = 'liked' | 'watched' | 'in_list' | 'genre' | 'popular'

/** One signal behind a pick. `share` is its part (0..1] of everything that speaks for the pick. */
export interface Reason {
  readonly kind: ReasonKind
  readonly key?: number
  readonly genre?: number
  /** What to put in `off` to switch this signal off; absent for `popular`. */
  readonly signal?: string
  readonly share: number
}

export interface Pick {
  readonly key: number
  readonly score: number
  readonly reasons: readonly Reason[]
}

export interface Neighbour {
  readonly key: number
  readonly score: number
}

/** The stable name of a signal, used to switch it off. */
export function signalId(signal: Signal): string {
  return signal.kind === 'genre' ? `genre:${signal.genre}` : `${signal.kind}:${signal.titleKey}`
}
