/** Which rows fit: one pass over one column for each filter that is set. */
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

/** 1 for a row that fits. */
export type Matches = Uint8Array

type Codes = Pick<Columns['languageCodes'], 'known'>

export function matchRows(
  columns: Columns,
  { audience, filters }: Pick<BrowseRequest, 'audience' | 'filters'>,
) {
  const rows: Matches = new Uint8Array(columns.count)
  startWith(rows, columns, audience, filters)
  byGenres(rows, columns, filters)
  const { networks, languages, rated, years } = filters
  if (networks?.length) keepAny(rows, columns.networks, askedMask(networks, columns.networkCodes))
  if (languages?.length) keepCodes(rows, columns.languages, codesOf(languages, columns.languageCodes))
  if (rated?.length) keepCodes(rows, columns.rated, codesOf(rated, columns.ratedCodes))
  if (years?.length) keepCodes(rows, columns.years, new Set(years))
  keepFrom(rows, columns.years, filters.startYear)
  keepFrom(rows, columns.releases, filters.startDate === undefined ? undefined : dayNumber(filters.startDate))
  keepFrom(
    rows,
    columns.ratings,
    filters.rating === undefined ? undefined : Math.ceil(filters.rating * 10 - 1e-9),
  )
  keepFrom(rows, columns.votes, filters.votes)
  return rows
}

function startWith(
  rows: Matches,
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
  for (let row = 0; row < rows.length; row++) rows[row] = ((flags[row] as number) & mask) === wanted ? 1 : 0
}

function byGenres(rows: Matches, columns: Columns, { include, exclude, mode }: BrowseFilters): void {
  const maskOf = (ids: number[]) => askedMask(ids.map(String), columns.genreCodes)
  if (include?.length) {
    if (mode === 'all') for (const id of include) keepAny(rows, columns.genres, maskOf([id]))
    else keepAny(rows, columns.genres, maskOf(include))
  }
  if (exclude?.length) {
    const mask = maskOf(exclude)
    const { genres } = columns
    for (let row = 0; row < rows.length; row++) if (((genres[row] as number) & mask) !== 0) rows[row] = 0
  }
}

function keepAny(rows: Matches, column: Uint32Array, mask: number): void {
  for (let row = 0; row < rows.length; row++) if (((column[row] as number) & mask) === 0) rows[row] = 0
}

function codesOf(words: string[], codes: Codes): Set<number> {
  return new Set(words.flatMap((word) => codes.known(word) ?? []))
}

function keepCodes(rows: Matches, column: Uint16Array, codes: Set<number>): void {
  const table = new Uint8Array(65_536)
  for (const code of codes) if (code > 0 && code < 65_536) table[code] = 1
  for (let row = 0; row < rows.length; row++) if (table[column[row] as number] === 0) rows[row] = 0
}

/** An unset value (0) is never reached by a least one that is above it. */
function keepFrom(
  rows: Matches,
  column: Uint8Array | Uint16Array | Uint32Array,
  least: number | undefined,
): void {
  if (least === undefined) return
  for (let row = 0; row < rows.length; row++) if ((column[row] as number) < least) rows[row] = 0
}
