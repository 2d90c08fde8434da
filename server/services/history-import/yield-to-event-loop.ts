/** Lets the process handle other requests during a long computation. */
import { setImmediate } from 'node:timers/promises'

/** Longest time that a computation may block the event loop. */
const MAX_BLOCKING_MS = 8

/**
 * Returns a function to call between the steps of a computation. The function yields to the event loop if the
 * last yield was at least `MAX_BLOCKING_MS` ago. Otherwise it returns undefined.
 */
export function createEventLoopYield(): () => Promise<void> | undefined {
  let lastYieldMs = performance.now()
  return () => {
    if (performance.now() - lastYieldMs < MAX_BLOCKING_MS) return undefined
    return setImmediate().then(() => {
      lastYieldMs = performance.now()
    })
  }
}
