/**
 * Which rows fit: the rows of the narrowest filter, or all; then a filter at a time, the ones that leave least first, each
 * looking only at what the ones before left.
 */
import {
  ALIVE,
  askedMask,
  BLOCKED,
  type Columns,
  dayNumber,
  HIGH_QUALITY,
  PUBLISHED,
  SAFE,
} from './columns.ts'
import { leastRating, narrowest, type Postings } from './postings.ts'
import { RowSet } from './row-set.ts'
import type { BrowseFilters, BrowseRequest } from './types.ts'

type Column = Uint8Array | Uint16Array | Uint32Array
type Codes = Pick<Columns['languageCodes'], 'known'>

/** Where the rows of a value are, and which rows were written since that was noted. */
export interface Noted {
  postings: Postings
  written: Iterable<number>
}

/** `dated`: a column of days that a title must have one in. */
export function matchRows(
  columns: Columns,
  { audience, filters }: Pick<BrowseRequest, 'audience' | 'filters'>,
  { dated, noted }: { dated: Column | null; noted: Noted | null },
): RowSet {
  const parts = noted && narrowest(columns, filters, noted.postings)
  const left = new Left(columns, parts && [...parts, Uint32Array.from(noted.written)])
  const { networks, languages, rated, years } = filters
  if (years?.length) left.keepCodes(columns.years, new Set(years))
  if (networks?.length) left.keepBits(columns.networks, askedMask(networks, columns.networkCodes))
  if (languages?.length) left.keepCodes(columns.languages, codesOf(languages, columns.languageCodes))
  if (rated?.length) left.keepCodes(columns.rated, codesOf(rated, columns.ratedCodes))
  if (filters.votes !== undefined) left.keepFrom(columns.votes, filters.votes)
  byGenres(left, columns, filters)
  if (filters.rating !== undefined) left.keepFrom(columns.ratings, leastRating(filters.rating))
  if (filters.startYear !== undefined) left.keepFrom(columns.years, filters.startYear)
  if (filters.startDate !== undefined) left.keepFrom(columns.releases, dayNumber(filters.startDate))
  if (dated) left.keepFrom(dated, 1)
  byFlags(left, columns, audience, filters)
  return left.marked()
}

/** The rows that the filters so far have left; some of them twice where they came in parts. */
class Left {
  readonly #all: number
  readonly #rows: Uint32Array
  /** False before the first filter of all rows, which are not written down. */
  #listed = false
  #count: number

  constructor(columns: Columns, parts: readonly Uint32Array[] | null) {
    this.#all = columns.count
    this.#count = columns.count
    const listed = parts?.reduce((sum, part) => sum + part.length, 0) ?? 0
    this.#rows = columns.spare(Math.max(columns.count, listed) + 1)
    if (!parts) return
    this.#listed = true
    this.#count = 0
    for (const part of parts) {
      this.#rows.set(part, this.#count)
      this.#count += part.length
    }
  }

  /** An unset value (0) is never reached by a least one that is above it. */
  keepFrom(column: Column, least: number): void {
    this.#keep((from, to) => {
      let kept = 0
      for (let at = 0; at < this.#count; at++) {
        const row = from ? (from[at] as number) : at
        to[kept] = row
        kept += (column[row] as number) >= least ? 1 : 0
      }
      return kept
    })
  }

  keepCodes(column: Uint16Array, codes: Set<number>): void {
    const table = new Uint8Array(65_536)
    for (const code of codes) if (code > 0 && code < 65_536) table[code] = 1
    this.#keep((from, to) => {
      let kept = 0
      for (let at = 0; at < this.#count; at++) {
        const row = from ? (from[at] as number) : at
        to[kept] = row
        kept += table[column[row] as number] as number
      }
      return kept
    })
  }

  /** Any of the bits; with `none`, not one of them. */
  keepBits(column: Uint32Array, mask: number, none = false): void {
    const wanted = none ? 1 : 0
    this.#keep((from, to) => {
      let kept = 0
      for (let at = 0; at < this.#count; at++) {
        const row = from ? (from[at] as number) : at
        to[kept] = row
        kept += ((column[row] as number) & mask) === 0 ? wanted : 1 - wanted
      }
      return kept
    })
  }

  keepFlags(flags: Uint8Array, mask: number, wanted: number): void {
    this.#keep((from, to) => {
      let kept = 0
      for (let at = 0; at < this.#count; at++) {
        const row = from ? (from[at] as number) : at
        to[kept] = row
        kept += ((flags[row] as number) & mask) === wanted ? 1 : 0
      }
      return kept
    })
  }

  marked(): RowSet {
    const set = new RowSet(this.#all)
    for (let at = 0; at < this.#count; at++) set.add(this.#listed ? (this.#rows[at] as number) : at)
    return set
  }

  /** A row is written before it is known to fit, and written over when it does not: no branch to guess wrong. */
  #keep(pass: (from: Uint32Array | null, to: Uint32Array) => number): void {
    this.#count = pass(this.#listed ? this.#rows : null, this.#rows)
    this.#listed = true
  }
}

function byFlags(
  left: Left,
  { flags }: Columns,
  audience: { kids: boolean } | null,
  { safe, published, highQuality }: BrowseFilters,
): void {
  let mask = ALIVE
  let wanted = ALIVE
  const need = (flag: number, value: boolean) => {
    mask |= flag
    if (value) wanted |= flag
  }
  if (audience) {
    need(PUBLISHED, true)
    need(BLOCKED, false)
  } else if (published !== undefined) need(PUBLISHED, published)
  if (audience?.kids || safe) need(SAFE, true)
  if (highQuality !== undefined) need(HIGH_QUALITY, highQuality)
  left.keepFlags(flags, mask, wanted)
}

function byGenres(left: Left, columns: Columns, { include, exclude, mode }: BrowseFilters): void {
  const maskOf = (ids: number[]) => askedMask(ids.map(String), columns.genreCodes)
  if (include?.length) {
    if (mode === 'all') for (const id of include) left.keepBits(columns.genres, maskOf([id]))
    else left.keepBits(columns.genres, maskOf(include))
  }
  if (exclude?.length) left.keepBits(columns.genres, maskOf(exclude), true)
}

function codesOf(words: string[], codes: Codes): Set<number> {
  return new Set(words.flatMap((word) => codes.known(word) ?? []))
}
