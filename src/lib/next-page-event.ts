/**
 * Dispatched by page-scripts/page-swap.ts on the document when the next page is loaded, before it replaces the current
 * one.
 */
export const NEXT_PAGE_EVENT = 'next-page'
export type NextPageEvent = CustomEvent<{ to: URL; newDocument: Document }>
