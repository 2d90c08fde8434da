/**
 * Returns whether a release date is today or earlier. Dates are `YYYY-MM-DD`; `today` is the date of the viewer.
 * A missing or empty date counts as not released. For episodes without a date, see `hasAired` in episode-order.ts.
 */
export function isReleased(date: string | null | undefined, today: string): boolean {
  return !!date && date.slice(0, 10) <= today
}
