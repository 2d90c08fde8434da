/** The filter "Must end by": titles that end at a clock time or earlier if they start now. */

const MINUTES_PER_DAY = 1_440
/** If the next occurrence of an end time is more than 18 hours ahead, the end time counts as passed. */
const MAX_MINUTES_AHEAD = 18 * 60

/**
 * Returns the minutes from `nowMinute` until `endMinute`, which may be after midnight. Returns 0 when the end time has
 * passed.
 */
export function getMinutesUntil(endMinute: number, nowMinute: number): number {
  const minutes = (endMinute - nowMinute + MINUTES_PER_DAY) % MINUTES_PER_DAY
  return minutes > MAX_MINUTES_AHEAD ? 0 : minutes
}

/** Returns the minute of the day at which a video with this remaining time ends if it starts now. Rounds up. */
export function getEndMinuteOfDay(nowMinute: number, remainingSeconds: number): number {
  return (nowMinute + Math.ceil(remainingSeconds / 60)) % MINUTES_PER_DAY
}

/** Parses a clock time such as `21:30` to minutes since midnight; null for other texts. */
export function parseClockTime(clockText: string | null): number | null {
  const clockMatch = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(clockText ?? '')
  return clockMatch ? Number(clockMatch[1]) * 60 + Number(clockMatch[2]) : null
}

/** Formats minutes since midnight as `21:30`, for URLs and time fields. */
export function toClockText(minuteOfDay: number): string {
  const padToTwoDigits = (value: number) => String(value).padStart(2, '0')
  return `${padToTwoDigits(Math.floor(minuteOfDay / 60))}:${padToTwoDigits(minuteOfDay % 60)}`
}

/** Returns the current minute of the day on the clock of the device. */
export function getCurrentMinuteOfDay(date = new Date()): number {
  return date.getHours() * 60 + date.getMinutes()
}
