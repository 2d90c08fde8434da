/** Times of viewings, which history files contain with different precision. */

export interface Moment {
  /**
   * Unix time in ms; 0 if unknown. A date without a time becomes noon UTC, which is the same date in nearly all time zones.
   */
  ms: number
  /** True if only the date is known. */
  byDay: boolean
}

const NOON_MS = 43_200_000
const DAY_MS = 86_400_000

/**
 * Parses `2021-03-29` or a timestamp. If noon of the date is in the future, the start of the day is used. Times more than a
 * day in the future count as unknown.
 */
export function momentOf(at: string | undefined, nowMs: number): Moment {
  const timeMs = at ? Date.parse(at) : Number.NaN
  if (Number.isNaN(timeMs) || !at || timeMs > nowMs + DAY_MS) return { ms: 0, byDay: false }
  const byDay = /^\d{4}-\d{2}-\d{2}$/.test(at)
  return { ms: byDay && timeMs + NOON_MS <= nowMs ? timeMs + NOON_MS : timeMs, byDay }
}

/** Number of the UTC day since 1970. */
export const dayOf = (ms: number) => Math.floor(ms / DAY_MS)

/**
 * True if two times from different services can belong to the same viewing: they differ by no more than the runtime (at least
 * an hour). If one of them is only a date, they may differ by a day and a half, because services use different time zones.
 */
export function sameViewing(a: Moment, b: Moment, runtimeSeconds: number | null): boolean {
  if (a.ms === 0 || b.ms === 0) return true
  const differenceMs = Math.abs(a.ms - b.ms)
  if (a.byDay || b.byDay) return differenceMs <= DAY_MS * 1.5
  return differenceMs <= Math.max(runtimeSeconds ?? 0, 3_600) * 1000
}
