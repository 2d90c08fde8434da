import { perProfile } from './per-profile.ts'

/**
 * Wraps an action that must not run twice when its button is pressed twice. While a call is running, a further call
 * with equal arguments starts nothing and returns the promise of the running call.
 */
export function shareRunningCall<Args extends unknown[], Result>(
  action: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  // The start of a profile session interrupts running calls, which then never settle. Each session has its own map, so
  // that these calls do not block the calls of later sessions.
  const $runningCalls = perProfile(() => new Map<string, Promise<Result>>())
  return (...args) => {
    const runningCalls = $runningCalls.get()
    const callKey = JSON.stringify(args)
    const call = runningCalls.get(callKey) ?? action(...args).finally(() => runningCalls.delete(callKey))
    runningCalls.set(callKey, call)
    return call
  }
}
