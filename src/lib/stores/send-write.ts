/** Sends a write to the endpoint that applies it. */
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import type { WatchlistChange, WriteAttempt, WriteOwner, WriteRequest } from '../client/write-request.ts'
import * as auth from '../contract/auth.ts'
import * as feedbackCalls from '../contract/feedback.ts'
import * as interactionCalls from '../contract/interaction.ts'
import * as profiles from '../contract/profiles.ts'
import * as progressCalls from '../contract/progress.ts'
import * as ratingCalls from '../contract/ratings.ts'
import * as viewingCalls from '../contract/viewings.ts'
import * as watchlistCalls from '../contract/watchlist.ts'
import { $profile } from './profile.ts'
import { toProgressBody } from './progress-body.ts'
import { showToast } from './toast.ts'

const ACTIONS_BY_FEEDBACK = { liked: 'like', disliked: 'dislike' } as const

/** Sends a write for the profile that made it, even if another profile acts now. */
export function sendWrite(write: WriteRequest & WriteAttempt, { profileId }: WriteOwner): Promise<unknown> {
  const profileParams = { id: profileId }
  const repeatTimes = write.triedAtMs
    ? { first_failed_at: new Date(write.triedAtMs).toISOString(), sent_at: new Date().toISOString() }
    : {}
  const removalBody = write.tried ? { repeated: true } : {}
  // Writes must reach the server even when the page is closed immediately afterwards.
  const callOptions = { profile: profileId, keepalive: true }
  switch (write.kind) {
    case 'clear':
      return callApi(progressCalls.deleteAllProgress, {
        params: profileParams,
        body: removalBody,
        ...callOptions,
      })
    case 'undo':
      return callApi(progressCalls.restoreDeletedProgress, {
        params: profileParams,
        body: { removed_at: write.removed_at },
        ...callOptions,
      })
    case 'several':
      return sendBulkChange(write.entries, profileId, repeatTimes)
    case 'mark':
      return callApi(viewingCalls.markSeen, {
        params: profileParams,
        body: { ...write.body, sent_at: new Date().toISOString() },
        ...callOptions,
      })
    case 'unmark':
      return callApi(viewingCalls.undoViewingEdit, {
        params: { ...profileParams, key: write.id },
        ...callOptions,
      })
    case 'user':
      return callApi(auth.updateUser, { body: { preferences: write.preferences }, ...callOptions })
    case 'profile': {
      const { preferences } = write
      return callApi(profiles.updateProfile, { params: profileParams, body: { preferences }, ...callOptions })
    }
  }
  const titleParams = { ...profileParams, type: write.title.type, mediaId: write.title.id }
  switch (write.kind) {
    case 'list':
      return callApi(watchlistCalls.putWatchlistEntry, {
        params: titleParams,
        body: { ...write.body, ...repeatTimes },
        ...callOptions,
      })
    case 'feedback': {
      const feedbackAction = write.feedback && ACTIONS_BY_FEEDBACK[write.feedback]
      return callApi(feedbackCalls.putFeedback, {
        params: titleParams,
        body: { feedback: feedbackAction, ...repeatTimes },
        ...callOptions,
      })
    }
    case 'rating':
      return callApi(ratingCalls.putRating, {
        params: titleParams,
        body: { rating: write.rating, ...repeatTimes },
        ...callOptions,
      })
    case 'card':
      return callApi(interactionCalls.putInteraction, {
        params: titleParams,
        body: { event: write.event, at: write.at, sent_at: new Date().toISOString() },
        ...callOptions,
      })
    case 'reset':
      return callApi(progressCalls.deleteTitleProgress, {
        params: titleParams,
        body: removalBody,
        ...callOptions,
      })
    case 'progress':
      return callApi(progressCalls.postProgress, {
        params: profileParams,
        body: toProgressBody(write),
        ...callOptions,
      })
  }
}

/**
 * Shows a message that the server has rejected an earlier change of a profile. Shows nothing if another profile acts
 * now. A page in the background shows the message when it becomes visible, because messages disappear after a few
 * seconds.
 */
export function showRejectedChangeMessage(profileId: string): void {
  const showMessage = () => {
    if ($profile.get()?.profile_id === profileId) showToast('common:changeRejected', { kind: 'bad' })
  }
  if (document.hidden) document.addEventListener('visibilitychange', showMessage, { once: true })
  else showMessage()
}

/**
 * Sends all changes in one request. If one of the titles has been deleted, the server rejects the whole request. The
 * changes are then sent one by one, and the deleted titles are skipped. The requests are sent without `keepalive`,
 * because browsers limit the total size of requests with `keepalive` to 64 KiB. If the page closes too early, the
 * stored changes are sent again later.
 */
async function sendBulkChange(changes: WatchlistChange[], profileId: string, repeatTimes: object) {
  const sendBatch = (batch: WatchlistChange[]) =>
    callApi(watchlistCalls.putWatchlistEntries, {
      params: { id: profileId },
      body: { entries: batch, ...repeatTimes },
      profile: profileId,
    })
  try {
    return await sendBatch(changes)
  } catch (error) {
    const isNotFoundError = (failure: unknown) => failure instanceof ApiError && failure.status === 404
    if (!isNotFoundError(error) || changes.length === 1) throw error
    const savedEntries: watchlistCalls.WatchlistEntry[] = []
    for (const change of changes)
      await sendBatch([change]).then(
        (reply) => savedEntries.push(...reply.results),
        (failure: unknown) => {
          if (!isNotFoundError(failure)) throw failure
        },
      )
    if (savedEntries.length === 0) throw error
    if (savedEntries.length < changes.length) showRejectedChangeMessage(profileId)
    return { results: savedEntries }
  }
}
