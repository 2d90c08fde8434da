/**
 * Computes local times of day, and whether a time is within the quiet hours for notices, in which a profile receives no
 * push notifications and no weekly email.
 */

export const MINUTES_PER_DAY = 1_440
const DEFAULT_TIME_ZONE = 'UTC'

export interface LocalDateTime {
  /** Date in the time zone, as `YYYY-MM-DD`. */
  date: string
  /** Day of the week: 0 is Sunday. */
  weekday: number
  minuteOfDay: number
}

/** Date formats, by time zone. The formats are cached, because creating a format takes longer than using it. */
const formatsByTimeZone = new Map<string, Intl.DateTimeFormat>()
const MAX_CACHED_FORMATS = 100

function getTimeFormat(timeZone: string): Intl.DateTimeFormat {
  const timeFormat =
    formatsByTimeZone.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' })
  if (formatsByTimeZone.size >= MAX_CACHED_FORMATS) formatsByTimeZone.clear()
  formatsByTimeZone.set(timeZone, timeFormat)
  return timeFormat
}

/** True for the IANA name of a time zone that this server knows. */
export function isTimeZone(zoneName: string): boolean {
  try {
    getTimeFormat(zoneName)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the time of day and the date in a time zone. Uses UTC for null, and for a time zone that is no
 * longer known.
 */
export function toLocalTime(timeMs: number, timeZone: string | null): LocalDateTime {
  const validTimeZone = timeZone && isTimeZone(timeZone) ? timeZone : DEFAULT_TIME_ZONE
  const partsByType = new Map(
    getTimeFormat(validTimeZone)
      .formatToParts(timeMs)
      .map(({ type, value }) => [type, value]),
  )
  const date = `${partsByType.get('year')}-${partsByType.get('month')}-${partsByType.get('day')}`
  return {
    date,
    weekday: new Date(`${date}T00:00:00Z`).getUTCDay(),
    minuteOfDay: Number(partsByType.get('hour')) * 60 + Number(partsByType.get('minute')),
  }
}

interface QuietHours {
  time_zone: string | null
  quiet_from: number | null
  quiet_until: number | null
}

/**
 * True during the quiet hours for notices, which may include midnight. If the start and the end are equal, the quiet
 * hours last the whole day.
 */
export function isInQuietHours(quietHours: QuietHours, nowMs: number): boolean {
  const { minuteOfDay } = toLocalTime(nowMs, quietHours.time_zone)
  return countQuietMinutesFrom(quietHours, minuteOfDay) > 0
}

/** Number of minutes from a minute of the day until the quiet hours end; 0 outside the quiet hours. */
export function countQuietMinutesFrom(
  { quiet_from, quiet_until }: Pick<QuietHours, 'quiet_from' | 'quiet_until'>,
  minuteOfDay: number,
): number {
  if (quiet_from === null || quiet_until === null) return 0
  const quietLengthMinutes = (quiet_until - quiet_from + MINUTES_PER_DAY) % MINUTES_PER_DAY || MINUTES_PER_DAY
  const minutesSinceStart = (minuteOfDay - quiet_from + MINUTES_PER_DAY) % MINUTES_PER_DAY
  return Math.max(0, quietLengthMinutes - minutesSinceStart)
}

/** Converts `HH:MM` to minutes after midnight. */
export function parseTimeOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

/** Converts minutes after midnight to `HH:MM`. */
export const formatTimeOfDay = (minuteOfDay: number) =>
  [Math.floor(minuteOfDay / 60), minuteOfDay % 60]
    .map((timeField) => String(timeField).padStart(2, '0'))
    .join(':')
