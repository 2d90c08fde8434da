/**
 * Dispatched on the document by page-scripts/click-cover.ts when the next page is loaded, before the next page replaces
 * the current page.
 */
export const NEXT_PAGE_EVENT = 'next-page'
export type NextPageEvent = CustomEvent<{ to: URL; newDocument: Document }>
