/** Writes that have not reached the server yet (docs/offline.md). */
import { atom } from 'nanostores'
import type { PendingWrite } from '../client/pending-writes.ts'
import type { WatchlistEntry } from '../contract/watchlist.ts'

/** Pending writes of the acting profile, oldest first. */
export const $pendingWrites = atom<readonly PendingWrite[]>([])
/** Pending changes of watchlist entries by title key `type/id`. */
export const $pendingWatchlistChanges = atom<Record<string, Partial<WatchlistEntry>>>({})
/** The pending write that was sent last, with the reply of the server. */
export const $lastSentWrite = atom<{ write: PendingWrite; reply: unknown } | null>(null)
