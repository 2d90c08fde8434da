/**
 * Released: the date is today or earlier (Spec §4). Dates are `YYYY-MM-DD`; `today` is the viewer's. No date, or an
 * empty one as some sources send, is not released: what has no date yet is not offered. Undated episodes in the middle
 * of a series are judged by their neighbours: see `hasAired` in next-up.ts.
 */
export function isReleased(date: string | null | undefined, today: string): boolean {
  return !!date && date.slice(0, 10) <= today
}
