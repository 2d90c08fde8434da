/** Writes that are being sent without having been stored first. */
import { buildWriteKey } from './pending-writes.ts'
import { canAffectSameData } from './write-order.ts'
import type { WriteOwner, WriteRequest } from './write-request.ts'

/** A write that has no reply after this time is stored while it is being sent. */
const SLOW_WRITE_MS = 4_000

export interface DirectSend {
  write: WriteRequest
  owner: WriteOwner
  reply: Promise<unknown>
  /** The `seq` of the pending write, if the write was stored while it was being sent. */
  storedSequenceNumber: number | undefined
  /**
   * Stores the write before its reply arrives. Called when a later write is made that can affect the same data, so
   * that the server receives both writes in order.
   */
  storeBeforeReply: () => void
}
/**
 * Writes that are sent without being stored first, by key. A newer write with the same key waits for the reply. If a
 * write is stored before its reply arrives, the outbox waits for this reply and does not send the write again.
 */
export const directSendsByWriteKey = new Map<string, DirectSend>()

/**
 * Returns the direct sends of earlier writes of the same owner that can affect the same data as `laterWrite`, but have
 * another key. Each element is a pair of write key and direct send.
 */
export const listDirectSendsBefore = (laterWrite: WriteRequest, owner: WriteOwner): [string, DirectSend][] =>
  [...directSendsByWriteKey].filter(
    ([writeKey, directSend]) =>
      writeKey !== buildWriteKey(owner, laterWrite) &&
      isSameOwner(owner, directSend.owner) &&
      canAffectSameData(directSend.write, laterWrite),
  )

export const isSameOwner = (owner: WriteOwner, { accountId, profileId }: WriteOwner) =>
  owner.accountId === accountId && owner.profileId === profileId

/**
 * Resolves after SLOW_WRITE_MS, or as soon as the page is hidden. Once `signal` is aborted, the promise may never
 * resolve.
 */
export function waitUntilOverdue(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SLOW_WRITE_MS)
    signal.addEventListener('abort', () => clearTimeout(timer))
    document.addEventListener('visibilitychange', () => document.hidden && resolve(), { signal })
    addEventListener('pagehide', () => resolve(), { signal })
  })
}
