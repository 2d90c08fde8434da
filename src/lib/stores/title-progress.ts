/** Progress in the title of the detail page, including the pending removals of progress. */
import { computed } from 'nanostores'
import type { ReplyOf } from '../contract/endpoint.ts'
import type * as progressCalls from '../contract/progress.ts'
import { $pendingWrites } from './pending-writes.ts'
import { isProgressRemovalPending } from './progress.ts'
import { $titleDetails, $titleProgress } from './titles.ts'

export const NO_PROGRESS: ReplyOf<typeof progressCalls.getTitleProgress> = {
  next_episode: null,
  latest: null,
  episodes: [],
  seen: false,
}

/** Without a network, the cached reply still contains the removed progress. */
export const $displayedTitleProgress = computed(
  [$titleProgress, $titleDetails, $pendingWrites],
  (titleProgress, { data: details }, pendingWrites) =>
    titleProgress.data && details && isProgressRemovalPending(pendingWrites, details)
      ? { ...titleProgress, data: NO_PROGRESS }
      : titleProgress,
)
