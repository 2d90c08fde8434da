/**
 * Name of the event that page-scripts/click-cover.ts dispatches on the document after it has loaded the next page, and
 * before the next page replaces the current page.
 */
export const NEXT_PAGE_EVENT = 'next-page'
export type NextPageEvent = CustomEvent<{ to: URL; newDocument: Document }>
