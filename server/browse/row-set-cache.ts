import type { RowSet } from './row-set.ts'

/** Maximum memory of the cached row sets of an index. A row set takes one bit per title. */
const MAX_CACHE_BYTES = 32_000_000

/**
 * Cache of filter results. The least recently used results are dropped first, so that the rows of an active audience
 * stay cached.
 */
export class RowSetCache {
  /** The most recently used rows come last. */
  readonly #rowSetsByKey = new Map<string, RowSet>()

  getOrCollectRows(cacheKey: string, collectRows: () => RowSet): RowSet {
    const rows = this.#rowSetsByKey.get(cacheKey) ?? collectRows()
    this.#rowSetsByKey.delete(cacheKey)
    this.#rowSetsByKey.set(cacheKey, rows)
    while (this.#rowSetsByKey.size > 1 && this.#rowSetsByKey.size * rows.sizeBytes > MAX_CACHE_BYTES)
      this.#rowSetsByKey.delete(this.#rowSetsByKey.keys().next().value ?? '')
    return rows
  }

  clear(): void {
    this.#rowSetsByKey.clear()
  }
}
