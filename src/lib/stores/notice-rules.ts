/** Notice rules: which releases of a title cause notices. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import type { BodyOf } from '../contract/endpoint.ts'
import * as calls from '../contract/notice-rules.ts'
import { listEpisodeNotices, listMovieNotices } from '../contract/notices.ts'
import type { NoticeRule } from '../rules/notice-rules.ts'
import { $profile } from './profile.ts'
import { createReadStore, refetch } from './query.ts'
import { showToast } from './toast.ts'
import type { TitleRef } from './watchlist.ts'

/** The notice rules of the profile that differ from the default rule `all`, with their titles. */
export const $noticeRules = createReadStore(
  calls.listNoticeRules,
  computed($profile, (profile) => profile && { params: { id: profile.profile_id } }),
)

/** Changes the rule of a title, with Undo. Shows a message and returns false on failure. */
export const changeNoticeRule = (
  title: TitleRef,
  rule: NoticeRule,
  previousRule: NoticeRule,
): Promise<boolean> => sendNoticeRule(title, { rule }, previousRule)

/** Undoes a change of the rule. Notices that the change has muted are unseen again. */
const undoNoticeRule = (title: TitleRef, rule: NoticeRule, previousRule: NoticeRule): Promise<boolean> =>
  sendNoticeRule(title, { rule: previousRule, keep_unseen: true }, rule)

async function sendNoticeRule(
  title: TitleRef,
  change: BodyOf<typeof calls.setNoticeRule>,
  previousRule: NoticeRule,
): Promise<boolean> {
  const { rule } = change
  const params = { id: $profile.get()?.profile_id ?? '', type: title.type, mediaId: title.id }
  try {
    await callApi(calls.setNoticeRule, { params, body: change })
    showToast(`header:ruleSet_${rule}`, { undo: () => void undoNoticeRule(title, rule, previousRule) })
    return true
  } catch {
    showToast('errors:generic', { kind: 'bad' })
    return false
  } finally {
    refetch(calls.listNoticeRules, calls.listMutedTitles, listEpisodeNotices, listMovieNotices)
  }
}
