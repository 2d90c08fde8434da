/** Progress in a title. Progress that a pending write deletes is not displayed. */
import { computed } from 'nanostores'
import type { PendingWrite } from '../client/write-request.ts'
import type { TitleProgress } from '../contract/progress.ts'
import { $pendingWrites } from './pending-writes.ts'
import { isProgressRemovalPending, NO_PROGRESS } from './progress.ts'
import type { ReadState } from './query.ts'
import { $titleDetails, $titleProgress } from './titles.ts'
import type { TitleRef } from './watchlist.ts'

/** Returns the progress, or NO_PROGRESS if a pending write deletes it. The cached reply still contains the progress. */
export const hideDeletedProgress = (
  titleProgress: ReadState<TitleProgress>,
  title: TitleRef | null | undefined,
  pendingWrites: readonly PendingWrite[],
): ReadState<TitleProgress> =>
  titleProgress.data && title && isProgressRemovalPending(pendingWrites, title)
    ? { ...titleProgress, data: NO_PROGRESS }
    : titleProgress

/** Progress in the title whose page is open. */
export const $displayedTitleProgress = computed(
  [$titleProgress, $titleDetails, $pendingWrites],
  (titleProgress, { data: details }, pendingWrites) =>
    hideDeletedProgress(titleProgress, details, pendingWrites),
)
