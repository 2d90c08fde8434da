/** What every history file is turned into: one row per thing somebody did. */

export type Source = 'netflix' | 'trakt' | 'letterboxd' | 'imdb' | 'tvtime' | 'marquee'
export type MediaType = 'movie' | 'tv'

export interface Ids {
  /** `tt0111161`. */
  imdb?: string
  /** Numbered apart for movies and series: says nothing without a type. */
  tmdb?: number
  tvdb?: number
  trakt?: number
}

/** How a title text may be read. `Fear: Part 1` is a film, or an episode called Part 1. */
export interface Reading {
  title: string
  type?: MediaType
  season?: number
  episode?: number
  /** As the file has it: `Saison 5`, `Mini-série`. */
  seasonName?: string
  episodeTitle?: string
  /** Different texts of the file that begin with this title, where only that speaks for a series. */
  siblings?: number
}

export interface HistoryRow extends Reading {
  source: Source
  /** Line of the file where the row begins, from 1. */
  line: number
  /** `played`: a viewing that another row of the file counts already, told for its time. */
  kind: 'watched' | 'played' | 'rated' | 'listed' | 'liked' | 'disliked' | 'dropped'
  ids: Ids
  originalTitle?: string
  /** Other ways to read the same text, the likelier first. */
  readings?: Reading[]
  year?: number
  /** A date `YYYY-MM-DD` or an instant in UTC. Absent when the file does not say: never today. */
  at?: string
  /** When it was entered, where that was another day. */
  logged?: string
  /** How often, where the file counts. */
  plays?: number
  /** 0 to 10. */
  rating?: number
  /** Furthest position, in seconds. */
  progress?: number
  /** Furthest position as a share of the title's length, 0 to 100, where the file tells no seconds. */
  percent?: number
  /** Seconds that were watched; in our own export, the length of the video. */
  durationSeconds?: number
  finished?: boolean
  /** Length of the title in minutes, where the file says. */
  runtime?: number
  /** Whose row it is, in files that hold several profiles. */
  profile?: string
  /** Name of the list, where it is not the main one. */
  list?: string
  state?: 'planned' | 'watching' | 'completed'
  favorite?: boolean
}

export type SkipReason =
  /** On purpose: no viewing of a title. */
  | 'supplement'
  | 'too_short'
  | 'not_watched'
  | 'not_a_title'
  | 'deleted'
  /** The row does not fit its format. */
  | 'no_title'
  | 'bad_date'
  | 'bad_row'
  /** Nothing after it could be read. */
  | 'broken_file'

export interface Skip {
  line: number
  skip: SkipReason
}
export type Item = HistoryRow | Skip

/** Opens the file anew: some formats are read twice. */
export type Opener = () => AsyncIterable<Uint8Array>

export interface ReadOptions {
  /** Our clock, in milliseconds: no history lies after it. */
  now: number
}

export interface Format {
  id: string
  source: Source
  /** Whether a file is of this format, by its path in the export (lower case, `/`) and its beginning. */
  fits(path: string, head: Head): boolean
  read(open: Opener, path: string, options: ReadOptions): AsyncGenerator<Item>
}

/** The beginning of a file. */
export interface Head {
  text: string
  /** Cells of the first line when it is a table, lower case. */
  header: readonly string[]
}

export const hasColumns = (head: Head, ...names: string[]) =>
  names.every((name) => head.header.includes(name))

/** Leaves out what is absent: rows carry no empty fields. */
export function row(fields: { [K in keyof HistoryRow]: HistoryRow[K] | undefined | null }): HistoryRow {
  const kept = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return { title: '', ids: {}, ...Object.fromEntries(kept) } as HistoryRow
}
