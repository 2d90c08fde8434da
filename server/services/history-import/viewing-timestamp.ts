/** Times of viewings, which history files contain with different precision. */

import { DAY_MS } from '../../core/dates.ts'

export interface ViewingTimestamp {
  /**
   * Unix time in ms; 0 if unknown. A date without a time becomes noon UTC, which is the same date in nearly all time
   * zones.
   */
  ms: number
  /** True if only the date is known. */
  isDateOnly: boolean
}

const NOON_MS = 43_200_000

/**
 * Parses `2021-03-29` or a timestamp. A date becomes noon UTC, even if noon is in the future. The stored time of a day
 * therefore does not depend on the hour of entry. A date or time before 1970, or one that begins more than a day in the
 * future, counts as unknown.
 */
export function parseViewingTimestamp(watchedAt: string | undefined, nowMs: number): ViewingTimestamp {
  const timeMs = watchedAt ? Date.parse(watchedAt) : Number.NaN
  if (Number.isNaN(timeMs) || !watchedAt || timeMs < 0 || timeMs > nowMs + DAY_MS)
    return { ms: 0, isDateOnly: false }
  const isDateOnly = /^\d{4}-\d{2}-\d{2}$/.test(watchedAt)
  return { ms: isDateOnly ? timeMs + NOON_MS : timeMs, isDateOnly }
}

/**
 * Returns the time at which a row was last changed, in ms: at most `nowMs`, and 0 if unknown. Accepts the same texts as
 * `parseViewingTimestamp`.
 */
export const parseChangeTimeMs = (changedAt: string | undefined, nowMs: number): number =>
  Math.min(parseViewingTimestamp(changedAt, nowMs).ms, nowMs)

/** Returns the number of UTC days since 1970. */
export const toUtcDayNumber = (timeMs: number) => Math.floor(timeMs / DAY_MS)

/**
 * True if two times from different services can belong to one viewing. The times may differ by the runtime,
 * or by an hour if the runtime is shorter or unknown. If one time is only a date, the times may differ by a
 * day and a half, because services use different time zones. An unknown time can belong to any viewing.
 */
export function isSameViewing(
  a: ViewingTimestamp,
  b: ViewingTimestamp,
  runtimeSeconds: number | null,
): boolean {
  if (a.ms === 0 || b.ms === 0) return true
  const differenceMs = Math.abs(a.ms - b.ms)
  if (a.isDateOnly || b.isDateOnly) return differenceMs <= DAY_MS * 1.5
  return differenceMs <= Math.max(runtimeSeconds ?? 0, 3_600) * 1000
}
