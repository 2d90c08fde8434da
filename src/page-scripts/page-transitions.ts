/**
 * Skips view transitions on slow devices, in lite mode and with reduced motion. Before a transition, the browser
 * captures an image of the whole page, which takes more than 100 ms on a slow processor.
 */

/*
 * The order matters: page-swap.ts and shell-prefetch.ts replace the loader of the event `astro:before-preparation`. The
 * listener of page-swap.ts must run second, because it wraps the loader of shell-prefetch.ts.
 */
import './shell-prefetch.ts'
import './page-swap.ts'
import './link-navigation.ts'
import './format-preparation.ts'

/**
 * A device counts as slow if its long tasks in the first ten seconds of a visit take longer than this in total. On a
 * laptop, the home page has no long tasks. On a processor that is 4 times slower, they take up to 240 ms, and on a
 * processor that is 6 times slower, they take more.
 */
const MAX_LONG_TASKS_MS = 100
const MEASURED_PERIOD_MS = 10_000
let longTasksMs = 0

if (globalThis.PerformanceObserver?.supportedEntryTypes.includes('longtask')) {
  new PerformanceObserver((entryList) => {
    for (const { startTime, duration } of entryList.getEntries())
      if (startTime < MEASURED_PERIOD_MS) longTasksMs += duration
  }).observe({ type: 'longtask', buffered: true })
}

function shouldSkipTransition(): boolean {
  const { dataset } = document.documentElement
  const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
  return longTasksMs > MAX_LONG_TASKS_MS || prefersReducedMotion || 'lite' in dataset || 'motion' in dataset
}

const nativeStartViewTransition = document.startViewTransition?.bind(document)
if (nativeStartViewTransition) {
  document.startViewTransition = (update) => {
    if (!shouldSkipTransition() || typeof update !== 'function') return nativeStartViewTransition(update)
    const updatePromise = Promise.resolve()
      .then(update)
      .then(() => {})
    const transitionTypes = new Set<string>() as unknown as ViewTransitionTypeSet
    return {
      updateCallbackDone: updatePromise,
      ready: updatePromise,
      finished: updatePromise,
      skipTransition: () => {},
      types: transitionTypes,
    } as ViewTransition
  }
}
