/**
 * Writes that wait for the network. They are stored in local storage, which survives a reload and can be written while
 * a page closes. Each write has its own entry. The key of an entry contains the account, the profile and the object
 * that the write changes. A newer write to the same object therefore replaces the older write, and tabs that change
 * different objects do not overwrite each other's entries.
 */

import type { BodyOf } from '../contract/endpoint.ts'
import type { Feedback } from '../contract/feedback.ts'
import type { MediaCard } from '../contract/media.ts'
import type { PlayedTime } from '../contract/viewing-time.ts'
import type { MarkBody } from '../contract/viewings.ts'
import type { putWatchlistEntries, WatchState } from '../contract/watchlist.ts'
import { PENDING_WRITES_KEY_PREFIX } from '../storage-keys.ts'

type WriteTitle = Pick<MediaCard, 'type' | 'id'>
/** `added_at` restores the position of an entry whose removal is undone. */
export interface WatchlistEntryBody {
  in_watchlist: boolean
  state?: WatchState
  added_at?: string | null
}
/**
 * Every write contains a complete state, the time of the change or a key, so that sending it twice has the same effect
 * as sending it once.
 */
export type WriteRequest =
  | { kind: 'list'; title: WriteTitle; body: WatchlistEntryBody; card?: MediaCard }
  | { kind: 'feedback'; title: WriteTitle; feedback: Feedback }
  | { kind: 'rating'; title: WriteTitle; rating: number | null }
  | { kind: 'card'; title: WriteTitle; event: 'dismiss' | 'undismiss'; at?: string | undefined }
  | {
      kind: 'progress'
      title: WriteTitle
      place: EpisodePosition
      progress: number
      duration: number
      at: string
      played?: PlayedTime[] | undefined
    }
  /** Several watchlist entries in one request; `id` distinguishes one bulk change from the next. */
  | { kind: 'several'; id: string; entries: WatchlistChange[] }
  | ProgressRemoval
  /** Marks as seen; `id` is the key of the change, which `unmark` undoes. */
  | { kind: 'mark'; id: string; body: MarkBody }
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
  accountId: string
  profileId: string
}
/**
 * `tried`: the write was sent, but no response arrived. `triedAtMs`: the time at which the first attempt failed or, for
 * a write that was not sent yet, at which it was made. The server keeps a change that another device has made later.
 * Absent if the server may store an earlier write of this device later than this time (`followsOwnWrite`), and for bulk
 * changes that were not sent yet.
 */
export interface WriteAttempt {
  tried?: boolean
  triedAtMs?: number
}
/** `undone`: an `undo` write follows the write. */
export type PendingWrite = WriteRequest & WriteAttempt & { key: string; seq: number; undone?: boolean }

/**
 * Maximum number of pending writes. It limits the use of local storage. At the limit, `storePendingWrite` returns null.
 */
const MAX_PENDING_WRITES = 500
/** Maximum number of players whose playing time is part of one progress report. */
const MAX_PLAYBACK_SESSIONS = 20

const buildOwnerPrefix = ({ accountId, profileId }: WriteOwner) =>
  `${PENDING_WRITES_KEY_PREFIX} ${accountId} ${profileId} `

/** Identifies the object that a write changes. */
function buildSubjectKey(write: WriteRequest): string {
  if ('id' in write) return `${write.kind} ${write.id}`
  if (write.kind === 'undo') return `${write.kind} ${write.of} back`
  if (!('title' in write)) return write.kind
  const { title, kind } = write
  const episodeSuffix = kind === 'progress' ? ` ${write.place.season ?? ''}x${write.place.episode ?? ''}` : ''
  return `${kind} ${title.type}/${title.id}${episodeSuffix}`
}

/** Returns the key under which a write is stored. Writes with the same key change the same object. */
export const buildWriteKey = (owner: WriteOwner, write: WriteRequest): string =>
  buildOwnerPrefix(owner) + buildSubjectKey(write)

/** Returns the pending writes of a profile, oldest first. */
export function listPendingWrites(storage: Storage, owner: WriteOwner): PendingWrite[] {
  const writes: PendingWrite[] = []
  for (let i = 0; i < storage.length; i++) {
    const storageKey = storage.key(i) ?? ''
    if (!storageKey.startsWith(buildOwnerPrefix(owner))) continue
    const storedWrite = parseWrite(storage.getItem(storageKey))
    if (storedWrite) writes.push({ ...storedWrite, key: storageKey })
  }
  return writes.sort((a, b) => a.seq - b.seq)
}

function parseWrite(json: string | null): PendingWrite | null {
  try {
    return JSON.parse(json ?? 'null') as PendingWrite | null
  } catch {
    return null
  }
}

/**
 * `wasSent`: the write was sent, but no response arrived. `isAfterDirectSend`: an earlier write with the same key is
 * being sent and is not stored.
 */
export interface SendAttempt {
  wasSent?: boolean
  isAfterDirectSend?: boolean
}

/** Stores a write. Returns null when the local storage is full or MAX_PENDING_WRITES is reached. */
export function storePendingWrite(
  storage: Storage,
  owner: WriteOwner,
  write: WriteRequest,
  { wasSent = false, isAfterDirectSend = false }: SendAttempt = {},
): PendingWrite | null {
  const pendingWrites = listPendingWrites(storage, owner)
  const writeKey = buildWriteKey(owner, write)
  const previousWrite = pendingWrites.find((pendingWrite) => pendingWrite.key === writeKey)
  if (!previousWrite && pendingWrites.length >= MAX_PENDING_WRITES) return null
  const obsoleteWrites = pendingWrites.filter((pendingWrite) =>
    isObsoleteAfter(pendingWrite, write, writeKey),
  )
  for (const obsoleteWrite of obsoleteWrites) storage.removeItem(obsoleteWrite.key)
  const sequenceNumber = Math.max(Date.now(), (pendingWrites.at(-1)?.seq ?? 0) + 1)
  const isRemoval = write.kind === 'reset' || write.kind === 'clear'
  // A bulk change may concern only the favourite marks. They do not conflict with a newer state of the entries.
  const isTimed = write.kind !== 'several' && !followsOwnWrite(write, writeKey, pendingWrites)
  const storedRequest = {
    ...stripCard(mergeWrites(previousWrite, write)),
    ...(isRemoval && { took: obsoleteWrites }),
    ...(wasSent && { tried: true }),
    // Replaces the time of an earlier write with which this write was merged.
    triedAtMs: wasSent || (isTimed && !isAfterDirectSend) ? Date.now() : undefined,
  }
  const storedWrite = { ...storedRequest, key: writeKey, seq: sequenceNumber } as PendingWrite
  try {
    storage.setItem(writeKey, JSON.stringify(storedWrite))
  } catch {
    for (const obsoleteWrite of obsoleteWrites)
      storage.setItem(obsoleteWrite.key, JSON.stringify(obsoleteWrite))
    return null
  }
  return storedWrite
}

/**
 * Returns whether the server may store an earlier write of this device after `write` was made, and would then take it
 * for a newer change of another device. An earlier write with the same key is merged and not sent, unless it was tried.
 * Only watchlist entries also change with writes of other kinds.
 */
const followsOwnWrite = (
  write: WriteRequest,
  writeKey: string,
  pendingWrites: readonly PendingWrite[],
): boolean =>
  pendingWrites.some((pendingWrite) =>
    pendingWrite.key === writeKey
      ? pendingWrite.tried
      : write.kind === 'list' && canAffectSameData(pendingWrite, write),
  )

/**
 * Reverts a pending removal of progress, bulk change or mark, and restores the writes that a removal made obsolete. A
 * removal that the server may have received stays, and an `undo` write follows it. Returns false when the write is no
 * longer pending, or when it is a bulk change or mark that the server may have received.
 */
export function revertPendingWrite(storage: Storage, owner: WriteOwner, write: WriteRequest): boolean {
  const pendingWrites = listPendingWrites(storage, owner)
  const writeKey = buildWriteKey(owner, write)
  const foundWrite = pendingWrites.find((pendingWrite) => pendingWrite.key === writeKey)
  if (!foundWrite || ('id' in foundWrite && foundWrite.tried)) return false
  if (foundWrite.tried) {
    const undoRequest = { kind: 'undo', of: writeKey } as const
    storage.setItem(
      buildWriteKey(owner, undoRequest),
      JSON.stringify({ ...undoRequest, seq: foundWrite.seq + 0.5 }),
    )
    storage.setItem(writeKey, JSON.stringify({ ...foundWrite, undone: true }))
  } else storage.removeItem(writeKey)
  const obsoleteWrites = 'took' in foundWrite ? (foundWrite.took ?? []) : []
  for (const obsoleteWrite of obsoleteWrites)
    if (storage.getItem(obsoleteWrite.key) === null)
      storage.setItem(obsoleteWrite.key, JSON.stringify(obsoleteWrite))
  return true
}

/**
 * Copies `removed_at` from the reply to a removal to the `undo` write that follows the removal. The server finds the
 * removal to undo by this time. Does nothing when there is no `undo` write.
 */
export function identifyUndoneRemoval(
  storage: Storage,
  owner: WriteOwner,
  { key, reply }: { key: string; reply: { removed_at: string | null } },
): void {
  const undoKey = buildWriteKey(owner, { kind: 'undo', of: key })
  const undoWrite = parseWrite(storage.getItem(undoKey))
  if (undoWrite)
    replaceWrite(storage, undoKey, { ...undoWrite, removed_at: reply.removed_at } as PendingWrite)
}

/** Marks a write as sent without a response, unless a newer write has replaced it. */
export function markUnconfirmed(storage: Storage, sentWrite: PendingWrite): void {
  const currentWrite = parseWrite(storage.getItem(sentWrite.key))
  if (currentWrite?.seq === sentWrite.seq)
    replaceWrite(storage, sentWrite.key, { triedAtMs: Date.now(), ...currentWrite, tried: true })
  else if (currentWrite) deleteWriteTime(storage, sentWrite.key, currentWrite)
}

/** Deletes the time of a write that was made while an earlier write with the same key was sent. */
function deleteWriteTime(
  storage: Storage,
  writeKey: string,
  { triedAtMs: _triedAtMs, ...write }: PendingWrite,
): void {
  replaceWrite(storage, writeKey, write as PendingWrite)
}

/** Replaces a stored write. Without space for the new text, the stored write stays as it is. */
function replaceWrite(storage: Storage, writeKey: string, write: PendingWrite): void {
  try {
    storage.setItem(writeKey, JSON.stringify(write))
  } catch {
    // The write is sent without what is new.
  }
}

/**
 * Returns the write with only the type and id of its title, and only the fields of a card in `card`. Stores may pass
 * the full details of a title for both.
 */
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

/**
 * Returns true when `write` removes progress and makes `pendingWrite` obsolete. Obsolete writes are progress of the
 * titles whose progress is removed, earlier removals of the same progress, and the `undo` writes of those removals.
 */
function isObsoleteAfter(pendingWrite: PendingWrite, write: WriteRequest, writeKey: string): boolean {
  if (pendingWrite.kind === 'undo') return write.kind === 'clear' || pendingWrite.of === writeKey
  if (pendingWrite.kind !== 'progress' && pendingWrite.kind !== 'reset' && pendingWrite.kind !== 'clear')
    return false
  if (write.kind === 'clear') return true
  if (write.kind !== 'reset' || pendingWrite.kind === 'clear') return false
  return pendingWrite.title.type === write.title.type && pendingWrite.title.id === write.title.id
}

/** Combines the playing time of two writes. Each player reports its total, so the larger number is the newer number. */
function mergePlayedTime(
  previousPlayedTimes: PlayedTime[] = [],
  nextPlayedTimes: PlayedTime[] = [],
): PlayedTime[] {
  const secondsBySession = new Map<string, number>()
  for (const { session, seconds } of [...previousPlayedTimes, ...nextPlayedTimes])
    secondsBySession.set(session, Math.max(seconds, secondsBySession.get(session) ?? 0))
  return [...secondsBySession]
    .map(([session, seconds]) => ({ session, seconds }))
    .slice(-MAX_PLAYBACK_SESSIONS)
}

/**
 * Combines two writes to the same object. Merges preferences, watchlist changes and playing times, and keeps the newer
 * progress. For all other kinds, the next write replaces the previous write.
 */
function mergeWrites(previousWrite: WriteRequest | undefined, nextWrite: WriteRequest): WriteRequest {
  if (previousWrite?.kind === 'list' && nextWrite.kind === 'list') {
    const { in_watchlist } = nextWrite.body
    return {
      ...previousWrite,
      ...nextWrite,
      body: in_watchlist ? { ...previousWrite.body, ...nextWrite.body } : { in_watchlist },
    }
  }
  if (previousWrite?.kind === 'progress' && nextWrite.kind === 'progress')
    return {
      ...(previousWrite.at > nextWrite.at ? previousWrite : nextWrite),
      played: mergePlayedTime(previousWrite.played, nextWrite.played),
    }
  if (previousWrite && 'preferences' in previousWrite && 'preferences' in nextWrite)
    return { ...nextWrite, preferences: { ...previousWrite.preferences, ...nextWrite.preferences } }
  return nextWrite
}

/** Deletes a write after it was sent, unless a newer write replaced it meanwhile. */
export function deletePendingWrite(storage: Storage, sentWrite: PendingWrite): void {
  const currentWrite = parseWrite(storage.getItem(sentWrite.key))
  if (currentWrite?.seq === sentWrite.seq) storage.removeItem(sentWrite.key)
  else if (currentWrite) deleteWriteTime(storage, sentWrite.key, currentWrite)
}

/**
 * Returns the objects that a write changes, or null when it may change any object. Writes to different objects may
 * reach the server in any order.
 */
function listChangedObjects(write: WriteRequest): string[] | null {
  const buildTitleKey = (title: { type: string; media_id: string }) => `${title.type}/${title.media_id}`
  if ('preferences' in write) return [write.kind]
  if ('title' in write) return [`${write.title.type}/${write.title.id}`]
  if (write.kind === 'several') return write.entries.map(buildTitleKey)
  return write.kind === 'mark' ? write.body.scopes.map(buildTitleKey) : null
}

/** Returns whether the server must receive two writes in the order in which they were made. */
export function mustKeepOrder(write: WriteRequest, laterWrite: WriteRequest): boolean {
  const changedObjects = listChangedObjects(write)
  const laterObjects = listChangedObjects(laterWrite)
  return !changedObjects || !laterObjects || changedObjects.some((key) => laterObjects.includes(key))
}

/** Kinds of writes whose data no write of another kind changes. */
const INDEPENDENT_KINDS: readonly WriteRequest['kind'][] = ['feedback', 'rating', 'card']

/**
 * Returns whether the result of two writes with different keys depends on their order. That of two reports of progress
 * does not, because they contain times.
 */
export const canAffectSameData = (write: WriteRequest, laterWrite: WriteRequest): boolean =>
  mustKeepOrder(write, laterWrite) &&
  ![write, laterWrite].some(({ kind }) => INDEPENDENT_KINDS.includes(kind)) &&
  ![write, laterWrite].every(({ kind }) => kind === 'progress')

/**
 * `refused`: the server rejected the write permanently. `later`: no write can be sent now. `failed`: the server could
 * not apply this write, which must be sent again.
 */
export type SendOutcome = 'sent' | 'refused' | 'later' | 'failed'

/**
 * Returns the first write that may be sent; undefined when there is none. A write that has failed (`failedKeys`) holds
 * back the later writes that must not overtake it, and each of these holds back further writes in the same way.
 */
function findSendableWrite(
  pendingWrites: readonly PendingWrite[],
  failedKeys: ReadonlySet<string>,
): PendingWrite | undefined {
  const waitingWrites: PendingWrite[] = []
  return pendingWrites.find((write) => {
    const isHeldBack =
      failedKeys.has(write.key) || waitingWrites.some((waitingWrite) => mustKeepOrder(waitingWrite, write))
    if (isHeldBack) waitingWrites.push(write)
    return !isHeldBack
  })
}

/**
 * Sends the pending writes one after the other, until none is left (`done`) or the remaining writes must be sent later
 * (`later`).
 */
export async function sendPendingWrites(
  storage: Storage,
  owner: WriteOwner,
  sendWrite: (write: PendingWrite) => Promise<SendOutcome>,
): Promise<'done' | 'later'> {
  const failedKeys = new Set<string>()
  for (;;) {
    const nextWrite = findSendableWrite(listPendingWrites(storage, owner), failedKeys)
    if (!nextWrite) return failedKeys.size > 0 ? 'later' : 'done'
    const sendOutcome = await sendWrite(nextWrite)
    if (sendOutcome === 'later') return 'later'
    if (sendOutcome === 'failed') failedKeys.add(nextWrite.key)
    else deletePendingWrite(storage, nextWrite)
  }
}

/**
 * Returns the outcome of a write that failed with this error. Only status 500 comes from the write itself; with any
 * other server error, the server is not available for other writes either.
 */
export function classifySendError({ status, type }: { status: number; type: string }): SendOutcome {
  if (status === 500) return 'failed'
  const isTemporary = status === 0 || status === 401 || status === 408 || status === 425 || status === 429
  return isTemporary || status >= 500 || type === 'profile_locked' ? 'later' : 'refused'
}
