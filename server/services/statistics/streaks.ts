/** Runs of consecutive days. */
import { addDays, countDays } from '../../../src/lib/rules/calendar-days.ts'

export interface Streak {
  days: number
  /** First and last day, `YYYY-MM-DD`. */
  from: string
  until: string
}

/** Returns the longest streak, the latest of equally long ones, and the one that ends today or yesterday. */
export function findStreaks(
  sortedDays: readonly string[],
  today: string,
): { longest: Streak | null; current: Streak | null } {
  let longest: Streak | null = null
  let streak: Streak | null = null
  for (const day of sortedDays) {
    streak =
      streak && countDays(streak.until, day) === 1
        ? { days: streak.days + 1, from: streak.from, until: day }
        : { days: 1, from: day, until: day }
    if (!longest || streak.days >= longest.days) longest = streak
  }
  const isCurrent = streak !== null && (streak.until === today || streak.until === addDays(today, -1))
  return { longest, current: isCurrent ? streak : null }
}
