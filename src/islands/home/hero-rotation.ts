/** Shows the featured titles in the hero one after the other while the user is inactive. */
import { type RefObject, useEffect } from 'react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { getImageUrl } from '../../lib/images.ts'
import { isMotionReduced } from '../../ui/motion.ts'

/**
 * Time for which the hero shows a title. It is long enough to read the title, its facts and its synopsis
 * twice.
 */
const ROTATION_INTERVAL_MS = 20_000
const FADE_MS = 250
/**
 * The hero rotates only with a mouse. With a touch screen or a remote control, a press just after the change
 * would open a different title than intended.
 */
const ROTATION_MEDIA_QUERY = '(hover: hover) and (pointer: fine)'
/**
 * After any of these events, the user may be reading or about to press something. The title then stays for another
 * ROTATION_INTERVAL_MS.
 */
const INPUT_EVENTS = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'scroll', 'focusin'] as const

/** Calls `showNextTitle` after ROTATION_INTERVAL_MS without input, unless the hero is in use or motion is reduced. */
export function useHeroRotation(
  heroRef: RefObject<HTMLElement | null>,
  nextTitle: MediaCard | undefined,
  showNextTitle: () => void,
): void {
  useEffect(() => {
    const hero = heroRef.current?.closest('section')
    if (!hero || !nextTitle || !matchMedia(ROTATION_MEDIA_QUERY).matches) return
    const lifetimeController = new AbortController()
    const { signal } = lifetimeController
    let timer: ReturnType<typeof setTimeout>
    const rotateHero = async () => {
      if (
        isRotationPaused(hero) ||
        !(await preloadBackdrop(nextTitle)) ||
        isRotationPaused(hero) ||
        signal.aborted
      )
        restartRotationTimer()
      else await crossFade(hero, showNextTitle)
    }
    const restartRotationTimer = () => {
      clearTimeout(timer)
      if (!signal.aborted) timer = setTimeout(rotateHero, ROTATION_INTERVAL_MS)
    }
    for (const type of INPUT_EVENTS)
      addEventListener(type, restartRotationTimer, { signal, passive: true, capture: true })
    restartRotationTimer()
    return () => {
      lifetimeController.abort()
      clearTimeout(timer)
    }
  }, [heroRef, nextTitle, showNextTitle])
}

/**
 * True while the hero must not rotate. This is the case if motion is reduced, the page is hidden, or the page is
 * scrolled down. It is also the case if the user points at the hero, has focused an element in the hero, has opened a
 * dialog or popover, or has selected text.
 */
function isRotationPaused(hero: HTMLElement): boolean {
  return (
    isMotionReduced() ||
    document.hidden ||
    scrollY > 0 ||
    hero.matches(':hover, :focus-within') ||
    document.querySelector('dialog[open], [popover]:popover-open') !== null ||
    getSelection()?.isCollapsed === false
  )
}

/** Loads the image of a title. Resolves with false if the image cannot be loaded. */
async function preloadBackdrop({ backdrop_path }: MediaCard): Promise<boolean> {
  const picture = new Image()
  picture.src = getImageUrl(backdrop_path, 'w1280') ?? ''
  return picture.decode().then(
    () => true,
    () => false,
  )
}

/**
 * Changes the title with a cross-fade. Only the opacity is animated: image, text and buttons keep their
 * positions.
 */
async function crossFade(hero: HTMLElement, showNextTitle: () => void): Promise<void> {
  const animationOptions = { duration: FADE_MS, easing: 'ease-out', fill: 'forwards' } as const
  const fadeOutAnimation = hero.animate({ opacity: 0 }, animationOptions)
  await fadeOutAnimation.finished
  showNextTitle()
  hero.animate({ opacity: [0, 1] }, { ...animationOptions, fill: 'none' })
  fadeOutAnimation.cancel()
}
