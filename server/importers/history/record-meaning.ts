/**
 * What a record of a file of unknown origin says about its title: its state, whether it was watched, and the lists that
 * contain it. The signs have this priority, and the first sign in a record decides: an action that is no viewing, such
 * as "rated"; state; "watched" flag; number of viewings; viewing date or position; "watchlist" flag; name of the file;
 * date in a column with a general name such as "date". A record without any of these signs is not a viewing
 * (docs/importing-history.md).
 */
import { parseDecimal } from './csv.ts'
import type { HistoryRecord } from './history-record.ts'
import { isDateText, toParsableDate } from './record-dates.ts'
import { foldFieldName } from './record-fields.ts'
import type { FieldReader, RecordTitle } from './record-title.ts'
import { isNonViewingAction, parseFlag, parseStatus, type WatchStatus } from './record-words.ts'

export class RecordMeaning {
  readonly #record: HistoryRecord
  readonly #get: FieldReader
  readonly #title: RecordTitle
  /**
   * State that the fields of the record show; null if they show none. `findStatus` also reads the flag "watchlist" and
   * the name of the file.
   */
  readonly status: WatchStatus | null

  constructor(record: HistoryRecord, title: RecordTitle) {
    this.#record = record
    this.#get = record.get
    this.#title = title
    const isWatched = parseFlag(record.get('watched')) === true
    // A watched title may still be on the watchlist, so the columns of lists do not show its state.
    const statusFields = isWatched ? ['status', 'watched'] : ['status', 'watchlist', 'watched', 'list']
    this.status =
      statusFields.map((field) => parseStatus(record.get(field as 'status'))).find(Boolean) ??
      this.#readStatusFromDates()
  }

  /**
   * Returns `dropped` if a column such as "stopped watching at" contains a date or a word such as "yes". Returns
   * `planned` if the record has the date of a watchlist entry and no sign of a viewing. Otherwise returns null.
   */
  #readStatusFromDates(): WatchStatus | null {
    if (this.#isFlagOrDate('dropped')) return 'dropped'
    return isDateText(this.#get('watchlistedAt')) && !this.#hasViewingDateOrFlag() ? 'planned' : null
  }

  #isFlagOrDate(field: 'dropped' | 'owned'): boolean {
    const text = this.#get(field)
    return parseFlag(text) ?? isDateText(text)
  }

  isEpisode(): boolean {
    const { season, episode, episodeTitle } = this.#title
    return season !== undefined || episode !== undefined || episodeTitle !== undefined
  }

  /**
   * True for a record of a season with a state. Such a record is no viewing: exports with these records also have a
   * record of each watched episode, so the episodes would be counted twice.
   */
  isSeasonWithState(): boolean {
    const { season, episode, episodeTitle } = this.#title
    const hasOnlySeason = season !== undefined && episode === undefined && episodeTitle === undefined
    return hasOnlySeason && this.status !== null && foldFieldName(this.#get('type')) === 'season'
  }

  isWatched(): boolean {
    const get = this.#get
    if (isNonViewingAction(get('action'))) return false
    if (this.status) return this.status === 'completed' || (this.isEpisode() && this.#hasViewingDateOrFlag())
    const watchedFlag = parseFlag(get('watched'))
    if (watchedFlag !== null) return watchedFlag
    const playCount = parseDecimal(get('plays'))
    if (!Number.isNaN(playCount)) return playCount > 0
    if (this.#hasViewingDateOrFlag() || get('percent') !== '' || get('secondsWatched') !== '') return true
    if (parseFlag(get('watchlist')) === true) return false
    if (this.#isSeriesWithoutDate()) return false
    return this.#record.purpose === 'history' || this.isAssumedViewing()
  }

  /**
   * True for a series without an episode and without a date. Only the name of the file can then show that something of
   * the series was watched.
   */
  #isSeriesWithoutDate(): boolean {
    return this.#title.type === 'tv' && !this.isEpisode() && !isDateText(this.#get('date'))
  }

  /**
   * True if a date in a field with a general name, such as "date", is the only sign of a viewing. The date may also
   * mean something else.
   */
  isAssumedViewing(): boolean {
    const get = this.#get
    const isDatedRecord = isDateText(get('date')) && get('ratedAt') === ''
    const hasOtherViewingSign =
      this.status !== null ||
      this.#hasViewingDateOrFlag() ||
      ['watched', 'plays', 'percent', 'secondsWatched'].some((field) => get(field as 'watched') !== '')
    return this.#record.purpose === null && isDatedRecord && !hasOtherViewingSign
  }

  /**
   * True if `watchedAt` contains a date or a word such as "yes", or if `watched` contains a date. Some exports have a
   * date in the column of `watched` for a viewed title, and `no` for any other title.
   */
  #hasViewingDateOrFlag(): boolean {
    const watchedAt = this.#get('watchedAt')
    return (
      isDateText(watchedAt) ||
      parseFlag(watchedAt) === true ||
      isDateText(toParsableDate(this.#get('watched')))
    )
  }

  /**
   * Returns the names of the lists that contain the title. `hasViewing` is true if the record contains a viewing. The
   * dates of such a record are not the dates of list entries.
   */
  findListNames(hasViewing: boolean): readonly string[] {
    const { listName, listNames = [], fileListName, purpose } = this.#record
    const ownListName = listName ?? (parseStatus(this.#get('list')) ? '' : this.#get('list'))
    if (ownListName !== '') return [ownListName, ...listNames]
    const isListFile =
      purpose === null && !hasViewing && this.status === null && isDateText(this.#get('listedAt'))
    return isListFile && fileListName ? [fileListName, ...listNames] : listNames
  }

  /**
   * Derives the watch status of a record without a viewing: from its watchlist flag, or from the purpose of its file or
   * JSON array. A series in a history counts as started, unless the field `watched` or `plays` says otherwise.
   */
  #deriveStatus(): WatchStatus | null {
    if (parseFlag(this.#get('watchlist')) === true) return 'planned'
    if (this.#record.purpose === 'watchlist' && this.#record.listName === undefined) return 'planned'
    if (
      this.#record.purpose === 'history' &&
      this.#isSeriesWithoutDate() &&
      !isNonViewingAction(this.#get('action'))
    )
      return parseFlag(this.#get('watched')) === false || this.#get('plays') === '0' ? null : 'watching'
    return this.#record.purpose === 'dropped' ? 'dropped' : null
  }

  /** Returns the state of the title. `hasViewing` is true if the record contains a viewing. */
  findStatus(hasViewing: boolean): WatchStatus | null {
    return this.status ?? (hasViewing ? null : this.#deriveStatus())
  }

  isOwned(): boolean {
    return this.#isFlagOrDate('owned')
  }
}
