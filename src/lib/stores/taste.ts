/** What recommendations go by and what is kept away: signals, hidden titles, muted notices. */
import { computed } from 'nanostores'
import { call } from '../client/call.ts'
import * as feedbackCalls from '../contract/feedback.ts'
import * as noticeCalls from '../contract/notices.ts'
import * as recommend from '../contract/recommend.ts'
import { $profile } from './profile.ts'
import { read, refetch } from './query.ts'
import { toast } from './toast.ts'
import type { Title } from './watchlist.ts'

const HIDDEN_SHOWN = 100
const $params = computed($profile, (profile) => profile && { params: { id: profile.profile_id } })

export const $signals = read(recommend.listSignals, $params)
export const $muted = read(noticeCalls.listMuted, $params)
export const $hidden = read(
  feedbackCalls.listFeedback,
  computed($params, (input) => input && { ...input, query: { limit: HIDDEN_SHOWN } }),
)
export const $because = read(
  recommend.because,
  computed($profile, (profile) =>
    profile ? { params: { id: profile.profile_id }, query: profile.kids ? { kids: true } : {} } : null,
  ),
)

/** Everything that is ranked by what a profile did. */
const ranked = () => refetch(recommend.topPicks, recommend.topGenres, recommend.because, recommend.similar)

/** Whether it was done; a failure says so. */
async function tried(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch {
    toast('errors:generic', { kind: 'bad' })
    return false
  }
}

const idOfProfile = () => $profile.get()?.profile_id ?? ''

/** A signal stops counting, or counts again. */
export async function switchSignal(signal: string, off: boolean): Promise<boolean> {
  const params = { id: idOfProfile(), signal }
  const done = await tried(() => call(recommend.switchSignal, { params, body: { off } }))
  refetch(recommend.listSignals)
  if (done) ranked()
  return done
}

/** "Not because of this", from beside a title. */
export async function notBecause(signal: string): Promise<void> {
  if (await switchSignal(signal, true))
    toast('reasons:switchedOff', { undo: () => void switchSignal(signal, false) })
}

/** A hidden title comes back to the rows. */
export async function showAgain({ type, id }: Title): Promise<void> {
  const put = (feedback: 'dislike' | null) => async () => {
    const params = { id: idOfProfile(), type, mediaId: id }
    const done = await tried(() => call(feedbackCalls.putFeedback, { params, body: { feedback } }))
    refetch(feedbackCalls.listFeedback)
    ranked()
    return done
  }
  if (await put(null)()) toast('taste:shownAgain', { undo: () => void put('dislike')() })
}

/** No more notices of a title, or notices again. */
export async function setMuted({ type, id }: Title, muted: boolean): Promise<void> {
  const params = { id: idOfProfile(), type, mediaId: id }
  const done = await tried(() => call(noticeCalls.muteTitle, { params, body: { muted } }))
  refetch(noticeCalls.listMuted, noticeCalls.episodeNotices, noticeCalls.movieNotices)
  if (done)
    toast(muted ? 'header:muted' : 'header:unmuted', { undo: () => void setMuted({ type, id }, !muted) })
}
