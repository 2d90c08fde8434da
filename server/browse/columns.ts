/**
 * Column store of the titles of one type. Each property is an array with one value per row, so that a filter is one
 * pass over one array. Each title has one row of about 60 bytes. The row of a deleted title stays, and its flags become
 * 0.
 */
import { growArray } from '../core/grow-array.ts'
import type { RowSet } from './row-set.ts'
import type { BrowseTitle } from './types.ts'

/** Bits of `BrowseColumns.flags`. */
export const PUBLISHED_FLAG = 1
export const BLOCKED_FLAG = 2
export const SAFE_FOR_KIDS_FLAG = 4
export const HIGH_QUALITY_FLAG = 8
export const ROW_PRESENT_FLAG = 16
export const AVAILABLE_FLAG = 32

/** Maps strings to numeric codes in order of first use. Code 0 stands for a missing value. */
class ValueCodes {
  readonly #codes = new Map<string, number>()
  /**
   * Returns the code of a value, and assigns a code to a new value.
   * @throws RangeError when there are more values than a column can hold (65,535).
   */
  getOrAssignCode(value: string | null): number {
    if (value === null || value === '') return 0
    const existingCode = this.#codes.get(value)
    if (existingCode) return existingCode
    const code = this.#codes.size + 1
    if (code > 65_535) throw new RangeError(`too many different values: ${value}`)
    this.#codes.set(value, code)
    return code
  }
  /** Returns the code of a value, or undefined when the value has no code. */
  findCode(value: string): number | undefined {
    return this.#codes.get(value)
  }
}

/** Returns a date as a number: 20261121 for 2026-11-21. Returns 0 for a missing date. */
export const toDateNumber = (date: string | null): number =>
  date ? Number(date.slice(0, 4)) * 10_000 + Number(date.slice(5, 7)) * 100 + Number(date.slice(8, 10)) : 0

export class BrowseColumns {
  rowCount = 0
  ids = new Uint32Array(1024)
  flags = new Uint8Array(1024)
  years = new Uint16Array(1024)
  releaseDays = new Uint32Array(1024)
  newestSeasonDays = new Uint32Array(1024)
  languages = new Uint16Array(1024)
  ageRatings = new Uint16Array(1024)
  /** Ratings in tenths of a point. */
  ratingTenths = new Uint8Array(1024)
  voteCounts = new Uint32Array(1024)
  scores = new Float64Array(1024)
  popularity = new Float64Array(1024)
  /** Position in title order. The positions of new titles are fractions until the orders are rebuilt. */
  titleRanks = new Float64Array(1024)
  /** `genres` and `networks` contain masks with one bit per code (`createValuesMask`). */
  genres = new Uint32Array(1024)
  networks = new Uint32Array(1024)
  guides = new Uint16Array(1024)
  /** Runtime in minutes, rounded up; 0 when unknown. For a series, the runtime of its episodes. */
  runtimeMinutes = new Uint16Array(1024)
  readonly languageCodes = new ValueCodes()
  readonly ageRatingCodes = new ValueCodes()
  readonly genreCodes = new ValueCodes()
  readonly networkCodes = new ValueCodes()
  /** For each title id, the row of the title plus 1; 0 when the title has no row. */
  #rowByTitleId = new Uint32Array(1024)
  #scratch = new Uint32Array(1024)

  /**
   * Assigns the first codes to the values that lists filter by, because only codes up to 31 have a bit in the masks
   * `genres` and `networks`.
   */
  constructor({ genres, networks }: { genres: readonly number[]; networks: readonly string[] }) {
    for (const id of genres) this.genreCodes.getOrAssignCode(String(id))
    for (const name of networks) this.networkCodes.getOrAssignCode(name)
  }

  findRow(titleId: number): number | undefined {
    const rowPlusOne = this.#rowByTitleId[titleId]
    return rowPlusOne ? rowPlusOne - 1 : undefined
  }

  /**
   * True when `rows` contains the row of the title. Must be fast, because a search calls this method for thousands of
   * titles.
   */
  isTitleInRows(titleId: number, rows: RowSet): boolean {
    const rowPlusOne = this.#rowByTitleId[titleId]
    return rowPlusOne !== undefined && rowPlusOne !== 0 && rows.has(rowPlusOne - 1)
  }

  /** Returns scratch memory for `rowCount` rows. All calls share the memory, so it is valid until the next call. */
  getScratchRows(rowCount: number): Uint32Array {
    if (rowCount > this.#scratch.length)
      this.#scratch = new Uint32Array(Math.max(rowCount, this.ids.length + 1))
    return this.#scratch
  }

  /** Writes a title into its row, or into a new row at the end. Returns the row. */
  writeTitle(title: BrowseTitle): number {
    const row = this.findRow(title.title_id) ?? this.#append(title.title_id)
    this.flags[row] =
      ROW_PRESENT_FLAG |
      (title.published ? PUBLISHED_FLAG : 0) |
      (title.blocked ? BLOCKED_FLAG : 0) |
      (title.safe_for_kids ? SAFE_FOR_KIDS_FLAG : 0) |
      (title.high_quality ? HIGH_QUALITY_FLAG : 0) |
      (title.available ? AVAILABLE_FLAG : 0)
    this.years[row] = title.year ?? 0
    this.releaseDays[row] = toDateNumber(title.release_date)
    this.newestSeasonDays[row] = toDateNumber(title.newest_season)
    this.languages[row] = this.languageCodes.getOrAssignCode(title.language)
    this.ageRatings[row] = this.ageRatingCodes.getOrAssignCode(title.rated)
    this.ratingTenths[row] = Math.round(title.rating * 10)
    this.voteCounts[row] = title.votes
    this.scores[row] = title.score
    this.popularity[row] = title.popularity
    this.genres[row] = createValuesMask(title.genres.map(String), this.genreCodes)
    this.networks[row] = createValuesMask(title.networks, this.networkCodes)
    this.guides[row] = title.guide_levels
    this.runtimeMinutes[row] = Math.min(65_535, Math.ceil((title.runtime ?? 0) / 60))
    return row
  }

  removeTitle(titleId: number): void {
    const row = this.findRow(titleId)
    if (row !== undefined) this.flags[row] = 0
  }

  #append(titleId: number): number {
    const row = this.rowCount
    if (row === this.ids.length) this.#grow()
    if (titleId >= this.#rowByTitleId.length) this.#rowByTitleId = growArray(this.#rowByTitleId, titleId + 1)
    this.ids[row] = titleId
    this.#rowByTitleId[titleId] = row + 1
    this.rowCount += 1
    return row
  }

  #grow(): void {
    const capacity = this.rowCount + 1
    this.ids = growArray(this.ids, capacity)
    this.flags = growArray(this.flags, capacity)
    this.years = growArray(this.years, capacity)
    this.releaseDays = growArray(this.releaseDays, capacity)
    this.newestSeasonDays = growArray(this.newestSeasonDays, capacity)
    this.languages = growArray(this.languages, capacity)
    this.ageRatings = growArray(this.ageRatings, capacity)
    this.ratingTenths = growArray(this.ratingTenths, capacity)
    this.voteCounts = growArray(this.voteCounts, capacity)
    this.scores = growArray(this.scores, capacity)
    this.popularity = growArray(this.popularity, capacity)
    this.titleRanks = growArray(this.titleRanks, capacity)
    this.genres = growArray(this.genres, capacity)
    this.networks = growArray(this.networks, capacity)
    this.guides = growArray(this.guides, capacity)
    this.runtimeMinutes = growArray(this.runtimeMinutes, capacity)
  }
}

/**
 * Returns a mask with one bit per value, and assigns codes to new values. The values that lists filter by (at most 15
 * genres and 9 networks) have the first codes. Codes above 31 have no bit.
 */
export function createValuesMask(values: readonly string[], codes: ValueCodes): number {
  let valuesMask = 0
  for (const value of values) {
    const code = codes.getOrAssignCode(value)
    if (code <= 31) valuesMask |= 1 << code
  }
  return valuesMask >>> 0
}

/** Returns the mask of filter values. A value without a code, or with a code above 31, sets no bit. */
export function createFilterMask(values: readonly string[], codes: ValueCodes): number {
  let filterMask = 0
  for (const value of values) {
    const code = codes.findCode(value)
    if (code !== undefined && code <= 31) filterMask |= 1 << code
  }
  return filterMask >>> 0
}
