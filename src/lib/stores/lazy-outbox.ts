/**
 * Passes writes to the outbox (outbox.ts), which is loaded on demand, so that the first render does not wait for its
 * code. The outbox sends writes, or stores them while offline.
 */

import { settleWhileProfileActs } from '../client/profile-session.ts'
import type { WriteOwner, WriteRequest } from '../client/write-request.ts'
import { listStoredKeys, readStorage, writeStorage } from '../storage.ts'
import { EARLY_WRITES_KEY_PREFIX, PENDING_WRITES_KEY_PREFIX } from '../storage-keys.ts'
import { getWriteOwner } from './pending-writes.ts'

type OutboxModule = typeof import('./outbox.ts')
let outbox: OutboxModule | undefined
let outboxImportPromise: Promise<OutboxModule> | undefined

/** True if a write can be sent at once. A closing page cannot wait until the outbox is loaded. */
export const isOutboxLoaded = () => outbox !== undefined

function loadOutbox(): Promise<OutboxModule> {
  outboxImportPromise ??= import('./outbox.ts').then((outboxModule) => {
    outbox = outboxModule
    return outboxModule
  })
  outboxImportPromise.catch(() => {
    outboxImportPromise = undefined
  })
  return outboxImportPromise
}

const START_DELAY_MS = 2_500
let isStarted = false

/**
 * Starts the outbox: immediately when writes are pending or there is no network, and otherwise after START_DELAY_MS, so
 * that the first render comes first.
 */
export function startOutbox(): void {
  if (isStarted) return
  isStarted = true
  const mustStartImmediately =
    navigator.onLine === false || listStoredKeys(PENDING_WRITES_KEY_PREFIX).length > 0
  setTimeout(
    () =>
      void loadOutbox()
        .then((outboxModule) => outboxModule.runOutbox())
        .catch(() => {}),
    mustStartImmediately ? 0 : START_DELAY_MS,
  )
}

/**
 * Sends a write for the acting profile. Returns the reply, or undefined when the write is stored to be sent later.
 * Throws `ApiError` when the server rejects the write. When the page is closing (`isPageClosing`), the write is stored
 * before it is sent.
 *
 * When another profile is selected before the reply arrives, the write is completed, but the promise never settles.
 * Writes of preferences are an exception: their promise always settles, because the stores with the preferences belong
 * to the account and not to the acting profile.
 */
export function sendOrQueueWrite(write: WriteRequest, isPageClosing = false): Promise<unknown> {
  const owner = getWriteOwner()
  // A loaded module must be called synchronously, because a closing page does not run further tasks.
  const reply = outbox
    ? outbox.sendOrStoreWrite(write, owner, isPageClosing)
    : sendWhenLoaded(write, owner, isPageClosing)
  return 'preferences' in write ? reply : settleWhileProfileActs(reply)
}

/**
 * Stores a write immediately and sends it when the outbox is loaded. If the page closes first, the outbox of the next
 * page finds the write (`moveEarlyWritesToOutbox` in outbox.ts).
 */
async function sendWhenLoaded(
  write: WriteRequest,
  owner: WriteOwner | null,
  isPageClosing: boolean,
): Promise<unknown> {
  // The keys are sorted as text. `performance.now()` orders writes of the same millisecond. Adding 1e9 gives every
  // value ten digits before the decimal point, so that the order as text is the order in time.
  const storageKey = `${EARLY_WRITES_KEY_PREFIX} ${Date.now()} ${1e9 + performance.now()} ${Math.random()}`
  if (owner) writeStorage('localStorage', storageKey, JSON.stringify({ write, owner }))
  const isStored = readStorage('localStorage', storageKey) !== null
  const outboxModule = await loadOutbox().catch((error: unknown) => {
    if (isStored) localStorage.removeItem(storageKey)
    throw error
  })
  if (isStored) outboxModule.moveSeveralEarlyWritesToOutbox()
  const isMovedToOutbox = isStored && readStorage('localStorage', storageKey) === null
  if (isMovedToOutbox) return undefined
  if (isStored) localStorage.removeItem(storageKey)
  return outboxModule.sendOrStoreWrite(write, owner, isPageClosing)
}

/** Reverts a pending write. Returns false when the write cannot be reverted any more (`revertPendingWrite`). */
export function revertQueuedWrite(write: WriteRequest): Promise<boolean> {
  const owner = getWriteOwner()
  return settleWhileProfileActs(
    loadOutbox().then((outboxModule) => outboxModule.revertInOutbox(write, owner)),
  )
}
