/** Sends the requests of one bulk change together. */
import type { WriteRequest } from '../client/write-request.ts'
import { sendOrQueueWrite } from './lazy-outbox.ts'

interface BulkWriteResult<Write> {
  /** The writes that were sent or queued. */
  acceptedWrites: Write[]
  /** Reply to each accepted write; undefined for a queued write. */
  replies: unknown[]
  /** False when a write was neither sent nor queued. */
  isComplete: boolean
}

/** Starts all writes immediately, so that every write is sent even when another profile is selected meanwhile. */
export async function sendBulkWrites<Write extends WriteRequest>(
  writes: readonly Write[],
): Promise<BulkWriteResult<Write>> {
  const results = await Promise.allSettled(writes.map((write) => sendOrQueueWrite(write)))
  const acceptedWrites = writes.filter((_, index) => results[index]?.status === 'fulfilled')
  const replies = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  return { acceptedWrites, replies, isComplete: acceptedWrites.length === writes.length }
}
