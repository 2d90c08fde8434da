/** Converts and compares times. Numbers are milliseconds since 1970; texts are ISO 8601 in UTC. */

export const DAY_MS = 86_400_000

/** Largest expected difference between the clocks of two machines. */
export const MAX_CLOCK_DIFFERENCE_MS = 60_000

/**
 * True when a stored time is more than MAX_CLOCK_DIFFERENCE_MS ahead of `nowMs`: the clock was wrong when the time was
 * stored, or is wrong now.
 */
export function isInFuture(timeMs: number, nowMs: number): boolean {
  return timeMs > nowMs + MAX_CLOCK_DIFFERENCE_MS
}

/**
 * True when a stored time is more than `ageMs` ago. Also true for a time in the future, whose age is unknown.
 * Otherwise, work that waits for this age would not run until the clock has passed that time.
 */
export function isOlderThan(timeMs: number, ageMs: number, nowMs: number): boolean {
  return timeMs < nowMs - ageMs || isInFuture(timeMs, nowMs)
}

/**
 * True when a process has written no heartbeat for `timeoutMs`. Also true for a heartbeat more than a day in the
 * future. A heartbeat less than a day in the future counts as current. After a small correction of the clock, a running
 * process has such a heartbeat until it writes the next one.
 */
export function isHeartbeatExpired(heartbeatMs: number, timeoutMs: number, nowMs: number): boolean {
  return nowMs - heartbeatMs > timeoutMs || heartbeatMs > nowMs + DAY_MS
}

/** Returns the date, `YYYY-MM-DD`. */
export function toIsoDate(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10)
}

/** Returns date and time, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export function toIsoTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/**
 * Returns a time that a device sent, in milliseconds since 1970 by the clock of the server. `sentAt` is the time of the
 * request by the clock of the device, which may be wrong. The correction is a multiple of MAX_CLOCK_DIFFERENCE_MS, so
 * smaller differences are ignored. With an exact correction, the varying duration of requests could change the order of
 * the times that a device sends, and a time that is sent twice could get two values.
 */
export function parseDeviceTime(time: string, sentAt: string | undefined, nowMs: number): number {
  const differenceMs = sentAt === undefined ? 0 : nowMs - Date.parse(sentAt)
  return Date.parse(time) + Math.trunc(differenceMs / MAX_CLOCK_DIFFERENCE_MS) * MAX_CLOCK_DIFFERENCE_MS
}

/** Times of a request that is sent late or again (`repeatFields` of the contract). */
export interface RepeatTimes {
  first_failed_at?: string | undefined
  sent_at?: string | undefined
}

/**
 * Returns the time at which the first attempt of a request failed, by the clock of the server. A change that was stored
 * after this time is newer than the request. A request without `first_failed_at` has not failed before and replaces
 * every stored change, so the result is Number.MAX_SAFE_INTEGER. The difference between `sent_at` and `first_failed_at`
 * does not depend on the clock of the device. Without `sent_at`, the clock of the device counts as exact.
 */
export function parseFirstFailureTime({ first_failed_at, sent_at }: RepeatTimes, nowMs: number): number {
  if (!first_failed_at) return Number.MAX_SAFE_INTEGER
  const sentAtMs = sent_at === undefined ? nowMs : Date.parse(sent_at)
  return Math.max(0, nowMs - Math.max(0, sentAtMs - Date.parse(first_failed_at)))
}

export function toIsoTimeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toIsoTime(epochMs)
}
