/** Writes that have not reached the server yet (docs/offline.md). */
import { atom } from 'nanostores'
import type { Waiting } from '../client/queue.ts'
import type { WatchlistEntry } from '../contract/watchlist.ts'

/** Pending writes of the acting profile, oldest first. */
export const $waiting = atom<readonly Waiting[]>([])
/** Pending changes of watchlist entries by title key `type/id`. */
export const $listedAway = atom<Record<string, Partial<WatchlistEntry>>>({})
/** The pending write that was sent last, with the reply of the server. */
export const $sent = atom<{ write: Waiting; reply: unknown } | null>(null)
