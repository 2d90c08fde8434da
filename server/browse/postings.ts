/**
 * Rows by the value of a column, so that a filter on a value which few titles have looks at those alone. Made when an index
 * is settled; rows written since are looked at beside (browse-index.ts knows them).
 */
import type { Columns } from './columns.ts'
import { strides } from './strides.ts'
import type { BrowseFilters } from './types.ts'

const VOTE_STEPS = 255

/** What a row has of a column, each value by itself. */
type ValuesOf = (row: number, tell: (value: number) => void) => void

class Posting {
  readonly #starts: Uint32Array
  readonly #rows: Uint32Array

  private constructor(starts: Uint32Array, rows: Uint32Array) {
    this.#starts = starts
    this.#rows = rows
  }

  /** A counting sort: `count` rows of values from 0 to `most`. The values must not change meanwhile. */
  static async of(
    count: number,
    most: number,
    { values, pause }: { values: ValuesOf; pause: () => Promise<void> },
  ): Promise<Posting> {
    const starts = new Uint32Array(most + 2)
    const everyRow = (tell: (row: number, value: number) => void) =>
      strides(count, pause, (from, to) => {
        for (let row = from; row < to; row++) values(row, (value) => tell(row, value))
      })
    await everyRow((_, value) => {
      starts[value + 1] = (starts[value + 1] as number) + 1
    })
    for (let value = 0; value <= most; value++)
      starts[value + 1] = (starts[value + 1] as number) + (starts[value] as number)
    const rows = new Uint32Array(starts[most + 1] as number)
    const next = starts.slice()
    await everyRow((row, value) => {
      rows[next[value] as number] = row
      next[value] = (next[value] as number) + 1
    })
    return new Posting(starts, rows)
  }

  of(value: number): Uint32Array {
    return this.#rows.subarray(this.#starts[value] ?? 0, this.#starts[value + 1] ?? 0)
  }

  /** Rows with this value or a larger one. */
  from(least: number): Uint32Array {
    return this.#rows.subarray(this.#starts[Math.max(0, Math.ceil(least))] ?? this.#rows.length)
  }
}

export type Postings = Readonly<
  Record<'years' | 'languages' | 'rated' | 'ratings' | 'votes' | 'genres', Posting>
>

/** Eight steps for each doubling. */
const voteStep = (votes: number) => Math.min(VOTE_STEPS, Math.floor(8 * Math.log2(1 + votes)))

export async function postingsOf(columns: Columns, pause: () => Promise<void>): Promise<Postings> {
  const { count } = columns
  const single = (column: Uint8Array | Uint16Array, most: number) => {
    const then = column.slice(0, count)
    return Posting.of(count, most, { values: (row, tell) => tell(then[row] as number), pause })
  }
  const votes = columns.votes.slice(0, count)
  const genres = columns.genres.slice(0, count)
  return {
    years: await single(columns.years, 65_535),
    languages: await single(columns.languages, 65_535),
    rated: await single(columns.rated, 65_535),
    ratings: await single(columns.ratings, 255),
    votes: await Posting.of(count, VOTE_STEPS, {
      values: (row, tell) => tell(voteStep(votes[row] as number)),
      pause,
    }),
    genres: await Posting.of(count, 31, {
      values: (row, tell) => {
        for (let mask = genres[row] as number; mask !== 0; mask &= mask - 1)
          tell(31 - Math.clz32(mask & -mask))
      },
      pause,
    }),
  }
}

/**
 * The rows that the narrowest filter leaves to be looked at, in parts, some of them more than once; null where no filter
 * leaves less than half.
 */
export function narrowest(
  columns: Columns,
  filters: BrowseFilters,
  postings: Postings,
): readonly Uint32Array[] | null {
  const ways: Uint32Array[][] = []
  const codes = (words: readonly string[], known: Columns['languageCodes'], posting: Posting) =>
    ways.push(words.flatMap((word) => posting.of(known.known(word) ?? -1)))
  const { years, languages, rated, include, mode } = filters
  if (years?.length) ways.push(years.map((year) => postings.years.of(year)))
  if (filters.startYear !== undefined) ways.push([postings.years.from(filters.startYear)])
  if (languages?.length) codes(languages, columns.languageCodes, postings.languages)
  if (rated?.length) codes(rated, columns.ratedCodes, postings.rated)
  if (filters.rating !== undefined) ways.push([postings.ratings.from(leastRating(filters.rating))])
  if (filters.votes !== undefined) ways.push([postings.votes.from(voteStep(filters.votes))])
  if (include?.length) {
    const each = include.map((id) => [postings.genres.of(columns.genreCodes.known(String(id)) ?? -1)])
    ways.push(...(mode === 'all' ? each : [each.flat()]))
  }
  const sizeOf = (parts: readonly Uint32Array[]) => parts.reduce((sum, part) => sum + part.length, 0)
  let least: Uint32Array[] | null = null
  let size = columns.count / 2
  for (const way of ways) {
    if (sizeOf(way) >= size) continue
    size = sizeOf(way)
    least = way
  }
  return least
}

/** In tenths, as the column has them. */
export const leastRating = (rating: number): number => Math.ceil(rating * 10 - 1e-9)
