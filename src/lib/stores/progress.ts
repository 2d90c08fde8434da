import { callApi } from '../client/call.ts'
import type { PendingWrite, ProgressRemoval, WriteRequest } from '../client/write-request.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import * as progressCalls from '../contract/progress.ts'
import type { TranslationKey } from '../i18n/keys.ts'
import { revertQueuedWrite, sendOrQueueWrite } from './lazy-outbox.ts'
import { $lastSentWrite } from './pending-writes.ts'
import { $profile } from './profile.ts'
import { refetch } from './query.ts'
import { showFailure, showToast } from './toast.ts'
import type { TitleRef } from './watchlist.ts'

/** Progress in a title that the profile has not played. */
export const NO_PROGRESS: progressCalls.TitleProgress = {
  next_episode: null,
  latest: null,
  episodes: [],
  seen: false,
}

export async function resetProgress(title: TitleRef): Promise<void> {
  try {
    await removeProgress({ kind: 'reset', title }, 'detail:progressReset')
  } catch (error) {
    showFailure(error)
  }
}

export async function clearAllProgress(): Promise<void> {
  if ($profile.get()) await removeProgress({ kind: 'clear' }, 'account:historyCleared')
}

type RemovalReply = ReplyOf<typeof progressCalls.deleteAllProgress>

/** Removes progress. Offers Undo unless the server has replied that there was no progress. */
async function removeProgress(removal: ProgressRemoval, messageKey: TranslationKey): Promise<void> {
  const reply = (await sendOrQueueWrite(removal)) as RemovalReply | undefined
  refetch(progressCalls.listContinueWatching, progressCalls.getTitleProgress)
  showToast(
    messageKey,
    reply?.removed_at === null ? {} : { undo: () => void undoProgressRemoval(removal, reply) },
  )
}

/**
 * Reverts a pending removal, even after a reload of the page. If the removal was already sent, asks the server to
 * restore the progress that the removal has deleted. `reply` is the reply to the removal, if the removal was sent at
 * once.
 */
export async function undoProgressRemoval(removal: WriteRequest, reply?: RemovalReply): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  try {
    if (!(await revertQueuedWrite(removal))) {
      const removedAt = (reply ?? findReplyToQueuedRemoval(removal))?.removed_at
      await callApi(progressCalls.restoreDeletedProgress, {
        params: { id: profile.profile_id },
        body: { removed_at: removedAt },
      })
    }
    refetch(progressCalls.listContinueWatching, progressCalls.getTitleProgress)
  } catch (error) {
    showFailure(error)
  }
}

/** Returns the reply to a queued removal if that removal is the write that was sent last; otherwise undefined. */
function findReplyToQueuedRemoval(removal: WriteRequest): RemovalReply | undefined {
  const { write, reply } = $lastSentWrite.get() ?? {}
  const isSameTitle =
    !write || !('title' in write && 'title' in removal) || write.title.id === removal.title.id
  return write?.kind === removal.kind && isSameTitle ? (reply as RemovalReply) : undefined
}

/** Returns true if a pending write deletes the progress of a title. */
export const isProgressRemovalPending = (
  pendingWrites: readonly PendingWrite[],
  { type, id }: TitleRef,
): boolean => ['clear', `reset ${type}/${id}`].some((key) => findPendingRemoval(pendingWrites, key))

/** Returns the pending removal whose key ends with `subjectKey` (`clear`, `reset movie/1`), unless it was undone. */
export const findPendingRemoval = (pendingWrites: readonly PendingWrite[], subjectKey: string) =>
  pendingWrites.find((write) => write.key.endsWith(` ${subjectKey}`) && !write.undone)
