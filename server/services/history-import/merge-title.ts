/**
 * Merges the rows of a file for one title into the change set. The merge is idempotent and does no I/O. It adds each
 * viewing once. It changes a stored rating, like, dislike, dismissal, watchlist entry or position only if the row of
 * the file is newer.
 */
import { MAX_RATING } from '../../../src/lib/rules/tracking-limits.ts'
import type { HistoryRow } from '../../importers/history/history-row.ts'
import type { TrackingRow } from '../../queries/tracking-row.ts'
import { MAX_DISLIKED_RATING, MIN_LIKED_RATING } from '../../recommend/rating-signal.ts'
import { normaliseListName } from '../lists/list-text.ts'
import { mergeViewings } from './merge-viewings.ts'
import { numberCompleteSeasons } from './number-seasons.ts'
import type { TitleMerge } from './title-merge.ts'
import { parseChangeTimeMs } from './viewing-timestamp.ts'

export function mergeTitle(titleMerge: TitleMerge): void {
  const viewingRows = numberCompleteSeasons(titleMerge).filter(
    ({ row }) => row.kind === 'watched' || row.kind === 'played',
  )
  for (const episodeRows of Map.groupBy(
    viewingRows,
    ({ season, episode }) => `${season} ${episode}`,
  ).values()) {
    mergeViewings({ ...titleMerge, rows: episodeRows })
  }
  const sortedRows = titleMerge.rows.toSorted((a, b) => ((a.row.at ?? '') < (b.row.at ?? '') ? -1 : 1))
  for (const { row, rowNumber } of sortedRows) {
    if (row.kind === 'listed' && row.list !== undefined)
      mergeListTitle(titleMerge, row, rowNumber ?? row.line)
    else if (row.kind === 'listed') mergeWatchlist(titleMerge, row)
    if (row.kind === 'dropped') mergeDismissal(titleMerge, row)
    if (row.kind === 'liked' || row.kind === 'disliked') mergeFeedback(titleMerge, row, row.kind)
    mergeRating(titleMerge, row)
  }
}

/** Returns the like or dislike that a rating from 1 to 10 implies; null for a rating in the middle. */
export function deriveFeedback(rating: number): 'liked' | 'disliked' | null {
  return rating >= MIN_LIKED_RATING ? 'liked' : rating <= MAX_DISLIKED_RATING ? 'disliked' : null
}

/**
 * Stores the rating of a row, and the like or dislike that the rating implies. A stored like or dislike is kept, unless
 * the stored rating has implied it. A Marquee export contains the likes and dislikes themselves, so its ratings imply
 * no likes or dislikes.
 */
function mergeRating(titleMerge: TitleMerge, row: HistoryRow): void {
  if (row.rating === undefined || (row.kind !== 'rated' && row.kind !== 'watched')) return
  // The rating of a season or an episode is not a rating of the series.
  if (row.episode !== undefined || row.season !== undefined) return
  const { title, changeSet, nowMs } = titleMerge
  const titleKey = { title_id: title.id }
  const rating = Math.min(MAX_RATING, Math.max(1, Math.round(row.rating)))
  const ratedAtMs = parseChangeTimeMs(row.at, nowMs)
  const storedRating = changeSet.get('rating', titleKey)
  const storedFeedback = changeSet.get('feedback', titleKey)
  const isFeedbackFromRating =
    storedRating !== null &&
    storedFeedback?.['updated_at'] === storedRating['updated_at'] &&
    storedFeedback?.['feedback'] === deriveFeedback(Number(storedRating['rating']))
  if (storedRating && (storedRating['rating'] === rating || ratedAtMs <= Number(storedRating['updated_at'])))
    return
  changeSet.set('rating', { ...titleKey, rating, updated_at: ratedAtMs })
  if (row.source === 'marquee' || (storedFeedback && !isFeedbackFromRating)) return
  const feedback = deriveFeedback(rating)
  if (feedback) changeSet.set('feedback', { ...titleKey, feedback, updated_at: ratedAtMs })
  else if (isFeedbackFromRating) changeSet.delete('feedback', titleKey)
}

function mergeFeedback(
  { title, changeSet, nowMs }: TitleMerge,
  row: HistoryRow,
  feedback: 'liked' | 'disliked',
): void {
  // A like or dislike of a season or an episode does not apply to the series.
  if (row.episode !== undefined || row.season !== undefined) return
  const feedbackAtMs = parseChangeTimeMs(row.at, nowMs)
  const storedRow = changeSet.get('feedback', { title_id: title.id })
  if (storedRow && (storedRow['feedback'] === feedback || feedbackAtMs <= Number(storedRow['updated_at'])))
    return
  changeSet.set('feedback', { title_id: title.id, feedback, updated_at: feedbackAtMs })
}

/**
 * Adds the title to the watchlist, unless the watchlist contains the title already or its entry was changed after the
 * time of the row. If a row of a Marquee export has no state, the new entry is outside the watchlist, and stores only
 * the favourite mark. Such an entry does not replace a stored entry.
 */
function mergeWatchlist({ title, changeSet, nowMs }: TitleMerge, row: HistoryRow): void {
  const storedRow = changeSet.get('list', { title_id: title.id })
  const addedAtMs = parseChangeTimeMs(row.at, nowMs)
  const isOutsideWatchlist = row.source === 'marquee' && !row.state
  if (
    storedRow &&
    (storedRow['in_watchlist'] === 1 || isOutsideWatchlist || addedAtMs <= Number(storedRow['updated_at']))
  )
    return
  const newRow: TrackingRow = {
    title_id: title.id,
    in_watchlist: isOutsideWatchlist ? 0 : 1,
    state: isOutsideWatchlist ? null : (row.state ?? 'planned'),
    favorite: row.favorite || storedRow?.['favorite'] === 1 ? 1 : 0,
    added_at: isOutsideWatchlist || addedAtMs === 0 ? null : addedAtMs,
    updated_at: addedAtMs,
  }
  changeSet.set('list', newRow)
}

/**
 * Adds the title to the named list of the row, after the titles that the list had before the import. Does nothing if
 * the list contains the title already, or if the earlier titles of the file fill the list.
 */
function mergeListTitle(
  { title, changeSet, listsByName, nowMs }: TitleMerge,
  row: HistoryRow,
  rowNumber: number,
): void {
  const list = listsByName?.get(normaliseListName(row.list ?? '') ?? '')
  if (!list || rowNumber > list.lastRowNumber) return
  const entryKey = { title_id: title.id, list_id: list.listId }
  if (changeSet.get('list_entry', entryKey)) return
  changeSet.set('list_entry', {
    ...entryKey,
    position: list.lastPosition + rowNumber + 1,
    added_at: parseChangeTimeMs(row.at, nowMs) || null,
  })
}

/**
 * Dismisses a title that the user dropped in the other service. Continue Watching does not show a dismissed
 * title until it is played again.
 */
function mergeDismissal({ title, changeSet, nowMs, importedAtMs }: TitleMerge, row: HistoryRow): void {
  // The dry run of earlier versions did not skip dropped seasons and episodes, so they are skipped here.
  if (row.episode !== undefined || row.season !== undefined) return
  const storedRow = changeSet.get('interaction', { title_id: title.id })
  const newDismissedAtMs = parseChangeTimeMs(row.at, nowMs) || importedAtMs
  const dismissedAtMs = Number(storedRow?.['dismissed_at'] ?? 0)
  if (row.at ? dismissedAtMs >= newDismissedAtMs : dismissedAtMs > 0) return
  changeSet.set('interaction', {
    title_id: title.id,
    impressions: storedRow?.['impressions'] ?? 0,
    opens: storedRow?.['opens'] ?? 0,
    plays: storedRow?.['plays'] ?? 0,
    dismissed_at: newDismissedAtMs,
    updated_at: Math.max(newDismissedAtMs, Number(storedRow?.['updated_at'] ?? 0)),
  })
}
