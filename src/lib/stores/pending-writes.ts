/** Writes that have not reached the server yet (docs/offline.md). */
import type { PendingWrite, WriteOwner } from '../client/write-request.ts'
import type { WatchlistEntry } from '../contract/watchlist.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { $user } from './session.ts'

/** Pending writes of the acting profile, oldest first. */
export const $pendingWrites = perProfile<readonly PendingWrite[]>(() => [])
/** Pending changes of watchlist entries by title key `type/id`. */
export const $pendingWatchlistChanges = perProfile<Record<string, Partial<WatchlistEntry>>>(() => ({}))
/**
 * True while pending writes wait although the server may be reachable, because sending them has failed or takes long.
 */
export const $areWritesDelayed = perProfile<boolean>(() => false)
/** The pending write that was sent last, with the reply of the server. */
export const $lastSentWrite = perProfile<{ write: PendingWrite; reply: unknown } | null>(() => null)

/** Returns the signed-in account and the acting profile, which own a new write; null when no profile acts. */
export function getWriteOwner(): WriteOwner | null {
  const accountId = $user.get()?.user_id
  const profileId = $profile.get()?.profile_id
  return accountId && profileId ? { accountId, profileId } : null
}
