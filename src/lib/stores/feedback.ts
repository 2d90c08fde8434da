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

/** By `type/id`; absent until asked. */
export const $feedback = map<Record<string, Feedback>>({})

/** With what waits to be sent. */
export const $said = computed([$feedback, $waiting], (feedback, waiting) => {
  const merged = { ...feedback }
  for (const one of waiting)
    if (one.kind === 'feedback') merged[`${one.title.type}/${one.title.id}`] = one.feedback
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
  const before = $feedback.get()[key]
  const { feedback } = await call(feedbackCalls.getFeedback, {
    params: { id: profile.profile_id, type, mediaId: id },
  })
  /* Not over what was said since it was asked. */
  if ($feedback.get()[key] === before) $feedback.setKey(key, feedback)
}

/** Asks again for what is known here, when it was changed elsewhere. */
export async function reloadFeedback(): Promise<void> {
  await Promise.all(
    Object.keys($feedback.get())
      .slice(-RELOADED)
      .map((key) => {
        const [type, id = ''] = key.split('/')
        return loadFeedback({ type: type === 'tv' ? 'tv' : 'movie', id }).catch(() => {})
      }),
  )
}
const RELOADED = 30

/** Likes, dislikes, or takes it back; shown at once, taken back when it fails. */
export async function rate(title: Title, wanted: Feedback): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  const key = `${title.type}/${title.id}`
  const before = $said.get()[key] ?? null
  $feedback.setKey(key, wanted)
  try {
    await deliver({ kind: 'feedback', title, feedback: wanted })
    if (wanted === 'disliked') toast('common:hidden', { undo: () => void rate(title, before) })
    refetch(recommend.topPicks, recommend.topGenres, recommend.because, recommend.similar)
  } catch {
    $feedback.setKey(key, before)
    toast('errors:failed', { kind: 'bad' })
  }
}
