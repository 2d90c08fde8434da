/** Message of a page to the service worker after it was registered: cache the shells of this locale and these images. */
export interface CacheShellsMessage {
  kind: 'cache-shells'
  /** First part of the path of the locale: empty, or `/fr`. */
  prefix: string
  imageUrls: string[]
}
