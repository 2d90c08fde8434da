/**
 * The common form of the rows of all history files: one row per viewing, rating, list entry or list. The
 * import stores rows as JSON (`history_import_row.data`), so the field names of `HistoryRow` and
 * `TitleReading` must not change.
 */

/** `other` is a table or a JSON file of a service that is not listed here, or a spreadsheet. */
export type HistorySource =
  | 'netflix'
  | 'trakt'
  | 'letterboxd'
  | 'imdb'
  | 'tmdb'
  | 'tvtime'
  | 'myanimelist'
  | 'kodi'
  | 'other'
  | 'marquee'
export type HistoryTitleType = 'movie' | 'tv'

export interface ExternalIds {
  /** An id like `tt0111161`. */
  imdb?: string
  /** TMDB and TheTVDB ids are unique only per type. */
  tmdb?: number
  tvdb?: number
  trakt?: number
}

/**
 * One possible interpretation of a title text: `Fear: Part 1` is a film, or the episode `Part 1` of the series `Fear`.
 */
export interface TitleReading {
  title: string
  type?: HistoryTitleType
  season?: number
  episode?: number
  /**
   * True if `episode` is an absolute number: it is counted from the first episode of the series, through all seasons.
   */
  isCounted?: true
  /** Name of the season as the file writes it: `Saison 5`, `Mini-série`. */
  seasonName?: string
  episodeTitle?: string
  /**
   * Number of different texts in the file that start with this title. Set for the alternative readings of a row in the
   * viewing history of Netflix.
   */
  siblings?: number
}

/** A named list in a Marquee export. `filter_type` and `filter_query` are set for a smart list. */
export interface ImportedNamedList {
  description: string
  shared: boolean
  on_home: boolean
  filter_type: HistoryTitleType | null
  filter_query: string | null
}

export interface HistoryRow extends TitleReading {
  source: HistorySource
  /** Line number where the row begins, counted from 1. */
  line: number
  /**
   * `list` describes a named list and not a title: the field `title` is the name of the list. `played` is a single
   * viewing of a Marquee export; another row of the file has the number of viewings.
   */
  kind: 'watched' | 'played' | 'rated' | 'listed' | 'liked' | 'disliked' | 'dropped' | 'list'
  ids: ExternalIds
  originalTitle?: string
  /** Alternative readings of the same text, the most likely first. */
  readings?: TitleReading[]
  year?: number
  /** A date `YYYY-MM-DD` or a UTC timestamp. Absent if the file has no date; never replaced by the current date. */
  at?: string
  /** Date on which the user wrote the entry, if it differs from `at`. */
  logged?: string
  /** Number of viewings, if the file has it. */
  plays?: number
  /** True if only a date in a field with a general name, such as `Date`, shows that the row is a viewing. */
  isAssumedViewing?: boolean
  /** True for a viewing that was marked by hand, in a Marquee export. */
  marked?: boolean
  /** Note or review of the viewing, already converted to the plain text of a note. */
  note?: string
  /** Rating from 0 to 10. */
  rating?: number
  /** Furthest position in seconds. */
  progress?: number
  /** Furthest position in percent of the runtime, if the file has no position in seconds. */
  percent?: number
  /** Watched seconds; in a Marquee export, the duration of the video in seconds. */
  durationSeconds?: number
  finished?: boolean
  /** Runtime of the title in minutes, if the file has it. */
  runtime?: number
  /** Profile name, in files that contain several profiles. */
  profile?: string
  /** True for an entry of a collection. A collection lists what the user owns. */
  owned?: boolean
  /** Name of the named list; absent for the watchlist. */
  list?: string
  /** Fields of the list, in a row of the kind `list`. */
  namedList?: ImportedNamedList
  state?: 'planned' | 'watching' | 'completed'
  favorite?: boolean
  /**
   * Id of the title to which the import has applied the row. Set if a later decision has assigned the row to another
   * title.
   */
  appliedTitleId?: number
}

export type RowSkipReason =
  /** Reasons of valid rows that are intentionally not imported. */
  | 'supplement'
  | 'too_short'
  | 'not_watched'
  | 'not_a_title'
  | 'deleted'
  /** Reasons of invalid rows. */
  | 'no_title'
  | 'bad_date'
  | 'bad_row'
  /** The characters of the file are in an unknown encoding. */
  | 'bad_encoding'
  /** The file has no entries. */
  | 'no_entries'
  /** The rest of the file could not be read. */
  | 'broken_file'

export interface SkippedRow {
  line: number
  skip: RowSkipReason
  /** Name of the title in the row, if it has one, so that users recognise the row. */
  title?: string | undefined
}
export type HistoryItem = HistoryRow | SkippedRow

/**
 * Opens the file from its start. A reader that must know the whole file before it converts a row opens the file twice.
 */
export type FileOpener = () => AsyncIterable<Uint8Array>

export interface HistoryReadOptions {
  /** Current time in milliseconds since 1970; later dates are impossible. */
  nowMs: number
  /** Name of the file without folder and extension, in its original case. A list without a name gets this name. */
  baseName: string
}

export interface HistoryFormat {
  id: string
  source: HistorySource
  /**
   * True if the path of the file in the export (lower case, with `/`) and its first bytes show that the file has this
   * format.
   */
  matches(path: string, head: FileHead): boolean
  readRows(openFile: FileOpener, path: string, options: HistoryReadOptions): AsyncGenerator<HistoryItem>
}

/** The first bytes of a file, decoded. */
export interface FileHead {
  text: string
  /** Lower-case column names, if the file is a table. */
  header: readonly string[]
}

export const hasColumns = (head: FileHead, ...columnNames: string[]) =>
  columnNames.every((columnName) => head.header.includes(columnName))

/** Creates a row without the fields that are undefined, null or empty. */
export function createHistoryRow(
  fields: { [K in keyof HistoryRow]: HistoryRow[K] | undefined | null },
): HistoryRow {
  const presentFields = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return { title: '', ids: {}, ...Object.fromEntries(presentFields) } as HistoryRow
}
