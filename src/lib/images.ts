/** Addresses of artwork by width and path (Spec §7). Pictures that our server draws are on our own origin. */
export type ImageWidth = 'w185' | 'w342' | 'w500' | 'w780' | 'w1280'

/** In lite mode each picture is the next smaller one. */
const LIGHTER: Record<ImageWidth, ImageWidth> = {
  w185: 'w185',
  w342: 'w185',
  w500: 'w342',
  w780: 'w500',
  w1280: 'w780',
}

export function imageUrl(path: string | null, width: ImageWidth): string | undefined {
  if (!path) return undefined
  const lighter = 'lite' in document.documentElement.dataset ? LIGHTER[width] : width
  const own = path.startsWith('/drawn/')
  const base = own
    ? '/images'
    : (document.querySelector<HTMLMetaElement>('meta[name=image-base]')?.content ?? '/images')
  return `${base}/${lighter}${path}`
}
