/**
 * Finds the rows that match filters. Starts with the rows of the narrowest filter, or with all rows. Then applies the
 * filters to the remaining rows in a fixed order; filters that exclude many rows come first.
 */

import { createGuideTable } from './audience-rows.ts'
import {
  AVAILABLE_FLAG,
  BLOCKED_FLAG,
  type BrowseColumns,
  createFilterMask,
  HIGH_QUALITY_FLAG,
  PUBLISHED_FLAG,
  ROW_PRESENT_FLAG,
  SAFE_FOR_KIDS_FLAG,
  toDateNumber,
} from './columns.ts'
import { type BrowsePostings, findNarrowestPostings, toMinRatingTenths } from './postings.ts'
import { RowSet } from './row-set.ts'
import type { BrowseAudience, BrowseFilters, BrowseRequest } from './types.ts'

type NumberColumn = Uint8Array | Uint16Array | Uint32Array
type CodeLookup = Pick<BrowseColumns['languageCodes'], 'findCode'>

/** The postings, and the rows that were written since the postings were built. */
export interface PostingsState {
  postings: BrowsePostings
  writtenRows: Uint32Array
}

export interface MatchOptions {
  /** Column of the date by which the order sorts. Titles without this date do not match. Null for other orders. */
  dateColumn: NumberColumn | null
  /** Which date `dateColumn` contains. */
  dateOrder?: 'release_date' | 'newest_season'
  postingsState: PostingsState | null
  /** The rows that the audience may see; null when the audience has no limits or only the kids rule. */
  audienceRows: RowSet | null
}

/** Returns the rows that match the audience and the filters. */
export function matchRows(
  columns: BrowseColumns,
  { audience, filters }: Pick<BrowseRequest, 'audience' | 'filters'>,
  { dateColumn, postingsState, audienceRows }: MatchOptions,
): RowSet {
  const postingLists = postingsState && findNarrowestPostings(columns, filters, postingsState.postings)
  const remainingRows = new RemainingRows(
    columns,
    postingLists && [...postingLists, postingsState.writtenRows],
  )
  const { networks, languages, rated, years } = filters
  if (years?.length) remainingRows.keepRowsWithCodes(columns.years, new Set(years))
  if (networks?.length)
    remainingRows.keepRowsWithBits(columns.networks, createFilterMask(networks, columns.networkCodes))
  if (languages?.length)
    remainingRows.keepRowsWithCodes(columns.languages, findCodes(languages, columns.languageCodes))
  if (rated?.length)
    remainingRows.keepRowsWithCodes(columns.ageRatings, findCodes(rated, columns.ageRatingCodes))
  if (filters.votes !== undefined) remainingRows.keepAtLeast(columns.voteCounts, filters.votes)
  filterByGenres(remainingRows, columns, filters)
  if (filters.rating !== undefined)
    remainingRows.keepAtLeast(columns.ratingTenths, toMinRatingTenths(filters.rating))
  if (filters.startYear !== undefined) remainingRows.keepAtLeast(columns.years, filters.startYear)
  if (filters.startDate !== undefined)
    remainingRows.keepAtLeast(columns.releaseDays, toDateNumber(filters.startDate))
  if (filters.endDate !== undefined) {
    remainingRows.keepAtLeast(columns.releaseDays, 1)
    remainingRows.keepAtMost(columns.releaseDays, toDateNumber(filters.endDate))
  }
  if (dateColumn) remainingRows.keepAtLeast(dateColumn, 1)
  filterByFlags(remainingRows, columns, audience, filters)
  if (filters.maxRuntimeMinutes !== undefined)
    remainingRows.keepListedValues(columns.runtimeMinutes, createRuntimeTable(filters.maxRuntimeMinutes))
  if (filters.guide) remainingRows.keepListedValues(columns.guides, createGuideTable(filters.guide, false))
  if (audienceRows) remainingRows.keepRows(audienceRows)
  return remainingRows.toRowSet()
}

/**
 * The rows that remain after the filters applied so far. A row occurs once for each posting list that contains it.
 * Each filter has a loop of its own: a shared loop would call a function for each of up to a million rows.
 */
class RemainingRows {
  readonly #totalRowCount: number
  readonly #rows: Uint32Array
  /**
   * False while there are no posting lists and no filter was applied. `#rows` is not filled then, because all rows
   * remain.
   */
  #isListed = false
  #count: number

  constructor(columns: BrowseColumns, postingLists: readonly Uint32Array[] | null) {
    this.#totalRowCount = columns.rowCount
    this.#count = columns.rowCount
    const postingCount = postingLists?.reduce((sum, postingList) => sum + postingList.length, 0) ?? 0
    this.#rows = columns.getScratchRows(Math.max(columns.rowCount, postingCount) + 1)
    if (!postingLists) return
    this.#isListed = true
    this.#count = 0
    for (const postingList of postingLists) {
      this.#rows.set(postingList, this.#count)
      this.#count += postingList.length
    }
  }

  /** Keeps rows whose value is at least `minimum`. Unset values are 0 and therefore never match a positive minimum. */
  keepAtLeast(column: NumberColumn, minimum: number): void {
    this.#runFilter((source, target) => {
      let keptCount = 0
      for (let index = 0; index < this.#count; index++) {
        const row = source ? (source[index] as number) : index
        target[keptCount] = row
        keptCount += (column[row] as number) >= minimum ? 1 : 0
      }
      return keptCount
    })
  }

  keepAtMost(column: NumberColumn, maximum: number): void {
    this.#runFilter((source, target) => {
      let keptCount = 0
      for (let index = 0; index < this.#count; index++) {
        const row = source ? (source[index] as number) : index
        target[keptCount] = row
        keptCount += (column[row] as number) <= maximum ? 1 : 0
      }
      return keptCount
    })
  }

  keepRowsWithCodes(column: Uint16Array, codes: Set<number>): void {
    const isKeptByCode = new Uint8Array(65_536)
    for (const code of codes) if (code > 0 && code < 65_536) isKeptByCode[code] = 1
    this.keepListedValues(column, isKeptByCode)
  }

  /** Keeps the rows whose value has a 1 in `isKeptByValue`, which has one entry per possible value. */
  keepListedValues(column: Uint16Array, isKeptByValue: Uint8Array): void {
    this.#runFilter((source, target) => {
      let keptCount = 0
      for (let index = 0; index < this.#count; index++) {
        const row = source ? (source[index] as number) : index
        target[keptCount] = row
        keptCount += isKeptByValue[column[row] as number] as number
      }
      return keptCount
    })
  }

  /** Keeps the rows that have a bit of the mask or, with `isInverted`, the rows that have no bit of the mask. */
  keepRowsWithBits(column: Uint32Array, mask: number, isInverted = false): void {
    const keptWithoutBits = isInverted ? 1 : 0
    this.#runFilter((source, target) => {
      let keptCount = 0
      for (let index = 0; index < this.#count; index++) {
        const row = source ? (source[index] as number) : index
        target[keptCount] = row
        keptCount += ((column[row] as number) & mask) === 0 ? keptWithoutBits : 1 - keptWithoutBits
      }
      return keptCount
    })
  }

  keepRowsWithFlags(flags: Uint8Array, mask: number, requiredFlags: number): void {
    this.#runFilter((source, target) => {
      let keptCount = 0
      for (let index = 0; index < this.#count; index++) {
        const row = source ? (source[index] as number) : index
        target[keptCount] = row
        keptCount += ((flags[row] as number) & mask) === requiredFlags ? 1 : 0
      }
      return keptCount
    })
  }

  keepRows(rows: RowSet): void {
    this.#runFilter((source, target) => {
      let keptCount = 0
      for (let index = 0; index < this.#count; index++) {
        const row = source ? (source[index] as number) : index
        target[keptCount] = row
        keptCount += rows.has(row) ? 1 : 0
      }
      return keptCount
    })
  }

  toRowSet(): RowSet {
    const rowSet = new RowSet(this.#totalRowCount)
    if (this.#isListed) rowSet.addAll(this.#rows, this.#count)
    else for (let row = 0; row < this.#count; row++) rowSet.add(row)
    return rowSet
  }

  /**
   * Runs a filter. The filter writes each row before it knows whether the row matches. The next row overwrites a row
   * that does not match. So the loop has no unpredictable branches.
   */
  #runFilter(filterRows: (source: Uint32Array | null, target: Uint32Array) => number): void {
    this.#count = filterRows(this.#isListed ? this.#rows : null, this.#rows)
    this.#isListed = true
  }
}

function filterByFlags(
  remainingRows: RemainingRows,
  { flags }: BrowseColumns,
  audience: BrowseAudience | null,
  { safeForKids, published, highQuality, available }: BrowseFilters,
): void {
  let flagsMask = ROW_PRESENT_FLAG
  let requiredFlags = ROW_PRESENT_FLAG
  const filterByFlag = (flag: number, isSet: boolean) => {
    flagsMask |= flag
    if (isSet) requiredFlags |= flag
  }
  if (audience) {
    filterByFlag(PUBLISHED_FLAG, true)
    filterByFlag(BLOCKED_FLAG, false)
  } else if (published !== undefined) filterByFlag(PUBLISHED_FLAG, published)
  if (safeForKids || audience?.rules.some((rule) => rule.kids && rule.allowedIds.length === 0))
    filterByFlag(SAFE_FOR_KIDS_FLAG, true)
  if (highQuality !== undefined) filterByFlag(HIGH_QUALITY_FLAG, highQuality)
  if (available !== undefined) filterByFlag(AVAILABLE_FLAG, available)
  remainingRows.keepRowsWithFlags(flags, flagsMask, requiredFlags)
}

function filterByGenres(
  remainingRows: RemainingRows,
  columns: BrowseColumns,
  { include: includedGenres, exclude: excludedGenres, mode: genreMode }: BrowseFilters,
): void {
  const createGenreMask = (ids: number[]) => createFilterMask(ids.map(String), columns.genreCodes)
  if (includedGenres?.length) {
    if (genreMode === 'all')
      for (const id of includedGenres) remainingRows.keepRowsWithBits(columns.genres, createGenreMask([id]))
    else remainingRows.keepRowsWithBits(columns.genres, createGenreMask(includedGenres))
  }
  if (excludedGenres?.length)
    remainingRows.keepRowsWithBits(columns.genres, createGenreMask(excludedGenres), true)
}

function findCodes(values: string[], codes: CodeLookup): Set<number> {
  return new Set(values.flatMap((value) => codes.findCode(value) ?? []))
}

function createRuntimeTable(maxMinutes: number): Uint8Array {
  return new Uint8Array(65_536).fill(1, 1, maxMinutes + 1)
}
