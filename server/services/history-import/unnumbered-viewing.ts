/** Deletes a viewing without an episode number when the number of its episode becomes known. Does no I/O. */
import type { HistoryRow } from '../../importers/history/history-row.ts'
import type { TrackingRow } from '../../queries/tracking-row.ts'
import { findViewing } from './find-viewing.ts'
import { UNKNOWN_NUMBER } from './season-episode.ts'
import type { TrackingChangeSet } from './tracking-change-set.ts'
import { parseViewingTimestamp } from './viewing-timestamp.ts'

interface UnnumberedViewingRef {
  titleId: number
  row: HistoryRow
  /** Season under which the viewing may be stored; `UNKNOWN_NUMBER` if the season was unknown too. */
  season: number
  nowMs: number
}

/**
 * Deletes and returns the viewing without an episode number that an earlier import may have stored for the row.
 * Returns null if there is none.
 */
export function deleteUnnumberedViewing(
  changeSet: TrackingChangeSet,
  { titleId, row, season, nowMs }: UnnumberedViewingRef,
): TrackingRow | null {
  const viewingKey = {
    title_id: titleId,
    season_number: season,
    episode_number: UNKNOWN_NUMBER,
    name: row.episodeTitle ?? '',
  }
  const viewing = findViewing(changeSet, viewingKey, parseViewingTimestamp(row.at, nowMs))
  if (viewing) changeSet.delete('play', viewing)
  return viewing
}
