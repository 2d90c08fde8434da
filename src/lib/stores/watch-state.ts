/**
 * Changes the watch state of titles. Completing a title also marks its unseen parts as seen. One Undo reverts both
 * changes.
 */
import type { WatchlistEntry, WatchState } from '../contract/watchlist.ts'
import type { TranslationKey } from '../i18n/keys.ts'
import { $profile } from './profile.ts'
import { showToast } from './toast.ts'
import { $watchlistEntries, changeWatchlistEntry, type TitleRef } from './watchlist.ts'

/**
 * Sets the watch state of a title. Undo of a completion restores `entry`, the displayed entry of the title. Returns
 * false on failure.
 */
export async function setWatchState(
  title: TitleRef,
  state: WatchState,
  entry: Partial<WatchlistEntry> | undefined = $watchlistEntries.get()[`${title.type}/${title.id}`],
): Promise<boolean> {
  if (!$profile.get()) return false
  if (state === 'completed')
    return completeTitles([{ ...entry, type: title.type, media_id: title.id }], 'mylist:stateUpdated')
  const isSaved = await changeWatchlistEntry(title, { in_watchlist: true, state })
  if (isSaved) showToast('mylist:stateUpdated')
  return isSaved
}

type CompletedTitle = Pick<WatchlistEntry, 'type' | 'media_id'> & Partial<WatchlistEntry>

/**
 * Completes titles, and displays the message `successKey` with Undo. Returns false when the server rejected the change.
 */
export async function completeTitles(
  titles: readonly CompletedTitle[],
  successKey: TranslationKey,
): Promise<boolean> {
  const { sendMarks, undoEdits } = await import('./viewings.ts')
  const marks = await sendMarks(titles.map(({ type, media_id }) => ({ type, media_id, scope: 'title' })))
  if (!marks) return false
  const { writes, viewingCount, isPending } = marks
  // A mark does not complete a series without released episodes, so the state of such a series is set here. For several
  // titles, or while the mark is pending, this function does not know which series have no released episodes, so it
  // sets the state of all of them. For the other series, setting the state changes nothing, because the mark completes
  // them.
  const uncompletedSeries = titles.filter(({ type, state }) => type === 'tv' && state !== 'completed')
  const isCompletedByMark = titles.length === 1 && viewingCount > 0 && !isPending
  const values = { count: titles.length }
  if (uncompletedSeries.length === 0 || isCompletedByMark) {
    showToast(successKey, { values, undo: () => void undoEdits(writes) })
    return true
  }
  const { sendWatchlistChange } = await import('./watchlist-bulk.ts')
  const undoChange = await sendWatchlistChange(uncompletedSeries, { in_watchlist: true, state: 'completed' })
  if (!undoChange) {
    await undoEdits(writes)
    return false
  }
  showToast(successKey, { values, undo: () => void undoEdits(writes).then(undoChange) })
  return true
}
