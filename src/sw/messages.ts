/**
 * Asks the service worker to cache the shells of a locale and the images in `imageUrls`. A page sends this message
 * once the service worker is registered and active.
 */
export interface CacheShellsMessage {
  kind: 'cache-shells'
  /** Locale prefix of the paths: empty for the default locale, otherwise for example `/fr`. */
  prefix: string
  imageUrls: string[]
}
