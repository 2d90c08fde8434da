import type { BrowseColumns } from './columns.ts'
import { SORT_KEY_GETTERS } from './order.ts'
import type { BrowseOrder } from './types.ts'

/**
 * The rows of a browse index that are new, or whose position in an order has changed since the orders were built. Reads
 * merge these rows with the orders.
 */
export class MovedRows {
  readonly #columns: BrowseColumns
  readonly #rows = new Map<number, { sortTitle: string; changeNumber: number }>()
  readonly #sortedRows = new Map<BrowseOrder, number[]>()
  #changeCount = 0

  constructor(columns: BrowseColumns) {
    this.#columns = columns
  }

  get size(): number {
    return this.#rows.size
  }

  /** Number of calls of `add` so far. */
  get changeCount(): number {
    return this.#changeCount
  }

  has(row: number): boolean {
    return this.#rows.has(row)
  }

  listRows(): number[] {
    return [...this.#rows.keys()]
  }

  /** Adds a row. `sortTitle` is the text by which rows of equal title rank are sorted. */
  add(row: number, sortTitle: string): void {
    this.#changeCount += 1
    this.#rows.set(row, { sortTitle: sortTitle, changeNumber: this.#changeCount })
    this.#sortedRows.clear()
  }

  /** Deletes the rows that were last added by change number `changeCount` or by an earlier change. */
  deleteRowsUntilChange(changeCount: number): void {
    for (const [row, { changeNumber }] of this.#rows) if (changeNumber <= changeCount) this.#rows.delete(row)
    this.#sortedRows.clear()
  }

  /**
   * Returns the rows sorted by an order, without rows whose sort key is NaN. In orders by title, rows of equal rank are
   * sorted by their sort title.
   */
  sortBy(order: BrowseOrder): number[] {
    const cachedRows = this.#sortedRows.get(order)
    if (cachedRows) return cachedRows
    const getSortKey = SORT_KEY_GETTERS[order]
    const columns = this.#columns
    const getSortTitle = (row: number) => this.#rows.get(row)?.sortTitle ?? ''
    const compareTitles = (a: number, b: number) =>
      getSortTitle(a) < getSortTitle(b) ? -1 : getSortTitle(a) > getSortTitle(b) ? 1 : a - b
    const tieBreakersByOrder: Partial<Record<BrowseOrder, typeof compareTitles>> = {
      'title.asc': compareTitles,
      'title.desc': (a, b) => compareTitles(b, a),
    }
    const tieBreaker = tieBreakersByOrder[order] ?? ((a: number, b: number) => a - b)
    const rows = this.listRows().filter((row) => !Number.isNaN(getSortKey(columns, row)))
    rows.sort((a, b) => getSortKey(columns, a) - getSortKey(columns, b) || tieBreaker(a, b))
    this.#sortedRows.set(order, rows)
    return rows
  }
}
