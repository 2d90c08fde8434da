/**
 * Converts the records of files of unknown origin to history rows. `record-meaning.ts` decides what a record says about
 * its title.
 */
import type { DateParser } from './column-dates.ts'
import { parseDecimal } from './csv.ts'
import type { HistoryRecord } from './history-record.ts'
import {
  createHistoryRow,
  type HistoryItem,
  type HistoryRow,
  type HistorySource,
  type RowSkipReason,
} from './history-row.ts'
import { toNoteText } from './note-text.ts'
import { toParsableDate } from './record-dates.ts'
import { RecordMeaning } from './record-meaning.ts'
import { parseRating, scaleRating } from './record-rating.ts'
import {
  type FieldReader,
  omitEmptyFields,
  parseEpisodeCode,
  type RecordTitle,
  readRecordTitle,
} from './record-title.ts'
import { parseFlag } from './record-words.ts'

export interface RecordConversionOptions {
  source: HistorySource
  parseDate: DateParser
  /** Scale of the ratings that do not contain their scale. */
  ratingScale: number
  /**
   * True if the column "note" (field `noteOrRating`) contains ratings and not notes: "note" is also the French word for
   * a rating.
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
export function toHistoryItems(record: HistoryRecord, options: RecordConversionOptions): HistoryItem[] {
  const { line, get } = record
  const title = readRecordTitle(get, record.defaultType)
  const skipReason = findSkipReason(get, title)
  if (skipReason) return [{ line, skip: skipReason, title: title.title }]
  try {
    const rows = new RecordConverter(record, title, options).convert()
    return rows.length > 0 ? rows : [{ line, skip: 'not_watched', title: title.title }]
  } catch (error) {
    if (!(error instanceof SkippedRecordError)) throw error
    return [{ line, skip: error.reason, title: title.title }]
  }
}

class SkippedRecordError extends Error {
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
  return /^"?(?:trailer|promo|preview|bonus)/i.test(get('materialType')) ? 'supplement' : null
}

class RecordConverter {
  readonly #record: HistoryRecord
  readonly #get: FieldReader
  readonly #title: RecordTitle
  readonly #options: RecordConversionOptions
  readonly #meaning: RecordMeaning
  readonly #rating: number | undefined

  constructor(record: HistoryRecord, title: RecordTitle, options: RecordConversionOptions) {
    this.#record = record
    this.#get = record.get
    this.#title = title
    this.#options = options
    this.#meaning = new RecordMeaning(record, title)
    this.#rating = this.#readRating()
  }

  convert(): HistoryRow[] {
    const viewings = this.#convertViewings()
    const titleRows = this.#convertState(viewings.length > 0)
    const hasRatedViewing = viewings.some((row) => row.rating !== undefined)
    const rows = [
      ...viewings,
      ...titleRows,
      ...(this.#rating === undefined || hasRatedViewing ? [] : [this.#createRatedRow(viewings.length > 0)]),
      ...this.#convertFeedback(viewings.length + titleRows.length > 0),
    ]
    // A row for a title that the user owns is created only if the record says nothing else about the title. The import
    // reports such rows as `collection`.
    return rows.length === 0 && this.#meaning.isOwned()
      ? [
          this.#createRow({
            kind: 'listed',
            owned: true,
            at: this.#parseDate(toParsableDate(this.#get('owned'))),
          }),
        ]
      : rows
  }

  #convertViewings(): HistoryRow[] {
    const { viewings = [] } = this.#record
    if (viewings.length > 0)
      return viewings.map(({ at, ...fields }) =>
        this.#createRow({ kind: 'watched', ...fields, at: this.#parseDate(at) }),
      )
    const isEpisode = this.#meaning.isEpisode()
    const episodeRows = isEpisode ? [] : this.#convertWatchedEpisodes()
    if (episodeRows.length > 0) return episodeRows
    // A series with a state, such as completed, gets no viewing here, because a viewing of a series needs an episode.
    // `#convertState` creates a row with the state.
    const isSeriesWithState = this.#title.type === 'tv' && !isEpisode && this.#meaning.status !== null
    if (isSeriesWithState || this.#meaning.isSeasonWithState()) return []
    return this.#meaning.isWatched() ? [this.#createViewingRow()] : []
  }

  /**
   * Returns a viewing of the last watched episode if the record states it, or one viewing per watched episode if the
   * record of a series states the number of watched episodes.
   */
  #convertWatchedEpisodes(): HistoryRow[] {
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
    return this.#title.type === 'tv' && Number.isInteger(episodeCount) && episodeCount > 0
      ? this.#createEpisodeRows(episodeCount)
      : []
  }

  /**
   * Returns one row per watched episode, counted from 1. Services for anime store only the number of watched episodes.
   * The finish date of a completed series becomes the date of the last episode. The number of rewatches of a completed
   * series counts for each episode.
   */
  #createEpisodeRows(episodeCount: number): HistoryRow[] {
    if (episodeCount > MAX_WATCHED_EPISODES) throw new SkippedRecordError('bad_row')
    const isCompleted = this.#meaning.status === 'completed'
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

  #createViewingRow(): HistoryRow {
    const get = this.#get
    const secondsWatched = parseDecimal(get('secondsWatched'))
    const percent = parseDecimal(get('percent').replace(/\s?%$/, ''))
    const hasSecondsWatched = !Number.isNaN(secondsWatched)
    if (hasSecondsWatched && secondsWatched < MIN_VIEWING_SECONDS) throw new SkippedRecordError('too_short')
    const mayBePartlyWatched = parseFlag(get('watched')) === null && this.#meaning.status === null
    return this.#createRow({
      kind: 'watched',
      at: this.#readWatchedAt(),
      plays: this.#readPlays(),
      isAssumedViewing: this.#meaning.isAssumedViewing() || undefined,
      rating: this.#meaning.isEpisode() ? undefined : this.#rating,
      note: toNoteText(this.#readNote()),
      progress: mayBePartlyWatched && hasSecondsWatched ? Math.round(secondsWatched) : undefined,
      percent: mayBePartlyWatched && percent >= 0 && percent <= 100 ? percent : undefined,
    })
  }

  #readWatchedAt(): string | undefined {
    const get = this.#get
    const watchedAt = parseEpisodeCode(get('watchedAt')) ? '' : get('watchedAt')
    return this.#parseDate(watchedAt || toParsableDate(get('watched')) || get('date'))
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
   * Returns the rows that describe no viewing: a row with the state of the title, such as planned or dropped, and a row
   * for each named list that contains the title.
   */
  #convertState(hasViewing: boolean): HistoryRow[] {
    const listNames = this.#meaning.findListNames(hasViewing)
    const rows: HistoryRow[] = []
    const status = this.#meaning.findStatus(hasViewing)
    if (status === 'dropped')
      rows.push(
        this.#createTitleRow({ kind: 'dropped', at: this.#parseDate(toParsableDate(this.#get('dropped'))) }),
      )
    else if (status === 'completed' && this.#meaning.isSeasonWithState())
      rows.push(this.#createRow({ kind: 'listed', state: status }))
    else if (status === 'planned' && !hasViewing)
      rows.push(this.#createRow({ kind: 'listed', state: 'planned', at: this.#readAddedAt() }))
    else if (
      status === 'watching' ||
      (status === 'completed' && this.#title.type === 'tv' && !this.#meaning.isEpisode())
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

  #readListDate(): string {
    return this.#get('listedAt') || this.#get('addedAt')
  }

  #readAddedAt(): string | undefined {
    return this.#parseDate(this.#get('watchlistedAt') || this.#readListDate() || this.#get('date'))
  }

  #createRatedRow(hasViewing: boolean): HistoryRow {
    const dateText = this.#get('ratedAt') || (hasViewing ? '' : this.#get('date'))
    return this.#createRow({ kind: 'rated', rating: this.#rating, at: this.#parseDate(dateText) })
  }

  #convertFeedback(hasOtherRows: boolean): HistoryRow[] {
    const favouriteFlag = parseFlag(this.#get('favourite'))
    const isFavouriteFile =
      this.#record.purpose === 'favourites' && !hasOtherRows && this.#rating === undefined
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
    if (scaledRating === null) throw new SkippedRecordError('bad_row')
    return scaledRating
  }

  #parseDate(dateText: string): string | undefined {
    const date = this.#options.parseDate(toParsableDate(dateText))
    if (date === null) throw new SkippedRecordError('bad_date')
    return date
  }

  /** Creates a row of the title, or of the episode if the record names one. */
  #createRow(fields: HistoryRowFields): HistoryRow {
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
  #createTitleRow(fields: HistoryRowFields): HistoryRow {
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

type HistoryRowFields = { [K in keyof HistoryRow]?: HistoryRow[K] | undefined } & Pick<HistoryRow, 'kind'>
