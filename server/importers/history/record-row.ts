/**
 * Converts the records of files of unknown origin to history rows. What a record means follows from the first of these
 * signs that it has: state, "watched" flag, number of viewings, viewing date or position, "watchlist" flag, name of the
 * file, date in a column with a general name such as "date". A record without any of these signs is not a viewing
 * (docs/importing-history.md).
 */
import type { DateParser } from './column-dates.ts'
import { parseDecimal } from './csv.ts'
import type { FilePurpose } from './file-purpose.ts'
import {
  createHistoryRow,
  type HistoryItem,
  type HistoryRow,
  type HistorySource,
  type HistoryTitleType,
  type RowSkipReason,
} from './history-row.ts'
import { toNoteText } from './note-text.ts'
import { isDateText, toReadableDate } from './record-dates.ts'
import { foldFieldName } from './record-fields.ts'
import { parseRating, scaleRating } from './record-rating.ts'
import {
  type FieldReader,
  omitEmptyFields,
  parseEpisodeCode,
  type RecordTitle,
  readRecordTitle,
} from './record-title.ts'
import { isOtherAction, parseFlag, parseStatus, type WatchStatus } from './record-words.ts'

export interface HistoryRecord {
  line: number
  get: FieldReader
  /** Type of the title, if the place of the record in its file shows the type. */
  defaultType?: HistoryTitleType | undefined
  purpose: FilePurpose | null
  /** Name of the list to which the record belongs, if the place of the record in its file shows the list. */
  listName?: string | undefined
  /** Names of further lists that the record itself names. */
  listNames?: readonly string[]
  /** Name of the list that the file contains if the dates of its records are those of list entries. */
  fileListName?: string | undefined
  /** Scale of the ratings of the file; absent if the file does not state one. */
  ratingScale?: number | undefined
  /** Viewings of episodes that the record contains. */
  viewings?: readonly EpisodeViewing[]
}

export interface EpisodeViewing {
  season?: number | undefined
  episode?: number | undefined
  at: string
  plays?: number | undefined
  /** Watched part of the viewing in percent, if the viewing was not completed. */
  percent?: number | undefined
  isCounted?: true | undefined
}

export interface RecordOptions {
  source: HistorySource
  parseDate: DateParser
  /** Scale of the ratings that do not contain their scale. */
  ratingScale: number
  /**
   * True if the column "note" (field `noteOrRating`) contains ratings, because "note" is the French word for a rating.
   */
  isNoteRating: boolean
}

/**
 * A playback session that is shorter than this does not count as a viewing. The same limit applies to the files of
 * Netflix.
 */
const MIN_VIEWING_SECONDS = 120
/**
 * Maximum number of watched episodes that a record may state. No series has more episodes, so a higher number is an
 * error.
 */
const MAX_WATCHED_EPISODES = 2_000

/** Returns the rows of a record, or the reason why it has none. */
export function toHistoryItems(record: HistoryRecord, options: RecordOptions): HistoryItem[] {
  const { line, get } = record
  const title = readRecordTitle(get, record.defaultType)
  const skipReason = findSkipReason(get, title)
  if (skipReason) return [{ line, skip: skipReason, title: title.title }]
  try {
    const rows = new RecordConverter(record, title, options).convert()
    return rows.length > 0 ? rows : [{ line, skip: 'not_watched', title: title.title }]
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    return [{ line, skip: error.reason, title: title.title }]
  }
}

class RecordError extends Error {
  readonly reason: RowSkipReason
  constructor(reason: RowSkipReason) {
    super(`the record is skipped: ${reason}`)
    this.reason = reason
  }
}

function findSkipReason(
  get: FieldReader,
  { title, ids, hasUnsupportedType }: RecordTitle,
): RowSkipReason | null {
  if (hasUnsupportedType) return 'not_a_title'
  if (title === '' && Object.keys(ids).length === 0) return 'no_title'
  if (parseFlag(get('deleted')) === true) return 'deleted'
  return /^"?(?:trailer|promo|preview|bonus)/i.test(get('material')) ? 'supplement' : null
}

class RecordConverter {
  readonly #record: HistoryRecord
  readonly #get: FieldReader
  readonly #title: RecordTitle
  readonly #options: RecordOptions
  readonly #status: WatchStatus | null
  readonly #rating: number | undefined

  constructor(record: HistoryRecord, title: RecordTitle, options: RecordOptions) {
    this.#record = record
    this.#get = record.get
    this.#title = title
    this.#options = options
    const isWatched = parseFlag(record.get('watched')) === true
    // A title may be on the watchlist although it was watched.
    const statusFields = isWatched ? ['status', 'watched'] : ['status', 'watchlist', 'watched', 'list']
    this.#status =
      statusFields.map((field) => parseStatus(record.get(field as 'status'))).find(Boolean) ??
      this.#readStatusFromDates()
    this.#rating = this.#readRating()
  }

  convert(): HistoryRow[] {
    const viewings = this.#convertViewings()
    const titleRows = this.#convertState(viewings.length > 0)
    const hasRating = viewings.some((row) => row.rating !== undefined)
    const rows = [
      ...viewings,
      ...titleRows,
      ...(this.#rating === undefined || hasRating ? [] : [this.#createRatedRow(viewings.length > 0)]),
      ...this.#convertFeedback(viewings.length + titleRows.length > 0),
    ]
    // What the user owns is listed only if the record says nothing else. The import reports it as `collection`.
    return rows.length === 0 && this.#isFlagOrDate('owned')
      ? [
          this.#createRow({
            kind: 'listed',
            owned: true,
            at: this.#parseDate(toReadableDate(this.#get('owned'))),
          }),
        ]
      : rows
  }

  /** Columns such as "stopped watching at" contain the date of a state. */
  #readStatusFromDates(): WatchStatus | null {
    if (this.#isFlagOrDate('dropped')) return 'dropped'
    return isDateText(this.#get('watchlistedAt')) && !this.#hasViewingDate() ? 'planned' : null
  }

  #isFlagOrDate(field: 'dropped' | 'owned'): boolean {
    const text = this.#get(field)
    return parseFlag(text) ?? isDateText(text)
  }

  #isEpisode(): boolean {
    const { season, episode, episodeTitle } = this.#title
    return season !== undefined || episode !== undefined || episodeTitle !== undefined
  }

  #convertViewings(): HistoryRow[] {
    const { viewings = [] } = this.#record
    if (viewings.length > 0)
      return viewings.map(({ at, ...fields }) =>
        this.#createRow({ kind: 'watched', ...fields, at: this.#parseDate(at) }),
      )
    if (!this.#isEpisode()) {
      const code = parseEpisodeCode(this.#get('lastEpisode')) ?? parseEpisodeCode(this.#get('watchedAt'))
      if (code) return [this.#createRow({ kind: 'watched', ...code, at: this.#readWatchedAt() })]
      const absoluteEpisode = Number(/^e(\d{1,4})$/i.exec(this.#get('lastEpisode'))?.[1])
      if (absoluteEpisode > 0)
        return [
          this.#createRow({
            kind: 'watched',
            type: 'tv',
            episode: absoluteEpisode,
            isCounted: true,
            at: this.#readWatchedAt(),
          }),
        ]
      const episodeCount = Number(this.#get('episodesWatched')) || 0
      if (this.#title.type === 'tv' && Number.isInteger(episodeCount) && episodeCount > 0)
        return this.#createEpisodeRows(episodeCount)
      // A viewing needs an episode. A series with a state, such as completed, therefore gets no viewing here.
      // `#convertState` creates a row with its state.
      if (this.#title.type === 'tv' && this.#status !== null) return []
    }
    if (this.#isSeasonWithState()) return []
    return this.#isWatched() ? [this.#createViewingRow()] : []
  }

  /**
   * True for a record of a season with a state, as in exports that also have a record of each watched episode. A
   * viewing of the season would be counted beside those of its episodes.
   */
  #isSeasonWithState(): boolean {
    const { season, episode, episodeTitle } = this.#title
    const hasOnlySeason = season !== undefined && episode === undefined && episodeTitle === undefined
    return hasOnlySeason && this.#status !== null && foldFieldName(this.#get('type')) === 'season'
  }

  /**
   * Returns one row per watched episode, counted from 1. Services for anime store only the number of watched episodes.
   * The finish date of a completed series becomes the date of the last episode. The number of rewatches of a completed
   * series counts for each episode.
   */
  #createEpisodeRows(episodeCount: number): HistoryRow[] {
    if (episodeCount > MAX_WATCHED_EPISODES) throw new RecordError('bad_row')
    const isCompleted = this.#status === 'completed'
    const finishedAt = isCompleted ? this.#readWatchedAt() : undefined
    const plays = isCompleted ? this.#readRewatchedPlays() : undefined
    return Array.from({ length: episodeCount }, (_, index) =>
      this.#createRow({
        kind: 'watched',
        episode: index + 1,
        isCounted: true,
        plays,
        at: index + 1 === episodeCount ? finishedAt : undefined,
      }),
    )
  }

  #isWatched(): boolean {
    const get = this.#get
    if (isOtherAction(get('action'))) return false
    if (this.#status) return this.#status === 'completed' || (this.#isEpisode() && this.#hasViewingDate())
    const watchedFlag = parseFlag(get('watched'))
    if (watchedFlag !== null) return watchedFlag
    const playCount = parseDecimal(get('plays'))
    if (!Number.isNaN(playCount)) return playCount > 0
    if (this.#hasViewingDate() || get('percent') !== '' || get('secondsWatched') !== '') return true
    if (parseFlag(get('watchlist')) === true) return false
    if (this.#isSeriesWithoutDate()) return false
    return this.#record.purpose === 'history' || this.#isAssumedViewing()
  }

  /** True for a series in a list of series: only the name of the list shows that something of it was watched. */
  #isSeriesWithoutDate(): boolean {
    return this.#title.type === 'tv' && !this.#isEpisode() && !isDateText(this.#get('date'))
  }

  /** True if a date under a general name is the only sign of a viewing. It may also be the day of something else. */
  #isAssumedViewing(): boolean {
    const get = this.#get
    const isDatedRecord = isDateText(get('date')) && get('ratedAt') === ''
    const hasOtherSign =
      this.#status !== null ||
      this.#hasViewingDate() ||
      ['watched', 'plays', 'percent', 'secondsWatched'].some((field) => get(field as 'watched') !== '')
    return this.#record.purpose === null && isDatedRecord && !hasOtherSign
  }

  /**
   * True if a field contains the date of a viewing, or a word such as "yes" in place of the date. In a column such as
   * "checked", a cell contains a date or `no`.
   */
  #hasViewingDate(): boolean {
    const watchedAt = this.#get('watchedAt')
    return (
      isDateText(watchedAt) ||
      parseFlag(watchedAt) === true ||
      isDateText(toReadableDate(this.#get('watched')))
    )
  }

  #createViewingRow(): HistoryRow {
    const get = this.#get
    const secondsWatched = parseDecimal(get('secondsWatched'))
    const percent = parseDecimal(get('percent').replace(/\s?%$/, ''))
    const hasSeconds = !Number.isNaN(secondsWatched)
    if (hasSeconds && secondsWatched < MIN_VIEWING_SECONDS) throw new RecordError('too_short')
    const isPartial = parseFlag(get('watched')) === null && this.#status === null
    return this.#createRow({
      kind: 'watched',
      at: this.#readWatchedAt(),
      plays: this.#readPlays(),
      isAssumedViewing: this.#isAssumedViewing() || undefined,
      rating: this.#isEpisode() ? undefined : this.#rating,
      note: toNoteText(this.#readNote()),
      progress: isPartial && hasSeconds ? Math.round(secondsWatched) : undefined,
      percent: isPartial && percent >= 0 && percent <= 100 ? percent : undefined,
    })
  }

  #readWatchedAt(): string | undefined {
    const get = this.#get
    const watchedAt = parseEpisodeCode(get('watchedAt')) ? '' : get('watchedAt')
    return this.#parseDate(watchedAt || toReadableDate(get('watched')) || get('date'))
  }

  #readPlays(): number | undefined {
    const playCount = parseDecimal(this.#get('plays'))
    return playCount > 0 ? playCount : this.#readRewatchedPlays()
  }

  #readRewatchedPlays(): number | undefined {
    const rewatchCount = parseDecimal(this.#get('rewatches'))
    return rewatchCount > 0 ? rewatchCount + 1 : undefined
  }

  #readNote(): string {
    return this.#get('note') || (this.#options.isNoteRating ? '' : this.#get('noteOrRating'))
  }

  /**
   * Returns the rows that describe no viewing: the watchlist entry, the entry of a named list, or a dropped title.
   */
  #convertState(isViewed: boolean): HistoryRow[] {
    const listNames = this.#readListNames(isViewed)
    const rows: HistoryRow[] = []
    const status = this.#status ?? this.#deriveStatus(isViewed)
    if (status === 'dropped')
      rows.push(
        this.#createTitleRow({ kind: 'dropped', at: this.#parseDate(toReadableDate(this.#get('dropped'))) }),
      )
    else if (status === 'completed' && this.#isSeasonWithState())
      rows.push(this.#createRow({ kind: 'listed', state: status }))
    else if (status === 'planned' && !isViewed)
      rows.push(this.#createRow({ kind: 'listed', state: 'planned', at: this.#readAddedAt() }))
    else if (
      status === 'watching' ||
      (status === 'completed' && this.#title.type === 'tv' && !this.#isEpisode())
    )
      rows.push(
        this.#createTitleRow({
          kind: 'listed',
          state: status,
          at: status === 'completed' ? this.#readWatchedAt() : this.#parseDate(this.#get('addedAt')),
        }),
      )
    for (const list of listNames)
      rows.push(this.#createRow({ kind: 'listed', list, at: this.#parseDate(this.#readListDate()) }))
    return rows
  }

  #readListNames(isViewed: boolean): readonly string[] {
    const { listName, listNames = [], fileListName, purpose } = this.#record
    const ownListName = listName ?? (parseStatus(this.#get('list')) ? '' : this.#get('list'))
    if (ownListName !== '') return [ownListName, ...listNames]
    const isListFile =
      purpose === null && !isViewed && this.#status === null && isDateText(this.#get('listedAt'))
    return isListFile && fileListName ? [fileListName, ...listNames] : listNames
  }

  #readListDate(): string {
    return this.#get('listedAt') || this.#get('addedAt')
  }

  /** Derives the state of a title from a flag, or from the name of the file. */
  #deriveStatus(isViewed: boolean): WatchStatus | null {
    if (isViewed) return null
    if (parseFlag(this.#get('watchlist')) === true) return 'planned'
    // An entry of a watchlist file counts as planned. If it was watched since, this function has already returned.
    if (this.#record.purpose === 'watchlist' && this.#record.listName === undefined) return 'planned'
    if (
      this.#record.purpose === 'history' &&
      this.#isSeriesWithoutDate() &&
      !isOtherAction(this.#get('action'))
    )
      return parseFlag(this.#get('watched')) === false || this.#get('plays') === '0' ? null : 'watching'
    return this.#record.purpose === 'dropped' ? 'dropped' : null
  }

  #readAddedAt(): string | undefined {
    return this.#parseDate(this.#get('watchlistedAt') || this.#readListDate() || this.#get('date'))
  }

  #createRatedRow(isViewed: boolean): HistoryRow {
    const dateText = this.#get('ratedAt') || (isViewed ? '' : this.#get('date'))
    return this.#createRow({ kind: 'rated', rating: this.#rating, at: this.#parseDate(dateText) })
  }

  #convertFeedback(hasRows: boolean): HistoryRow[] {
    const favouriteFlag = parseFlag(this.#get('favourite'))
    const isFavouriteFile = this.#record.purpose === 'favourites' && !hasRows && this.#rating === undefined
    if (parseFlag(this.#get('disliked')) === true) return [this.#createRow({ kind: 'disliked' })]
    if (favouriteFlag === true) return [this.#createRow({ kind: 'liked' })]
    return isFavouriteFile && favouriteFlag !== false
      ? [this.#createRow({ kind: 'liked', at: this.#readAddedAt() })]
      : []
  }

  #readRating(): number | undefined {
    const { ratingScale, isNoteRating } = this.#options
    const rating = parseRating(this.#get('rating') || (isNoteRating ? this.#get('noteOrRating') : ''))
    if (!rating) return undefined
    const scaledRating = scaleRating(rating, ratingScale)
    if (scaledRating === null) throw new RecordError('bad_row')
    return scaledRating
  }

  #parseDate(dateText: string): string | undefined {
    const date = this.#options.parseDate(toReadableDate(dateText))
    if (date === null) throw new RecordError('bad_date')
    return date
  }

  /** Creates a row of the title, or of the episode if the record names one. */
  #createRow(fields: RowFields): HistoryRow {
    const { hasUnsupportedType: _, ...titleFields } = this.#title
    const runtimeMinutes = parseDecimal(this.#get('runtime'))
    return createHistoryRow({
      source: this.#options.source,
      line: this.#record.line,
      ...titleFields,
      profile: this.#get('profile'),
      runtime: runtimeMinutes > 0 && runtimeMinutes < 2_000 ? Math.round(runtimeMinutes) : undefined,
      ...omitEmptyFields(fields),
      kind: fields.kind,
    })
  }

  /** Creates a row of the whole title, even if the record names an episode. */
  #createTitleRow(fields: RowFields): HistoryRow {
    const {
      season: _season,
      episode: _episode,
      episodeTitle: _title,
      seasonName: _name,
      ...row
    } = this.#createRow(fields)
    return row
  }
}

type RowFields = { [K in keyof HistoryRow]?: HistoryRow[K] | undefined } & Pick<HistoryRow, 'kind'>
