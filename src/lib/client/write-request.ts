/**
 * Writes of a profile: the data that a request sends to the server when the user changes something. The data is stored
 * until the server has received the change.
 */
import type { BodyOf } from '../contract/endpoint.ts'
import type { Feedback } from '../contract/feedback.ts'
import type { MediaCard } from '../contract/media.ts'
import type { PlayedTime } from '../contract/viewing-time.ts'
import type { MarkSeenBody } from '../contract/viewings.ts'
import type { putWatchlistEntries, WatchState } from '../contract/watchlist.ts'

type WrittenTitleRef = Pick<MediaCard, 'type' | 'id'>
/** `added_at` restores the position of an entry whose removal is undone. */
export interface WatchlistEntryBody {
  in_watchlist: boolean
  state?: WatchState
  added_at?: string | null
}
/**
 * A write of a profile. Sending a write twice has the same effect as sending it once: every write contains a complete
 * state, the time of the change or a key.
 */
export type WriteRequest =
  | { kind: 'list'; title: WrittenTitleRef; body: WatchlistEntryBody; card?: MediaCard }
  | { kind: 'feedback'; title: WrittenTitleRef; feedback: Feedback }
  | { kind: 'rating'; title: WrittenTitleRef; rating: number | null }
  | { kind: 'card'; title: WrittenTitleRef; event: 'dismiss' | 'undismiss'; at?: string | undefined }
  | {
      kind: 'progress'
      title: WrittenTitleRef
      place: WrittenEpisodeRef
      progress: number
      duration: number
      /** Start of the credits in seconds; absent for a video without a credits mark. */
      creditsAtSeconds?: number | undefined
      at: string
      played?: PlayedTime[] | undefined
    }
  /** Several watchlist entries in one request; `id` distinguishes one bulk change from the next. */
  | { kind: 'several'; id: string; entries: WatchlistChange[] }
  | ProgressRemoval
  /** Marks as seen; `id` is the key of the change, which `unmark` undoes. */
  | { kind: 'mark'; id: string; body: MarkSeenBody }
  | { kind: 'unmark'; id: string }
  /**
   * Restores what the removal with the key `of` has deleted. Needed when the server may have received that removal.
   * `removed_at` is part of the reply to the removal, and absent until the reply arrives.
   */
  | { kind: 'undo'; of: string; removed_at?: string | null }
  | { kind: 'user' | 'profile'; preferences: Record<string, unknown> }
/**
 * Deletes the progress in one title (`reset`) or all progress of the profile (`clear`). `took` contains the pending
 * writes that the deletion made obsolete, so that Undo can restore them.
 */
export type ProgressRemoval = ({ kind: 'reset'; title: WrittenTitleRef } | { kind: 'clear' }) & {
  took?: PendingWrite[]
}
export type WatchlistChange = BodyOf<typeof putWatchlistEntries>['entries'][number]
/** Season and episode number; both are absent for a movie. */
interface WrittenEpisodeRef {
  season?: number | undefined
  episode?: number | undefined
}
export interface WriteOwner {
  accountId: string
  profileId: string
}
export interface WriteAttempt {
  /** True if the write was sent, but no response arrived. */
  tried?: boolean
  /**
   * Time at which the write was made or, if it was sent before it was stored, of the first failed attempt. The request
   * contains this time, so that the server keeps a change that another device made later. Absent in two cases:
   * - The server may store an earlier write of this device only after this write was made (`followsOwnWrite`). With the
   *   time, the server would then ignore this write.
   * - The write is a bulk change, and no attempt to send it has failed yet.
   */
  triedAtMs?: number
}
/** `undone`: an `undo` write follows the write. */
export type PendingWrite = WriteRequest & WriteAttempt & { key: string; seq: number; undone?: boolean }
