interface LoadedPage {
  /** Number of the page, starting with 1. */
  page: number
  pageSize: number
  /** Number of items of the page that no earlier page contains. */
  addedCount: number
  /** Number of items on all pages, as the reply reports it. */
  total: number | null
}

/**
 * True if the pages after a loaded page can contain items that are not loaded yet. Comparing the number of loaded items
 * with the total is not enough. If an item is added in front of the list between two requests, the next page contains a
 * loaded item again. After the last page, fewer items than the total are then loaded. A page that adds no item ends the
 * list whatever the total is. Otherwise the client would request further pages without end.
 */
export const hasFurtherPages = ({ page, pageSize, addedCount, total }: LoadedPage): boolean =>
  addedCount > 0 && page * pageSize < (total ?? 0)

/**
 * Adds a page to the loaded items. Removes duplicates, which occur when the list changes between two requests: the
 * later item takes the position of the earlier item.
 */
export function appendPage<T>(
  loadedItems: readonly T[],
  { results, ...page }: Omit<LoadedPage, 'addedCount'> & { results: readonly T[] },
  getItemKey: (item: T) => string,
): { items: T[]; hasMore: boolean } {
  const itemsByKey = new Map([...loadedItems, ...results].map((item) => [getItemKey(item), item]))
  const addedCount = itemsByKey.size - loadedItems.length
  return { items: [...itemsByKey.values()], hasMore: hasFurtherPages({ ...page, addedCount }) }
}
