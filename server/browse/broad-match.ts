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
 * Returns the matching rows. If the narrowest filter matches few rows, examines each of these rows. Otherwise, combines
 * row sets of single filter values: unites the row sets of the values of each filter, intersects the united sets, and
 * subtracts the set of the excluded genres. Row sets of single filter values are stored in `rowSetCache`, which every
 * write must clear.
 */
export function findMatchingRows(
  columns: BrowseColumns,
  request: MatchRequest,
  options: MatchOptions,
  rowSetCache: RowSetCache,
): RowSet {
  const conditions = listConditions(request, options)
  if (conditions.length === 1 || areFiltersNarrow(columns, request.filters, options))
    return matchRows(columns, request, options)
  const { postingsState } = options
  const collectRowsOfAlternative = ({ key, filters, audience, dateColumn, audienceRows }: MatchAlternative) =>
    rowSetCache.getOrCollectRows(key, () =>
      matchRows(columns, { audience, filters }, { dateColumn, audienceRows, postingsState }),
    )
  const collectRowsOfAnyAlternative = ({
    alternatives: [firstAlternative, ...otherAlternatives],
  }: Condition): RowSet => {
    const firstRows = collectRowsOfAlternative(firstAlternative)
    if (otherAlternatives.length === 0) return firstRows
    const rows = firstRows.clone()
    for (const alternative of otherAlternatives) rows.unite(collectRowsOfAlternative(alternative))
    return rows
  }
  const [audienceCondition, ...filterConditions] = conditions
  const rows = collectRowsOfAnyAlternative(audienceCondition).clone()
  for (const condition of filterConditions) {
    if (condition.isExcluded) rows.subtract(collectRowsOfAnyAlternative(condition))
    else rows.intersect(collectRowsOfAnyAlternative(condition))
  }
  return rows
}

type MatchAlternative = MatchRequest & Pick<MatchOptions, 'dateColumn' | 'audienceRows'> & { key: string }
/** A row meets the condition if it matches at least one of the alternatives or, with `isExcluded`, none of them. */
type Condition = { alternatives: [MatchAlternative, ...MatchAlternative[]]; isExcluded?: boolean }

/**
 * Returns the condition of the audience, then one condition per filter. If a title must have all included genres, each
 * of these genres is a condition. An order by a date adds the condition that the title has this date.
 */
function listConditions(
  { audience, filters }: MatchRequest,
  { dateColumn, dateOrder, audienceRows }: MatchOptions,
): [Condition, ...Condition[]] {
  const { mode, include = [], exclude = [], ...otherFilters } = filters
  const createAlternative = (
    alternativeFilters: BrowseFilters,
    change: Partial<MatchAlternative> = {},
  ): MatchAlternative => ({
    key: `alternative ${JSON.stringify(alternativeFilters)}`,
    audience: null,
    filters: alternativeFilters,
    dateColumn: null,
    audienceRows: null,
    ...change,
  })
  const audienceAlternative = createAlternative(
    {},
    { key: `alternative of audience ${audience?.key ?? null}`, audience, audienceRows },
  )
  const conditions: [Condition, ...Condition[]] = [{ alternatives: [audienceAlternative] }]
  const addCondition = ([firstFilters, ...remainingFilters]: BrowseFilters[], isExcluded = false) => {
    if (!firstFilters) return
    const alternatives: Condition['alternatives'] = [
      createAlternative(firstFilters),
      ...remainingFilters.map((alternativeFilters) => createAlternative(alternativeFilters)),
    ]
    conditions.push({ alternatives, isExcluded })
  }
  // Each genre has a separate alternative, so that other lists with the same genre can use the same cached rows.
  if (mode === 'all') for (const genre of include) addCondition([{ include: [genre] }])
  else addCondition(include.map((genre) => ({ include: [genre] })))
  addCondition(
    exclude.map((genre) => ({ include: [genre] })),
    true,
  )
  for (const [name, value] of Object.entries(otherFilters))
    addCondition(
      (Array.isArray(value) ? value.map((item) => [item]) : [value]).map((alternativeValue) => ({
        [name]: alternativeValue,
      })),
    )
  if (dateColumn)
    conditions.push({
      alternatives: [createAlternative({}, { key: `alternative of ${dateOrder}`, dateColumn })],
    })
  return conditions
}

function areFiltersNarrow(
  columns: BrowseColumns,
  filters: BrowseFilters,
  { postingsState }: Pick<MatchOptions, 'postingsState'>,
): boolean {
  const lists = postingsState && findNarrowestPostings(columns, filters, postingsState.postings)
  if (!lists) return false
  return lists.reduce((sum, list) => sum + list.length, 0) <= columns.rowCount * MAX_EXAMINED_SHARE
}
