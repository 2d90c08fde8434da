/**
 * Decides for each write whether it is sent at once or stored, and starts sending the stored writes when the server can
 * be reached again (docs/offline.md).
 */
import { onSessionChange, refreshSession } from '../client/auth.ts'
import { isOffline } from '../client/connectivity.ts'
import {
  type DirectSend,
  directSendsByWriteKey,
  listDirectSendsBefore,
  waitUntilOverdue,
} from '../client/direct-sends.ts'
import { addEarlyWrites, listEarlyWriteKeys } from '../client/early-writes.ts'
import { ApiError, createNetworkError } from '../client/errors.ts'
import {
  buildWriteKey,
  deletePendingWrite,
  listPendingWrites,
  revertPendingWrite,
  type StoreWriteOptions,
  storePendingWrite,
} from '../client/pending-writes.ts'
import { consumeReplacedRepliesFlag } from '../client/read-cache.ts'
import { classifySendError } from '../client/send-pending-writes.ts'
import { mustKeepOrder } from '../client/write-order.ts'
import type { PendingWrite, WriteOwner, WriteRequest } from '../client/write-request.ts'
import { PENDING_WRITES_KEY_PREFIX, REACHABILITY_EVENT } from '../storage-keys.ts'
import {
  flushPendingWrites,
  hasWritePossiblyArrived,
  isCurrentOwner,
  runWithOutboxLock,
  scheduleRetry,
} from './flush-pending-writes.ts'
import { $areWritesDelayed } from './pending-writes.ts'
import { $profile } from './profile.ts'
import { publishPendingWrites } from './publish-pending-writes.ts'
import { refetchAll } from './query.ts'
import { sendWrite } from './send-write.ts'

/**
 * When several writes were stored before the outbox was loaded, adds all of them to the pending writes, which are sent
 * in order. Otherwise a later write could reach the server first. Called by lazy-outbox.ts after its dynamic import.
 * @public
 */
export function moveSeveralEarlyWritesToOutbox(): void {
  if (listEarlyWriteKeys().length > 1) moveEarlyWritesToOutbox()
}

function moveEarlyWritesToOutbox(): void {
  if (!addEarlyWrites()) return
  publishPendingWrites()
  void flushPendingWrites()
}

let isStarted = false
export function runOutbox(): void {
  if (isStarted) return
  isStarted = true
  moveEarlyWritesToOutbox()
  $profile.subscribe(publishPendingWrites)
  addEventListener('storage', ({ key, newValue }) => {
    if (!key?.startsWith(PENDING_WRITES_KEY_PREFIX)) return
    publishPendingWrites()
    // The tab that stored the write may have been closed, so this tab also tries to send it.
    if (newValue !== null) scheduleRetry()
  })
  addEventListener('online', () => void syncAfterReconnect())
  // A session that has a token again shows that the server can be reached again. On a page that was opened online,
  // `wasOffline` is initially false, so the first session with a token does not count as the end of an offline period.
  let wasOffline = isOffline() || consumeReplacedRepliesFlag()
  onSessionChange((session) => {
    publishPendingWrites()
    if (session?.token && (consumeReplacedRepliesFlag() || wasOffline)) void syncAfterReconnect()
    wasOffline = session !== null && !session.token
  })
  // When the server can be reached again, sends the pending writes. Also refetches the data if cached replies are
  // displayed.
  addEventListener(REACHABILITY_EVENT, () => {
    if (!isOffline() && !wasOffline) void syncAfterReconnect(consumeReplacedRepliesFlag())
  })
  $profile.subscribe((profile) => {
    if (profile) void flushPendingWrites()
  })
}

/**
 * Sends the pending writes when the server can be reached again. If no write was sent or rejected and `mustRefetch` is
 * true, refetches the displayed data. After a sent or rejected write, flushPendingWrites has already done this.
 */
async function syncAfterReconnect(mustRefetch = true): Promise<void> {
  if (isOffline()) await refreshSession()
  if (!isOffline() && !(await flushPendingWrites()) && mustRefetch) refetchAll()
}

/**
 * Reverts a pending write. Returns false when the write cannot be reverted any more (`revertPendingWrite`). Called by
 * lazy-outbox.ts after its dynamic import. @public
 */
export async function revertInOutbox(write: WriteRequest, owner: WriteOwner | null): Promise<boolean> {
  if (!owner) return false
  const revertWrite = () => Promise.resolve(revertPendingWrite(localStorage, owner, write))
  const writeKey = buildWriteKey(owner, write)
  const isUnconfirmed = listPendingWrites(localStorage, owner).some(
    ({ key, tried }) => key === writeKey && tried,
  )
  // The lock prevents deleting a write while it is being sent. An unconfirmed write is not deleted, because the server
  // may have received it: an `undo` write is stored after it. Storing the `undo` write needs no lock, so the user does
  // not wait for the reply.
  const isReverted = await (isUnconfirmed ? revertWrite() : runWithOutboxLock(revertWrite))
  publishPendingWrites()
  if (isReverted) void flushPendingWrites()
  return isReverted
}

/**
 * Sends a write for its owner and returns the reply. When the write cannot be sent now, or its reply does not arrive in
 * time, stores the write and returns undefined. Called by lazy-outbox.ts after its dynamic import. @public
 */
export async function sendOrStoreWrite(
  write: WriteRequest,
  owner: WriteOwner | null,
  isPageClosing: boolean,
): Promise<unknown> {
  if (!owner) throw createNetworkError()
  if (isPageClosing) return sendWhileClosing(write, owner)
  const isAfterDirectSend = directSendsByWriteKey.has(buildWriteKey(owner, write))
  for (const [, directSend] of listDirectSendsBefore(write, owner)) directSend.storeBeforeReply()
  const mustWaitForEarlierWrite =
    isAfterDirectSend ||
    listPendingWrites(localStorage, owner).some((pendingWrite) => mustKeepOrder(pendingWrite, write))
  if (!mustWaitForEarlierWrite && !isOffline()) return sendDirectly(write, owner)
  storeWrite(owner, write, { isAfterDirectSend })
  void flushPendingWrites()
  return undefined
}

/** Stores a write and sends it at once. If there is no space to store the write, only sends it. */
async function sendWhileClosing(write: WriteRequest, owner: WriteOwner): Promise<undefined> {
  const isAfterDirectSend = directSendsByWriteKey.has(buildWriteKey(owner, write))
  const storedWrite = storePendingWrite(localStorage, owner, write, { isAfterDirectSend })
  publishPendingWrites()
  try {
    await sendWrite(storedWrite ?? write, owner)
    if (storedWrite) deletePendingWrite(localStorage, storedWrite)
  } catch (error) {
    if (!storedWrite) throw error
    scheduleRetry()
  }
  publishPendingWrites()
}

/**
 * Sends a write and returns the reply. When the write must be sent later (`classifySendError`), stores the write and
 * returns undefined. This is the case, for example, when the server cannot be reached, the session has ended or the
 * profile is locked. A progress report is also stored after a server error (500). Also stores the write when the reply
 * is overdue, and when the page is hidden, because a hidden page may be closed before the reply arrives. A later write
 * that must keep its order after this write also causes this write to be stored (`storeBeforeReply`).
 */
async function sendDirectly(write: WriteRequest, owner: WriteOwner): Promise<unknown> {
  const writeKey = buildWriteKey(owner, write)
  // Stores the write. If a newer write with the same key is stored already, stores the newer write again afterwards, so
  // that its values take precedence.
  const storeBeforeNewerWrite = (wasSent: boolean) => {
    const newerWrite = listPendingWrites(localStorage, owner).find(({ key }) => key === writeKey)
    const storedWrite = storeWrite(owner, write, { wasSent })
    if (newerWrite) storeWrite(owner, newerWrite)
    return newerWrite ? undefined : storedWrite.seq
  }
  let resolveStoredPromise = () => {}
  const storedPromise = new Promise<void>((resolve) => {
    resolveStoredPromise = resolve
  })
  const storeBeforeReply = () => {
    try {
      directSend.storedSequenceNumber ??= storeBeforeNewerWrite(true)
      resolveStoredPromise()
    } catch {
      // If there is no space to store the write, its reply is still awaited.
    }
  }
  const directSend: DirectSend = {
    write,
    owner,
    reply: sendWrite(write, owner),
    storedSequenceNumber: undefined,
    storeBeforeReply,
  }
  directSendsByWriteKey.set(writeKey, directSend)
  const deleteDirectSendUnlessStored = () => {
    if (directSend.storedSequenceNumber === undefined) directSendsByWriteKey.delete(writeKey)
  }
  directSend.reply.then(deleteDirectSendUnlessStored, deleteDirectSendUnlessStored)
  const storeOverdueWrite = () => {
    directSend.storedSequenceNumber = storeBeforeNewerWrite(true)
    if (isCurrentOwner(owner)) $areWritesDelayed.set(true)
    void flushPendingWrites()
  }
  const settledController = new AbortController()
  try {
    const overduePromise = waitUntilOverdue(settledController.signal).then(storeOverdueWrite)
    // If there is no space to store the write, waits for the reply without a time limit.
    return await Promise.race([directSend.reply, storedPromise, overduePromise.catch(() => directSend.reply)])
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const outcome = classifySendError(error)
    // A failed progress report is stored and sent again, because the player shows no message after which the user could
    // repeat it.
    const isFailedReport = outcome === 'failed' && write.kind === 'progress'
    if (outcome !== 'later' && !isFailedReport) throw error
    storeBeforeNewerWrite(hasWritePossiblyArrived(error))
    return undefined
  } finally {
    settledController.abort()
  }
}

/** Stores a write and schedules its sending. Throws a network error when the write cannot be stored. */
function storeWrite(owner: WriteOwner, write: WriteRequest, options: StoreWriteOptions = {}): PendingWrite {
  const storedWrite = storePendingWrite(localStorage, owner, write, options)
  if (!storedWrite) throw createNetworkError()
  publishPendingWrites()
  scheduleRetry()
  return storedWrite
}
