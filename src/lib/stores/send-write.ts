/** Sends a write to the endpoint that applies it. */
import { call } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import type { Owner, Wish, Write } from '../client/queue.ts'
import * as auth from '../contract/auth.ts'
import * as feedbackCalls from '../contract/feedback.ts'
import * as interactionCalls from '../contract/interaction.ts'
import * as profiles from '../contract/profiles.ts'
import * as progressCalls from '../contract/progress.ts'
import * as watchlistCalls from '../contract/watchlist.ts'
import { progressBody } from './progress-body.ts'
import { toast } from './toast.ts'

const FEEDBACK_ACTIONS = { liked: 'like', disliked: 'dislike' } as const
/** Writes must arrive also when the page is closed immediately afterwards. */
const keepalive = true

export function sendWrite(write: Write, { profile }: Owner): Promise<unknown> {
  const profileParams = { id: profile }
  switch (write.kind) {
    case 'clear':
      return call(progressCalls.clearHistory, { params: profileParams, keepalive })
    case 'undo':
      return call(progressCalls.undoHistory, { params: profileParams, keepalive })
    case 'several':
      return sendBulkChange(write.entries, profile)
    case 'user':
      return call(auth.updateUser, { body: { preferences: write.preferences }, keepalive })
    case 'profile': {
      const { preferences } = write
      return call(profiles.updateProfile, { params: profileParams, body: { preferences }, keepalive })
    }
  }
  const params = { ...profileParams, type: write.title.type, mediaId: write.title.id }
  switch (write.kind) {
    case 'list':
      return call(watchlistCalls.putWatchlistEntry, { params, body: write.body, keepalive })
    case 'feedback': {
      const feedback = write.feedback && FEEDBACK_ACTIONS[write.feedback]
      return call(feedbackCalls.putFeedback, { params, body: { feedback }, keepalive })
    }
    case 'card':
      return call(interactionCalls.putInteraction, { params, body: { event: write.event }, keepalive })
    case 'reset':
      return call(progressCalls.resetHistory, { params, keepalive })
    case 'progress':
      return call(progressCalls.postHistory, { params: profileParams, body: progressBody(write), keepalive })
  }
}
/**
 * Sends all changes in one request. The server rejects all of them when a title was deleted meanwhile; then they are sent one
 * by one, and the deleted titles are skipped.
 */
async function sendBulkChange(entries: Wish[], profile: string) {
  const sendBatch = (batch: Wish[]) =>
    call(watchlistCalls.putWatchlist, { params: { id: profile }, body: { entries: batch } })
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
    if (results.length < entries.length) toast('common:changeRefused', { kind: 'bad' })
    return { results }
  }
}
