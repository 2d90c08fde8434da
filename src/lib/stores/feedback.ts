import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import type { Feedback } from '../contract/feedback.ts'
import * as feedbackCalls from '../contract/feedback.ts'
import { sendOrQueueWrite } from './lazy-outbox.ts'
import { $lastSentWrite, $pendingWrites } from './pending-writes.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { RECOMMENDATION_READS, refetch } from './query.ts'
import { showToast } from './toast.ts'
import type { TitleRef } from './watchlist.ts'

/** Feedback on the server by title key `type/id`; absent until it is loaded. */
export const $serverFeedback = perProfile<Record<string, Feedback>>(() => ({}))

/** Feedback by title key, including pending writes. */
export const $displayedFeedback = computed(
  [$serverFeedback, $pendingWrites],
  (serverFeedback, pendingWrites) => {
    const feedbackByTitleKey = { ...serverFeedback }
    for (const write of pendingWrites)
      if (write.kind === 'feedback')
        feedbackByTitleKey[`${write.title.type}/${write.title.id}`] = write.feedback
    return feedbackByTitleKey
  },
)

$lastSentWrite.listen((lastSentWrite) => {
  if (lastSentWrite?.write.kind !== 'feedback') return
  const { title, feedback } = lastSentWrite.write
  $serverFeedback.setKey(`${title.type}/${title.id}`, feedback)
})

export async function loadFeedback({ type, id }: TitleRef): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  const titleKey = `${type}/${id}`
  const previousValue = $serverFeedback.get()[titleKey]
  const { feedback } = await callApi(feedbackCalls.getFeedback, {
    params: { id: profile.profile_id, type, mediaId: id },
  })
  // Feedback that the user gave during the request is newer than the reply.
  if ($serverFeedback.get()[titleKey] === previousValue) $serverFeedback.setKey(titleKey, feedback)
}

/** Reloads the known feedback after it changed on another device. */
export async function reloadFeedback(): Promise<void> {
  await Promise.all(
    Object.keys($serverFeedback.get())
      .slice(-MAX_RELOADED_TITLES)
      .map((titleKey) => {
        const [type, id = ''] = titleKey.split('/')
        return loadFeedback({ type: type === 'tv' ? 'tv' : 'movie', id }).catch(() => {})
      }),
  )
}
/** Maximum number of titles to reload: the most recently loaded titles. */
const MAX_RELOADED_TITLES = 30

/** Likes or dislikes a title, or removes the feedback. The change is displayed at once and reverted when it fails. */
export async function setFeedback(title: TitleRef, feedback: Feedback): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  const titleKey = `${title.type}/${title.id}`
  const previousFeedback = $displayedFeedback.get()[titleKey] ?? null
  $serverFeedback.setKey(titleKey, feedback)
  try {
    await sendOrQueueWrite({ kind: 'feedback', title, feedback })
    if (feedback === 'disliked')
      showToast(
        'common:hidden',
        profile.kids ? {} : { undo: () => void setFeedback(title, previousFeedback) },
      )
    refetch(...RECOMMENDATION_READS)
  } catch {
    $serverFeedback.setKey(titleKey, previousFeedback)
    showToast('errors:failed', { kind: 'bad' })
  }
}
