/** When something happened, as far as a file knows. */

export interface Moment {
  /** Milliseconds since 1970; 0 when nobody knows. A day is its noon in UTC, which is that day nearly everywhere. */
  ms: number
  byDay: boolean
}

const NOON_MS = 43_200_000
const DAY_MS = 86_400_000

/** `2021-03-29` or an instant. Of today, noon may lie ahead: then the day begins. What is later still has no date. */
export function momentOf(at: string | undefined, now: number): Moment {
  const time = at ? Date.parse(at) : Number.NaN
  if (Number.isNaN(time) || !at || time > now + DAY_MS) return { ms: 0, byDay: false }
  const byDay = /^\d{4}-\d{2}-\d{2}$/.test(at)
  return { ms: byDay && time + NOON_MS <= now ? time + NOON_MS : time, byDay }
}

export const dayOf = (ms: number) => Math.floor(ms / DAY_MS)

/**
 * Whether two reports from different services are of one viewing: within the title's length (an hour at least), or where
 * one of them knows only the day, on that day or the one beside it, since services count days in their own time zones.
 */
export function sameViewing(a: Moment, b: Moment, seconds: number | null): boolean {
  if (a.ms === 0 || b.ms === 0) return true
  const apart = Math.abs(a.ms - b.ms)
  if (a.byDay || b.byDay) return apart <= DAY_MS * 1.5
  return apart <= Math.max(seconds ?? 0, 3_600) * 1000
}
