/** Sends pending writes in the order in which they were made, and decides what happens after an error. */
import { deletePendingWrite, listPendingWrites } from './pending-writes.ts'
import { mustKeepOrder } from './write-order.ts'
import type { PendingWrite, WriteOwner } from './write-request.ts'

/**
 * `rejected`: the server rejected the write permanently. `later`: no write can be sent now. `failed`: the server could
 * not apply this write, which must be sent again.
 */
export type SendOutcome = 'sent' | 'rejected' | 'later' | 'failed'

/**
 * Returns the first write that may be sent; undefined when there is none. A write that has failed (`failedWriteKeys`)
 * delays the later writes that must not reach the server before it. Each delayed write delays further writes in the
 * same way.
 */
function findSendableWrite(
  pendingWrites: readonly PendingWrite[],
  failedWriteKeys: ReadonlySet<string>,
): PendingWrite | undefined {
  const blockedWrites: PendingWrite[] = []
  return pendingWrites.find((write) => {
    const mustWait =
      failedWriteKeys.has(write.key) ||
      blockedWrites.some((blockedWrite) => mustKeepOrder(blockedWrite, write))
    if (mustWait) blockedWrites.push(write)
    return !mustWait
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
  const failedWriteKeys = new Set<string>()
  for (;;) {
    const nextWrite = findSendableWrite(listPendingWrites(storage, owner), failedWriteKeys)
    if (!nextWrite) return failedWriteKeys.size > 0 ? 'later' : 'done'
    const sendOutcome = await sendWrite(nextWrite)
    if (sendOutcome === 'later') return 'later'
    if (sendOutcome === 'failed') failedWriteKeys.add(nextWrite.key)
    else deletePendingWrite(storage, nextWrite)
  }
}

/**
 * Returns the outcome of a write that failed with this error. Of the server errors (5xx), only 500 is caused by the
 * write itself. With any other server error, the server does not accept other writes either.
 */
export function classifySendError({ status, type }: { status: number; type: string }): SendOutcome {
  if (status === 500) return 'failed'
  const isTemporaryError =
    status === 0 || status === 401 || status === 408 || status === 425 || status === 429
  return isTemporaryError || status >= 500 || type === 'profile_locked' ? 'later' : 'rejected'
}
