/**
 * Whether the server can be reached. `navigator.onLine` alone is not enough, because it stays true when there is a
 * network but requests fail.
 */
import { REACHABILITY_EVENT } from '../storage-keys.ts'

let hasLastRequestFailed = false

export const isOffline = () => hasLastRequestFailed || globalThis.navigator?.onLine === false

/**
 * Records whether a request reached the server. Dispatches REACHABILITY_EVENT if the previous request had the other
 * result.
 */
export function reportReachability(hasSucceeded: boolean): void {
  if (hasSucceeded !== hasLastRequestFailed) return
  hasLastRequestFailed = !hasSucceeded
  globalThis.dispatchEvent?.(new Event(REACHABILITY_EVENT))
}

/** Calls `listener` when connectivity may have changed. Returns the function that unsubscribes. */
export function onConnectivityChange(listener: () => void): () => void {
  const eventNames = ['online', 'offline', REACHABILITY_EVENT]
  for (const eventName of eventNames) addEventListener(eventName, listener)
  return () => {
    for (const eventName of eventNames) removeEventListener(eventName, listener)
  }
}
