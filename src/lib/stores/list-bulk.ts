/** My List, several titles at a time, with one Undo that puts everything back where it was. */
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

/** What one request takes (contract/tracking.ts). */
const AT_ONCE = 100

function learn(results: readonly WatchlistEntry[]): void {
  const said = Object.fromEntries(results.map((entry) => [`${entry.type}/${entry.media_id}`, entry]))
  $entries.set({ ...$entries.get(), ...said })
}
$sent.listen((sent) => {
  if (sent?.write.kind === 'several') learn((sent.reply as { results: WatchlistEntry[] }).results)
})

/** The requests of these wishes, sent or kept for later; null when one was refused. */
async function send(entries: Wish[]): Promise<Write[] | null> {
  if (!$profile.get() || entries.length === 0) return null
  const writes: Write[] = []
  try {
    for (let at = 0; at < entries.length; at += AT_ONCE) {
      const some = entries.slice(at, at + AT_ONCE)
      const write = { kind: 'several', id: `${Date.now()}-${Math.random()}`, entries: some } as const
      const answer = (await deliver(write)) as { results: WatchlistEntry[] } | undefined
      if (answer) learn(answer.results)
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

/** Changes these titles alike; `said` is the message of success, with Undo. True when it was done, or waits. */
export async function changeSeveral(
  titles: readonly Pick<WatchlistEntry, 'type' | 'media_id'>[],
  change: Pick<Wish, 'in_watchlist' | 'state' | 'favorite'>,
  said?: Key,
): Promise<boolean> {
  const before = titles.filter((one): one is WatchlistEntry => 'in_watchlist' in one).map(asItWas)
  const writes = await send(titles.map(({ type, media_id }) => ({ type, media_id, ...change })))
  if (!writes) return false
  if (said) toast(said, { values: { count: titles.length }, undo: () => void putBack(writes, before) })
  return true
}

/** What still waits is taken back; what was sent is set to what it was. */
async function putBack(writes: readonly Write[], before: readonly Wish[]): Promise<void> {
  const sent: Wish[] = []
  for (const [nth, write] of writes.entries())
    if (!(await takeBack(write).catch(() => false)))
      sent.push(...before.slice(nth * AT_ONCE, (nth + 1) * AT_ONCE))
  if (sent.length > 0) await send(sent)
}

function asItWas({ type, media_id, in_watchlist, state, favorite, added_at }: WatchlistEntry): Wish {
  return {
    type,
    media_id,
    in_watchlist,
    favorite,
    ...(state && { state }),
    ...(added_at && { added_at }),
  }
}
