import { computed, map } from 'nanostores'
import { call } from '../client/call.ts'
import type { Feedback } from '../contract/feedback.ts'
import * as feedbackCalls from '../contract/feedback.ts'
import * as recommend from '../contract/recommend.ts'
import { deliver } from './deliver.ts'
import { $profile } from './profile.ts'
import { refetch } from './query.ts'
import { toast } from './toast.ts'
import { $sent, $waiting } from './waiting.ts'
import type { Title } from './watchlist.ts'

/** Feedback on the server by title key `type/id`; absent until it is loaded. */
export const $feedback = map<Record<string, Feedback>>({})

/** Feedback by title key, including pending writes. */
export const $said = computed([$feedback, $waiting], (feedback, pendingWrites) => {
  const merged = { ...feedback }
  for (const write of pendingWrites)
    if (write.kind === 'feedback') merged[`${write.title.type}/${write.title.id}`] = write.feedback
  return merged
})

$sent.listen((sent) => {
  if (sent?.write.kind !== 'feedback') return
  const { title, feedback } = sent.write
  $feedback.setKey(`${title.type}/${title.id}`, feedback)
})

export async function loadFeedback({ type, id }: Title): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  const key = `${type}/${id}`
  const previous = $feedback.get()[key]
  const { feedback } = await call(feedbackCalls.getFeedback, {
    params: { id: profile.profile_id, type, mediaId: id },
  })
  // Feedback that the user gave during the request is newer than the reply.
  if ($feedback.get()[key] === previous) $feedback.setKey(key, feedback)
}

/** Reloads the known feedback after it changed on another device. */
export async function reloadFeedback(): Promise<void> {
  await Promise.all(
    Object.keys($feedback.get())
      .slice(-MAX_RELOADED)
      .map((key) => {
        const [type, id = ''] = key.split('/')
        return loadFeedback({ type: type === 'tv' ? 'tv' : 'movie', id }).catch(() => {})
      }),
  )
}
/** Limits the requests of a reload to the most recently loaded titles. */
const MAX_RELOADED = 30

/** Likes or dislikes a title, or removes the feedback. Displayed at once, and reverted when it fails. */
export async function rate(title: Title, feedback: Feedback): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  const key = `${title.type}/${title.id}`
  const previous = $said.get()[key] ?? null
  $feedback.setKey(key, feedback)
  try {
    await deliver({ kind: 'feedback', title, feedback })
    if (feedback === 'disliked') toast('common:hidden', { undo: () => void rate(title, previous) })
    refetch(recommend.topPicks, recommend.topGenres, recommend.because, recommend.similar)
  } catch {
    $feedback.setKey(key, previous)
    toast('errors:failed', { kind: 'bad' })
  }
}
