/** Progress in the title of the detail page, after the pending removals of progress. */
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

/** The progress without the parts that pending writes delete. The cached reply still contains these parts. */
export const $displayedTitleProgress = computed(
  [$titleProgress, $titleDetails, $pendingWrites],
  (titleProgress, { data: details }, pendingWrites) =>
    titleProgress.data && details && isProgressRemovalPending(pendingWrites, details)
      ? { ...titleProgress, data: NO_PROGRESS }
      : titleProgress,
)
