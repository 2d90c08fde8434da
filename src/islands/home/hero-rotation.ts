/** Shows the featured titles in the hero one after the other while the user is inactive. */
import { type RefObject, useEffect } from 'react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { getImageUrl } from '../../lib/images.ts'
import { isMotionReduced } from '../../ui/motion.ts'

/**
 * Time for which the hero shows a title. It is long enough to read the title, its facts and its synopsis
 * twice.
 */
const TURN_MS = 20_000
const FADE_MS = 250
/**
 * The hero rotates only with a mouse. With a touch screen or a remote control, a press just after the change
 * would open a different title than intended.
 */
const CAN_ROTATE = '(hover: hover) and (pointer: fine)'
/**
 * After any of these events, the user may be reading or about to press something. The title then stays for
 * another full turn.
 */
const INPUT_EVENTS = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'scroll', 'focusin'] as const

/** Calls `showNext` after TURN_MS without input, unless the hero is in use or motion is reduced. */
export function useHeroRotation(
  ref: RefObject<HTMLElement | null>,
  nextTitle: MediaCard | undefined,
  showNext: () => void,
): void {
  useEffect(() => {
    const hero = ref.current?.closest('section')
    if (!hero || !nextTitle || !matchMedia(CAN_ROTATE).matches) return
    const lifetime = new AbortController()
    const { signal } = lifetime
    let timer: ReturnType<typeof setTimeout>
    const turn = async () => {
      if (isInUse(hero) || !(await loadPicture(nextTitle)) || isInUse(hero) || signal.aborted) restart()
      else await crossFade(hero, showNext)
    }
    const restart = () => {
      clearTimeout(timer)
      if (!signal.aborted) timer = setTimeout(turn, TURN_MS)
    }
    for (const type of INPUT_EVENTS) addEventListener(type, restart, { signal, passive: true, capture: true })
    restart()
    return () => {
      lifetime.abort()
      clearTimeout(timer)
    }
  }, [ref, nextTitle, showNext])
}

/**
 * True while the hero must not rotate: the user points at it, has the focus in it or does not see it, or
 * motion is reduced.
 */
function isInUse(hero: HTMLElement): boolean {
  return (
    isMotionReduced() ||
    document.hidden ||
    scrollY > 0 ||
    hero.matches(':hover, :focus-within') ||
    document.querySelector('dialog[open], [popover]:popover-open') !== null ||
    getSelection()?.isCollapsed === false
  )
}

/** Loads the image of a title. Resolves with false if it cannot be loaded; the hero then keeps its title. */
async function loadPicture({ backdrop_path }: MediaCard): Promise<boolean> {
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
async function crossFade(hero: HTMLElement, showNext: () => void): Promise<void> {
  const options = { duration: FADE_MS, easing: 'ease-out', fill: 'forwards' } as const
  const fadeOut = hero.animate({ opacity: 0 }, options)
  await fadeOut.finished
  showNext()
  hero.animate({ opacity: [0, 1] }, { ...options, fill: 'none' })
  fadeOut.cancel()
}
