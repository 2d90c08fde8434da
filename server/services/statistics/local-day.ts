/** Computes days in a time zone, as numbers of days since 1970-01-01. */

const DAY_MS = 86_400_000
/**
 * Time is divided into blocks of this length. The UTC offset of a time zone is read at both ends of a block. Two
 * readings are enough, because no time zone changes its offset twice in four weeks.
 */
const BLOCK_DURATION_MS = 28 * DAY_MS
const SECOND_MS = 1_000

/**
 * Offsets of a time zone in a block. The first offset applies before `changeAtMs`, and the second from then
 * on.
 */
interface TimeBlockOffsets {
  startOffsetMs: number
  changeAtMs: number
  endOffsetMs: number
}

/**
 * Functions that `getDayNumberConverter` returns, by time zone. Each function keeps the offsets that it has read,
 * because reading one offset takes longer than all other computations for a week of statistics.
 */
const convertersByTimeZone = new Map<string, (timeMs: number) => number>()
const MAX_CACHED_CONVERTERS = 50

/**
 * Returns a function that returns the day of a time in the time zone. Throws RangeError for an unknown time
 * zone.
 */
export function getDayNumberConverter(timeZone: string): (timeMs: number) => number {
  const converter = convertersByTimeZone.get(timeZone) ?? createDayNumberConverter(timeZone)
  if (convertersByTimeZone.size >= MAX_CACHED_CONVERTERS) convertersByTimeZone.clear()
  convertersByTimeZone.set(timeZone, converter)
  return converter
}

/**
 * Loads the time zone data when the server starts. Otherwise, the first request that needs the data would
 * take about 30 ms longer.
 */
export function loadTimeZoneData(): void {
  getDayNumberConverter('UTC')(0)
}

function createDayNumberConverter(timeZone: string): (timeMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const readOffsetMs = (timeMs: number): number => {
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(format.format(timeMs)) ?? []
    return (
      (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * SECOND_MS
    )
  }
  const timeBlocksByNumber = new Map<number, TimeBlockOffsets>()
  return (timeMs) => {
    const timeBlockNumber = Math.floor(timeMs / BLOCK_DURATION_MS)
    let block = timeBlocksByNumber.get(timeBlockNumber)
    if (!block) {
      block = findTimeBlockOffsets(timeBlockNumber * BLOCK_DURATION_MS, readOffsetMs)
      timeBlocksByNumber.set(timeBlockNumber, block)
    }
    return toDayNumber(timeMs + (timeMs < block.changeAtMs ? block.startOffsetMs : block.endOffsetMs))
  }
}

/** Returns the offsets of a block. A binary search finds the second at which the offset changes. */
function findTimeBlockOffsets(startMs: number, readOffsetMs: (timeMs: number) => number): TimeBlockOffsets {
  const startOffsetMs = readOffsetMs(startMs)
  const endOffsetMs = readOffsetMs(startMs + BLOCK_DURATION_MS)
  let [beforeMs, changeAtMs] = [startMs, startMs + BLOCK_DURATION_MS]
  while (startOffsetMs !== endOffsetMs && changeAtMs - beforeMs > SECOND_MS) {
    const middleMs = beforeMs + Math.floor((changeAtMs - beforeMs) / 2 / SECOND_MS) * SECOND_MS
    if (readOffsetMs(middleMs) === startOffsetMs) beforeMs = middleMs
    else changeAtMs = middleMs
  }
  return { startOffsetMs, changeAtMs, endOffsetMs }
}

/** Returns the day of a time in UTC. */
export const toDayNumber = (timeMs: number) => Math.floor(timeMs / DAY_MS)

/** Returns a day as `YYYY-MM-DD`. */
export const formatDayNumber = (dayNumber: number) => new Date(dayNumber * DAY_MS).toISOString().slice(0, 10)
