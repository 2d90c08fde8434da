/** Changes several watchlist entries at once, with an Undo that restores all of them and their order. */
import type { Wish, Write } from '../client/queue.ts'
import * as recommend from '../contract/recommend.ts'
import type { WatchlistEntry } from '../contract/watchlist.ts'
import type { Key } from '../i18n/keys.ts'
import { deliver, takeBack } from './deliver.ts'
import { $profile } from './profile.ts'
import { noteListChange, refetch } from './query.ts'
import { toast } from './toast.ts'
import { $sent } from './waiting.ts'
import { $entries } from './watchlist.ts'

/** Largest number of entries in one request (contract/watchlist.ts). */
const MAX_ENTRIES_PER_REQUEST = 100

function updateEntries(results: readonly WatchlistEntry[]): void {
  const entriesByKey = Object.fromEntries(results.map((entry) => [`${entry.type}/${entry.media_id}`, entry]))
  $entries.set({ ...$entries.get(), ...entriesByKey })
}
$sent.listen((sent) => {
  if (sent?.write.kind === 'several') updateEntries((sent.reply as { results: WatchlistEntry[] }).results)
})

/** Sends or queues the changes. Returns the writes, or null when the server rejected one. */
async function sendChanges(entries: Wish[]): Promise<Write[] | null> {
  if (!$profile.get() || entries.length === 0) return null
  const writes: Write[] = []
  try {
    for (let start = 0; start < entries.length; start += MAX_ENTRIES_PER_REQUEST) {
      const batch = entries.slice(start, start + MAX_ENTRIES_PER_REQUEST)
      const write = { kind: 'several', id: `${Date.now()}-${Math.random()}`, entries: batch } as const
      const reply = (await deliver(write)) as { results: WatchlistEntry[] } | undefined
      if (reply) updateEntries(reply.results)
      writes.push(write)
    }
    return writes
  } catch {
    toast('errors:generic', { kind: 'bad' })
    return null
  } finally {
    noteListChange()
    refetch(recommend.topPicks, recommend.topGenres)
  }
}

/**
 * Applies the same change to several titles. `successKey` is the message with Undo. Returns false when the server
 * rejected it.
 */
export async function changeSeveral(
  titles: readonly Pick<WatchlistEntry, 'type' | 'media_id'>[],
  change: Pick<Wish, 'in_watchlist' | 'state' | 'favorite'>,
  successKey?: Key,
): Promise<boolean> {
  const previous = titles
    .filter((title): title is WatchlistEntry => 'in_watchlist' in title)
    .map(toRestoringChange)
  const writes = await sendChanges(titles.map(({ type, media_id }) => ({ type, media_id, ...change })))
  if (!writes) return false
  if (successKey)
    toast(successKey, { values: { count: titles.length }, undo: () => void restoreEntries(writes, previous) })
  return true
}

/** Reverts pending writes, and sends the previous state of entries whose change was already sent. */
async function restoreEntries(writes: readonly Write[], previous: readonly Wish[]): Promise<void> {
  const changes: Wish[] = []
  for (const [index, write] of writes.entries())
    if (!(await takeBack(write).catch(() => false)))
      changes.push(...previous.slice(index * MAX_ENTRIES_PER_REQUEST, (index + 1) * MAX_ENTRIES_PER_REQUEST))
  if (changes.length > 0) await sendChanges(changes)
}

/** Returns the change that sets an entry back to this state. */
function toRestoringChange({
  type,
  media_id,
  in_watchlist,
  state,
  favorite,
  added_at,
}: WatchlistEntry): Wish {
  return {
    type,
    media_id,
    in_watchlist,
    favorite,
    ...(state && { state }),
    ...(added_at && { added_at }),
  }
}
