/** The local date and time of an instant in a time zone. */

export interface LocalTime {
  /** `YYYY-MM-DD` */
  day: string
  /** Day of the week: 0 is Sunday. */
  weekday: number
  /** Local clock time as milliseconds since midnight. On a day with a clock change, the elapsed time differs. */
  timeOfDayMs: number
}

const formats = new Map<string, Intl.DateTimeFormat>()
const MAX_FORMATS = 50
const SECOND_MS = 1_000

function getFormat(timeZone: string): Intl.DateTimeFormat {
  const knownFormat = formats.get(timeZone)
  if (knownFormat) return knownFormat
  if (formats.size >= MAX_FORMATS) formats.clear()
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}

/** Returns the local date and time of `ms` in the IANA time zone. Throws RangeError for unknown zones. */
export function getLocalTime(ms: number, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    getFormat(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  const day = `${parts['year']}-${parts['month']}-${parts['day']}`
  const seconds = (Number(parts['hour']) * 60 + Number(parts['minute'])) * 60 + Number(parts['second'])
  return {
    day,
    weekday: new Date(`${day}T00:00:00Z`).getUTCDay(),
    timeOfDayMs: seconds * SECOND_MS + (((ms % SECOND_MS) + SECOND_MS) % SECOND_MS),
  }
}

/** Returns whether `Intl` supports a time zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    getLocalTime(0, timeZone)
    return true
  } catch {
    return false
  }
}
