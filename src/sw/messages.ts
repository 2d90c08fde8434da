/** Message of a page to the service worker after it was registered: cache the shells of this locale and these images. */
export interface CacheShellsMessage {
  kind: 'cache-shells'
  /** Locale prefix of the paths: empty for the default locale, otherwise for example `/fr`. */
  prefix: string
  imageUrls: string[]
}
