/**
 * Merges the viewings of one movie or episode. The time of each viewing is stored; the progress row stores the position
 * at the end of the last viewing.
 */

import { isFinished } from '../../../src/lib/rules/progress.ts'
import type { HistoryRow } from '../../importers/history/history-row.ts'
import type { TrackingRow } from '../../queries/tracking-row.ts'
import { type FileViewing, findStoredViewings } from './find-stored-viewings.ts'
import { findViewing } from './find-viewing.ts'
import { UNKNOWN_NUMBER } from './season-episode.ts'
import type { NumberedRow, TitleMerge } from './title-merge.ts'
import type { TrackingChangeSet } from './tracking-change-set.ts'
import { deleteUnnumberedViewing } from './unnumbered-viewing.ts'
import { parseViewingTimestamp, type ViewingTimestamp } from './viewing-timestamp.ts'

/** A title of unknown runtime counts as watched if at least this many seconds were watched. */
const MIN_WATCHED_SECONDS_BY_TYPE = { movie: 3_600, tv: 900 } as const

interface RowViewing extends FileViewing {
  isComplete: boolean
}

/** Merges the rows of one movie or episode into the change set. */
export function mergeViewings(titleMerge: TitleMerge): void {
  const [firstRow] = titleMerge.rows
  if (!firstRow) return
  const { changeSet, title } = titleMerge
  const { season, episode } = firstRow
  const runtimeSeconds = findRuntimeSeconds(titleMerge, firstRow)
  const viewings = titleMerge.rows
    .map(({ row }): RowViewing => {
      const time = parseViewingTimestamp(row.at, titleMerge.nowMs)
      const isComplete = row.kind === 'played' || isWatchedToEnd(row, title.type, runtimeSeconds)
      const name = getViewingName(row, episode)
      const key = { title_id: title.id, season_number: season, episode_number: episode, name }
      return { row, time, isComplete, key }
    })
    .sort((a, b) => a.time.ms - b.time.ms)
  // Rows of a Marquee export have exact times, so they are not compared with viewings at nearby times.
  const comparedViewings = viewings.filter(({ row, isComplete }) => isComplete && row.source !== 'marquee')
  const storedRowsByViewing = findStoredViewings(changeSet, comparedViewings, runtimeSeconds)
  const duplicateViewings = new Set<RowViewing>(storedRowsByViewing.keys())
  for (const viewing of viewings) {
    const { time, isComplete, key } = viewing
    if (viewing.row.kind !== 'played' && !(isComplete && viewing.row.source !== 'marquee')) continue
    const row = mergeUnnumberedViewing(titleMerge, viewing.row, firstRow)
    const storedRow = findViewing(changeSet, key, time)
    const duplicateRow = storedRow ? undefined : storedRowsByViewing.get(viewing)
    if (duplicateRow && !canReceiveTime(duplicateRow, time)) {
      addNote(changeSet, duplicateRow, row)
      continue
    }
    if (duplicateRow) {
      changeSet.delete('play', duplicateRow)
      duplicateViewings.delete(viewing)
    }
    changeSet.set('play', {
      ...key,
      watched_at: storedRow?.['watched_at'] ?? time.ms,
      by_day: time.isDateOnly ? 1 : 0,
      marked: row.marked || storedRow?.['marked'] === 1 ? 1 : 0,
      note: (storedRow ?? duplicateRow)?.['note'] ?? row.note ?? null,
    })
  }
  if (episode !== UNKNOWN_NUMBER)
    mergeProgress(titleMerge, { firstRow, viewings, duplicateViewings, runtimeSeconds })
}

/**
 * Deletes the viewing that an earlier import stored for the row when the catalogue did not know the name of the episode
 * yet. Returns the row, with the note and the mark of the deleted viewing if it has them.
 */
function mergeUnnumberedViewing(
  { title, changeSet, nowMs }: TitleMerge,
  row: HistoryRow,
  { season, episode }: NumberedRow,
): HistoryRow {
  if (episode === UNKNOWN_NUMBER || !row.episodeTitle) return row
  const deletedViewings = [season, UNKNOWN_NUMBER].map((storedSeason) =>
    deleteUnnumberedViewing(changeSet, { titleId: title.id, row, season: storedSeason, nowMs }),
  )
  const note = deletedViewings.find((viewing) => viewing?.['note'])?.['note']
  const isMarkedAsSeen = deletedViewings.some((viewing) => viewing?.['marked'] === 1)
  return { ...row, ...(note && { note: String(note) }), ...(isMarkedAsSeen && { marked: true }) }
}

/**
 * True if a stored viewing without a known time may get the time of a row that reports the same viewing. A viewing that
 * was marked by hand keeps its unknown time.
 */
const canReceiveTime = (storedRow: TrackingRow, time: ViewingTimestamp) =>
  Number(storedRow['watched_at']) === 0 && storedRow['marked'] !== 1 && time.ms !== 0

/** Adds the note of a row to the stored viewing that the row reports again, if that viewing has no note. */
function addNote(changeSet: TrackingChangeSet, duplicateRow: TrackingRow, row: HistoryRow): void {
  if (!row.note || duplicateRow['episode_number'] === UNKNOWN_NUMBER) return
  const viewing = changeSet.get('play', duplicateRow)
  if (viewing && !viewing['note']) changeSet.set('play', { ...viewing, note: row.note })
}

function findRuntimeSeconds({ title }: TitleMerge, { season, episode }: NumberedRow): number | null {
  const catalogueEpisode = title.episodes.find(
    (candidate) => candidate.season_number === season && candidate.episode_number === episode,
  )
  return catalogueEpisode?.runtimeSeconds ?? title.runtimeSeconds
}

/**
 * Returns the name of a stored viewing: the episode title if the episode number is unknown, otherwise an empty text.
 */
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
  viewings: readonly RowViewing[]
  /** Viewings that were already stored. */
  duplicateViewings: ReadonlySet<RowViewing>
  runtimeSeconds: number | null
}

/**
 * Stores the position of the newest viewing and the number of viewings in the progress row.
 */
function mergeProgress(
  titleMerge: TitleMerge,
  { firstRow, viewings, duplicateViewings, runtimeSeconds }: ProgressMerge,
): void {
  const { changeSet, title, nowMs } = titleMerge
  const progressKey = { title_id: title.id, season_number: firstRow.season, episode_number: firstRow.episode }
  let progressRow = changeSet.get('progress', progressKey)
  for (const viewing of viewings) {
    if (viewing.row.kind === 'played' || hasNoPosition(viewing, runtimeSeconds)) continue
    const isViewingNewer =
      !progressRow || Math.min(viewing.time.ms, nowMs) > Number(progressRow['updated_at'])
    if (isViewingNewer && !(duplicateViewings.has(viewing) && progressRow?.['finished'] === 1)) {
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
    changeSet.getViewings(progressKey).length,
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
  const runtimeSecondsOrZero = runtimeSeconds ?? 0
  if (isComplete)
    return { progress: runtimeSecondsOrZero, duration: runtimeSecondsOrZero, finished: 1, updated_at }
  const positionSeconds =
    row.percent === undefined ? (row.progress ?? 0) : (row.percent / 100) * runtimeSecondsOrZero
  const clampedPositionSeconds = runtimeSeconds ? Math.min(positionSeconds, runtimeSeconds) : positionSeconds
  // A position in the second half of a finished title is part of the same viewing. An earlier position begins a new
  // viewing. If the runtime is not known, the title stays finished.
  const isStillFinished =
    previousRow?.['finished'] === 1 && clampedPositionSeconds >= runtimeSecondsOrZero / 2
  return {
    progress: clampedPositionSeconds,
    duration: runtimeSecondsOrZero,
    finished: isStillFinished ? 1 : 0,
    updated_at,
  }
}
