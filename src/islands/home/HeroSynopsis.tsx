import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { $heroSynopsis, $heroTitle } from '../../lib/stores/hero-synopsis.ts'
import { useHeroRotation } from './hero-rotation.ts'

interface Props {
  title: MediaCard
  nextTitle: MediaCard | undefined
  showNextTitle: () => void
}

/**
 * The synopsis in the hero. It is requested after the page has loaded, so that the request does not delay the hero
 * image. Also rotates the hero.
 */
export default function HeroSynopsis({ title, nextTitle, showNextTitle }: Props) {
  const synopsis = useStore($heroSynopsis)
  const synopsisRef = useRef<HTMLSpanElement>(null)
  useHeroRotation(synopsisRef, nextTitle?.id === title.id ? undefined : nextTitle, showNextTitle)
  useEffect(() => {
    const requestSynopsis = () => $heroTitle.set(title)
    if (document.readyState === 'complete') requestSynopsis()
    else addEventListener('load', requestSynopsis, { once: true })
    return () => removeEventListener('load', requestSynopsis)
  }, [title])
  return (
    <span ref={synopsisRef}>
      {synopsis && (
        <span
          key={title.id}
          lang={synopsis.lang}
          className="animate-[appear_var(--duration-slow)_var(--ease-out)]"
        >
          {synopsis.text}
        </span>
      )}
    </span>
  )
}
