/** Addresses of artwork by width and path (Spec §7). Pictures that our server draws are on our own origin. */
export type ImageWidth = 'w185' | 'w342' | 'w500' | 'w780' | 'w1280'

export function imageUrl(path: string | null, width: ImageWidth): string | undefined {
  if (!path) return undefined
  const own = path.startsWith('/drawn/')
  const base = own
    ? '/images'
    : (document.querySelector<HTMLMetaElement>('meta[name=image-base]')?.content ?? '/images')
  return `${base}/${width}${path}`
}
