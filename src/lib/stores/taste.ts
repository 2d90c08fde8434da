/** Settings of a profile that affect recommendations and notices: signals, disliked titles and muted titles. */
import { computed } from 'nanostores'
import { call } from '../client/call.ts'
import * as feedbackCalls from '../contract/feedback.ts'
import * as noticeCalls from '../contract/notices.ts'
import * as recommend from '../contract/recommend.ts'
import { $profile } from './profile.ts'
import { read, refetch } from './query.ts'
import { toast } from './toast.ts'
import type { Title } from './watchlist.ts'

const MAX_DISLIKED_TITLES = 100
const $params = computed($profile, (profile) => profile && { params: { id: profile.profile_id } })

export const $signals = read(recommend.listSignals, $params)
export const $muted = read(noticeCalls.listMuted, $params)
export const $hidden = read(
  feedbackCalls.listFeedback,
  computed($params, (input) => input && { ...input, query: { limit: MAX_DISLIKED_TITLES } }),
)
export const $because = read(
  recommend.because,
  computed($profile, (profile) =>
    profile ? { params: { id: profile.profile_id }, query: profile.kids ? { kids: true } : {} } : null,
  ),
)

/** Refetches everything that depends on the signals of the profile. */
const refetchRecommendations = () =>
  refetch(recommend.topPicks, recommend.topGenres, recommend.because, recommend.similar)

/** Runs an action. Returns false and displays a message when it fails. */
async function tryAction(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action()
    return true
  } catch {
    toast('errors:generic', { kind: 'bad' })
    return false
  }
}

const actingProfileId = () => $profile.get()?.profile_id ?? ''

/** Disables (`off`) or re-enables a signal. Returns whether it succeeded. */
export async function switchSignal(signal: string, off: boolean): Promise<boolean> {
  const params = { id: actingProfileId(), signal }
  const succeeded = await tryAction(() => call(recommend.switchSignal, { params, body: { off } }))
  refetch(recommend.listSignals)
  if (succeeded) refetchRecommendations()
  return succeeded
}

/** Disables the signal of a recommendation, with Undo. */
export async function notBecause(signal: string): Promise<void> {
  if (await switchSignal(signal, true))
    toast('reasons:switchedOff', { undo: () => void switchSignal(signal, false) })
}

/** Removes the dislike of a title, so that rows show it again. */
export async function showAgain({ type, id }: Title): Promise<void> {
  const changeFeedback = (feedback: 'dislike' | null) => async () => {
    const params = { id: actingProfileId(), type, mediaId: id }
    const succeeded = await tryAction(() => call(feedbackCalls.putFeedback, { params, body: { feedback } }))
    refetch(feedbackCalls.listFeedback)
    refetchRecommendations()
    return succeeded
  }
  if (await changeFeedback(null)())
    toast('taste:shownAgain', { undo: () => void changeFeedback('dislike')() })
}

/** Mutes or unmutes the notices of a title, with Undo. */
export async function setMuted({ type, id }: Title, muted: boolean): Promise<void> {
  const params = { id: actingProfileId(), type, mediaId: id }
  const succeeded = await tryAction(() => call(noticeCalls.muteTitle, { params, body: { muted } }))
  refetch(noticeCalls.listMuted, noticeCalls.episodeNotices, noticeCalls.movieNotices)
  if (succeeded)
    toast(muted ? 'header:muted' : 'header:unmuted', { undo: () => void setMuted({ type, id }, !muted) })
}
