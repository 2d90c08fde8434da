import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import { listNewestLibraryTitles } from '../contract/availability.ts'
import * as catalogue from '../contract/catalogue.ts'
import { listCharacters } from '../contract/characters.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import type { Feedback } from '../contract/feedback.ts'
import * as feedbackCalls from '../contract/feedback.ts'
import { listEpisodeNotices, listMovieNotices } from '../contract/notices.ts'
import { listContinueWatching } from '../contract/progress.ts'
import { HOME_HERO_KEY } from '../storage-keys.ts'
import { sendOrQueueWrite } from './lazy-outbox.ts'
import { $hasRestrictedViewer } from './parent.ts'
import { $lastSentWrite, $pendingWrites } from './pending-writes.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { markWatchlistChanged, RECOMMENDATION_READS, refetch } from './query.ts'
import { reloadStoredValues, reloadTitleValues } from './title-reloads.ts'
import { showFailure, showToast } from './toast.ts'
import { displayUntilSent, type TitleRef, type UnconfirmedChange } from './watchlist.ts'

/**
 * Reads that omit or list the titles that the profile dislikes. Pages that do not use the cache of query.ts, such as
 * the calendar, reload when `$watchlistVersion` increases.
 */
export const FEEDBACK_DEPENDENT_READS = [
  ...RECOMMENDATION_READS,
  feedbackCalls.listFeedback,
  listCharacters,
  catalogue.listFeaturedMovies,
  catalogue.listFeaturedSeries,
  listNewestLibraryTitles,
  listContinueWatching,
  listEpisodeNotices,
  listMovieNotices,
]

type FeedbackReply = ReplyOf<typeof feedbackCalls.putFeedback>

/** Feedback on the server by title key `type/id`; absent until it is loaded. */
export const $serverFeedback = perProfile<Record<string, Feedback | undefined>>(() => ({}))
/** Keys of the titles whose feedback was requested, even if the request has failed. */
const $requestedTitleKeys = perProfile(() => new Set<string>())

/** Feedback that is being sent, oldest first. */
const $feedbackBeingSent = perProfile<readonly UnconfirmedChange<Feedback>[]>(() => [])

/** Feedback by title key, including feedback that is being sent or is pending. */
export const $displayedFeedback = computed(
  [$serverFeedback, $pendingWrites, $feedbackBeingSent],
  (serverFeedback, pendingWrites, feedbackBeingSent) => {
    const feedbackByTitleKey = { ...serverFeedback }
    for (const write of pendingWrites)
      if (write.kind === 'feedback')
        feedbackByTitleKey[`${write.title.type}/${write.title.id}`] = write.feedback
    return { ...feedbackByTitleKey, ...Object.fromEntries(feedbackBeingSent) }
  },
)

$lastSentWrite.listen((lastSentWrite) => {
  if (lastSentWrite?.write.kind !== 'feedback') return
  const { title } = lastSentWrite.write
  const { feedback } = lastSentWrite.reply as FeedbackReply
  $serverFeedback.setKey(`${title.type}/${title.id}`, feedback)
})

export async function loadFeedback({ type, id }: TitleRef): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  const titleKey = `${type}/${id}`
  // A key that is deleted and added again moves to the end of the set. Reloads give priority to the titles that were
  // requested last.
  $requestedTitleKeys.get().delete(titleKey)
  $requestedTitleKeys.get().add(titleKey)
  const previousValue = $serverFeedback.get()[titleKey]
  const { feedback } = await callApi(feedbackCalls.getFeedback, {
    params: { id: profile.profile_id, type, mediaId: id },
  })
  // Feedback that the user gave during the request is newer than the reply.
  if ($serverFeedback.get()[titleKey] === previousValue) $serverFeedback.setKey(titleKey, feedback)
}

/** Repeats the failed requests for feedback. */
export const loadMissingFeedback = () =>
  reloadTitleValues(
    [...$requestedTitleKeys.get()].filter((titleKey) => $serverFeedback.get()[titleKey] === undefined),
    loadFeedback,
  )

/** Reloads the loaded feedback and repeats failed requests, for example after a change on another device. */
export const reloadFeedback = () =>
  reloadStoredValues($serverFeedback, $requestedTitleKeys.get(), loadFeedback)

/**
 * Likes or dislikes a title, or removes the feedback. The change is displayed immediately and reverted when it fails. A
 * dislike offers Undo if the previous feedback is known, unless a restricted profile acts or is in the group.
 */
export async function setFeedback(title: TitleRef, feedback: Feedback): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  const titleKey = `${title.type}/${title.id}`
  const previousFeedback = $displayedFeedback.get()[titleKey]
  const stopDisplaying = displayUntilSent($feedbackBeingSent, [[titleKey, feedback]])
  try {
    const reply = (await sendOrQueueWrite({ kind: 'feedback', title, feedback })) as FeedbackReply | undefined
    // Without a reply, the feedback is displayed from `$pendingWrites`. If the server rejects the feedback later, the
    // previous value reappears.
    if (reply) $serverFeedback.setKey(titleKey, reply.feedback)
    if (feedback === 'disliked')
      showToast(
        'common:hidden',
        $hasRestrictedViewer.get() || previousFeedback === undefined
          ? {}
          : { undo: () => void setFeedback(title, previousFeedback) },
      )
    // The stored hero and row of the home page can contain the disliked title, so both are deleted.
    if (feedback === 'disliked') {
      globalThis.localStorage?.removeItem(HOME_HERO_KEY)
      // Discards the data of the drawn row, because home-hero.ts would otherwise store this row again.
      delete globalThis.__boot?.firstRow
    }
    refetch(...FEEDBACK_DEPENDENT_READS)
    markWatchlistChanged()
  } catch (error) {
    showFailure(error)
  } finally {
    stopDisplaying()
  }
}
