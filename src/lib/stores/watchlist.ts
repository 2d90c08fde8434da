/** Watchlist entries with optimistic changes: a change is displayed at once and reverted when it fails. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import type { MediaCard } from '../contract/media.ts'
import type { WatchlistEntry, WatchState } from '../contract/watchlist.ts'
import * as watchlistCalls from '../contract/watchlist.ts'
import { sendOrQueueWrite } from './lazy-outbox.ts'
import { $lastSentWrite, $pendingWatchlistChanges } from './pending-writes.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { markWatchlistChanged } from './query.ts'
import { showToast } from './toast.ts'

export interface TitleRef {
  type: 'movie' | 'tv'
  id: string
}
const buildTitleKey = ({ type, id }: TitleRef) => `${type}/${id}`

/** Entries on the server by title key `type/id`, as of the last reply. */
export const $serverWatchlistEntries = perProfile<Record<string, WatchlistEntry>>(() => ({}))
/** Changes that are being sent. */
const $optimisticChanges = perProfile<Record<string, Partial<WatchlistEntry>>>(() => ({}))
export const $watchlistEntries = computed(
  [$serverWatchlistEntries, $pendingWatchlistChanges, $optimisticChanges],
  (entries, ...changeMaps) => {
    const mergedEntries: Record<string, Partial<WatchlistEntry>> = { ...entries }
    for (const [key, change] of changeMaps.flatMap(Object.entries))
      mergedEntries[key] = { ...mergedEntries[key], ...change }
    return mergedEntries
  },
)
$lastSentWrite.listen((lastSent) => {
  if (lastSent?.write.kind === 'list')
    $serverWatchlistEntries.setKey(buildTitleKey(lastSent.write.title), lastSent.reply as WatchlistEntry)
})
const $requestedKeys = perProfile(() => new Set<string>())

function getPathParams(title: TitleRef) {
  const profile = $profile.get()
  return profile && { id: profile.profile_id, type: title.type, mediaId: title.id }
}

/** Loads the entry of a title, once per profile session. */
export async function loadWatchlistEntry(title: TitleRef): Promise<void> {
  const params = getPathParams(title)
  const key = buildTitleKey(title)
  if (!params || $requestedKeys.get().has(key)) return
  $requestedKeys.get().add(key)
  const previousEntry = $serverWatchlistEntries.get()[key]
  const entry = await callApi(watchlistCalls.getWatchlistEntry, { params })
  // A change that was made during the request is newer than the reply.
  if ($serverWatchlistEntries.get()[key] === previousEntry) $serverWatchlistEntries.setKey(key, entry)
}

/**
 * Number of most recently loaded entries to reload after a change on another device. Older entries are loaded again when
 * needed.
 */
const MAX_RELOADED = 30

export async function reloadWatchlistEntries(): Promise<void> {
  const keys = Object.keys($serverWatchlistEntries.get()).slice(-MAX_RELOADED)
  $requestedKeys.set(new Set())
  await Promise.all(
    keys.map((key) => {
      const [type, id = ''] = key.split('/')
      return loadWatchlistEntry({ type: type === 'tv' ? 'tv' : 'movie', id }).catch(() => {})
    }),
  )
}

/** Sends a change and displays it immediately. Returns false on failure. */
export async function changeEntry(
  title: TitleRef,
  body: { in_watchlist: boolean; state?: WatchState },
): Promise<boolean> {
  const key = buildTitleKey(title)
  $optimisticChanges.setKey(key, body)
  try {
    const entry = (await sendOrQueueWrite({
      kind: 'list',
      title,
      body,
      ...('slug' in title && { card: title as MediaCard }),
    })) as WatchlistEntry | undefined
    if (entry) {
      $serverWatchlistEntries.setKey(key, entry)
      markWatchlistChanged()
    }
    return true
  } catch {
    showToast('errors:failed', { kind: 'bad' })
    return false
  } finally {
    const { [key]: lastBody, ...otherChanges } = $optimisticChanges.get()
    // A newer change to the entry stays displayed.
    if (lastBody === body) $optimisticChanges.set(otherChanges)
  }
}

export async function setInWatchlist(title: TitleRef, isInWatchlist: boolean): Promise<void> {
  if (!$profile.get()) return
  const isSaved = await changeEntry(title, { in_watchlist: isInWatchlist })
  if (isSaved)
    showToast(isInWatchlist ? 'common:added' : 'common:removed', {
      undo: () => void setInWatchlist(title, !isInWatchlist),
    })
}
