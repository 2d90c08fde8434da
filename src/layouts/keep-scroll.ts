/**
 * Back finds a page where it was left, from its first picture on: the router scrolls before the page's island has drawn
 * what makes it long, so the page is held as long as it must be until that is there.
 */
import type { TransitionBeforePreparationEvent } from 'astro:transitions/client'

/** What an island that was here before takes to draw itself, and to ask again for what it does not keep. */
const HOLD_MS = 3_000
let left = 0

document.addEventListener('astro:before-preparation', (event) => {
  const traversed = (event as TransitionBeforePreparationEvent).navigationType === 'traverse'
  left = traversed ? ((history.state as { scrollY?: number } | null)?.scrollY ?? 0) : 0
})

document.addEventListener('astro:after-swap', () => {
  const main = document.querySelector('main')
  if (!main || left <= scrollY) return
  main.style.minHeight = `${left + innerHeight}px`
  scrollTo({ top: left, behavior: 'instant' })
  setTimeout(() => main.style.removeProperty('min-height'), HOLD_MS)
})
