/**
 * Titles of one type as columns: some 60 bytes a title, a row a title in ascending order of id, so that a filter is one
 * pass over one array. Rows of deleted titles stay, marked.
 */
import type { BrowseTitle } from './types.ts'

export const PUBLISHED = 1
export const BLOCKED = 2
export const SAFE = 4
export const HIGH_QUALITY = 8
export const ALIVE = 16

/** 0 is "none"; numbers are given in the order in which words come. */
class Codes {
  readonly #codes = new Map<string, number>()
  /** Throws when there are more words than a column can tell apart: 65,535. */
  of(word: string | null): number {
    if (word === null || word === '') return 0
    const known = this.#codes.get(word)
    if (known) return known
    const code = this.#codes.size + 1
    if (code > 65_535) throw new RangeError(`too many different values: ${word}`)
    this.#codes.set(word, code)
    return code
  }
  /** Undefined for a word that no title has. */
  known(word: string): number | undefined {
    return this.#codes.get(word)
  }
}

/** 20261121 for 2026-11-21; 0 for none. */
export const dayNumber = (date: string | null): number =>
  date ? Number(date.slice(0, 4)) * 10_000 + Number(date.slice(5, 7)) * 100 + Number(date.slice(8, 10)) : 0

export class Columns {
  count = 0
  ids = new Uint32Array(1024)
  flags = new Uint8Array(1024)
  years = new Uint16Array(1024)
  releases = new Uint32Array(1024)
  seasons = new Uint32Array(1024)
  languages = new Uint16Array(1024)
  rated = new Uint16Array(1024)
  /** Tenths. */
  ratings = new Uint8Array(1024)
  votes = new Uint32Array(1024)
  scores = new Float64Array(1024)
  popularity = new Float64Array(1024)
  /** Place in the order of titles; between two whole numbers until the next merge. */
  titleRanks = new Float64Array(1024)
  genres = new Uint32Array(1024)
  networks = new Uint32Array(1024)
  readonly languageCodes = new Codes()
  readonly ratedCodes = new Codes()
  readonly genreCodes = new Codes()
  readonly networkCodes = new Codes()
  /** Row of a title id, plus one; 0 is none. */
  #rows = new Uint32Array(1024)
  #spare = new Uint32Array(1024)

  /** Values that lists filter by, so that they have a bit whatever else titles bring. */
  constructor({ genres, networks }: { genres: readonly number[]; networks: readonly string[] }) {
    for (const id of genres) this.genreCodes.of(String(id))
    for (const name of networks) this.networkCodes.of(name)
  }

  rowOf(titleId: number): number | undefined {
    const row = this.#rows[titleId]
    return row ? row - 1 : undefined
  }

  /** Room for that many rows, which nobody else uses until the caller's turn of the event loop ends. */
  spare(rows: number): Uint32Array {
    if (rows > this.#spare.length) this.#spare = new Uint32Array(Math.max(rows, this.ids.length + 1))
    return this.#spare
  }

  /** Writes a title into its row, or a new one at the end. Answers the row. */
  put(title: BrowseTitle): number {
    const row = this.rowOf(title.title_id) ?? this.#append(title.title_id)
    this.flags[row] =
      ALIVE |
      (title.published ? PUBLISHED : 0) |
      (title.blocked ? BLOCKED : 0) |
      (title.safe ? SAFE : 0) |
      (title.high_quality ? HIGH_QUALITY : 0)
    this.years[row] = title.year ?? 0
    this.releases[row] = dayNumber(title.release_date)
    this.seasons[row] = dayNumber(title.newest_season)
    this.languages[row] = this.languageCodes.of(title.language)
    this.rated[row] = this.ratedCodes.of(title.rated)
    this.ratings[row] = Math.round(title.rating * 10)
    this.votes[row] = title.votes
    this.scores[row] = title.score
    this.popularity[row] = title.popularity
    this.genres[row] = maskOf(title.genres.map(String), this.genreCodes)
    this.networks[row] = maskOf(title.networks, this.networkCodes)
    return row
  }

  remove(titleId: number): void {
    const row = this.rowOf(titleId)
    if (row !== undefined) this.flags[row] = 0
  }

  #append(titleId: number): number {
    const row = this.count
    if (row === this.ids.length) this.#grow()
    if (titleId >= this.#rows.length) this.#rows = grown(this.#rows, titleId + 1)
    this.ids[row] = titleId
    this.#rows[titleId] = row + 1
    this.count += 1
    return row
  }

  #grow(): void {
    const size = this.ids.length * 2
    this.ids = grown(this.ids, size)
    this.flags = grown(this.flags, size)
    this.years = grown(this.years, size)
    this.releases = grown(this.releases, size)
    this.seasons = grown(this.seasons, size)
    this.languages = grown(this.languages, size)
    this.rated = grown(this.rated, size)
    this.ratings = grown(this.ratings, size)
    this.votes = grown(this.votes, size)
    this.scores = grown(this.scores, size)
    this.popularity = grown(this.popularity, size)
    this.titleRanks = grown(this.titleRanks, size)
    this.genres = grown(this.genres, size)
    this.networks = grown(this.networks, size)
  }
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

function grown<T extends Numbers>(array: T, least: number): T {
  const size = Math.max(least, array.length * 2)
  const larger = new (array.constructor as new (size: number) => T)(size)
  larger.set(array)
  return larger
}

/** One bit a value. Lists filter by 27 genres and 9 networks at most, which come first; others beyond 31 give no bit. */
export function maskOf(words: readonly string[], codes: Codes): number {
  let mask = 0
  for (const word of words) {
    const code = codes.of(word)
    if (code <= 31) mask |= 1 << code
  }
  return mask >>> 0
}

/** The mask of what is asked for; values that no title has give no bit. */
export function askedMask(words: readonly string[], codes: Codes): number {
  let mask = 0
  for (const word of words) {
    const code = codes.known(word)
    if (code !== undefined && code <= 31) mask |= 1 << code
  }
  return mask >>> 0
}
