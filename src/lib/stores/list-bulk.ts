/** My List, several titles at a time: one request, one Undo that puts everything back where it was. */
import { call } from '../client/call.ts'
import type { BodyOf } from '../contract/endpoint.ts'
import * as recommend from '../contract/recommend.ts'
import * as calls from '../contract/tracking.ts'
import type { Key } from '../i18n/keys.ts'
import { $profile } from './profile.ts'
import { noteListChange, refetch } from './query.ts'
import { toast } from './toast.ts'
import { $entries } from './watchlist.ts'

type Wish = BodyOf<typeof calls.putWatchlist>['entries'][number]

/** What one request takes (contract/tracking.ts). */
const AT_ONCE = 100

async function send(entries: Wish[]): Promise<boolean> {
  const profile = $profile.get()
  if (!profile || entries.length === 0) return false
  try {
    for (let at = 0; at < entries.length; at += AT_ONCE) {
      const { results } = await call(calls.putWatchlist, {
        params: { id: profile.profile_id },
        body: { entries: entries.slice(at, at + AT_ONCE) },
      })
      $entries.set({
        ...$entries.get(),
        ...Object.fromEntries(results.map((entry) => [`${entry.type}/${entry.media_id}`, entry])),
      })
    }
    return true
  } catch {
    toast('errors:generic', { kind: 'bad' })
    return false
  } finally {
    noteListChange()
    refetch(recommend.topPicks, recommend.topGenres)
  }
}

/** Changes these titles alike; `said` is the message of success, with Undo. True when it was done. */
export async function changeSeveral(
  titles: readonly Pick<calls.WatchlistEntry, 'type' | 'media_id'>[],
  change: Pick<Wish, 'in_watchlist' | 'state' | 'favorite'>,
  said?: Key,
): Promise<boolean> {
  const names = titles.map(({ type, media_id }) => ({ type, media_id }))
  if (!(await send(names.map((one) => ({ ...one, ...change }))))) return false
  const before = titles.filter((one): one is calls.WatchlistEntry => 'in_watchlist' in one)
  if (said) toast(said, { values: { count: names.length }, undo: () => void send(before.map(asItWas)) })
  return true
}

function asItWas({ type, media_id, in_watchlist, state, favorite, added_at }: calls.WatchlistEntry): Wish {
  return {
    type,
    media_id,
    in_watchlist,
    favorite,
    ...(state && { state }),
    ...(added_at && { added_at }),
  }
}
