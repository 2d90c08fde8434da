/**
 * Merges the viewings of one movie or episode. The time of each viewing is stored; the progress row stores the position at the end
 * of the last viewing.
 */

import { isFinished } from '../../../src/lib/rules/progress.ts'
import type { HistoryRow } from '../../importers/history/history-row.ts'
import type { TrackingRow } from '../../queries/tracking-row.ts'
import { findViewing } from './find-viewing.ts'
import { UNKNOWN_NUMBER } from './season-episode.ts'
import type { NumberedRow, TitleMerge } from './title-merge.ts'
import { isSameViewing, parseViewingTime, toUtcDayNumber, type ViewingTime } from './viewing-time.ts'

/** A title of unknown runtime counts as watched if at least this many seconds were watched. */
const MIN_WATCHED_SECONDS_BY_TYPE = { movie: 3_600, tv: 900 } as const

interface RowViewing {
  row: HistoryRow
  time: ViewingTime
  isComplete: boolean
  /** True if the viewing was already imported from another service. */
  isDuplicate: boolean
}

/** Merges the rows of one movie or episode into the change set. */
export function mergeViewings(merge: TitleMerge): void {
  const [firstRow] = merge.rows
  if (!firstRow) return
  const { season, episode } = firstRow
  const runtimeSeconds = findRuntimeSeconds(merge, firstRow)
  const storedViewings = readStoredViewings(merge, firstRow)
  const viewings = merge.rows
    .map(({ row }): RowViewing => {
      const time = parseViewingTime(row.at, merge.nowMs)
      const isComplete = row.kind === 'played' || isWatchedToEnd(row, merge.title.type, runtimeSeconds)
      const isDuplicate =
        isComplete && isViewingStored({ row, episode, time, runtimeSeconds }, storedViewings)
      return { row, time, isComplete, isDuplicate }
    })
    .sort((a, b) => a.time.ms - b.time.ms)
  for (const { row, time, isComplete, isDuplicate } of viewings) {
    const isViewing = row.kind === 'played' || (isComplete && row.source !== 'marquee')
    const name = getViewingName(row, episode)
    const viewingKey = { title_id: merge.title.id, season_number: season, episode_number: episode, name }
    const storedViewing = findViewing(merge.changeSet, viewingKey, time)
    if (isDuplicate && !storedViewing) addNote(merge, firstRow, { row, time, runtimeSeconds })
    if (!isViewing || (isDuplicate && !storedViewing)) continue
    merge.changeSet.set('play', {
      ...viewingKey,
      watched_at: storedViewing?.['watched_at'] ?? time.ms,
      by_day: time.isDateOnly ? 1 : 0,
      marked: row.marked || storedViewing?.['marked'] === 1 ? 1 : 0,
      note: storedViewing?.['note'] ?? row.note ?? null,
    })
  }
  if (episode !== UNKNOWN_NUMBER) mergeProgress(merge, { firstRow, viewings, runtimeSeconds })
}

/**
 * Adds the note of a row to the viewing that was already imported from another service, if that viewing has no
 * note.
 */
function addNote(
  { changeSet, title }: TitleMerge,
  { season, episode }: NumberedRow,
  { row, time, runtimeSeconds }: { row: HistoryRow; time: ViewingTime; runtimeSeconds: number | null },
): void {
  if (!row.note || episode === UNKNOWN_NUMBER) return
  const viewings = changeSet.getViewings({
    title_id: title.id,
    season_number: season,
    episode_number: episode,
  })
  const viewing = viewings.find((storedViewing) =>
    isSameViewing(toViewingTime(storedViewing), time, runtimeSeconds),
  )
  if (viewing && !viewing['note']) changeSet.set('play', { ...viewing, note: row.note })
}

/**
 * True if the viewing was already imported from another service. Rows of a Marquee export are never
 * duplicates, because their times are exact. Viewings without an episode number are compared by name and day.
 */
function isViewingStored(
  {
    row,
    episode,
    time,
    runtimeSeconds,
  }: { row: HistoryRow; episode: number; time: ViewingTime; runtimeSeconds: number | null },
  storedViewings: readonly StoredViewing[],
): boolean {
  if (row.source === 'marquee') return false
  if (episode !== UNKNOWN_NUMBER)
    return storedViewings.some((storedViewing) => isSameViewing(storedViewing, time, runtimeSeconds))
  const episodeName = getViewingName(row, episode)
  return storedViewings.some(
    (storedViewing) =>
      storedViewing.isDateOnly &&
      storedViewing.name === episodeName &&
      toUtcDayNumber(storedViewing.ms) === toUtcDayNumber(time.ms),
  )
}

function findRuntimeSeconds({ title }: TitleMerge, { season, episode }: NumberedRow): number | null {
  const catalogueEpisode = title.episodes.find(
    (candidate) => candidate.season_number === season && candidate.episode_number === episode,
  )
  return catalogueEpisode?.seconds ?? title.runtimeSeconds
}

interface StoredViewing extends ViewingTime {
  name: string
}

function readStoredViewings(
  { changeSet, title }: TitleMerge,
  { season, episode }: NumberedRow,
): StoredViewing[] {
  return changeSet
    .getViewings({ title_id: title.id, season_number: season, episode_number: episode })
    .map((row) => ({ ...toViewingTime(row), name: String(row['name']) }))
}

const toViewingTime = (row: TrackingRow): ViewingTime => ({
  ms: Number(row['watched_at']),
  isDateOnly: row['by_day'] === 1,
})

/** Returns the name under which a viewing is stored: the episode title when the episode number is unknown, otherwise empty. */
const getViewingName = (row: HistoryRow, episode: number) =>
  episode === UNKNOWN_NUMBER ? (row.episodeTitle ?? '') : ''

/** True if the title was watched to the end. A row without a position counts as complete. */
function isWatchedToEnd(row: HistoryRow, type: 'movie' | 'tv', runtimeSeconds: number | null): boolean {
  if (row.finished !== undefined) return row.finished
  if (row.percent !== undefined) return isFinished(row.percent, 100)
  if (row.progress === undefined) return true
  const furthestSeconds = Math.max(row.progress, row.durationSeconds ?? 0)
  return runtimeSeconds
    ? isFinished(furthestSeconds, runtimeSeconds)
    : furthestSeconds >= MIN_WATCHED_SECONDS_BY_TYPE[type]
}

interface ProgressMerge {
  firstRow: NumberedRow
  viewings: RowViewing[]
  runtimeSeconds: number | null
}

/**
 * Stores the position of the newest viewing in the progress row. Older viewings do not change the position.
 */
function mergeProgress(merge: TitleMerge, { firstRow, viewings, runtimeSeconds }: ProgressMerge): void {
  const { changeSet, title, nowMs } = merge
  const progressKey = { title_id: title.id, season_number: firstRow.season, episode_number: firstRow.episode }
  let progressRow = changeSet.get('progress', progressKey)
  for (const viewing of viewings) {
    if (viewing.row.kind === 'played' || hasNoPosition(viewing, runtimeSeconds)) continue
    const isViewingNewer =
      !progressRow || Math.min(viewing.time.ms, nowMs) > Number(progressRow['updated_at'])
    if (isViewingNewer && !(viewing.isDuplicate && progressRow?.['finished'] === 1)) {
      progressRow = {
        ...progressKey,
        plays: progressRow?.['plays'] ?? 0,
        ...buildPositionFields(viewing, progressRow, { runtimeSeconds, nowMs }),
      }
    }
  }
  if (!progressRow) return
  const viewingCounts = viewings.map(({ row, isComplete }) =>
    row.source === 'marquee' || isComplete ? (row.plays ?? 0) : 0,
  )
  const playCount = Math.max(
    Number(progressRow['plays']),
    ...viewingCounts,
    readStoredViewings(merge, firstRow).length,
  )
  changeSet.set('progress', { ...progressRow, plays: playCount })
}

/**
 * True if the position in seconds is unknown, because an incomplete viewing has a position in percent and no
 * known runtime.
 */
const hasNoPosition = ({ row, isComplete }: RowViewing, runtimeSeconds: number | null) =>
  row.percent !== undefined && !isComplete && !runtimeSeconds

/** Returns the columns of the progress row after a viewing. */
function buildPositionFields(
  { row, time, isComplete }: RowViewing,
  previousRow: TrackingRow | null,
  { runtimeSeconds, nowMs }: { runtimeSeconds: number | null; nowMs: number },
): TrackingRow {
  const updated_at = Math.min(time.ms, nowMs)
  if (row.source === 'marquee') {
    const { progress: progressSeconds = 0, durationSeconds = 0, finished = false } = row
    return { progress: progressSeconds, duration: durationSeconds, finished: finished ? 1 : 0, updated_at }
  }
  const knownRuntimeSeconds = runtimeSeconds ?? 0
  if (isComplete)
    return { progress: knownRuntimeSeconds, duration: knownRuntimeSeconds, finished: 1, updated_at }
  const positionSeconds =
    row.percent === undefined ? (row.progress ?? 0) : (row.percent / 100) * knownRuntimeSeconds
  const clampedPositionSeconds = runtimeSeconds ? Math.min(positionSeconds, runtimeSeconds) : positionSeconds
  // A title that was finished stays finished if the new position is in its second half.
  const isStillFinished = previousRow?.['finished'] === 1 && clampedPositionSeconds >= knownRuntimeSeconds / 2
  return {
    progress: clampedPositionSeconds,
    duration: knownRuntimeSeconds,
    finished: isStillFinished ? 1 : 0,
    updated_at,
  }
}
