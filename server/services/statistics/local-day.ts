/** Days in a time zone, as numbers of days since 1970-01-01. */

const DAY_MS = 86_400_000
/** The offset is looked up at both ends of a block. No zone changes it twice in four weeks. */
const BLOCK_MS = 28 * DAY_MS
const SECOND_MS = 1_000

/** Offsets of a time zone in a block: the first until `changeAtMs`, then the second. */
interface BlockOffsets {
  startOffsetMs: number
  changeAtMs: number
  endOffsetMs: number
}

/** Counters by time zone. A lookup of an offset takes longer than everything else that statistics do for a week. */
const counters = new Map<string, (ms: number) => number>()
const MAX_COUNTERS = 50

/** Returns a function that returns the day of a time in the time zone. Throws RangeError for unknown zones. */
export function getDayCounter(timeZone: string): (ms: number) => number {
  const counter = counters.get(timeZone) ?? createDayCounter(timeZone)
  if (counters.size >= MAX_COUNTERS) counters.clear()
  counters.set(timeZone, counter)
  return counter
}

/** Loads the data of time zones, which takes the first user of a process about 30 ms. Called when the server starts. */
export function loadTimeZoneData(): void {
  getDayCounter('UTC')(0)
}

function createDayCounter(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const readOffsetMs = (ms: number): number => {
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(format.format(ms)) ?? []
    return (
      (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * SECOND_MS
    )
  }
  const blocks = new Map<number, BlockOffsets>()
  return (ms) => {
    const number = Math.floor(ms / BLOCK_MS)
    let block = blocks.get(number)
    if (!block) {
      block = findBlockOffsets(number * BLOCK_MS, readOffsetMs)
      blocks.set(number, block)
    }
    return toDayNumber(ms + (ms < block.changeAtMs ? block.startOffsetMs : block.endOffsetMs))
  }
}

/** Finds the second of the change of the offset by bisection. */
function findBlockOffsets(startMs: number, readOffsetMs: (ms: number) => number): BlockOffsets {
  const startOffsetMs = readOffsetMs(startMs)
  const endOffsetMs = readOffsetMs(startMs + BLOCK_MS)
  let [beforeMs, changeAtMs] = [startMs, startMs + BLOCK_MS]
  while (startOffsetMs !== endOffsetMs && changeAtMs - beforeMs > SECOND_MS) {
    const middleMs = beforeMs + Math.floor((changeAtMs - beforeMs) / 2 / SECOND_MS) * SECOND_MS
    if (readOffsetMs(middleMs) === startOffsetMs) beforeMs = middleMs
    else changeAtMs = middleMs
  }
  return { startOffsetMs, changeAtMs, endOffsetMs }
}

/** Returns the day of a time in UTC. */
export const toDayNumber = (ms: number) => Math.floor(ms / DAY_MS)

/** Returns a day as `YYYY-MM-DD`. */
export const formatDayNumber = (dayNumber: number) => new Date(dayNumber * DAY_MS).toISOString().slice(0, 10)
