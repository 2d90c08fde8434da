/**
 * Back finds a page where it was left, from its first picture on: the router scrolls before the page's island has drawn
 * what makes it long, so the page is held as long as it must be until that is there.
 */
import type { TransitionBeforePreparationEvent } from 'astro:transitions/client'

/** How often it is looked whether the page is long enough by itself, and for how long. */
const LOOK_MS = 3_000
const LOOKS = 3
let left = 0

document.addEventListener('astro:before-preparation', (event) => {
  const traversed = (event as TransitionBeforePreparationEvent).navigationType === 'traverse'
  left = traversed ? ((history.state as { scrollY?: number } | null)?.scrollY ?? 0) : 0
})

document.addEventListener('astro:after-swap', () => {
  const main = document.querySelector('main')
  /* Asking where the page stands has it laid out at once. */
  if (!main || left === 0 || left <= scrollY) return
  hold(main, left, LOOKS)
})

/** Until the island has drawn itself, and has asked again for what it does not keep; unless the viewer has scrolled on. */
function hold(main: HTMLElement, top: number, looks: number): void {
  main.style.minHeight = `${top + innerHeight}px`
  scrollTo({ top, behavior: 'instant' })
  setTimeout(() => {
    const stayed = Math.abs(scrollY - top) < 1
    main.style.removeProperty('min-height')
    if (looks > 1 && stayed && main.isConnected && document.documentElement.scrollHeight < top + innerHeight)
      hold(main, top, looks - 1)
  }, LOOK_MS)
}
