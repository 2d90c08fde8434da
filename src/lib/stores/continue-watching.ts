/** Cards of the row Continue Watching. */
import { computed } from 'nanostores'
import type { PendingWrite } from '../client/write-request.ts'
import { $pendingWrites } from './pending-writes.ts'
import { $continueWatching } from './titles.ts'
import type { TitleRef } from './watchlist.ts'

/**
 * The row without the cards that pending writes remove: dismissed cards, and titles whose progress was deleted.
 * Without a network, the cached reply still contains these cards.
 */
export const $displayedContinueWatching = computed(
  [$continueWatching, $pendingWrites],
  (continueWatching, pendingWrites) => {
    const { data } = continueWatching
    const results = data?.results.filter(({ media }) => !isCardRemoved(media, pendingWrites))
    return data && results && results.length < data.results.length
      ? { ...continueWatching, data: { ...data, results } }
      : continueWatching
  },
)

/** Returns true if the pending writes, which are sorted from the oldest to the newest, remove the card of a title. */
export function isCardRemoved({ type, id }: TitleRef, pendingWrites: readonly PendingWrite[]): boolean {
  let isCardDismissed = false
  let isProgressDeleted = false
  for (const write of pendingWrites) {
    if (write.undone) continue
    if (write.kind === 'clear') isProgressDeleted = true
    if (!('title' in write) || write.title.type !== type || write.title.id !== id) continue
    if (write.kind === 'card') isCardDismissed = write.event === 'dismiss'
    if (write.kind === 'reset') isProgressDeleted = true
    if (write.kind === 'progress') isCardDismissed = isProgressDeleted = false
  }
  return isCardDismissed || isProgressDeleted
}
