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
 * Returns the matching rows, by the faster of two methods. Row sets of filters are stored in `rowSetCache`, which every
 * write must clear.
 */
export function findMatchingRows(
  columns: BrowseColumns,
  request: MatchRequest,
  options: MatchOptions,
  rowSetCache: RowSetCache,
): RowSet {
  const matchParts = listMatchParts(request, options)
  if (matchParts.length === 1 || isNarrow(columns, request.filters, options))
    return matchRows(columns, request, options)
  const [firstRowSet, ...otherRowSets] = matchParts.map(
    ({ key, filters, audience, dateColumn, audienceRows }) =>
      rowSetCache.getOrCollect(key, () =>
        matchRows(columns, { audience, filters }, { dateColumn, audienceRows, postingsState: null }),
      ),
  )
  const rows = (firstRowSet as RowSet).clone()
  for (const rowSet of otherRowSets) rows.intersect(rowSet)
  return rows
}

type MatchPart = MatchRequest & Pick<MatchOptions, 'dateColumn' | 'audienceRows'> & { key: string }

/** Returns one part for the audience, at least one part for each filter, and one part for the date of the order. */
function listMatchParts(
  { audience, filters }: MatchRequest,
  { dateColumn, dateOrder, audienceRows }: MatchOptions,
): MatchPart[] {
  const { mode, include = [], exclude = [], ...otherFilters } = filters
  const createPart = (partFilters: BrowseFilters, change: Partial<MatchPart> = {}): MatchPart => ({
    key: `part ${JSON.stringify(partFilters)}`,
    audience: null,
    filters: partFilters,
    dateColumn: null,
    audienceRows: null,
    ...change,
  })
  const matchParts = [
    createPart({}, { key: `part of audience ${audience?.key ?? null}`, audience, audienceRows }),
  ]
  // Each required or excluded genre is a separate part, so that other lists with the same genre can use the same part.
  if (mode === 'all') for (const genre of include) matchParts.push(createPart({ include: [genre] }))
  else if (include.length > 0) matchParts.push(createPart({ include }))
  for (const genre of exclude) matchParts.push(createPart({ exclude: [genre] }))
  for (const [filterName, filterValue] of Object.entries(otherFilters))
    matchParts.push(createPart({ [filterName]: filterValue }))
  if (dateColumn) matchParts.push(createPart({}, { key: `part of ${dateOrder}`, dateColumn }))
  return matchParts
}

function isNarrow(
  columns: BrowseColumns,
  filters: BrowseFilters,
  { postingsState }: Pick<MatchOptions, 'postingsState'>,
): boolean {
  const postingLists = postingsState && findNarrowestPostings(columns, filters, postingsState.postings)
  if (!postingLists) return false
  return (
    postingLists.reduce((sum, postingList) => sum + postingList.length, 0) <=
    columns.count * MAX_EXAMINED_SHARE
  )
}
