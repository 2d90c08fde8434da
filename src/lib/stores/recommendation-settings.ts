/**
 * Settings of a profile that affect recommendations and notices: signals, disliked titles and muted titles. Also
 * contains the rows of the home page that are loaded after the first screen.
 */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import * as feedbackCalls from '../contract/feedback.ts'
import * as ruleCalls from '../contract/notice-rules.ts'
import { listEpisodeNotices, listMovieNotices } from '../contract/notices.ts'
import * as recommend from '../contract/recommendations.ts'
import { LIMITS } from '../rules/limits.ts'
import type { NoticeRule } from '../rules/notice-rules.ts'
import { FEEDBACK_DEPENDENT_READS } from './feedback.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { createReadStore, markWatchlistChanged, RECOMMENDATION_READS, refetch } from './query.ts'
import { showToast } from './toast.ts'
import type { TitleRef } from './watchlist.ts'

const $profileParams = computed($profile, (profile) => profile && { params: { id: profile.profile_id } })

export const $recommendationSignals = createReadStore(recommend.listSignals, $profileParams)
export const $mutedTitles = createReadStore(ruleCalls.listMutedTitles, $profileParams)
/** Number of the displayed page of disliked titles. */
export const $dislikedPage = perProfile<number>(() => 1)
export const $dislikedTitles = createReadStore(
  feedbackCalls.listFeedback,
  computed(
    [$profileParams, $dislikedPage],
    (profileParams, page) => profileParams && { ...profileParams, query: { page, limit: LIMITS.list } },
  ),
)
export const $becauseRows = createReadStore(
  recommend.listBecauseRows,
  computed($profile, (profile) =>
    profile ? { params: { id: profile.profile_id }, query: profile.kids ? { kids: true } : {} } : null,
  ),
)
export const $topGenres = createReadStore(
  recommend.listTopGenreRows,
  computed(
    $profile,
    (profile) =>
      profile && {
        params: { id: profile.profile_id },
        query: { 'result-limit': LIMITS.titlesPerTopGenre, rating: 5, ...(profile.kids && { kids: true }) },
      },
  ),
)

/** Runs an action. Returns false and displays a message when it fails. */
async function runSettingAction(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action()
    return true
  } catch {
    showToast('errors:generic', { kind: 'bad' })
    return false
  }
}

const getActingProfileId = () => $profile.get()?.profile_id ?? ''

/** Disables or re-enables a signal. Returns true on success. */
export async function setSignalDisabled(signal: string, isDisabled: boolean): Promise<boolean> {
  const params = { id: getActingProfileId(), signal }
  const isSaved = await runSettingAction(() =>
    callApi(recommend.putSignal, { params, body: { off: isDisabled } }),
  )
  if (isSaved) refetch(recommend.listSignals, ...RECOMMENDATION_READS)
  return isSaved
}

/** Disables the signal of a recommendation, with Undo. */
export async function disableSignal(signal: string): Promise<void> {
  if (await setSignalDisabled(signal, true))
    showToast('reasons:switchedOff', { undo: () => void setSignalDisabled(signal, false) })
}

/** Removes the dislike of a title, so that rows show it again. */
export async function removeDislike({ type, id }: TitleRef): Promise<void> {
  const createFeedbackAction = (feedback: 'dislike' | null) => async () => {
    const params = { id: getActingProfileId(), type, mediaId: id }
    const isSaved = await runSettingAction(() =>
      callApi(feedbackCalls.putFeedback, { params, body: { feedback } }),
    )
    refetch(...FEEDBACK_DEPENDENT_READS)
    markWatchlistChanged()
    return isSaved
  }
  if (await createFeedbackAction(null)())
    showToast('taste:shownAgain', { undo: () => void createFeedbackAction('dislike')() })
}

/** Mutes or unmutes the notices of a title, with Undo. */
export async function setNoticesMuted({ type, id }: TitleRef, isMuted: boolean): Promise<void> {
  const params = { id: getActingProfileId(), type, mediaId: id }
  const restoreRule = (rule: NoticeRule) =>
    runNoticeAction(() => callApi(ruleCalls.setNoticeRule, { params, body: { rule, keep_unseen: true } }))
  await runNoticeAction(async () => {
    const { previous_rule } = await callApi(ruleCalls.muteTitle, { params, body: { muted: isMuted } })
    showToast(isMuted ? 'header:muted' : 'header:unmuted', { undo: () => void restoreRule(previous_rule) })
  })
}

/** Runs an action that changes the notices of a title, and reloads the notices. */
async function runNoticeAction(action: () => Promise<unknown>): Promise<void> {
  await runSettingAction(action)
  refetch(ruleCalls.listNoticeRules, ruleCalls.listMutedTitles, listEpisodeNotices, listMovieNotices)
}
