/** One write of a profile, as the call that makes it. */
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

const VERBS = { liked: 'like', disliked: 'dislike' } as const
/** A small write goes out although the page goes right after it. */
const keepalive = true

export function sendWrite(write: Write, { profile }: Owner): Promise<unknown> {
  const id = { id: profile }
  switch (write.kind) {
    case 'clear':
      return call(progressCalls.clearHistory, { params: id, keepalive })
    case 'undo':
      return call(progressCalls.undoHistory, { params: id, keepalive })
    case 'several':
      return sendSeveral(write.entries, profile)
    case 'user':
      return call(auth.updateUser, { body: { preferences: write.preferences }, keepalive })
    case 'profile': {
      const { preferences } = write
      return call(profiles.updateProfile, { params: id, body: { preferences }, keepalive })
    }
  }
  const params = { ...id, type: write.title.type, mediaId: write.title.id }
  switch (write.kind) {
    case 'list':
      return call(watchlistCalls.putWatchlistEntry, { params, body: write.body, keepalive })
    case 'feedback': {
      const feedback = write.feedback && VERBS[write.feedback]
      return call(feedbackCalls.putFeedback, { params, body: { feedback }, keepalive })
    }
    case 'card':
      return call(interactionCalls.putInteraction, { params, body: { event: write.event }, keepalive })
    case 'reset':
      return call(progressCalls.resetHistory, { params, keepalive })
    case 'progress':
      return call(progressCalls.postHistory, { params: id, body: progressBody(write), keepalive })
  }
}
/** All in one request; where one of them is gone meanwhile, which refuses them all, the others one by one. */
async function sendSeveral(entries: Wish[], profile: string) {
  const ask = (some: Wish[]) =>
    call(watchlistCalls.putWatchlist, { params: { id: profile }, body: { entries: some } })
  try {
    return await ask(entries)
  } catch (error) {
    const gone = (one: unknown) => one instanceof ApiError && one.status === 404
    if (!gone(error) || entries.length === 1) throw error
    const results: watchlistCalls.WatchlistEntry[] = []
    for (const entry of entries)
      await ask([entry]).then(
        (answer) => results.push(...answer.results),
        (refusal: unknown) => {
          if (!gone(refusal)) throw refusal
        },
      )
    if (results.length === 0) throw error
    if (results.length < entries.length) toast('common:changeRefused', { kind: 'bad' })
    return { results }
  }
}
