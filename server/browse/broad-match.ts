/**
 * Finds rows for filters that each match many rows. Cached row sets of the single filters are intersected, 32 rows at a time.
 */
import type { BrowseColumns } from './columns.ts'
import { type MatchOptions, matchRows } from './match.ts'
import { findNarrowestPostings } from './postings.ts'
import type { RowSet } from './row-set.ts'
import type { RowSetCache } from './row-set-cache.ts'
import type { BrowseFilters, BrowseRequest } from './types.ts'

/** Up to this share of all rows, examining each row of the narrowest filter is faster than intersecting row sets. */
const MAX_EXAMINED_SHARE = 1 / 16

type MatchRequest = Pick<BrowseRequest, 'audience' | 'filters'>

/**
 * Returns the matching rows, by the faster of two methods. Row sets of filters are stored in `cache`, which every write must
 * clear.
 */
export function findMatchingRows(
  columns: BrowseColumns,
  request: MatchRequest,
  options: MatchOptions,
  cache: RowSetCache,
): RowSet {
  const parts = listParts(request, options)
  if (parts.length === 1 || isNarrow(columns, request.filters, options))
    return matchRows(columns, request, options)
  const [firstPart, ...otherParts] = parts.map(({ key, filters, audience, dateColumn, audienceRows }) =>
    cache.getOrCollect(key, () =>
      matchRows(columns, { audience, filters }, { dateColumn, audienceRows, postingsState: null }),
    ),
  )
  const rows = (firstPart as RowSet).clone()
  for (const part of otherParts) rows.intersect(part)
  return rows
}

type MatchPart = MatchRequest & Pick<MatchOptions, 'dateColumn' | 'audienceRows'> & { key: string }

/** Returns one part for the audience, at least one part for each filter, and one part for the date of the order. */
function listParts(
  { audience, filters }: MatchRequest,
  { dateColumn, dateOrder, audienceRows }: MatchOptions,
): MatchPart[] {
  const { mode, include = [], exclude = [], ...values } = filters
  const createPart = (part: BrowseFilters, change: Partial<MatchPart> = {}): MatchPart => ({
    key: `part ${JSON.stringify(part)}`,
    audience: null,
    filters: part,
    dateColumn: null,
    audienceRows: null,
    ...change,
  })
  const parts = [createPart({}, { key: `part of audience ${audience?.key ?? null}`, audience, audienceRows })]
  // Each required or excluded genre is a separate part, so that other lists with the same genre can use the same part.
  if (mode === 'all') for (const genre of include) parts.push(createPart({ include: [genre] }))
  else if (include.length > 0) parts.push(createPart({ include }))
  for (const genre of exclude) parts.push(createPart({ exclude: [genre] }))
  for (const [name, value] of Object.entries(values)) parts.push(createPart({ [name]: value }))
  if (dateColumn) parts.push(createPart({}, { key: `part of ${dateOrder}`, dateColumn }))
  return parts
}

function isNarrow(
  columns: BrowseColumns,
  filters: BrowseFilters,
  { postingsState }: Pick<MatchOptions, 'postingsState'>,
): boolean {
  const lists = postingsState && findNarrowestPostings(columns, filters, postingsState.postings)
  if (!lists) return false
  return lists.reduce((sum, list) => sum + list.length, 0) <= columns.count * MAX_EXAMINED_SHARE
}
