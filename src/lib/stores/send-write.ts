/** Sends a write to the endpoint that applies it. */
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import type { WatchlistChange, WriteOwner, WriteRequest } from '../client/pending-writes.ts'
import * as auth from '../contract/auth.ts'
import * as feedbackCalls from '../contract/feedback.ts'
import * as interactionCalls from '../contract/interaction.ts'
import * as profiles from '../contract/profiles.ts'
import * as progressCalls from '../contract/progress.ts'
import * as ratingCalls from '../contract/ratings.ts'
import * as viewingCalls from '../contract/viewings.ts'
import * as watchlistCalls from '../contract/watchlist.ts'
import { toProgressBody } from './progress-body.ts'
import { showToast } from './toast.ts'

const FEEDBACK_ACTIONS = { liked: 'like', disliked: 'dislike' } as const

/** Sends a write for its owner, even when another profile acts meanwhile. */
export function sendWrite(write: WriteRequest, { profile }: WriteOwner): Promise<unknown> {
  const profileParams = { id: profile }
  // Writes must reach the server even when the page is closed immediately afterwards.
  const options = { profile, keepalive: true }
  switch (write.kind) {
    case 'clear':
      return callApi(progressCalls.deleteAllProgress, { params: profileParams, ...options })
    case 'undo':
      return callApi(progressCalls.restoreDeletedProgress, { params: profileParams, ...options })
    case 'several':
      return sendBulkChange(write.entries, profile)
    case 'mark':
      return callApi(viewingCalls.markSeen, { params: profileParams, body: write.body, ...options })
    case 'unmark':
      return callApi(viewingCalls.undoViewingEdit, {
        params: { ...profileParams, key: write.id },
        ...options,
      })
    case 'user':
      return callApi(auth.updateUser, { body: { preferences: write.preferences }, ...options })
    case 'profile': {
      const { preferences } = write
      return callApi(profiles.updateProfile, { params: profileParams, body: { preferences }, ...options })
    }
  }
  const params = { ...profileParams, type: write.title.type, mediaId: write.title.id }
  switch (write.kind) {
    case 'list':
      return callApi(watchlistCalls.putWatchlistEntry, { params, body: write.body, ...options })
    case 'feedback': {
      const feedback = write.feedback && FEEDBACK_ACTIONS[write.feedback]
      return callApi(feedbackCalls.putFeedback, { params, body: { feedback }, ...options })
    }
    case 'rating':
      return callApi(ratingCalls.putRating, { params, body: { rating: write.rating }, ...options })
    case 'card':
      return callApi(interactionCalls.putInteraction, { params, body: { event: write.event }, ...options })
    case 'reset':
      return callApi(progressCalls.deleteTitleProgress, { params, ...options })
    case 'progress':
      return callApi(progressCalls.postProgress, {
        params: profileParams,
        body: toProgressBody(write),
        ...options,
      })
  }
}
/**
 * Sends all changes in one request. If a title was deleted meanwhile, the server rejects the whole request. The changes are
 * then sent one by one, and the deleted titles are skipped.
 */
async function sendBulkChange(entries: WatchlistChange[], profile: string) {
  const sendBatch = (batch: WatchlistChange[]) =>
    callApi(watchlistCalls.putWatchlistEntries, {
      params: { id: profile },
      body: { entries: batch },
      profile,
    })
  try {
    return await sendBatch(entries)
  } catch (error) {
    const isNotFound = (failure: unknown) => failure instanceof ApiError && failure.status === 404
    if (!isNotFound(error) || entries.length === 1) throw error
    const results: watchlistCalls.WatchlistEntry[] = []
    for (const entry of entries)
      await sendBatch([entry]).then(
        (reply) => results.push(...reply.results),
        (failure: unknown) => {
          if (!isNotFound(failure)) throw failure
        },
      )
    if (results.length === 0) throw error
    if (results.length < entries.length) showToast('common:changeRefused', { kind: 'bad' })
    return { results }
  }
}
