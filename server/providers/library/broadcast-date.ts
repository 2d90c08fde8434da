/** Reads the dates of broadcasts from file names. */

/** Files of daily shows are named by the date on which the episode was broadcast. */
const BROADCAST_DATE_PATTERN = /(?<!\d)(?:19|20)\d\d([-. _])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?!\d)/
/**
 * Matches a date with the year at its end: "05.03.2024". Does not match if a year in brackets follows, because the file
 * is then a movie.
 */
const DATE_BEFORE_YEAR_PATTERN =
  /(?<!\d)(\d\d)([-. _])(\d\d)\2((?:19|20)\d\d)(?!\d)(?!.*[([](?:1[89]|20)\d\d[)\]])/

/** Matches a date as Chinese and Japanese names write it: "2024年05月12日". */
const CJK_DATE_PATTERN = /(?<!\d)((?:19|20)\d\d)年(0?[1-9]|1[0-2])月(0?[1-9]|[12]\d|3[01])日/

interface BroadcastDate {
  airDate: string
  /** Positions of the first character of the date and of the character after the date. */
  startIndex: number
  endIndex: number
}

/**
 * Returns the date in a name, such as `2024-03-05`, and its position. If the year is at the end of the date, the first
 * number is the day and the second one the month, unless the second number is above 12. Returns null if there is no
 * date.
 */
export function findBroadcastDate(stem: string): BroadcastDate | null {
  const isoMatch = BROADCAST_DATE_PATTERN.exec(stem)
  if (isoMatch) return createBroadcastDate(isoMatch, isoMatch[0].replaceAll(/\D/g, '-'))
  const cjkMatch = CJK_DATE_PATTERN.exec(stem)
  if (cjkMatch) {
    const [, cjkYear, cjkMonth = '', cjkDay = ''] = cjkMatch
    return createBroadcastDate(
      cjkMatch,
      [cjkYear, cjkMonth.padStart(2, '0'), cjkDay.padStart(2, '0')].join('-'),
    )
  }
  const dateMatch = DATE_BEFORE_YEAR_PATTERN.exec(stem)
  if (!dateMatch) return null
  const [, first = '', , second = '', year] = dateMatch
  const [day, month] = Number(second) > 12 ? [second, first] : [first, second]
  const isValidDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
  return isValidDate ? createBroadcastDate(dateMatch, `${year}-${month}-${day}`) : null
}

const createBroadcastDate = ({ 0: dateText, index }: RegExpExecArray, airDate: string): BroadcastDate => ({
  airDate,
  startIndex: index,
  endIndex: index + dateText.length,
})
