/** Released: the date is today or earlier (Spec §4). Dates are `YYYY-MM-DD`; an unknown date does not hold back. */
export function isReleased(date: string | null | undefined, today: string): boolean {
  return !date || date <= today
}
