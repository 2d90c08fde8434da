/** Marks titles as seen and undoes marks, even without a network. */

import { createEditKey } from '../client/edit-key.ts'
import { ApiError } from '../client/errors.ts'
import type { WriteRequest } from '../client/write-request.ts'
import * as progressCalls from '../contract/progress.ts'
import * as recommend from '../contract/recommendations.ts'
import type * as viewingCalls from '../contract/viewings.ts'
import { sendBulkWrites } from './bulk-writes.ts'
import { revertQueuedWrite, sendOrQueueWrite } from './lazy-outbox.ts'
import { $lastSentWrite } from './pending-writes.ts'
import { $profile } from './profile.ts'
import { markViewingsChanged, markWatchlistChanged, refetch } from './query.ts'
import { shareRunningCall } from './share-running-call.ts'
import { reloadWatchlistEntries } from './title-reloads.ts'
import { getFailureKey, showToast } from './toast.ts'

export type MarkOptions = Pick<viewingCalls.MarkSeenBody, 'date' | 'day' | 'again'>

/** Maximum number of scopes in one request (contract/viewings.ts). */
const MAX_SCOPES_PER_REQUEST = 100

/** Refetches the data that depends on viewings. */
export function refetchViewingData(): void {
  refetch(
    progressCalls.listContinueWatching,
    progressCalls.getTitleProgress,
    recommend.listTopPicks,
    recommend.listTopGenreRows,
  )
  markWatchlistChanged()
  void reloadWatchlistEntries()
  markViewingsChanged()
}
$lastSentWrite.listen((lastSentWrite) => {
  if (lastSentWrite?.write.kind === 'mark' || lastSentWrite?.write.kind === 'unmark') refetchViewingData()
})

interface SentMarks {
  writes: Extract<WriteRequest, { kind: 'mark' }>[]
  /** Number of added viewings. A mark that waits for the network counts as one viewing for each scope. */
  viewingCount: number
  /** True if marks wait for the network. The number of viewings that they will add is unknown. */
  isPending: boolean
}

/**
 * Marks the titles, seasons or episodes of `scopes` as seen, and offers Undo. Returns false when the server rejected
 * the mark. When the mark is sent later because there is no network, its time is the time of the click.
 */
export const markSeen = shareRunningCall(
  async (scopes: viewingCalls.ViewingScope[], options: MarkOptions = {}): Promise<boolean> => {
    const marks = await sendMarks(scopes, options)
    if (marks) showMarkedSeenToast(marks)
    return marks !== null
  },
)

/** Shows how many viewings were added, with Undo. */
function showMarkedSeenToast({ writes, viewingCount }: SentMarks): void {
  if (viewingCount === 0) showToast('common:alreadySeen')
  else
    showToast('common:markedSeen', {
      values: { count: viewingCount },
      undo: () => void undoEdits(writes),
    })
}

/**
 * Like `markSeen`, but shows a message only when it fails. Returns null without an acting profile or without scopes,
 * and when the server rejects a request. In the last case, undoes the accepted requests.
 */
export async function sendMarks(
  scopes: viewingCalls.ViewingScope[],
  options: MarkOptions = {},
): Promise<SentMarks | null> {
  if (!$profile.get() || scopes.length === 0) return null
  const writes: Extract<WriteRequest, { kind: 'mark' }>[] = []
  for (let startIndex = 0; startIndex < scopes.length; startIndex += MAX_SCOPES_PER_REQUEST) {
    const editKey = createEditKey()
    const batch = scopes.slice(startIndex, startIndex + MAX_SCOPES_PER_REQUEST)
    const watchedAt = options.date === 'chosen' ? {} : { at: new Date().toISOString() }
    writes.push({
      kind: 'mark',
      id: editKey,
      body: { key: editKey, scopes: batch, ...watchedAt, ...options },
    })
  }
  const { acceptedWrites, replies, isComplete } = await sendBulkWrites(writes)
  if (!isComplete) {
    await undoEdits(acceptedWrites)
    showToast('errors:failed', { kind: 'bad' })
    return null
  }
  refetchViewingData()
  const viewingCounts = writes.map(
    ({ body }, index) => (replies[index] as { viewings: number } | undefined)?.viewings ?? body.scopes.length,
  )
  return {
    writes,
    viewingCount: viewingCounts.reduce((sum, viewingCount) => sum + viewingCount, 0),
    isPending: replies.includes(undefined),
  }
}

/** Undoes changes, whether they are pending or already applied by the server. */
export async function undoEdits(writes: readonly { kind: 'mark' | 'unmark'; id: string }[]): Promise<void> {
  try {
    for (const write of writes.toReversed())
      if (write.kind !== 'mark' || !(await revertQueuedWrite(write as WriteRequest).catch(() => false)))
        await sendOrQueueWrite({ kind: 'unmark', id: write.id })
  } catch (error) {
    const isConflictError = error instanceof ApiError && error.status === 409
    showToast(isConflictError ? 'common:changedSince' : getFailureKey(error), { kind: 'bad' })
  }
  refetchViewingData()
}
