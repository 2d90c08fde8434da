/** Own ratings of the acting profile, from 1 to 10, with optimistic changes. */

import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import * as ratingCalls from '../contract/ratings.ts'
import { buildTitleKey } from '../rules/title-key.ts'
import { sendOrQueueWrite } from './lazy-outbox.ts'
import { $lastSentWrite, $pendingWrites } from './pending-writes.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { markWatchlistChanged, RECOMMENDATION_READS, refetch } from './query.ts'
import { reloadStoredValues, reloadTitleValues } from './title-reloads.ts'
import { showFailure, showToast } from './toast.ts'
import { displayUntilSent, type TitleRef, type UnconfirmedChange } from './watchlist.ts'

type RatingReply = ReplyOf<typeof ratingCalls.putRating>

/** Ratings on the server by title key `type/id`; absent until they are loaded. */
const $serverRatings = perProfile<Record<string, number | null | undefined>>(() => ({}))
/** Keys of the titles whose rating was requested, even if the request has failed. */
const $requestedTitleKeys = perProfile(() => new Set<string>())

/** Ratings that are being sent, oldest first. */
const $ratingsBeingSent = perProfile<readonly UnconfirmedChange<number | null>[]>(() => [])

/** Ratings by title key, including ratings that are being sent or are pending. */
export const $displayedRatings = computed(
  [$serverRatings, $pendingWrites, $ratingsBeingSent],
  (serverRatings, pendingWrites, ratingsBeingSent) => {
    const ratingsByTitleKey = { ...serverRatings }
    for (const write of pendingWrites)
      if (write.kind === 'rating') ratingsByTitleKey[buildTitleKey(write.title)] = write.rating
    return { ...ratingsByTitleKey, ...Object.fromEntries(ratingsBeingSent) }
  },
)

$lastSentWrite.listen((lastSentWrite) => {
  if (lastSentWrite?.write.kind === 'rating')
    $serverRatings.setKey(
      buildTitleKey(lastSentWrite.write.title),
      (lastSentWrite.reply as RatingReply).rating,
    )
})

export async function loadRating(title: TitleRef): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  const titleKey = buildTitleKey(title)
  // A key that is deleted and added again moves to the end of the set. Reloads give priority to the titles that were
  // requested last.
  $requestedTitleKeys.get().delete(titleKey)
  $requestedTitleKeys.get().add(titleKey)
  const previousRating = $serverRatings.get()[titleKey]
  const { rating } = await callApi(ratingCalls.getRating, {
    params: { id: profile.profile_id, type: title.type, mediaId: title.id },
  })
  // A rating that the user gave during the request is newer than the reply.
  if ($serverRatings.get()[titleKey] === previousRating) $serverRatings.setKey(titleKey, rating)
}

/** Repeats the failed requests for ratings. */
export const loadMissingRatings = () =>
  reloadTitleValues(
    [...$requestedTitleKeys.get()].filter((titleKey) => $serverRatings.get()[titleKey] === undefined),
    loadRating,
  )

/** Reloads the loaded ratings and repeats failed requests, for example after a change on another device. */
export const reloadRatings = () => reloadStoredValues($serverRatings, $requestedTitleKeys.get(), loadRating)

/**
 * Rates a title, or removes the rating (`null`). The change is displayed immediately and reverted when it fails. Offers
 * Undo unless the previous rating is unknown (`undefined`).
 */
export async function setRating(
  title: TitleRef,
  rating: number | null,
  previousRating: number | null | undefined,
): Promise<void> {
  if (!$profile.get() || rating === previousRating) return
  const titleKey = buildTitleKey(title)
  const stopDisplaying = displayUntilSent($ratingsBeingSent, [[titleKey, rating]])
  try {
    const reply = (await sendOrQueueWrite({ kind: 'rating', title, rating })) as RatingReply | undefined
    // Without a reply, the rating is displayed from `$pendingWrites`. If the server rejects the rating later, the
    // previous rating reappears.
    if (reply) $serverRatings.setKey(titleKey, reply.rating)
    showToast(rating === null ? 'ratings:removed' : 'ratings:saved', {
      values: { rating: rating ?? 0 },
      ...(previousRating !== undefined && { undo: () => void setRating(title, previousRating, rating) }),
    })
    markWatchlistChanged()
    refetch(...RECOMMENDATION_READS)
  } catch (error) {
    showFailure(error)
  } finally {
    stopDisplaying()
  }
}
