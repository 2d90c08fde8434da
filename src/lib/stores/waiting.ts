/** Writes that wait for the network (docs/offline.md). */
import { atom } from 'nanostores'
import type { Waiting } from '../client/queue.ts'
import type { WatchlistEntry } from '../contract/watchlist.ts'

/** What waits for the acting profile, in order. */
export const $waiting = atom<readonly Waiting[]>([])
/** The same of My List alone: what it makes of entries, by `type/id`. */
export const $listedAway = atom<Record<string, Partial<WatchlistEntry>>>({})
/** What waited and was sent just now, with the server's answer. */
export const $sent = atom<{ write: Waiting; reply: unknown } | null>(null)
