/** Reads a list of a media server page by page. */
import { MediaServerError } from './media-server.ts'

interface ListedPage<T> {
  /** The readable items of the page. */
  items: T[]
  /** Number of items of the page, including unreadable ones. */
  listedCount: number
  /** Number of items of the list, as the server states it. */
  total: number
}

/**
 * Yields the pages of a list. Throws `MediaServerError` if a page before the last one has no new item, because a server
 * that ignores the start index would send its first page for ever.
 */
export async function* listPages<T>(
  loadPage: (startIndex: number) => Promise<ListedPage<T>>,
  { getId, signal }: { getId: (item: T) => string; signal: AbortSignal },
): AsyncGenerator<ListedPage<T>> {
  const seenIds = new Set<string>()
  for (let startIndex = 0; ; ) {
    signal.throwIfAborted()
    const page = await loadPage(startIndex)
    startIndex += page.listedCount
    const isLastPage = page.listedCount === 0 || startIndex >= page.total
    const seenCountBefore = seenIds.size
    for (const item of page.items) seenIds.add(getId(item))
    if (seenIds.size === seenCountBefore && !isLastPage) throw new MediaServerError('wrong_service')
    yield page
    if (isLastPage) return
  }
}
