/**
 * Serves all lists of titles from memory. The index contains the titles of one type as columns, and keeps the sort
 * orders up to date. services/catalogue/browse.ts loads the index.
 */
import { collectAudienceRows } from './audience-rows.ts'
import { findMatchingRows } from './broad-match.ts'
import { processInChunks } from './chunks.ts'
import { BrowseColumns } from './columns.ts'
import { MovedRows } from './moved-rows.ts'
import { SORT_KEY_GETTERS, type SortOrder, sortRows } from './order.ts'
import { type BrowsePostings, buildBrowsePostings } from './postings.ts'
import type { RowSet } from './row-set.ts'
import { RowSetCache } from './row-set-cache.ts'
import { selectPage } from './select-page.ts'
import { TitleOrder, type TitlePlace } from './title-order.ts'
import {
  BROWSE_ORDERS,
  type BrowseAudience,
  type BrowseOrder,
  type BrowseRequest,
  type BrowseResult,
  type BrowseTitle,
} from './types.ts'

/**
 * `needsRebuild` is true when there are more moved rows than this number, because every read has to merge the moved
 * rows with the order.
 */
const MAX_MOVED_ROWS = 512
/**
 * `needsRebuild` is true when more rows than this number were written since the postings were built. A filter that uses
 * postings also has to examine each of these rows.
 */
const MAX_WRITTEN_ROWS = 20_000
/** Maximum number of orders by names in languages other than English. Each of these orders takes 8 bytes per title. */
const MAX_TITLE_ORDERS = 4

interface FilterValues {
  genres: readonly number[]
  networks: readonly string[]
}

export class BrowseIndex {
  readonly #columns: BrowseColumns
  /**
   * The sorted rows of each order except `title.desc`. Lists in the order `title.desc` read the rows of `title.asc`
   * backwards, which is correct because no two titles share a rank when the orders are built.
   */
  readonly #orders = new Map<BrowseOrder, Uint32Array>()
  /** Orders by names in languages other than English, the most recently used last. */
  readonly #titleOrders = new Map<string, TitleOrder>()
  readonly #movedRows: MovedRows
  /** Row sets of filters, and the rows that each audience may see. Every write clears this cache. */
  readonly #cachedMatches = new RowSetCache()
  readonly #matchers = new WeakMap<RowSet, (titleId: number) => boolean>()
  #postings: BrowsePostings | null = null
  /** Sequence number of the last write, for each row that was written since the postings were built. */
  readonly #writtenRows = new Map<number, number>()
  #writeCount = 0

  constructor(filterValues: FilterValues) {
    this.#columns = new BrowseColumns(filterValues)
    this.#movedRows = new MovedRows(this.#columns)
  }

  get size(): number {
    return this.#columns.rowCount
  }

  /** True when `rebuildOrders` should run. */
  get needsRebuild(): boolean {
    return this.#movedRows.size > MAX_MOVED_ROWS || this.#writtenRows.size > MAX_WRITTEN_ROWS
  }

  /**
   * Writes a title and gives it no position in any order. Use this method only for the initial load, and call
   * `rebuildOrders` afterwards.
   */
  loadTitle(title: BrowseTitle): void {
    this.#columns.writeTitle(title)
  }

  get titleOrders(): ReadonlyMap<string, TitleOrder> {
    return this.#titleOrders
  }

  /**
   * Adds an order by names in a language, and drops the least recently used order if there are more than
   * MAX_TITLE_ORDERS. `sortedIds` lists the ids of all titles in this order.
   */
  addTitleOrder(language: string, sortedIds: Uint32Array): void {
    this.#titleOrders.set(language, new TitleOrder(this.#columns, language, sortedIds))
    for (const otherLanguage of this.#titleOrders.keys())
      if (this.#titleOrders.size > MAX_TITLE_ORDERS) this.#titleOrders.delete(otherLanguage)
  }

  /**
   * Adds or replaces a title. `previousTitleId` is the id of the title directly before this title in title order; null
   * for the first title. `placesByLanguage` contains the place of this title in each of `titleOrders`.
   */
  upsertTitle(
    title: BrowseTitle,
    previousTitleId: number | null,
    placesByLanguage: ReadonlyMap<string, TitlePlace> = new Map(),
  ): void {
    const columns = this.#columns
    const row = columns.findRow(title.title_id)
    const previousSortKeys = row === undefined ? null : this.#getSortKeys(row)
    const writtenRow = columns.writeTitle(title)
    this.#writeCount += 1
    this.#writtenRows.set(writtenRow, this.#writeCount)
    this.#cachedMatches.clear()
    for (const [language, place] of placesByLanguage) this.#titleOrders.get(language)?.move(writtenRow, place)
    const previousRow = previousTitleId === null ? undefined : columns.findRow(previousTitleId)
    const previousRank = previousRow === undefined ? -1 : (columns.titleRanks[previousRow] as number)
    // Titles that were inserted between the same two titles since the last rebuild share a rank. Their sort titles
    // order them.
    if (previousSortKeys === null || !this.#isDirectlyAfter(writtenRow, previousRank))
      columns.titleRanks[writtenRow] = Math.floor(previousRank) + 0.5
    if (previousSortKeys?.join() === this.#getSortKeys(writtenRow).join()) return
    this.#movedRows.add(writtenRow, title.sort_title)
  }

  removeTitle(titleId: number): void {
    this.#columns.removeTitle(titleId)
    this.#cachedMatches.clear()
  }

  /**
   * Rebuilds the postings and all sort orders except `titleOrders`. Awaits `pause` between steps, so that other tasks
   * can run. `idsInTitleOrder` lists all ids in title order. Returns the ids of titles that were added, or whose sort
   * keys changed, during the rebuild. The caller must upsert these titles again, because their title rank may be
   * outdated.
   */
  async rebuildOrders(idsInTitleOrder: ArrayLike<number>, pause: () => Promise<void>): Promise<number[]> {
    const columns = this.#columns
    const previousChangeCount = this.#movedRows.changeCount
    const previousWriteCount = this.#writeCount
    this.#postings = await buildBrowsePostings(columns, pause)
    for (const [row, writeNumber] of this.#writtenRows)
      if (writeNumber <= previousWriteCount) this.#writtenRows.delete(row)
    const rowsInTitleOrder = await this.#findRows(idsInTitleOrder, pause)
    // The ranks are written without a pause, so that no list is sorted by a mixture of old and new ranks.
    for (let rank = 0; rank < rowsInTitleOrder.length; rank++)
      columns.titleRanks[rowsInTitleOrder[rank] as number] = rank
    for (const order of BROWSE_ORDERS)
      if (order !== 'title.desc')
        this.#orders.set(order, await sortRows(columns, SORT_KEY_GETTERS[order], pause))
    this.#movedRows.deleteRowsUntilChange(previousChangeCount)
    this.#cachedMatches.clear()
    return this.#movedRows.listRows().map((row) => columns.ids[row] as number)
  }

  /** Returns the rows of the titles, in the order of `titleIds`. Titles without a row are left out. */
  async #findRows(titleIds: ArrayLike<number>, pause: () => Promise<void>): Promise<Uint32Array> {
    const rows = new Uint32Array(titleIds.length)
    let foundCount = 0
    await processInChunks(titleIds.length, pause, (startIndex, endIndex) => {
      for (let index = startIndex; index < endIndex; index++) {
        const row = this.#columns.findRow(titleIds[index] as number)
        if (row !== undefined) rows[foundCount++] = row
      }
    })
    return rows.subarray(0, foundCount)
  }

  findPage({
    audience,
    filters,
    excludedIds,
    includedIds,
    order,
    titleLanguage,
    offset,
    limit,
  }: BrowseRequest): BrowseResult {
    const rows = this.#collectMatchingRows({ audience, filters }, order)
    const columns = this.#columns
    const excludedRows = this.#collectExcludedRows(rows, excludedIds)
    const includedRows = includedIds && this.#collectIncludedRows(rows, includedIds, excludedRows)
    const total = includedRows ? includedRows.size : rows.size - excludedRows.size
    if (offset >= total) return { ids: [], total }
    const isMatch = (row: number) =>
      rows.has(row) && !excludedRows.has(row) && (!includedRows || includedRows.has(row))
    const hasNoIdFilter = excludedRows.size === 0 && !includedRows
    const pageRows = selectPage(columns, {
      sortOrder: this.#getSortOrder(order, titleLanguage),
      isMatch: hasNoIdFilter ? (row) => rows.has(row) : isMatch,
      getMatchingRows: () => (hasNoIdFilter ? rows.toArray() : rows.toArray().filter(isMatch)),
      matchCount: total,
      startIndex: offset,
      endIndex: Math.min(total, offset + limit),
    })
    return { ids: pageRows.map((row) => columns.ids[row] as number), total }
  }

  /**
   * Returns a predicate that is true for matching titles, for callers that find titles in another way, such as the
   * search. The predicate is valid until the next write. Equal requests get the same predicate while their rows are
   * cached.
   */
  createMatcher(request: Pick<BrowseRequest, 'audience' | 'filters'>): (titleId: number) => boolean {
    const rows = this.#collectMatchingRows(request, 'popularity.desc')
    const cachedMatcher = this.#matchers.get(rows)
    if (cachedMatcher) return cachedMatcher
    const columns = this.#columns
    const matcher = (titleId: number) => columns.isTitleInRows(titleId, rows)
    this.#matchers.set(rows, matcher)
    return matcher
  }

  /** Returns the matching rows. For an order by a date, only titles that have this date match. */
  #collectMatchingRows(request: Pick<BrowseRequest, 'audience' | 'filters'>, order: BrowseOrder): RowSet {
    const isDateOrder = order.startsWith('release_date') || order.startsWith('newest_season')
    const { audience, filters } = request
    const cacheKey = JSON.stringify([audience?.key ?? null, filters, isDateOrder && order])
    return this.#cachedMatches.getOrCollectRows(cacheKey, () => {
      const dateOrder = order.startsWith('newest') ? 'newest_season' : 'release_date'
      const { newestSeasonDays, releaseDays } = this.#columns
      const matchOptions = {
        dateColumn: isDateOrder ? (dateOrder === 'newest_season' ? newestSeasonDays : releaseDays) : null,
        dateOrder,
        postingsState: this.#postings && {
          postings: this.#postings,
          writtenRows: Uint32Array.from(this.#writtenRows.keys()),
        },
        audienceRows: audience && !audience.isKidsRuleOnly ? this.#getAudienceRows(audience) : null,
      } as const
      return findMatchingRows(this.#columns, request, matchOptions, this.#cachedMatches)
    })
  }

  /** Returns the rows that an audience with limits may see. All lists of the audience are restricted to these rows. */
  #getAudienceRows(audience: BrowseAudience): RowSet {
    return this.#cachedMatches.getOrCollectRows(`audience ${audience.key}`, () =>
      collectAudienceRows(this.#columns, audience.rules),
    )
  }

  #collectExcludedRows(rows: RowSet, ids: ReadonlySet<number> | undefined): Set<number> {
    const excludedRows = new Set<number>()
    for (const id of ids ?? []) {
      const row = this.#columns.findRow(id)
      if (row !== undefined && rows.has(row)) excludedRows.add(row)
    }
    return excludedRows
  }

  #collectIncludedRows(rows: RowSet, ids: ReadonlySet<number>, excludedRows: Set<number>): Set<number> {
    const includedRows = new Set<number>()
    for (const id of ids) {
      const row = this.#columns.findRow(id)
      if (row !== undefined && rows.has(row) && !excludedRows.has(row)) includedRows.add(row)
    }
    return includedRows
  }

  #getSortOrder(order: BrowseOrder, titleLanguage: string | undefined): SortOrder {
    const titleOrder = order.startsWith('title') && titleLanguage && this.#titleOrders.get(titleLanguage)
    if (titleOrder) {
      this.#titleOrders.delete(titleLanguage)
      this.#titleOrders.set(titleLanguage, titleOrder)
      return titleOrder.getSortOrder(order === 'title.desc')
    }
    const isReversed = order === 'title.desc'
    return {
      getSortKey: SORT_KEY_GETTERS[order],
      sortedRows: this.#orders.get(isReversed ? 'title.asc' : order) ?? new Uint32Array(),
      isReversed,
      movedRowList: {
        rows: this.#movedRows.sortBy(order),
        isMoved: (row) => this.#movedRows.has(row),
      },
      // Titles that share a rank are ordered by their sort titles, which the sort keys do not contain.
      hasUniqueKeys: !(order.startsWith('title') && this.#movedRows.size > 0),
    }
  }

  #getSortKeys(row: number): number[] {
    return BROWSE_ORDERS.map((order) => SORT_KEY_GETTERS[order](this.#columns, row))
  }

  /** True when the row still follows the title with the rank `titleRank` directly. */
  #isDirectlyAfter(row: number, titleRank: number): boolean {
    const rowRank = this.#columns.titleRanks[row] as number
    return rowRank > titleRank && rowRank <= Math.floor(titleRank) + 1
  }
}
