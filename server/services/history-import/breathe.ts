/** Long work on the one thread: lets requests through before anybody would notice. */
import { setImmediate } from 'node:timers/promises'

const LONGEST_MS = 8

/** Call it between pieces of work; it pauses only when the last pause is long enough ago. */
export function breather(): () => Promise<void> | undefined {
  let last = performance.now()
  return () => {
    if (performance.now() - last < LONGEST_MS) return undefined
    return setImmediate().then(() => {
      last = performance.now()
    })
  }
}
