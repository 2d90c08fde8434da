/** Times of viewings, which history files contain with different precision. */

import { DAY_MS } from '../../core/dates.ts'

export interface ViewingTime {
  /**
   * Unix time in ms; 0 if unknown. A date without a time becomes noon UTC, which is the same date in nearly all time zones.
   */
  ms: number
  /** True if only the date is known. */
  isDateOnly: boolean
}

const NOON_MS = 43_200_000

/**
 * Parses `2021-03-29` or a timestamp. If noon of the date is in the future, the start of the day is used. Times more than a
 * day in the future count as unknown.
 */
export function parseViewingTime(at: string | undefined, nowMs: number): ViewingTime {
  const timeMs = at ? Date.parse(at) : Number.NaN
  if (Number.isNaN(timeMs) || !at || timeMs > nowMs + DAY_MS) return { ms: 0, isDateOnly: false }
  const isDateOnly = /^\d{4}-\d{2}-\d{2}$/.test(at)
  return { ms: isDateOnly && timeMs + NOON_MS <= nowMs ? timeMs + NOON_MS : timeMs, isDateOnly }
}

/** Returns the number of UTC days since 1970. */
export const toUtcDayNumber = (ms: number) => Math.floor(ms / DAY_MS)

/**
 * True if two times from different services can belong to the same viewing: they differ by no more than the runtime (at least
 * an hour). If one of them is only a date, they may differ by a day and a half, because services use different time zones.
 */
export function isSameViewing(a: ViewingTime, b: ViewingTime, runtimeSeconds: number | null): boolean {
  if (a.ms === 0 || b.ms === 0) return true
  const differenceMs = Math.abs(a.ms - b.ms)
  if (a.isDateOnly || b.isDateOnly) return differenceMs <= DAY_MS * 1.5
  return differenceMs <= Math.max(runtimeSeconds ?? 0, 3_600) * 1000
}
