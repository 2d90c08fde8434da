/**
 * Converts dates that programs write in English, whatever the language of the user, to ISO 8601: `Sat Dec 31 18:30:00
 * 2016` (C), `Sat, 31 Dec 2016 18:30:00 GMT` (RFC 5322), `Sat Dec 31 2016 18:30:00 GMT+0100` (JavaScript) and
 * `2016-12-31 18:30:00 UTC`. Also recognises the dates that programs store when a date is unknown.
 */

const MONTH_ABBREVIATIONS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const MONTH_PATTERN = `(?<month>${MONTH_ABBREVIATIONS.join('|')})`
const TIME_PATTERN = '(?<time>\\d{1,2}:\\d{2}(?::\\d{2})?)'
const ZONE_PATTERN = '(?<zone>UTC|GMT|Z|(?:GMT|UTC)?[+-]\\d{2}:?\\d{2})'
const WEEKDAY_PATTERN = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},?\\s+)'
const MACHINE_DATE_PATTERNS = [
  `^${WEEKDAY_PATTERN}${MONTH_PATTERN}\\s+(?<day>\\d{1,2})\\s+${TIME_PATTERN}(?:\\s+(?<zone>UTC|GMT|[A-Z]{3,4}))?\\s+(?<year>\\d{4})$`,
  `^${WEEKDAY_PATTERN}?(?<day>\\d{1,2})\\s+${MONTH_PATTERN}\\s+(?<year>\\d{4})\\s+${TIME_PATTERN}(?:\\s+${ZONE_PATTERN})?$`,
  `^${WEEKDAY_PATTERN}${MONTH_PATTERN}\\s+(?<day>\\d{1,2})\\s+(?<year>\\d{4})\\s+${TIME_PATTERN}(?:\\s+${ZONE_PATTERN})?(?:\\s+\\(.{1,60}\\))?$`,
].map((source) => new RegExp(source, 'i'))
const ISO_WITH_ZONE_NAME_PATTERN = /^(\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?)\s?(?:UTC|GMT)$/

/**
 * Returns the date as ISO 8601, or the text itself if it has none of the forms that are listed at the top of this file.
 * Returns only the day if the time is midnight without a time zone, or if the name of the zone is ambiguous, such as
 * `CST`. `dateText` must be short.
 */
export function convertMachineDate(dateText: string): string {
  const isoText = ISO_WITH_ZONE_NAME_PATTERN.exec(dateText)?.[1]
  if (isoText) return `${isoText}Z`
  for (const pattern of MACHINE_DATE_PATTERNS) {
    const { year, month = '', day = '', time = '', zone = '' } = pattern.exec(dateText)?.groups ?? {}
    const monthNumber = MONTH_ABBREVIATIONS.indexOf(month.toLowerCase()) + 1
    if (monthNumber === 0) continue
    const date = `${year}-${String(monthNumber).padStart(2, '0')}-${day.padStart(2, '0')}`
    const offset = /[+-].*$/.exec(zone)?.[0] ?? (/^(?:|UTC|GMT|Z)$/i.test(zone) ? 'Z' : null)
    const isMidnight = /^0?0:00(?::00)?$/.test(time) && zone === ''
    return offset === null || isMidnight
      ? date
      : `${date}T${time.padStart(time.length < 6 ? 5 : 8, '0')}${offset}`
  }
  return dateText
}

/**
 * Matches the dates that programs and spreadsheets store in place of a missing date: year 1 (.NET), 1601 (Windows,
 * Kodi) and the zero dates of spreadsheets. No such day can be the date of a viewing.
 */
const PLACEHOLDER_PATTERN =
  /^(?:0001-01-01|1601-01-01|1899-12-3[01]|1900-01-0[01]|(?:30|31)[/.-]12[/.-]1899|12[/.-](?:30|31)[/.-]1899|0?[01][/.-]0?[01][/.-]1900)(?!\d)/

/** True for the text of a date that stands for a missing date. */
export const isPlaceholderDateText = (dateText: string): boolean => PLACEHOLDER_PATTERN.test(dateText)

/**
 * True for an ISO 8601 date on 31 December 1969 or 1 January 1970, which is the start of Unix time in some time zone.
 * Trakt and many programs store such a date when the date is unknown.
 */
export const isUnixEpochDate = (isoDate: string): boolean => /^19(?:69-12-31|70-01-01)/.test(isoDate)
