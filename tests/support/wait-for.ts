import { vi } from 'vitest'

/** Several times the longest wait on a fast machine, so that slow or busy machines pass too. */
const TIMEOUT_MS = 30_000

/**
 * Calls `callback` every `intervalMs` milliseconds until it does not throw, and returns its result. `vi.waitFor` alone
 * gives up after one second.
 */
export const waitFor = <Result>(callback: () => Result | Promise<Result>, intervalMs = 50): Promise<Result> =>
  vi.waitFor(callback, { timeout: TIMEOUT_MS, interval: intervalMs })
