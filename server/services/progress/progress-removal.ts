/** Removes progress and viewings, and restores the last removal (Undo) or a removal from the bin. */
import { toIsoTime } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import { lockProgress } from '../../queries/progress.ts'
import {
  findUndoableRemovalTimeMs,
  moveProgressToRemoved,
  PROGRESS_UNDO_PERIOD_MS,
  restoreRemovedProgress,
} from '../../queries/progress-removal.ts'
import { resetCompletedEntries, restoreCompletedEntries } from '../../queries/watchlist.ts'
import { type ProfileContext, requireTitle, type TitleRef } from '../context.ts'
import { publishAccountEvent } from '../events/account-events.ts'

/** `repeated` is true when the client repeats a call whose response it did not receive. */
interface ProgressRemovalOptions {
  repeated?: boolean | undefined
}
interface ProgressRemovalReply {
  /** Time of the removal that Undo reverses; null when there is nothing to restore. */
  removed_at: string | null
}

export async function removeTitleProgress(
  context: ProfileContext,
  titleRef: TitleRef,
  options: ProgressRemovalOptions,
): Promise<ProgressRemovalReply> {
  const title = await requireTitle(context, titleRef)
  return removeProgress(context, options, title.title_id)
}

export const removeAllProgress = (
  context: ProfileContext,
  options: ProgressRemovalOptions,
): Promise<ProgressRemovalReply> => removeProgress(context, options)

/**
 * Removes the progress of one title, or of all titles if `titleId` is undefined. Completed watchlist entries of
 * the titles become planned, because `completed` follows from the progress.
 */
async function removeProgress(
  context: ProfileContext,
  { repeated: isRepeated = false }: ProgressRemovalOptions,
  titleId?: number,
): Promise<ProgressRemovalReply> {
  const { deps, caller } = context
  const { profile_id: profileId } = caller.profile
  const removalRequest = { profileId, titleId, isRepeated, nowMs: deps.now() }
  const removal = await deps.database.primary.transaction().execute(async (trx) => {
    const { removedAtMs, hasMovedRows } = await moveProgressToRemoved(trx, removalRequest)
    const isWatchStateChanged =
      removedAtMs !== null && hasMovedRows && (await resetCompletedEntries(trx, { profileId, removedAtMs }))
    return { removedAtMs, isWatchStateChanged }
  })
  publishAccountEvent(context, 'progress')
  if (removal.isWatchStateChanged) publishAccountEvent(context, 'list')
  return { removed_at: removal.removedAtMs === null ? null : toIsoTime(removal.removedAtMs) }
}

/**
 * Reverses the removal of progress at `removedAt`, or the last removal if `removedAt` is undefined. Restores the
 * progress, and the watch states that the removal has reset. Throws 404 when there is no such removal within
 * PROGRESS_UNDO_PERIOD_MS. Also throws 404 when `removedAt` is null, which is the reply to a removal without progress.
 */
export async function undoProgressRemoval(
  context: ProfileContext,
  removedAt: string | null | undefined,
): Promise<void> {
  if (removedAt === undefined) return restoreProgress(context)
  const removedAtMs = removedAt === null ? 0 : Date.parse(removedAt)
  if (removedAtMs < context.deps.now() - PROGRESS_UNDO_PERIOD_MS) throw new Problem('not_found')
  return restoreProgress(context, removedAtMs)
}

/** Like `undoProgressRemoval`, but restores a removal that is in the bin (`binnedAtMs`) whatever its age. */
export async function restoreProgress(context: ProfileContext, binnedAtMs?: number): Promise<void> {
  const { deps, caller } = context
  const { profile_id: profileId } = caller.profile
  const nowMs = deps.now()
  const isWatchStateChanged = await deps.database.primary.transaction().execute(async (trx) => {
    await lockProgress(trx, profileId)
    const removedAtMs =
      binnedAtMs ?? (await findUndoableRemovalTimeMs(trx, profileId, nowMs - PROGRESS_UNDO_PERIOD_MS))
    if (removedAtMs === undefined) throw new Problem('not_found')
    const removalRef = { profileId, removedAtMs, nowMs }
    const hasRestoredEntries = await restoreCompletedEntries(trx, removalRef)
    if (!(await restoreRemovedProgress(trx, removalRef))) throw new Problem('not_found')
    return hasRestoredEntries
  })
  publishAccountEvent(context, 'progress')
  if (isWatchStateChanged) publishAccountEvent(context, 'list')
}
