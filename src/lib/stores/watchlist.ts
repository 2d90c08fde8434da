/** Watchlist entries with optimistic changes: a change is displayed immediately and reverted when it fails. */

import { computed, type WritableAtom } from 'nanostores'
import { callApi } from '../client/call.ts'
import type { WatchlistEntryBody } from '../client/write-request.ts'
import type { MediaCard } from '../contract/media.ts'
import type { WatchlistEntry } from '../contract/watchlist.ts'
import * as watchlistCalls from '../contract/watchlist.ts'
import { buildTitleKey } from '../rules/title-key.ts'
import { sendOrQueueWrite } from './lazy-outbox.ts'
import { $lastSentWrite, $pendingWatchlistChanges } from './pending-writes.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { markWatchlistChanged } from './query.ts'
import { showFailure, showToast } from './toast.ts'

export interface TitleRef {
  type: 'movie' | 'tv'
  id: string
}

/** Entries on the server by title key `type/id`, as of the last reply. */
export const $serverWatchlistEntries = perProfile<Record<string, WatchlistEntry>>(() => ({}))
/** A change of a title that is displayed before the server has confirmed it. The title key is `type/id`. */
export type UnconfirmedChange<Value> = readonly [titleKey: string, value: Value]
/** Changes that are being sent, oldest first. */
const $optimisticChanges = perProfile<readonly UnconfirmedChange<Partial<WatchlistEntry>>[]>(() => [])
export const $watchlistEntries = computed(
  [$serverWatchlistEntries, $pendingWatchlistChanges, $optimisticChanges],
  (serverEntries, pendingChanges, optimisticChanges) => {
    const mergedEntries: Record<string, Partial<WatchlistEntry>> = { ...serverEntries }
    for (const [titleKey, change] of [...Object.entries(pendingChanges), ...optimisticChanges])
      mergedEntries[titleKey] = { ...mergedEntries[titleKey], ...change }
    return mergedEntries
  },
)
$lastSentWrite.listen((lastSentWrite) => {
  if (lastSentWrite?.write.kind === 'list')
    $serverWatchlistEntries.setKey(
      buildTitleKey(lastSentWrite.write.title),
      lastSentWrite.reply as WatchlistEntry,
    )
})
/** Title keys of the requested entries. The value is false when the request has failed, and otherwise true. */
export const $requestedTitleKeys = perProfile(() => new Map<string, boolean>())

function buildTitleParams(title: TitleRef) {
  const profile = $profile.get()
  return profile && { id: profile.profile_id, type: title.type, mediaId: title.id }
}

/** Loads the entry of a title, once per profile session. After a failure, the next call requests the entry again. */
export async function loadWatchlistEntry(title: TitleRef): Promise<void> {
  const params = buildTitleParams(title)
  const titleKey = buildTitleKey(title)
  if (!params) return
  const requestedTitleKeys = $requestedTitleKeys.get()
  const isRequested = requestedTitleKeys.get(titleKey)
  // A key that is deleted and added again moves to the end of the map. Reloads give priority to the titles that were
  // requested last.
  requestedTitleKeys.delete(titleKey)
  requestedTitleKeys.set(titleKey, true)
  if (isRequested) return
  const previousEntry = $serverWatchlistEntries.get()[titleKey]
  const loadedEntry = await callApi(watchlistCalls.getWatchlistEntry, { params }).catch((error: unknown) => {
    requestedTitleKeys.set(titleKey, false)
    throw error
  })
  // A change that was made during the request is newer than the reply.
  if ($serverWatchlistEntries.get()[titleKey] === previousEntry)
    $serverWatchlistEntries.setKey(titleKey, loadedEntry)
}

/**
 * Adds changes to the displayed changes of a store until the returned function is called. That function also removes
 * earlier changes of the same titles. Otherwise, an earlier change to which the server has not replied yet would hide a
 * later change that is already in the outbox.
 */
export function displayUntilSent<Value>(
  $changes: WritableAtom<readonly UnconfirmedChange<Value>[]>,
  changes: readonly UnconfirmedChange<Value>[],
): () => void {
  $changes.set([...$changes.get(), ...changes])
  return () => {
    const displayedChanges = $changes.get()
    const lastIndex = displayedChanges.lastIndexOf(changes.at(-1)!)
    $changes.set(
      displayedChanges.filter(
        ([titleKey], index) => index > lastIndex || !changes.some(([changedKey]) => changedKey === titleKey),
      ),
    )
  }
}
/** Displays changes of watchlist entries until the returned function is called. */
export const displayWatchlistChanges = (
  changes: readonly UnconfirmedChange<Partial<WatchlistEntry>>[],
): (() => void) => displayUntilSent($optimisticChanges, changes)

/** Sends a change and displays it immediately. Returns false on failure. */
export async function changeWatchlistEntry(title: TitleRef, body: WatchlistEntryBody): Promise<boolean> {
  const titleKey = buildTitleKey(title)
  const stopDisplaying = displayWatchlistChanges([[titleKey, body]])
  try {
    const savedEntry = (await sendOrQueueWrite({
      kind: 'list',
      title,
      body,
      ...('slug' in title && { card: title as MediaCard }),
    })) as WatchlistEntry | undefined
    if (savedEntry) {
      $serverWatchlistEntries.setKey(titleKey, savedEntry)
      markWatchlistChanged()
    }
    return true
  } catch (error) {
    showFailure(error)
    return false
  } finally {
    stopDisplaying()
  }
}

type RestorableValues = Pick<WatchlistEntryBody, 'state' | 'added_at'>

/** Returns the values that are lost when the entry is removed, so that Undo can send them again. */
export const getRestorableValues = ({ state, added_at }: Partial<WatchlistEntry>): RestorableValues => ({
  ...(state && { state }),
  ...(added_at !== undefined && { added_at }),
})

/**
 * Adds a title to the watchlist, or removes it. Undo of a removal restores the state and the position of the entry.
 * Undo of an addition deletes the state and the position. After an addition, Undo is therefore offered only if the
 * title is known to have been absent before.
 */
export async function setInWatchlist(
  title: TitleRef,
  isInWatchlist: boolean,
  restoredValues: RestorableValues = {},
): Promise<void> {
  if (!$profile.get()) return
  const previousEntry = $watchlistEntries.get()[buildTitleKey(title)] ?? {}
  const undoValues = isInWatchlist ? {} : getRestorableValues(previousEntry)
  const canUndo = !isInWatchlist || previousEntry.in_watchlist === false
  const isSaved = await changeWatchlistEntry(title, { in_watchlist: isInWatchlist, ...restoredValues })
  if (isSaved)
    showToast(
      isInWatchlist ? 'common:added' : 'common:removed',
      canUndo ? { undo: () => void setInWatchlist(title, !isInWatchlist, undoValues) } : {},
    )
}
