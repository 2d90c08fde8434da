import type { MediaCard } from '../contract/media.ts'

/** What the inline boot script of Shell.astro leaves for the islands' code (see there). */
export interface Boot {
  /** The answer to POST /api/auth/refresh, begun with the page. */
  refresh?: Promise<Response>
  /** First reads of the page by address, begun as soon as the token was there. */
  reads?: Record<string, Promise<Response>>
  /** What the early picture of home was chosen from. */
  hero?: MediaCard[]
  /** Puts a title's picture and name where its page will have them. */
  show?: (media: Pick<MediaCard, 'title' | 'backdrop_path'>, page: Document) => void
}

declare global {
  var __boot: Boot | undefined
}
