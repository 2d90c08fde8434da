/** Which rows fit: a filter at a time, the ones that leave least first, each looking only at what the ones before left. */
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
import type { BrowseFilters, BrowseRequest } from './types.ts'

export interface Matches {
  /** 1 for a row that fits. */
  rows: Uint8Array
  total: number
}
type Column = Uint8Array | Uint16Array | Uint32Array
type Codes = Pick<Columns['languageCodes'], 'known'>

/** `dated`: a column of days that a title must have one in. */
export function matchRows(
  columns: Columns,
  { audience, filters }: Pick<BrowseRequest, 'audience' | 'filters'>,
  dated: Column | null,
): Matches {
  const left = new Left(columns.count)
  const { networks, languages, rated, years } = filters
  if (years?.length) left.keepCodes(columns.years, new Set(years))
  if (networks?.length) left.keepBits(columns.networks, askedMask(networks, columns.networkCodes))
  if (languages?.length) left.keepCodes(columns.languages, codesOf(languages, columns.languageCodes))
  if (rated?.length) left.keepCodes(columns.rated, codesOf(rated, columns.ratedCodes))
  if (filters.votes !== undefined) left.keepFrom(columns.votes, filters.votes)
  byGenres(left, columns, filters)
  if (filters.rating !== undefined) left.keepFrom(columns.ratings, Math.ceil(filters.rating * 10 - 1e-9))
  if (filters.startYear !== undefined) left.keepFrom(columns.years, filters.startYear)
  if (filters.startDate !== undefined) left.keepFrom(columns.releases, dayNumber(filters.startDate))
  if (dated) left.keepFrom(dated, 1)
  byFlags(left, columns, audience, filters)
  return left.marked()
}

/** The rows that the filters so far have left, ascending. */
class Left {
  readonly #all: number
  /** Null before the first filter: all. */
  #rows: Uint32Array | null = null
  #count: number

  constructor(all: number) {
    this.#all = all
    this.#count = all
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

  marked(): Matches {
    const rows = new Uint8Array(this.#all)
    if (!this.#rows) rows.fill(1)
    else for (let at = 0; at < this.#count; at++) rows[this.#rows[at] as number] = 1
    return { rows, total: this.#count }
  }

  /** A row is written before it is known to fit, and written over when it does not: no branch to guess wrong. */
  #keep(pass: (from: Uint32Array | null, to: Uint32Array) => number): void {
    const to = this.#rows ?? new Uint32Array(this.#all + 1)
    this.#count = pass(this.#rows, to)
    this.#rows = to
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
