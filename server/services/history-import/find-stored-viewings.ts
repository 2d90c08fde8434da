/** Finds the stored viewings that the rows of a file report again. Does no I/O. */
import type { HistoryRow } from '../../importers/history/history-row.ts'
import type { TrackingRow } from '../../queries/tracking-row.ts'
import { findViewing } from './find-viewing.ts'
import { UNKNOWN_NUMBER } from './season-episode.ts'
import type { TrackingChangeSet } from './tracking-change-set.ts'
import { isSameViewing, toUtcDayNumber, type ViewingTimestamp } from './viewing-timestamp.ts'

/**
 * A viewing with a known time is compared with at most this many earlier and this many later stored viewings. Limits
 * memory use if one day has very many stored viewings.
 */
const MAX_NEIGHBOUR_VIEWINGS = 50

/** A viewing that a row of the file reports. */
export interface FileViewing {
  row: HistoryRow
  time: ViewingTimestamp
  /** The columns `title_id`, `season_number`, `episode_number` and `name` of the viewing. */
  key: TrackingRow
}

interface StoredViewing {
  row: TrackingRow
  time: ViewingTimestamp
  /** True if the file contains the viewing with its stored time. */
  isInFile: boolean
}

/**
 * Finds the stored viewings of one movie or episode that the file reports again. Returns the stored row for each such
 * viewing of the file. Prefers a stored viewing with exactly the same time, then one with the nearest time, then one
 * with an unknown time.
 *
 * A stored viewing is matched to only one time of the file, with one exception. If both times include a time of day and
 * are close to each other (`isSameViewing`), they belong to one viewing, because nobody watches a title twice within
 * its runtime.
 */
export function findStoredViewings<V extends FileViewing>(
  changeSet: TrackingChangeSet,
  viewings: readonly V[],
  runtimeSeconds: number | null,
): Map<V, TrackingRow> {
  const storedRowsByViewing = new Map<V, TrackingRow>()
  const [firstViewing] = viewings
  if (!firstViewing) return storedRowsByViewing
  const newViewings: V[] = []
  for (const viewing of viewings) {
    const storedRow = findViewing(changeSet, viewing.key, viewing.time)
    if (storedRow) storedRowsByViewing.set(viewing, storedRow)
    else newViewings.push(viewing)
  }
  const matchedStoredRows = new Set(storedRowsByViewing.values())
  const storedRowsByName = Map.groupBy(changeSet.getViewings(firstViewing.key), (row) => row['name'])
  for (const [name, namedViewings] of Map.groupBy(newViewings, ({ key }) => key['name'])) {
    const storedViewings = (storedRowsByName.get(name) ?? []).map((row) => ({
      row,
      time: { ms: Number(row['watched_at']), isDateOnly: row['by_day'] === 1 },
      isInFile: matchedStoredRows.has(row),
    }))
    // Rows with the same time report the same viewing.
    const viewingsByTime = Map.groupBy(namedViewings, ({ time }) => time.ms)
    const distinctViewings = [...viewingsByTime.values()].flatMap(([viewing]) => viewing ?? [])
    for (const [{ time }, storedRow] of pairViewings(distinctViewings, storedViewings, runtimeSeconds))
      for (const viewing of viewingsByTime.get(time.ms) ?? []) storedRowsByViewing.set(viewing, storedRow)
  }
  return storedRowsByViewing
}

function pairViewings(
  viewings: readonly FileViewing[],
  storedViewings: readonly StoredViewing[],
  runtimeSeconds: number | null,
): Map<FileViewing, TrackingRow> {
  const storedRowsByViewing = new Map<FileViewing, TrackingRow>()
  const pairedViewings = new Set(storedViewings.filter(({ isInFile }) => isInFile))
  const pairs = listNeighbourPairs(viewings, storedViewings)
    .filter(({ viewing, storedViewing }) => canBeSameViewing(viewing, storedViewing, runtimeSeconds))
    .sort((a, b) => a.distanceMs - b.distanceMs)
  for (const { viewing, storedViewing } of pairs) {
    const bothHaveTimeOfDay = hasTimeOfDay(viewing.time) && hasTimeOfDay(storedViewing.time)
    if (storedRowsByViewing.has(viewing) || (pairedViewings.has(storedViewing) && !bothHaveTimeOfDay))
      continue
    storedRowsByViewing.set(viewing, storedViewing.row)
    pairedViewings.add(storedViewing)
  }
  return storedRowsByViewing
}

/** Pairs each viewing with the stored viewings that are nearest in time, and with those of unknown time. */
function listNeighbourPairs(viewings: readonly FileViewing[], storedViewings: readonly StoredViewing[]) {
  const sortedStoredViewings = storedViewings.toSorted((a, b) => a.time.ms - b.time.ms)
  const undatedViewings = sortedStoredViewings.filter(({ time }) => time.ms === 0)
  const datedViewings = sortedStoredViewings.filter(({ time }) => time.ms !== 0)
  let nextIndex = 0
  return viewings
    .toSorted((a, b) => a.time.ms - b.time.ms)
    .flatMap((viewing) => {
      const { time } = viewing
      while ((datedViewings[nextIndex]?.time.ms ?? Number.POSITIVE_INFINITY) < time.ms) nextIndex += 1
      const neighbours =
        time.ms === 0
          ? datedViewings
          : datedViewings.slice(
              Math.max(0, nextIndex - MAX_NEIGHBOUR_VIEWINGS),
              nextIndex + MAX_NEIGHBOUR_VIEWINGS,
            )
      return [...neighbours, ...undatedViewings].map((storedViewing) => ({
        viewing,
        storedViewing,
        distanceMs: computeDistanceMs(time, storedViewing.time),
      }))
    })
}

/**
 * True if a viewing of the file and a stored viewing with the same name can be the same viewing. Without an episode
 * number, the stored time must be a date without a time of day, and both viewings must be on the same day.
 */
function canBeSameViewing(
  { key, time }: FileViewing,
  { time: storedTime }: StoredViewing,
  runtimeSeconds: number | null,
): boolean {
  if (key['episode_number'] !== UNKNOWN_NUMBER) return isSameViewing(storedTime, time, runtimeSeconds)
  return storedTime.isDateOnly && toUtcDayNumber(storedTime.ms) === toUtcDayNumber(time.ms)
}

/**
 * Returns the distance between two times in milliseconds. If a time is unknown, returns the largest distance, so that
 * viewings with known times are paired first.
 */
const computeDistanceMs = (a: ViewingTimestamp, b: ViewingTimestamp) =>
  a.ms === 0 || b.ms === 0 ? Number.MAX_SAFE_INTEGER : Math.abs(a.ms - b.ms)

const hasTimeOfDay = ({ ms: timeMs, isDateOnly }: ViewingTimestamp) => timeMs !== 0 && !isDateOnly
