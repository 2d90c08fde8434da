/** The local date and time of an instant in a time zone. */

export interface LocalTime {
  /** `YYYY-MM-DD` */
  day: string
  /** Day of the week: 0 is Sunday. */
  weekday: number
  /** Local clock time as milliseconds since midnight. It is not the elapsed time on a day with a clock change. */
  timeOfDayMs: number
}

const formatsByTimeZone = new Map<string, Intl.DateTimeFormat>()
const MAX_CACHED_FORMATS = 50
const SECOND_MS = 1_000

function getDateTimeFormat(timeZone: string): Intl.DateTimeFormat {
  const cachedFormat = formatsByTimeZone.get(timeZone)
  if (cachedFormat) return cachedFormat
  if (formatsByTimeZone.size >= MAX_CACHED_FORMATS) formatsByTimeZone.clear()
  const newFormat = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formatsByTimeZone.set(timeZone, newFormat)
  return newFormat
}

/** Returns the local date and time of `timeMs` in the IANA time zone. Throws RangeError for unknown zones. */
export function getLocalTime(timeMs: number, timeZone: string): LocalTime {
  const partsByType = Object.fromEntries(
    getDateTimeFormat(timeZone)
      .formatToParts(timeMs)
      .map(({ type, value }) => [type, value]),
  )
  const day = `${partsByType['year']}-${partsByType['month']}-${partsByType['day']}`
  const secondsOfDay =
    (Number(partsByType['hour']) * 60 + Number(partsByType['minute'])) * 60 + Number(partsByType['second'])
  return {
    day,
    weekday: new Date(`${day}T00:00:00Z`).getUTCDay(),
    timeOfDayMs: secondsOfDay * SECOND_MS + (((timeMs % SECOND_MS) + SECOND_MS) % SECOND_MS),
  }
}

/** Returns the local date of `timeMs`, `YYYY-MM-DD`. Uses UTC for null, and for a time zone that is not known. */
export const getLocalDate = (timeMs: number, timeZone: string | null): string =>
  getLocalTime(timeMs, timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC').day

/** Returns whether `Intl` supports a time zone. */
export function isTimeZone(timeZone: string): boolean {
  if (formatsByTimeZone.has(timeZone)) return true
  try {
    getLocalTime(0, timeZone)
    return true
  } catch {
    return false
  }
}
