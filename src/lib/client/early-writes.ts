/** Writes that a page stored before its outbox was loaded (lazy-outbox.ts). */
import { listStoredKeys, readStoredJson } from '../storage.ts'
import { EARLY_WRITES_KEY_PREFIX } from '../storage-keys.ts'
import { storePendingWrite } from './pending-writes.ts'
import type { WriteOwner, WriteRequest } from './write-request.ts'

export const listEarlyWriteKeys = (): string[] => listStoredKeys(EARLY_WRITES_KEY_PREFIX)

/**
 * Adds early writes to the pending writes, in the order in which they were made. Returns false if there were no early
 * writes. An early write was stored by this page, or by a closed page, before the outbox of that page was loaded. If a
 * write cannot be added (`storePendingWrite` returns null), the early write stays stored. The page that stored the
 * early write then sends it and reports a failure (lazy-outbox.ts). If that page is closed, a later page adds the early
 * write.
 */
export function addEarlyWrites(): boolean {
  const storageKeys = listEarlyWriteKeys()
  for (const storageKey of storageKeys.sort()) {
    const earlyWrite = readStoredJson(storageKey) as { write: WriteRequest; owner: WriteOwner } | null
    const madeAtMs = parseEarlyWriteTime(storageKey)
    if (!earlyWrite || storePendingWrite(localStorage, earlyWrite.owner, earlyWrite.write, { madeAtMs }))
      localStorage.removeItem(storageKey)
  }
  return storageKeys.length > 0
}

/**
 * Returns the time at which an early write was made. The storage key of the write contains this time (lazy-outbox.ts).
 */
const parseEarlyWriteTime = (storageKey: string): number =>
  Number(storageKey.slice(EARLY_WRITES_KEY_PREFIX.length).trim().split(' ')[0])
