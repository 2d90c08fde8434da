/** Changes several watchlist entries together, with one Undo that restores all of them and their order. */
import type { WatchlistChange, WriteRequest } from '../client/write-request.ts'
import * as recommend from '../contract/recommendations.ts'
import type { WatchlistEntry } from '../contract/watchlist.ts'
import type { TranslationKey } from '../i18n/keys.ts'
import { sendBulkWrites } from './bulk-writes.ts'
import { revertQueuedWrite } from './lazy-outbox.ts'
import { $lastSentWrite } from './pending-writes.ts'
import { $profile } from './profile.ts'
import { markWatchlistChanged, refetch } from './query.ts'
import { showToast } from './toast.ts'
import { $serverWatchlistEntries, displayWatchlistChanges, getRestorableValues } from './watchlist.ts'

/** Maximum number of entries in one request (contract/watchlist.ts). */
const MAX_ENTRIES_PER_REQUEST = 100

function storeServerEntries(entries: readonly WatchlistEntry[]): void {
  const entriesByKey = Object.fromEntries(entries.map((entry) => [`${entry.type}/${entry.media_id}`, entry]))
  $serverWatchlistEntries.set({ ...$serverWatchlistEntries.get(), ...entriesByKey })
}
$lastSentWrite.listen((lastSentWrite) => {
  if (lastSentWrite?.write.kind === 'several')
    storeServerEntries((lastSentWrite.reply as { results: WatchlistEntry[] }).results)
})

type BulkWrite = Extract<WriteRequest, { kind: 'several' }>

/** Sends or queues the changes. Returns the accepted writes. `isComplete` is false when the server rejected a write. */
async function sendChanges(
  changes: WatchlistChange[],
): Promise<{ acceptedWrites: BulkWrite[]; isComplete: boolean }> {
  const writes: BulkWrite[] = []
  for (let startIndex = 0; startIndex < changes.length; startIndex += MAX_ENTRIES_PER_REQUEST) {
    const batch = changes.slice(startIndex, startIndex + MAX_ENTRIES_PER_REQUEST)
    writes.push({ kind: 'several', id: `${Date.now()}-${Math.random()}`, entries: batch })
  }
  const stopDisplaying = displayWatchlistChanges(
    changes.map(({ type, media_id, ...values }) => [
      `${type}/${media_id}`,
      values as Partial<WatchlistEntry>,
    ]),
  )
  const { acceptedWrites, replies, isComplete } = await sendBulkWrites(writes)
  for (const reply of replies) if (reply) storeServerEntries((reply as { results: WatchlistEntry[] }).results)
  stopDisplaying()
  markWatchlistChanged()
  refetch(recommend.listTopPicks, recommend.listTopGenreRows)
  return { acceptedWrites, isComplete }
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
 * Like `changeWatchlistEntries`, but shows a message only when it fails. Returns the function that undoes the change.
 * Returns null when there is no change to send, or when the server rejects a request. In the latter case, undoes the
 * accepted requests.
 */
export async function sendWatchlistChange(
  titles: readonly ChangedTitle[],
  change: ChangedValues,
): Promise<(() => Promise<void>) | null> {
  const restoringChanges = titles
    .filter((title): title is WatchlistEntry => 'in_watchlist' in title)
    .map(toRestoringChange)
  if (!$profile.get() || titles.length === 0) return null
  const { acceptedWrites, isComplete } = await sendChanges(
    titles.map(({ type, media_id }) => ({ type, media_id, ...change })),
  )
  const undoChange = () => restoreEntries(acceptedWrites, restoringChanges)
  if (isComplete) return undoChange
  await undoChange()
  showToast('errors:generic', { kind: 'bad' })
  return null
}

/** Reverts the writes that are pending. For entries whose change was already sent, sends the previous state. */
async function restoreEntries(
  writes: readonly BulkWrite[],
  restoringChanges: readonly WatchlistChange[],
): Promise<void> {
  const changesToSend: WatchlistChange[] = []
  for (const write of writes)
    if (!(await revertQueuedWrite(write).catch(() => false)))
      changesToSend.push(
        ...restoringChanges.filter((change) => write.entries.some((entry) => isSameTitle(entry, change))),
      )
  if (changesToSend.length > 0 && !(await sendChanges(changesToSend)).isComplete)
    showToast('errors:generic', { kind: 'bad' })
}

const isSameTitle = (a: ChangedTitle, b: ChangedTitle) => a.type === b.type && a.media_id === b.media_id

/** Returns the change that restores this state of an entry. */
function toRestoringChange(entry: WatchlistEntry): WatchlistChange {
  const { type, media_id, in_watchlist, favorite } = entry
  return { type, media_id, in_watchlist, favorite, ...getRestorableValues(entry) }
}
