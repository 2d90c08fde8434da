/**
 * Posting lists: the rows of each value of a column. A filter on a rare value then examines only the rows of that
 * value. The lists are built together with the sort orders; browse-index.ts tracks rows that are written later.
 */

import { processInChunks } from './chunks.ts'
import type { BrowseColumns } from './columns.ts'
import type { BrowseFilters } from './types.ts'

const MAX_VOTE_CLASS = 255

/** Calls `add` with each value that a row has in a column. */
type VisitValues = (row: number, add: (value: number) => void) => void

class ColumnPostings {
  readonly #starts: Uint32Array
  readonly #rows: Uint32Array

  private constructor(starts: Uint32Array, rows: Uint32Array) {
    this.#starts = starts
    this.#rows = rows
  }

  /**
   * Builds the lists by counting sort from `rowCount` rows with values from 0 to `maxValue`. The values must not change
   * during the build.
   */
  static async build(
    rowCount: number,
    maxValue: number,
    { visitValues, pause }: { visitValues: VisitValues; pause: () => Promise<void> },
  ): Promise<ColumnPostings> {
    const starts = new Uint32Array(maxValue + 2)
    const visitRows = (visit: (row: number, value: number) => void) =>
      processInChunks(rowCount, pause, (startRow, endRow) => {
        for (let row = startRow; row < endRow; row++) visitValues(row, (value) => visit(row, value))
      })
    await visitRows((_, value) => {
      starts[value + 1] = (starts[value + 1] as number) + 1
    })
    for (let value = 0; value <= maxValue; value++)
      starts[value + 1] = (starts[value + 1] as number) + (starts[value] as number)
    const rows = new Uint32Array(starts[maxValue + 1] as number)
    const nextPositions = starts.slice()
    await visitRows((row, value) => {
      rows[nextPositions[value] as number] = row
      nextPositions[value] = (nextPositions[value] as number) + 1
    })
    return new ColumnPostings(starts, rows)
  }

  getRows(value: number): Uint32Array {
    return this.#rows.subarray(this.#starts[value] ?? 0, this.#starts[value + 1] ?? 0)
  }

  /** Returns the rows with at least the value `minimum`. */
  getRowsAtLeast(minimum: number): Uint32Array {
    return this.#rows.subarray(this.#starts[Math.max(0, Math.ceil(minimum))] ?? this.#rows.length)
  }
}

export type BrowsePostings = Readonly<
  Record<'years' | 'languages' | 'ageRatings' | 'ratings' | 'votes' | 'genres', ColumnPostings>
>

/**
 * Returns the class of a number of votes: eight times the binary logarithm of 1 + votes, rounded down, at most 255.
 * Each class has one posting list.
 */
const getVoteClass = (votes: number) => Math.min(MAX_VOTE_CLASS, Math.floor(8 * Math.log2(1 + votes)))

export async function buildBrowsePostings(
  columns: BrowseColumns,
  pause: () => Promise<void>,
): Promise<BrowsePostings> {
  const { rowCount } = columns
  const buildColumnPostings = (column: Uint8Array | Uint16Array, maxValue: number) => {
    const snapshot = column.slice(0, rowCount)
    return ColumnPostings.build(rowCount, maxValue, {
      visitValues: (row, add) => add(snapshot[row] as number),
      pause,
    })
  }
  const votes = columns.voteCounts.slice(0, rowCount)
  const genres = columns.genres.slice(0, rowCount)
  return {
    years: await buildColumnPostings(columns.years, 65_535),
    languages: await buildColumnPostings(columns.languages, 65_535),
    ageRatings: await buildColumnPostings(columns.ageRatings, 65_535),
    ratings: await buildColumnPostings(columns.ratingTenths, 255),
    votes: await ColumnPostings.build(rowCount, MAX_VOTE_CLASS, {
      visitValues: (row, add) => add(getVoteClass(votes[row] as number)),
      pause,
    }),
    genres: await ColumnPostings.build(rowCount, 31, {
      visitValues: (row, add) => {
        for (let mask = genres[row] as number; mask !== 0; mask &= mask - 1)
          add(31 - Math.clz32(mask & -mask))
      },
      pause,
    }),
  }
}

/**
 * Returns the posting lists of the filter that leaves the fewest rows, among the filters on columns with postings. A
 * row can be in several of these lists. Returns null when no such filter excludes more than half of the rows.
 */
export function findNarrowestPostings(
  columns: BrowseColumns,
  filters: BrowseFilters,
  postings: BrowsePostings,
): readonly Uint32Array[] | null {
  const candidates: Uint32Array[][] = []
  const addCandidate = (
    values: readonly string[],
    codes: BrowseColumns['languageCodes'],
    columnPostings: ColumnPostings,
  ) => candidates.push(values.flatMap((value) => columnPostings.getRows(codes.findCode(value) ?? -1)))
  const { years, languages, rated, include, mode } = filters
  if (years?.length) candidates.push(years.map((year) => postings.years.getRows(year)))
  if (filters.startYear !== undefined) candidates.push([postings.years.getRowsAtLeast(filters.startYear)])
  if (languages?.length) addCandidate(languages, columns.languageCodes, postings.languages)
  if (rated?.length) addCandidate(rated, columns.ageRatingCodes, postings.ageRatings)
  if (filters.rating !== undefined)
    candidates.push([postings.ratings.getRowsAtLeast(toMinRatingTenths(filters.rating))])
  if (filters.votes !== undefined)
    candidates.push([postings.votes.getRowsAtLeast(getVoteClass(filters.votes))])
  if (include?.length) {
    const genreLists = include.map((id) => [
      postings.genres.getRows(columns.genreCodes.findCode(String(id)) ?? -1),
    ])
    candidates.push(...(mode === 'all' ? genreLists : [genreLists.flat()]))
  }
  const countRows = (lists: readonly Uint32Array[]) => lists.reduce((sum, list) => sum + list.length, 0)
  let narrowestLists: Uint32Array[] | null = null
  let narrowestRowCount = columns.rowCount / 2
  for (const candidate of candidates) {
    if (countRows(candidate) >= narrowestRowCount) continue
    narrowestRowCount = countRows(candidate)
    narrowestLists = candidate
  }
  return narrowestLists
}

/** Converts a minimum rating to tenths, the unit of the rating column. Rounds up. */
export const toMinRatingTenths = (rating: number): number => Math.ceil(rating * 10 - 1e-9)
