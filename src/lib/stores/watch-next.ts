/** Titles that the profile can watch now. The URL of the page contains the filters, which the browser applies. */
import { computed } from 'nanostores'
import * as calls from '../contract/watch-next.ts'
import { parseWatchNextFilters, type WatchNextFilters } from '../rules/watch-next.ts'
import { perProfile } from './per-profile.ts'
import { $profileId } from './profile.ts'
import { $viewingsVersion, $watchlistVersion, createReadStore, refetch } from './query.ts'

export const $watchNext = createReadStore(
  calls.listWatchNext,
  computed($profileId, (profileId) => (profileId ? { params: { id: profileId } } : null)),
)
export const $watchNextFilters = perProfile<WatchNextFilters>(() => parseWatchNextFilters(''))

const refetchWatchNext = () => refetch(calls.listWatchNext)
$watchlistVersion.listen(refetchWatchNext)
$viewingsVersion.listen(refetchWatchNext)

/**
 * Shows the items for the filters. Refetches the items, because a title may have been watched since the last request.
 */
export function openWatchNext(filters: WatchNextFilters): void {
  $watchNextFilters.set(filters)
  refetchWatchNext()
}
