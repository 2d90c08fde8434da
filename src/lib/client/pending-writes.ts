/**
 * Writes that wait for the network. They are stored in local storage, which survives a reload and can be written while
 * a page closes. Each write has its own entry. The key of an entry contains the account, the profile and the object
 * that the write changes. A newer write to the same object therefore replaces the older write, and tabs that change
 * different objects do not overwrite each other's entries.
 */
import { PENDING_WRITES_KEY_PREFIX } from '../storage-keys.ts'
import { isObsoleteAfter, mergeWrites, stripCard } from './merge-writes.ts'
import { canAffectSameData } from './write-order.ts'
import type { PendingWrite, WriteOwner, WriteRequest } from './write-request.ts'

/**
 * Maximum number of pending writes. It limits the use of local storage. At the limit, `storePendingWrite` returns null.
 */
const MAX_PENDING_WRITES = 500

const buildOwnerPrefix = ({ accountId, profileId }: WriteOwner) =>
  `${PENDING_WRITES_KEY_PREFIX} ${accountId} ${profileId} `

/** Returns the part of the key of a write that identifies the object that the write changes. */
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
 * being sent and is not stored. The new write is then stored without its time, because the server could consider the
 * earlier write as newer and ignore the new one.
 */
export interface StoreWriteOptions {
  wasSent?: boolean
  isAfterDirectSend?: boolean
  /** Time at which the write was made; by default, now. */
  madeAtMs?: number
}

/**
 * Stores a write and returns the stored write. Returns null when the local storage is full or MAX_PENDING_WRITES is
 * reached.
 */
export function storePendingWrite(
  storage: Storage,
  owner: WriteOwner,
  write: WriteRequest,
  { wasSent = false, isAfterDirectSend = false, madeAtMs = Date.now() }: StoreWriteOptions = {},
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
  // A bulk change has no time. Some bulk changes contain only favourite marks, which the server must store even if the
  // entries have a newer state.
  const hasWriteTime = write.kind !== 'several' && !followsOwnWrite(write, writeKey, pendingWrites)
  const storedRequest = {
    ...stripCard(mergeWrites(previousWrite, write)),
    ...(isRemoval && { took: obsoleteWrites }),
    ...(wasSent && { tried: true }),
    // If this write was merged with an earlier write, this time replaces the time of the earlier write.
    triedAtMs: wasSent || (hasWriteTime && !isAfterDirectSend) ? madeAtMs : undefined,
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
 * Returns whether the server may store an earlier write of this device after `write` was made. `write` is then stored
 * without its time. With the time, the server would consider the earlier write as newer and ignore `write`. An unsent
 * write with the same key does not count, because it is merged with `write`. For a watchlist entry, pending writes of
 * other kinds count too, because they can also change the entry.
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
 * Copies `removed_at` from the reply to a removal to the `undo` write that follows the removal. This time tells the
 * server which removal to undo. Does nothing when there is no `undo` write.
 */
export function setUndoneRemovalTime(
  storage: Storage,
  owner: WriteOwner,
  { key, reply }: { key: string; reply: { removed_at: string | null } },
): void {
  const undoKey = buildWriteKey(owner, { kind: 'undo', of: key })
  const undoWrite = parseWrite(storage.getItem(undoKey))
  if (undoWrite)
    replaceWrite(storage, undoKey, { ...undoWrite, removed_at: reply.removed_at } as PendingWrite)
}

/**
 * Marks a write as sent without a response. If a newer write has replaced it, only deletes the time of the newer
 * write.
 */
export function markUnconfirmed(storage: Storage, sentWrite: PendingWrite): void {
  const currentWrite = parseWrite(storage.getItem(sentWrite.key))
  if (currentWrite?.seq === sentWrite.seq)
    replaceWrite(storage, sentWrite.key, { triedAtMs: Date.now(), ...currentWrite, tried: true })
  else if (currentWrite) deleteWriteTime(storage, sentWrite.key, currentWrite)
}

/**
 * Deletes the time of a write that was made while an earlier write with the same key was being sent. The server may
 * have stored the earlier write after the later write was made. With the time, the server would then ignore the later
 * write.
 */
function deleteWriteTime(
  storage: Storage,
  writeKey: string,
  { triedAtMs: _triedAtMs, ...write }: PendingWrite,
): void {
  replaceWrite(storage, writeKey, write as PendingWrite)
}

/**
 * Replaces a stored write with a new version of the same write. Without space for the new version, the old version
 * stays.
 */
function replaceWrite(storage: Storage, writeKey: string, write: PendingWrite): void {
  try {
    storage.setItem(writeKey, JSON.stringify(write))
  } catch {
    // The old version is sent instead.
  }
}

/** Deletes a write after it was sent. If a newer write has replaced it, only deletes the time of the newer write. */
export function deletePendingWrite(storage: Storage, sentWrite: PendingWrite): void {
  const currentWrite = parseWrite(storage.getItem(sentWrite.key))
  if (currentWrite?.seq === sentWrite.seq) storage.removeItem(sentWrite.key)
  else if (currentWrite) deleteWriteTime(storage, sentWrite.key, currentWrite)
}
