/**
 * Writes that wait for the network. They are in local storage, which survives a reload and can be written while a page
 * closes. Each write has its own entry. The key contains account, profile and the written object, so that a newer write to
 * the same object replaces the older one, and two tabs never overwrite each other's entries.
 */

import type { BodyOf } from '../contract/endpoint.ts'
import type { Feedback } from '../contract/feedback.ts'
import type { MediaCard } from '../contract/media.ts'
import type { putWatchlistEntries, WatchState } from '../contract/watchlist.ts'
import { PENDING_WRITES_KEY_PREFIX } from '../storage-keys.ts'

type WriteTitle = Pick<MediaCard, 'type' | 'id'>
/**
 * Every write contains a complete state or the time of the change, so that sending it twice has the same effect as
 * once.
 */
export type WriteRequest =
  | { kind: 'list'; title: WriteTitle; body: { in_watchlist: boolean; state?: WatchState }; card?: MediaCard }
  | { kind: 'feedback'; title: WriteTitle; feedback: Feedback }
  | { kind: 'card'; title: WriteTitle; event: 'dismiss' | 'undismiss' }
  | {
      kind: 'progress'
      title: WriteTitle
      place: EpisodePosition
      progress: number
      duration: number
      at: string
    }
  /** Several watchlist entries in one request; `id` distinguishes one bulk change from the next. */
  | { kind: 'several'; id: string; entries: WatchlistChange[] }
  | ProgressRemoval
  /** Restores what the removal with the key `of` deleted, in case the server received that removal. */
  | { kind: 'undo'; of: string }
  | { kind: 'user' | 'profile'; preferences: Record<string, unknown> }
/** Deletes progress. `took` contains the pending writes that it made obsolete, so that Undo can restore them. */
export type ProgressRemoval = ({ kind: 'reset'; title: WriteTitle } | { kind: 'clear' }) & {
  took?: PendingWrite[]
}
export type WatchlistChange = BodyOf<typeof putWatchlistEntries>['entries'][number]
/** Season and episode number; both are absent for a movie. */
interface EpisodePosition {
  season?: number
  episode?: number
}
export interface WriteOwner {
  account: string
  profile: string
}
/** `tried`: it was sent, but no response arrived. `undone`: an `undo` write follows it. */
export type PendingWrite = WriteRequest & { key: string; seq: number; tried?: boolean; undone?: boolean }

/** Limits the use of local storage. When it is reached, a further write fails like a write without a network. */
const MAX_PENDING_WRITES = 500

const ownerPrefix = ({ account, profile }: WriteOwner) =>
  `${PENDING_WRITES_KEY_PREFIX} ${account} ${profile} `

/** Identifies the object that a write changes. */
function subjectOf(write: WriteRequest): string {
  if (write.kind === 'several') return `${write.kind} ${write.id}`
  if (write.kind === 'undo') return `${write.kind} ${write.of} back`
  if (!('title' in write)) return write.kind
  const { title, kind } = write
  const episode = kind === 'progress' ? ` ${write.place.season ?? ''}x${write.place.episode ?? ''}` : ''
  return `${kind} ${title.type}/${title.id}${episode}`
}

/** Returns the pending writes of a profile, oldest first. */
export function listPendingWrites(storage: Storage, owner: WriteOwner): PendingWrite[] {
  const writes: PendingWrite[] = []
  for (let i = 0; i < storage.length; i++) {
    const key = storage.key(i) ?? ''
    if (!key.startsWith(ownerPrefix(owner))) continue
    const value = parseWrite(storage.getItem(key))
    if (value) writes.push({ ...value, key })
  }
  return writes.sort((a, b) => a.seq - b.seq)
}

function parseWrite(text: string | null): PendingWrite | null {
  try {
    return JSON.parse(text ?? 'null') as PendingWrite | null
  } catch {
    return null
  }
}

/**
 * Stores a write. `tried` means that it was sent, but no response arrived. Returns null when the storage or the queue is
 * full.
 */
export function storePendingWrite(
  storage: Storage,
  owner: WriteOwner,
  write: WriteRequest,
  tried = false,
): PendingWrite | null {
  const pendingWrites = listPendingWrites(storage, owner)
  const key = ownerPrefix(owner) + subjectOf(write)
  const previous = pendingWrites.find((pending) => pending.key === key)
  if (!previous && pendingWrites.length >= MAX_PENDING_WRITES) return null
  const obsoleteWrites = pendingWrites.filter((pending) => isObsoleteAfter(pending, write, key))
  for (const obsolete of obsoleteWrites) storage.removeItem(obsolete.key)
  const seq = Math.max(Date.now(), (pendingWrites.at(-1)?.seq ?? 0) + 1)
  const isRemoval = write.kind === 'reset' || write.kind === 'clear'
  const content = {
    ...stripCard(mergeWrites(previous, write)),
    ...(isRemoval && { took: obsoleteWrites }),
    ...(tried && { tried }),
  }
  const stored = { ...content, key, seq } as PendingWrite
  try {
    storage.setItem(key, JSON.stringify(stored))
  } catch {
    for (const obsolete of obsoleteWrites) storage.setItem(obsolete.key, JSON.stringify(obsolete))
    return null
  }
  return stored
}

/**
 * Reverts a pending removal or bulk change, and restores the writes that a removal made obsolete. A removal that the server
 * may have received stays and is followed by an `undo` write. Returns false when the write is no longer pending.
 */
export function revertPendingWrite(storage: Storage, owner: WriteOwner, write: WriteRequest): boolean {
  const pendingWrites = listPendingWrites(storage, owner)
  const key = ownerPrefix(owner) + subjectOf(write)
  const found = pendingWrites.find((pending) => pending.key === key)
  if (!found || (found.kind === 'several' && found.tried)) return false
  if (found.tried) {
    const undo = { kind: 'undo', of: key } as const
    storage.setItem(ownerPrefix(owner) + subjectOf(undo), JSON.stringify({ ...undo, seq: found.seq + 0.5 }))
    storage.setItem(key, JSON.stringify({ ...found, undone: true }))
  } else storage.removeItem(key)
  const obsoleteWrites = 'took' in found ? (found.took ?? []) : []
  for (const obsolete of obsoleteWrites)
    if (storage.getItem(obsolete.key) === null) storage.setItem(obsolete.key, JSON.stringify(obsolete))
  return true
}

/** Marks a write as sent without a response, unless a newer write has replaced it. */
export function markUnconfirmed(storage: Storage, sent: PendingWrite): void {
  const current = parseWrite(storage.getItem(sent.key))
  if (current?.seq === sent.seq) storage.setItem(sent.key, JSON.stringify({ ...current, tried: true }))
}

/** Reduces a title to the fields of a card; stores may pass the full details. */
function stripCard(write: WriteRequest): WriteRequest {
  if (!('title' in write)) return write
  const titleRef = { type: write.title.type, id: write.title.id }
  if (write.kind !== 'list' || !write.card) return { ...write, title: titleRef }
  const { id, type, slug, title, original_title, release_date, year, poster_path, backdrop_path } = write.card
  const { color, language, rating, rating_votes, rated, safe_for_kids, high_quality, runtime } = write.card
  const card = {
    id,
    type,
    slug,
    title,
    original_title,
    release_date,
    year,
    poster_path,
    backdrop_path,
    color,
    language,
    rating,
    rating_votes,
    rated,
    safe_for_kids,
    high_quality,
    runtime,
    genres: [],
  }
  return { ...write, title: titleRef, card }
}

/** A removal makes earlier progress of its titles obsolete, and earlier removals of it with their `undo` writes. */
function isObsoleteAfter(pending: PendingWrite, write: WriteRequest, writeKey: string): boolean {
  if (pending.kind === 'undo') return write.kind === 'clear' || pending.of === writeKey
  if (pending.kind !== 'progress' && pending.kind !== 'reset' && pending.kind !== 'clear') return false
  if (write.kind === 'clear') return true
  if (write.kind !== 'reset' || pending.kind === 'clear') return false
  return pending.title.type === write.title.type && pending.title.id === write.title.id
}

/** Combines two writes to the same object: keeps the newer progress, and merges preferences and watchlist changes. */
function mergeWrites(previous: WriteRequest | undefined, next: WriteRequest): WriteRequest {
  if (previous?.kind === 'list' && next.kind === 'list') {
    const { in_watchlist } = next.body
    return {
      ...previous,
      ...next,
      body: in_watchlist ? { ...previous.body, ...next.body } : { in_watchlist },
    }
  }
  if (previous?.kind === 'progress' && next.kind === 'progress')
    return previous.at > next.at ? previous : next
  if (previous && 'preferences' in previous && 'preferences' in next)
    return { ...next, preferences: { ...previous.preferences, ...next.preferences } }
  return next
}

/** Deletes a write after it was sent, unless a newer write replaced it meanwhile. */
export function deletePendingWrite(storage: Storage, sent: PendingWrite): void {
  if (parseWrite(storage.getItem(sent.key))?.seq === sent.seq) storage.removeItem(sent.key)
}

/** `refused`: the server rejected the write permanently. `later`: it must be sent again. */
export type SendOutcome = 'sent' | 'refused' | 'later'

/** Sends the pending writes one after the other, until none is left (`done`) or one must be sent again (`later`). */
export async function sendPendingWrites(
  storage: Storage,
  owner: WriteOwner,
  send: (write: PendingWrite) => Promise<SendOutcome>,
): Promise<'done' | 'later'> {
  for (;;) {
    const [next] = listPendingWrites(storage, owner)
    if (!next) return 'done'
    if ((await send(next)) === 'later') return 'later'
    deletePendingWrite(storage, next)
  }
}

/** Tells whether a write that failed with this error must be sent again or was rejected permanently. */
export function classifySendError({ status, type }: { status: number; type: string }): SendOutcome {
  const isTemporary = status === 0 || status === 401 || status === 408 || status === 425 || status === 429
  return isTemporary || status >= 500 || type === 'profile_locked' ? 'later' : 'refused'
}
