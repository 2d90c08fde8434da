import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { $heroSynopsis, $heroTitle } from '../../lib/stores/hero-synopsis.ts'

/** Requests the synopsis after the page has loaded, so that it does not delay the hero picture. */
export default function HeroSynopsis({ title }: { title: MediaCard }) {
  const synopsis = useStore($heroSynopsis)
  useEffect(() => {
    const requestSynopsis = () => $heroTitle.set(title)
    if (document.readyState === 'complete') requestSynopsis()
    else addEventListener('load', requestSynopsis, { once: true })
    return () => removeEventListener('load', requestSynopsis)
  }, [title])
  return synopsis && <span className="animate-[appear_var(--duration-slow)_var(--ease-out)]">{synopsis}</span>
}
