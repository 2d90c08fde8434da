/** Changes several watchlist entries together, with one Undo that restores all of them and their order. */
import type { WatchlistChange, WriteRequest } from '../client/pending-writes.ts'
import * as recommend from '../contract/recommendations.ts'
import type { WatchlistEntry } from '../contract/watchlist.ts'
import type { TranslationKey } from '../i18n/keys.ts'
import { revertQueuedWrite, sendOrQueueWrite } from './lazy-outbox.ts'
import { $lastSentWrite } from './pending-writes.ts'
import { $profile } from './profile.ts'
import { markWatchlistChanged, refetch } from './query.ts'
import { showToast } from './toast.ts'
import { $serverWatchlistEntries, getRestorableValues } from './watchlist.ts'

/** Maximum number of entries in one request (contract/watchlist.ts). */
const MAX_ENTRIES_PER_REQUEST = 100

function updateEntries(entries: readonly WatchlistEntry[]): void {
  const entriesByKey = Object.fromEntries(entries.map((entry) => [`${entry.type}/${entry.media_id}`, entry]))
  $serverWatchlistEntries.set({ ...$serverWatchlistEntries.get(), ...entriesByKey })
}
$lastSentWrite.listen((lastSentWrite) => {
  if (lastSentWrite?.write.kind === 'several')
    updateEntries((lastSentWrite.reply as { results: WatchlistEntry[] }).results)
})

/** Sends or queues the changes. Returns the writes; null without changes, and when the server rejected a write. */
async function sendChanges(changes: WatchlistChange[]): Promise<WriteRequest[] | null> {
  if (!$profile.get() || changes.length === 0) return null
  const writes: WriteRequest[] = []
  for (let startIndex = 0; startIndex < changes.length; startIndex += MAX_ENTRIES_PER_REQUEST) {
    const batch = changes.slice(startIndex, startIndex + MAX_ENTRIES_PER_REQUEST)
    writes.push({ kind: 'several', id: `${Date.now()}-${Math.random()}`, entries: batch })
  }
  try {
    // All writes are started immediately, so that every write is sent even when another profile is selected meanwhile.
    const replies = await Promise.all(writes.map((write) => sendOrQueueWrite(write)))
    for (const reply of replies) if (reply) updateEntries((reply as { results: WatchlistEntry[] }).results)
    return writes
  } catch {
    showToast('errors:generic', { kind: 'bad' })
    return null
  } finally {
    markWatchlistChanged()
    refetch(recommend.listTopPicks, recommend.listTopGenreRows)
  }
}

type ChangedTitle = Pick<WatchlistEntry, 'type' | 'media_id'>
type ChangedValues = Pick<WatchlistChange, 'in_watchlist' | 'state' | 'favorite'>

/**
 * Applies `change` to several titles. With `successKey`, displays this message with Undo. Returns false when there was
 * no change to send, or when the server rejected a change.
 */
export async function changeWatchlistEntries(
  titles: readonly ChangedTitle[],
  change: ChangedValues,
  successKey?: TranslationKey,
): Promise<boolean> {
  const undoChange = await sendWatchlistChange(titles, change)
  if (undoChange && successKey)
    showToast(successKey, { values: { count: titles.length }, undo: () => void undoChange() })
  return undoChange !== null
}

/**
 * Like `changeWatchlistEntries`, but shows only a failure. Returns the function that undoes the change; null without a
 * change to send and when the server rejected a change.
 */
export async function sendWatchlistChange(
  titles: readonly ChangedTitle[],
  change: ChangedValues,
): Promise<(() => Promise<void>) | null> {
  const restoringChanges = titles
    .filter((title): title is WatchlistEntry => 'in_watchlist' in title)
    .map(toRestoringChange)
  const writes = await sendChanges(titles.map(({ type, media_id }) => ({ type, media_id, ...change })))
  return writes && (() => restoreEntries(writes, restoringChanges))
}

/** Reverts the writes that are pending. For entries whose change was already sent, sends the previous state. */
async function restoreEntries(
  writes: readonly WriteRequest[],
  restoringChanges: readonly WatchlistChange[],
): Promise<void> {
  const changesToSend: WatchlistChange[] = []
  for (const [index, write] of writes.entries())
    if (!(await revertQueuedWrite(write).catch(() => false)))
      changesToSend.push(
        ...restoringChanges.slice(index * MAX_ENTRIES_PER_REQUEST, (index + 1) * MAX_ENTRIES_PER_REQUEST),
      )
  if (changesToSend.length > 0) await sendChanges(changesToSend)
}

/** Returns the change that restores this state of an entry. */
function toRestoringChange(entry: WatchlistEntry): WatchlistChange {
  const { type, media_id, in_watchlist, favorite } = entry
  return { type, media_id, in_watchlist, favorite, ...getRestorableValues(entry) }
}
