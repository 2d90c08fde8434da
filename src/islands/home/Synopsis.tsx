import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { $heroTitle, $synopsis } from '../../lib/stores/synopsis.ts'

/** Asked for when the page has settled: the picture above it comes first. */
export default function Synopsis({ media }: { media: MediaCard }) {
  const synopsis = useStore($synopsis)
  useEffect(() => {
    const ask = () => $heroTitle.set(media)
    if (document.readyState === 'complete') ask()
    else addEventListener('load', ask, { once: true })
    return () => removeEventListener('load', ask)
  }, [media])
  return synopsis
}
