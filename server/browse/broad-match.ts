/**
 * Finds rows for filters that each match many rows. Cached row sets of the single filters are intersected, 32 rows at a
 * time.
 */
import type { BrowseColumns } from './columns.ts'
import { type MatchOptions, matchRows } from './match.ts'
import { findNarrowestPostings } from './postings.ts'
import type { RowSet } from './row-set.ts'
import type { RowSetCache } from './row-set-cache.ts'
import type { BrowseFilters, BrowseRequest } from './types.ts'

/**
 * If the narrowest filter matches at most this share of all rows, `matchRows` is faster than the intersection of row
 * sets.
 */
const MAX_EXAMINED_SHARE = 1 / 16

type MatchRequest = Pick<BrowseRequest, 'audience' | 'filters'>

/**
 * Returns the matching rows. If the narrowest filter matches few rows, examines each of these rows. Otherwise,
 * intersects row sets of single filter values. Row sets of single filter values are stored in `rowSetCache`, which
 * every write must clear.
 */
export function findMatchingRows(
  columns: BrowseColumns,
  request: MatchRequest,
  options: MatchOptions,
  rowSetCache: RowSetCache,
): RowSet {
  const conditions = listConditions(request, options)
  if (conditions.length === 1 || isNarrow(columns, request.filters, options))
    return matchRows(columns, request, options)
  const { postingsState } = options
  const collectPart = ({ key, filters, audience, dateColumn, audienceRows }: MatchPart) =>
    rowSetCache.getOrCollect(key, () =>
      matchRows(columns, { audience, filters }, { dateColumn, audienceRows, postingsState }),
    )
  const collectAny = ({ alternatives: [firstPart, ...otherParts] }: Condition): RowSet => {
    const firstRows = collectPart(firstPart)
    if (otherParts.length === 0) return firstRows
    const rows = firstRows.clone()
    for (const part of otherParts) rows.unite(collectPart(part))
    return rows
  }
  const [audienceCondition, ...filterConditions] = conditions
  const rows = collectAny(audienceCondition).clone()
  for (const condition of filterConditions) {
    if (condition.isExcluded) rows.subtract(collectAny(condition))
    else rows.intersect(collectAny(condition))
  }
  return rows
}

type MatchPart = MatchRequest & Pick<MatchOptions, 'dateColumn' | 'audienceRows'> & { key: string }
/** A row meets the condition if it matches at least one of the alternatives or, with `isExcluded`, none of them. */
type Condition = { alternatives: [MatchPart, ...MatchPart[]]; isExcluded?: boolean }

/**
 * Returns the condition of the audience, then the conditions of the filters and, for an order by date, the condition
 * that the title has this date.
 */
function listConditions(
  { audience, filters }: MatchRequest,
  { dateColumn, dateOrder, audienceRows }: MatchOptions,
): [Condition, ...Condition[]] {
  const { mode, include = [], exclude = [], ...otherFilters } = filters
  const createPart = (partFilters: BrowseFilters, change: Partial<MatchPart> = {}): MatchPart => ({
    key: `part ${JSON.stringify(partFilters)}`,
    audience: null,
    filters: partFilters,
    dateColumn: null,
    audienceRows: null,
    ...change,
  })
  const audiencePart = createPart(
    {},
    { key: `part of audience ${audience?.key ?? null}`, audience, audienceRows },
  )
  const conditions: [Condition, ...Condition[]] = [{ alternatives: [audiencePart] }]
  const addAny = ([firstPart, ...otherParts]: BrowseFilters[], isExcluded = false) => {
    if (!firstPart) return
    const alternatives: Condition['alternatives'] = [
      createPart(firstPart),
      ...otherParts.map((part) => createPart(part)),
    ]
    conditions.push({ alternatives, isExcluded })
  }
  // Each value is a separate part, so that other lists with the same value can use the same part.
  if (mode === 'all') for (const genre of include) addAny([{ include: [genre] }])
  else addAny(include.map((genre) => ({ include: [genre] })))
  addAny(
    exclude.map((genre) => ({ include: [genre] })),
    true,
  )
  for (const [name, value] of Object.entries(otherFilters))
    addAny((Array.isArray(value) ? value.map((item) => [item]) : [value]).map((item) => ({ [name]: item })))
  if (dateColumn)
    conditions.push({ alternatives: [createPart({}, { key: `part of ${dateOrder}`, dateColumn })] })
  return conditions
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
