/**
 * Builds the URL of an image from its path and width. Artwork that this server draws or proxies comes from this server.
 * All other images come from IMAGE_BASE_URL, or from this server if the setting is empty.
 */
export type ImageWidth = 'w185' | 'w342' | 'w500' | 'w780' | 'w1280'

/** Width that replaces each width in lite mode. */
const LITE_WIDTHS_BY_WIDTH: Record<ImageWidth, ImageWidth> = {
  w185: 'w185',
  w342: 'w185',
  w500: 'w342',
  w780: 'w500',
  w1280: 'w780',
}

/** Returns the URL of an image; undefined without a path. */
export function getImageUrl(path: string | null, width: ImageWidth): string | undefined {
  if (!path) return undefined
  const actualWidth = 'lite' in document.documentElement.dataset ? LITE_WIDTHS_BY_WIDTH[width] : width
  // A path on an external host is only a file name. Paths on this server begin with `/drawn/` or `/art/`.
  const isOnThisOrigin = path.includes('/', 1)
  const baseUrl = isOnThisOrigin
    ? '/images'
    : document.querySelector<HTMLMetaElement>('meta[name=image-base]')?.content || '/images'
  return `${baseUrl}/${actualWidth}${path}`
}
