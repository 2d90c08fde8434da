/**
 * Page transitions are for devices that have time for them: before anything moves, the browser pictures the whole page, which
 * takes a slow processor more than a tenth of a second. Where the first seconds were full of work, in lite mode, and
 * where less motion is wished, the next page simply takes the place of the last.
 */

/* In this order: what brings the next page is told first, what waits for the press to show wraps it. */
import './instant.ts'
import './light-swap.ts'

/**
 * Milliseconds of long tasks in the first seconds of a visit from which a device is busy with showing a page at all. Home
 * has none of them on a laptop, up to 240 ms on a processor 4 times slower, from 240 ms on one 6 times slower.
 */
const BUSY_MS = 100
const FIRST_MS = 10_000
let busy = 0

if (globalThis.PerformanceObserver?.supportedEntryTypes.includes('longtask')) {
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) if (startTime < FIRST_MS) busy += duration
  }).observe({ type: 'longtask', buffered: true })
}

function isPlain(): boolean {
  const { dataset } = document.documentElement
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  return busy > BUSY_MS || calm || 'lite' in dataset || 'motion' in dataset
}

const native = document.startViewTransition?.bind(document)
if (native) {
  document.startViewTransition = (update) => {
    if (!isPlain() || typeof update !== 'function') return native(update)
    const done = Promise.resolve()
      .then(update)
      .then(() => {})
    const types = new Set<string>() as unknown as ViewTransitionTypeSet
    return {
      updateCallbackDone: done,
      ready: done,
      finished: done,
      skipTransition: () => {},
      types,
    } as ViewTransition
  }
}
