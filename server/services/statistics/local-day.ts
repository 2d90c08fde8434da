/** Days in a time zone, as numbers of days since 1970-01-01. */

const DAY_MS = 86_400_000
/** Time for which the offset is looked up once, if it is the same at both ends. No zone changes it twice in a week. */
const BLOCK_MS = 7 * DAY_MS

/** Returns a function that returns the day of a time in the time zone. Throws RangeError for unknown zones. */
export function createDayCounter(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const readOffsetMs = (ms: number): number => {
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(format.format(ms)) ?? []
    return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  }
  /** Offsets by block; null for a block in which the offset changes. */
  const blockOffsets = new Map<number, number | null>()
  const findBlockOffsetMs = (block: number): number | null => {
    const startOffsetMs = readOffsetMs(block * BLOCK_MS)
    const offsetMs = startOffsetMs === readOffsetMs((block + 1) * BLOCK_MS) ? startOffsetMs : null
    blockOffsets.set(block, offsetMs)
    return offsetMs
  }
  return (ms) => {
    const block = Math.floor(ms / BLOCK_MS)
    const knownOffsetMs = blockOffsets.get(block)
    const offsetMs = knownOffsetMs === undefined ? findBlockOffsetMs(block) : knownOffsetMs
    return toDayNumber(ms + (offsetMs ?? readOffsetMs(ms)))
  }
}

/** Returns the day of a time in UTC. */
export const toDayNumber = (ms: number) => Math.floor(ms / DAY_MS)

/** Returns a day as `YYYY-MM-DD`. */
export const formatDayNumber = (dayNumber: number) => new Date(dayNumber * DAY_MS).toISOString().slice(0, 10)
