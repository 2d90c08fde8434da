import type { MediaCard } from '../contract/media.ts'

/** Data that the inline boot script of Shell.astro passes to the islands through `globalThis.__boot`. */
export interface BootData {
  /** The response to POST /api/auth/refresh, which the boot script requests before the islands load. */
  refresh?: Promise<Response>
  /** Responses to the first reads of the page, by URL, requested as soon as the access token was known. */
  reads?: Record<string, Promise<Response>>
  /** Titles from which the boot script chose the hero of the home page. */
  hero?: MediaCard[]
  /** Shows the backdrop and the name of a title where its detail page will render them. */
  show?: (media: Pick<MediaCard, 'title' | 'backdrop_path'>, page: Document) => void
}

declare global {
  var __boot: BootData | undefined
}
