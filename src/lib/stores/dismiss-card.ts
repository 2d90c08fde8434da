/** Removes cards from the row Continue Watching. */
import * as progressCalls from '../contract/progress.ts'
import { sendOrQueueWrite } from './lazy-outbox.ts'
import { refetch } from './query.ts'
import { $continueWatching } from './titles.ts'
import { showFailure, showToast } from './toast.ts'
import type { TitleRef } from './watchlist.ts'

/** Removes the card of a title from Continue Watching. The progress in the title is kept. */
export async function dismissCard(title: TitleRef): Promise<void> {
  const previousReply = $continueWatching.get().data
  if (previousReply)
    $continueWatching.mutate({
      ...previousReply,
      results: previousReply.results.filter(({ media }) => media.id !== title.id),
    })
  try {
    await sendOrQueueWrite({ kind: 'card', title, event: 'dismiss', at: new Date().toISOString() })
    showToast('home:removedFromRow', { undo: () => void restoreDismissedCard(title) })
  } catch (error) {
    $continueWatching.mutate(previousReply)
    showFailure(error)
  }
}

async function restoreDismissedCard(title: TitleRef): Promise<void> {
  try {
    await sendOrQueueWrite({ kind: 'card', title, event: 'undismiss' })
    refetch(progressCalls.listContinueWatching)
  } catch (error) {
    showFailure(error)
  }
}
