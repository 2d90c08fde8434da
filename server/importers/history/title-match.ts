/** The types of title matching: what the matching reads from the catalogue, and its result. */
import type { MatchFacts } from './compare-titles.ts'
import type { SeriesEpisodes } from './find-episode-by-title.ts'
import type { ExternalIds, HistoryTitleType, TitleReading } from './history-row.ts'

export interface MatchCandidate extends MatchFacts, SeriesEpisodes {
  /** Id in the catalogue. */
  id: string | number
  ids: ExternalIds
  type: HistoryTitleType
  /** Number of rating votes. Without this number, popularity cannot decide between titles of the same name. */
  votes?: number
  seasonCount?: number
}

type Awaitable<T> = T | Promise<T>

export interface CandidateSource {
  /**
   * Returns the titles that have any of these ids. TMDB and TheTVDB ids are unique only per type, so a title is found
   * by such an id only if `type` is given.
   */
  findByIds(ids: ExternalIds, type?: HistoryTitleType): Awaitable<readonly MatchCandidate[]>
  /** Returns the titles with a name, in any language, that `foldTitle` maps to this key. */
  findByTitle(foldedTitle: string, type?: HistoryTitleType): Awaitable<readonly MatchCandidate[]>
}

/** The values are stored with the row and are part of the API, so they must not change. */
export type MatchReason =
  /** Reasons of the outcome `matched`. */
  | 'imdb'
  | 'tmdb'
  | 'tvdb'
  | 'title_and_year'
  | 'title_and_near_year'
  | 'title_and_episode'
  | 'title_and_runtime'
  | 'title_alone'
  /** Reasons of the outcome `ambiguous`. */
  | 'ids_disagree'
  | 'several'
  | 'perhaps_a_series'
  /** The name differs in an article, a numeral, initials or a bracketed suffix. */
  | 'similar_title'
  /** The year differs by one, or the catalogue has no year, and nothing else confirms the title. */
  | 'near_year'
  /** The row is not a viewing and states no type, its name is a single word, and a movie has that name. */
  | 'unknown_type'
  /** Only a title of the other type has the name and the year. */
  | 'other_type'
  /** Reasons of the outcome `unmatched`. */
  | 'no_title'
  | 'other_year'

export interface TitleMatch {
  outcome: 'matched' | 'ambiguous' | 'unmatched'
  title?: MatchCandidate
  /** The matching reading of the row, with its season and episode. */
  reading?: TitleReading
  /** Candidates, most likely first. */
  candidates: readonly MatchCandidate[]
  /** Confidence from 0 to 1. */
  score: number
  reason: MatchReason
}
