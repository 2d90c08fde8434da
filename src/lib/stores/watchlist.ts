/** My List: what is wished lies over what is known, so that a tap shows at once and a failure takes it back. */
import { atom, computed, map } from 'nanostores'
import { call } from '../client/call.ts'
import type { MediaCard } from '../contract/media.ts'
import type { WatchlistEntry, WatchState } from '../contract/watchlist.ts'
import * as watchlistCalls from '../contract/watchlist.ts'
import { deliver } from './deliver.ts'
import { $profile } from './profile.ts'
import { noteListChange } from './query.ts'
import { toast } from './toast.ts'
import { $listedAway, $sent } from './waiting.ts'

export interface Title {
  type: 'movie' | 'tv'
  id: string
}
const keyOf = ({ type, id }: Title) => `${type}/${id}`

/** Entries as the server last said. */
export const $entries = map<Record<string, WatchlistEntry>>({})
/** Wishes on their way. */
const $wanted = map<Record<string, Partial<WatchlistEntry>>>({})
export const $listed = computed([$entries, $listedAway, $wanted], (entries, ...later) => {
  const merged: Record<string, Partial<WatchlistEntry>> = { ...entries }
  for (const [key, wish] of later.flatMap(Object.entries)) merged[key] = { ...merged[key], ...wish }
  return merged
})
$sent.listen((sent) => {
  if (sent?.write.kind === 'list') $entries.setKey(keyOf(sent.write.title), sent.reply as WatchlistEntry)
})
const $asked = atom(new Set<string>())

function place(title: Title) {
  const profile = $profile.get()
  return profile && { id: profile.profile_id, type: title.type, mediaId: title.id }
}

/** Learns whether a title is in My List; once per title and page life. */
export async function loadEntry(title: Title): Promise<void> {
  const params = place(title)
  const key = `${params?.id} ${keyOf(title)}`
  if (!params || $asked.get().has(key)) return
  $asked.get().add(key)
  const before = $entries.get()[keyOf(title)]
  const said = await call(watchlistCalls.getWatchlistEntry, { params })
  /* Not over what was written since it was asked. */
  if ($entries.get()[keyOf(title)] === before) $entries.setKey(keyOf(title), said)
}

/** Entries asked again when they were changed elsewhere; the latest ones, older pages ask again themselves. */
const RELOADED = 30

export async function reloadEntries(): Promise<void> {
  const known = Object.keys($entries.get()).slice(-RELOADED)
  $asked.set(new Set())
  await Promise.all(
    known.map((key) => {
      const [type, id = ''] = key.split('/')
      return loadEntry({ type: type === 'tv' ? 'tv' : 'movie', id }).catch(() => {})
    }),
  )
}

async function wish(title: Title, body: { in_watchlist: boolean; state?: WatchState }): Promise<boolean> {
  const key = keyOf(title)
  $wanted.setKey(key, body)
  try {
    const said = (await deliver({
      kind: 'list',
      title,
      body,
      ...('slug' in title && { card: title as MediaCard }),
    })) as WatchlistEntry | undefined
    if (said) {
      $entries.setKey(key, said)
      noteListChange()
    }
    return true
  } catch {
    toast('errors:failed', { kind: 'bad' })
    return false
  } finally {
    const { [key]: _done, ...rest } = $wanted.get()
    $wanted.set(rest)
  }
}

export async function setInList(title: Title, inList: boolean): Promise<void> {
  if (!$profile.get()) return
  const said = await wish(title, { in_watchlist: inList })
  if (said) toast(inList ? 'common:added' : 'common:removed', { undo: () => void setInList(title, !inList) })
}

export async function setWatchState(title: Title, state: WatchState): Promise<void> {
  if (!$profile.get()) return
  if (await wish(title, { in_watchlist: true, state })) toast('mylist:stateUpdated')
}
