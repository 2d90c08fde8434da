/** Days in a time zone. */

/** Time for which the offset is looked up once, if it is the same at both ends. No zone changes it twice in a week. */
const BLOCK_MS = 7 * 86_400_000

/** Returns a function that returns the day of a time in the time zone, `YYYY-MM-DD`. Throws RangeError for unknown zones. */
export function createDayFormatter(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const readOffsetMs = (ms: number): number => {
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(format.format(ms)) ?? []
    return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  }
  const boundaryOffsets = new Map<number, number>()
  const getBoundaryOffsetMs = (block: number): number => {
    const offsetMs = boundaryOffsets.get(block) ?? readOffsetMs(block * BLOCK_MS)
    boundaryOffsets.set(block, offsetMs)
    return offsetMs
  }
  const dayTexts = new Map<number, string>()
  return (ms) => {
    const block = Math.floor(ms / BLOCK_MS)
    const startOffsetMs = getBoundaryOffsetMs(block)
    const offsetMs = startOffsetMs === getBoundaryOffsetMs(block + 1) ? startOffsetMs : readOffsetMs(ms)
    return formatUtcDay(ms + offsetMs, dayTexts)
  }
}

const DAY_MS = 86_400_000

function formatUtcDay(ms: number, dayTexts: Map<number, string>): string {
  const dayNumber = Math.floor(ms / DAY_MS)
  const text = dayTexts.get(dayNumber) ?? new Date(dayNumber * DAY_MS).toISOString().slice(0, 10)
  dayTexts.set(dayNumber, text)
  return text
}
