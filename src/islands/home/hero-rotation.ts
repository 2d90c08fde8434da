/** Shows the other featured titles in the hero, one after the other, while nobody uses the page. */
import { type RefObject, useEffect } from 'react'
import type { MediaCard } from '../../lib/contract/media.ts'
import { getImageUrl } from '../../lib/images.ts'
import { isMotionReduced } from '../../ui/motion.ts'

/** Time for which the hero shows a title: long enough to read the title, its facts and its synopsis twice. */
const TURN_MS = 20_000
const FADE_MS = 250
/**
 * Media query for a mouse. A tap, or the OK key of a remote control, could open another title than the one that was
 * visible.
 */
const CAN_ROTATE = '(hover: hover) and (pointer: fine)'
/** After any of these the user may be reading or about to press something, so the title stays for another full turn. */
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

/** True while the user points at the hero, uses it with the keyboard or does not see it, or if motion is reduced. */
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

/** Resolves to false if the picture cannot be loaded: the hero then keeps the title that it has. */
async function loadPicture({ backdrop_path }: MediaCard): Promise<boolean> {
  const picture = new Image()
  picture.src = getImageUrl(backdrop_path, 'w1280') ?? ''
  return picture.decode().then(
    () => true,
    () => false,
  )
}

/** Only the opacity changes: picture, text and buttons keep their places. */
async function crossFade(hero: HTMLElement, showNext: () => void): Promise<void> {
  const options = { duration: FADE_MS, easing: 'ease-out', fill: 'forwards' } as const
  const fadeOut = hero.animate({ opacity: 0 }, options)
  await fadeOut.finished
  showNext()
  hero.animate({ opacity: [0, 1] }, { ...options, fill: 'none' })
  fadeOut.cancel()
}
