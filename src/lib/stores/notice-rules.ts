/** Notice rules: which releases of a title cause notices. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import * as calls from '../contract/notices.ts'
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

/** Changes the rule of a title, with Undo. Shows a message on failure. */
export async function changeNoticeRule(
  title: TitleRef,
  rule: NoticeRule,
  previousRule: NoticeRule,
): Promise<void> {
  const params = { id: $profile.get()?.profile_id ?? '', type: title.type, mediaId: title.id }
  try {
    await callApi(calls.setNoticeRule, { params, body: { rule } })
    showToast(`header:ruleSet_${rule}`, { undo: () => void changeNoticeRule(title, previousRule, rule) })
  } catch {
    showToast('errors:generic', { kind: 'bad' })
  }
  refetch(calls.listNoticeRules, calls.listMutedTitles, calls.listEpisodeNotices, calls.listMovieNotices)
}
