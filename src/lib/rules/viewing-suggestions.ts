/**
 * Viewing limits that are proposed when a parent sets up a profile for a child or selects the start of quiet hours. The
 * parent can change each limit.
 */

interface SuggestedViewingLimits {
  school_day_minutes: number
  weekend_minutes: number
  quiet_start: number
  quiet_end: number
}

const QUIET_END_MINUTE = 7 * 60
const SHORTEST_QUIET_MINUTES = 30
const MINUTES_PER_DAY = 24 * 60

/** Returns the proposed limits for an age in years. Younger children get less time and earlier quiet hours. */
export function suggestViewingLimits(ageYears: number): SuggestedViewingLimits {
  if (ageYears < 6)
    return { school_day_minutes: 45, weekend_minutes: 60, quiet_start: 19 * 60, quiet_end: QUIET_END_MINUTE }
  if (ageYears < 10)
    return { school_day_minutes: 60, weekend_minutes: 90, quiet_start: 20 * 60, quiet_end: QUIET_END_MINUTE }
  if (ageYears < 13)
    return { school_day_minutes: 90, weekend_minutes: 120, quiet_start: 21 * 60, quiet_end: QUIET_END_MINUTE }
  return { school_day_minutes: 120, weekend_minutes: 180, quiet_start: 22 * 60, quiet_end: QUIET_END_MINUTE }
}

/**
 * Returns quiet hours that start at `startMinute`; all times are in minutes since midnight. The quiet hours end at
 * `previousEndMinute`, or at 7:00 if it is null. If this end would equal the start, which the server rejects, they end
 * half an hour after the start.
 */
export function suggestQuietHours(startMinute: number, previousEndMinute: number | null) {
  const endMinute = previousEndMinute ?? QUIET_END_MINUTE
  return {
    quiet_start: startMinute,
    quiet_end:
      endMinute === startMinute ? (startMinute + SHORTEST_QUIET_MINUTES) % MINUTES_PER_DAY : endMinute,
  }
}
