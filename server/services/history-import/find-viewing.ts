/** Finds the stored viewing that has the key and the time of a new viewing. Does no I/O. */
import type { TrackingRow } from '../../queries/tracking-row.ts'
import type { TrackingChangeSet } from './tracking-change-set.ts'
import { toUtcDayNumber, type ViewingTimestamp } from './viewing-timestamp.ts'

/** The columns `title_id`, `season_number`, `episode_number` and `name` of a viewing. */
type ViewingKey = TrackingRow

/**
 * Returns the viewing with this key and time; null if there is none. For a date-only time, also returns a stored
 * date-only viewing of the same day with another time of day. Date-only viewings are stored at noon. Older versions
 * stored a date-only viewing at midnight if it was entered before noon.
 */
export function findViewing(
  changeSet: TrackingChangeSet,
  viewingKey: ViewingKey,
  time: ViewingTimestamp,
): TrackingRow | null {
  const viewing = changeSet.get('play', { ...viewingKey, watched_at: time.ms })
  if (viewing || !time.isDateOnly) return viewing
  const isSameDay = (row: TrackingRow) =>
    row['by_day'] === 1 &&
    row['name'] === viewingKey['name'] &&
    toUtcDayNumber(Number(row['watched_at'])) === toUtcDayNumber(time.ms)
  return changeSet.getViewings(viewingKey).find(isSameDay) ?? null
}
