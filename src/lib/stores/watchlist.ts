/** My List: what is wished lies over what is known, so that a tap shows at once and a failure takes it back. */
import { atom, computed, map } from 'nanostores'
import { call } from '../client/call.ts'
import type { WatchlistEntry, WatchState } from '../contract/tracking.ts'
import * as calls from '../contract/tracking.ts'
import { $profile } from './profile.ts'
import { read, refetch } from './query.ts'
import { toast } from './toast.ts'

export interface ListFilters {
  type: 'all' | 'movie' | 'tv'
  state: 'all' | WatchState
  favorite: boolean
  sort: (typeof calls.WATCHLIST_SORTS)[number]
}
export interface Title {
  type: 'movie' | 'tv'
  id: string
}
const keyOf = ({ type, id }: Title) => `${type}/${id}`

export const $listFilters = map<ListFilters>({
  type: 'all',
  state: 'all',
  favorite: false,
  sort: 'added_at.desc',
})
export const $watchlist = read(
  calls.listWatchlist,
  computed([$profile, $listFilters], (profile, { type, state, favorite, sort }) =>
    profile
      ? {
          params: { id: profile.profile_id },
          query: {
            limit: 100,
            sort,
            ...(type !== 'all' && { type }),
            ...(state !== 'all' && { state }),
            ...(favorite && { favorite }),
          },
        }
      : null,
  ),
)

/** Entries as the server last said. */
export const $entries = map<Record<string, WatchlistEntry>>({})
/** Wishes on their way. */
const $wanted = map<Record<string, Partial<WatchlistEntry>>>({})
export const $listed = computed([$entries, $wanted], (entries, wanted) => {
  const merged: Record<string, Partial<WatchlistEntry>> = { ...entries }
  for (const [key, wish] of Object.entries(wanted)) merged[key] = { ...entries[key], ...wish }
  return merged
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
  $entries.setKey(keyOf(title), await call(calls.getWatchlistEntry, { params }))
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

async function wish(
  title: Title,
  wanted: Partial<WatchlistEntry>,
  send: () => Promise<WatchlistEntry>,
): Promise<boolean> {
  const key = keyOf(title)
  $wanted.setKey(key, wanted)
  try {
    $entries.setKey(key, await send())
    refetch(calls.listWatchlist)
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
  const params = place(title)
  if (!params) return
  const said = await wish(title, { in_watchlist: inList }, () =>
    call(calls.toggleWatchlistEntry, { params, body: { in_watchlist: inList } }),
  )
  if (said) toast(inList ? 'common:added' : 'common:removed', { undo: () => void setInList(title, !inList) })
}

export async function setWatchState(title: Title, state: WatchState): Promise<void> {
  const params = place(title)
  if (!params) return
  const said = await wish(title, { in_watchlist: true, state }, () =>
    call(calls.setWatchState, { params: { ...params, state } }),
  )
  if (said) toast('mylist:stateUpdated')
}
