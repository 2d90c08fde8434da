/** Sends the pending writes of the signed-in account and the acting profile, from one tab at a time. */
import { getAccessToken } from '../client/auth.ts'
import { directSendsByWriteKey, isSameOwner, listDirectSendsBefore } from '../client/direct-sends.ts'
import { ApiError } from '../client/errors.ts'
import { isReplyLost } from '../client/lost-reply.ts'
import { listPendingWrites, markUnconfirmed, setUndoneRemovalTime } from '../client/pending-writes.ts'
import { classifySendError, type SendOutcome, sendPendingWrites } from '../client/send-pending-writes.ts'
import type { PendingWrite, WriteOwner } from '../client/write-request.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import type { deleteAllProgress } from '../contract/progress.ts'
import { OUTBOX_LOCK } from '../storage-keys.ts'
import { $areWritesDelayed, $lastSentWrite, getWriteOwner } from './pending-writes.ts'
import { publishPendingWrites } from './publish-pending-writes.ts'
import { refetchAll } from './query.ts'
import { sendWrite, showRejectedChangeMessage } from './send-write.ts'

const MIN_RETRY_DELAY_MS = 4_000
const MAX_RETRY_DELAY_MS = 120_000

export const isCurrentOwner = (owner: WriteOwner) => {
  const currentOwner = getWriteOwner()
  return currentOwner !== null && isSameOwner(owner, currentOwner)
}

let retryTimer: ReturnType<typeof setTimeout> | undefined
let retryDelayMs = MIN_RETRY_DELAY_MS

/** Schedules the next attempt, unless one is scheduled. The delay doubles with each attempt, up to a maximum. */
export function scheduleRetry(): void {
  retryTimer ??= setTimeout(() => {
    retryTimer = undefined
    retryDelayMs = Math.min(retryDelayMs * 2, MAX_RETRY_DELAY_MS)
    void flushPendingWrites()
  }, retryDelayMs)
}

function cancelRetry(): void {
  clearTimeout(retryTimer)
  retryTimer = undefined
  retryDelayMs = MIN_RETRY_DELAY_MS
}

/**
 * Runs a task while no other tab sends or deletes pending writes. In a browser without Web Locks, runs the task
 * immediately.
 */
export const runWithOutboxLock = <T>(task: () => Promise<T>): Promise<T> =>
  navigator.locks ? (navigator.locks.request(OUTBOX_LOCK, task) as Promise<T>) : task()

/** Sends the pending writes. If at least one was sent or rejected, refetches the displayed data and returns true. */
export async function flushPendingWrites(): Promise<boolean> {
  const owner = getWriteOwner()
  if (!owner) return false
  let hasSettledWrites = false
  const sendAndRecordOutcome = async (write: PendingWrite) => {
    const sendOutcome = await sendPendingWrite(owner, write)
    hasSettledWrites ||= sendOutcome === 'sent' || sendOutcome === 'rejected'
    return sendOutcome
  }
  const flushOutcome =
    listPendingWrites(localStorage, owner).length > 0
      ? await runWithOutboxLock(() => sendPendingWrites(localStorage, owner, sendAndRecordOutcome))
      : 'done'
  publishPendingWrites()
  if (isCurrentOwner(owner)) $areWritesDelayed.set(flushOutcome === 'later')
  if (flushOutcome === 'later') scheduleRetry()
  else if (isCurrentOwner(owner)) cancelRetry()
  if (hasSettledWrites) refetchAll()
  return hasSettledWrites
}

async function sendPendingWrite(owner: WriteOwner, write: PendingWrite): Promise<SendOutcome> {
  const directSend = directSendsByWriteKey.get(write.key)
  const isBeingSent = directSend?.storedSequenceNumber === write.seq
  if (directSend && !isBeingSent) await directSend.reply.catch(() => {})
  if (write.kind === 'reset' || write.kind === 'clear') await waitForProgressReplies(owner, write)
  // Without a token, the write is not sent and stays pending.
  const accessToken = await getAccessToken().catch(() => null)
  // Another account or profile may act now and must not send this write.
  if (!accessToken || !isCurrentOwner(owner)) return 'later'
  try {
    const reply = await (isBeingSent ? directSend.reply : sendWrite(write, owner))
    if (write.kind === 'reset' || write.kind === 'clear')
      setUndoneRemovalTime(localStorage, owner, {
        key: write.key,
        reply: reply as ReplyOf<typeof deleteAllProgress>,
      })
    if (isCurrentOwner(owner)) $lastSentWrite.set({ write, reply })
    return 'sent'
  } catch (error) {
    // If another profile or session acts now, the request may have been sent with the credentials of that profile or
    // session. The rejection then does not apply to this write, which is sent again later.
    const outcome = error instanceof ApiError && isCurrentOwner(owner) ? classifySendError(error) : 'later'
    if (outcome === 'later' && hasWritePossiblyArrived(error)) markUnconfirmed(localStorage, write)
    // An earlier attempt of this undo may have succeeded although its response was lost. The server then rejects the
    // repeated request, and the user needs no message.
    const isRepeatedUndo = write.kind === 'undo' && write.tried
    if (outcome === 'rejected' && !isRepeatedUndo) showRejectedChangeMessage(owner.profileId)
    return outcome
  } finally {
    directSendsByWriteKey.delete(write.key)
    publishPendingWrites()
  }
}

/**
 * A removal deletes reports of progress from the pending writes, even while they are being sent. Waits for the replies
 * to these reports, so that the removal reaches the server last.
 */
async function waitForProgressReplies(owner: WriteOwner, removal: PendingWrite): Promise<void> {
  for (const [writeKey, directSend] of listDirectSendsBefore(removal, owner)) {
    if (directSend.write.kind !== 'progress') continue
    await directSend.reply.catch(() => {})
    directSendsByWriteKey.delete(writeKey)
  }
}

/** Returns whether the server may have applied a write although no response arrived. */
export const hasWritePossiblyArrived = (error: unknown) => navigator.onLine !== false && isReplyLost(error)
