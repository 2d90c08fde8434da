/**
 * Restores the scroll position after Back. The router scrolls before the page's island has rendered its content, so the
 * page gets a minimum height until the content is high enough.
 */
import type { TransitionBeforePreparationEvent } from 'astro:transitions/client'

/** Interval of the checks of the content height. */
const CHECK_INTERVAL_MS = 3_000
const MAX_CHECK_COUNT = 3
let savedScrollY = 0

document.addEventListener('astro:before-preparation', (event) => {
  const isTraversal = (event as TransitionBeforePreparationEvent).navigationType === 'traverse'
  savedScrollY = isTraversal ? ((history.state as { scrollY?: number } | null)?.scrollY ?? 0) : 0
})

document.addEventListener('astro:after-swap', () => {
  const main = document.querySelector('main')
  /* `scrollY` is read last, because it forces a layout. */
  if (!main || savedScrollY === 0 || savedScrollY <= scrollY) return
  holdHeight(main, savedScrollY, MAX_CHECK_COUNT)
})

/**
 * Scrolls to `scrollTopPx`, and keeps the page high enough for this position until the content is high enough, the user
 * scrolls, or all checks are done.
 */
function holdHeight(main: HTMLElement, scrollTopPx: number, remainingCheckCount: number): void {
  main.style.minHeight = `${scrollTopPx + innerHeight}px`
  scrollTo({ top: scrollTopPx, behavior: 'instant' })
  setTimeout(() => {
    const hasReachedScrollTop = Math.abs(scrollY - scrollTopPx) < 1
    main.style.removeProperty('min-height')
    if (
      remainingCheckCount > 1 &&
      hasReachedScrollTop &&
      main.isConnected &&
      document.documentElement.scrollHeight < scrollTopPx + innerHeight
    )
      holdHeight(main, scrollTopPx, remainingCheckCount - 1)
  }, CHECK_INTERVAL_MS)
}
