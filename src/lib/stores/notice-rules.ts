/** Notice rules: which releases of a title cause notices. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import type { BodyOf, ReplyOf } from '../contract/endpoint.ts'
import type { MediaCard } from '../contract/media.ts'
import * as calls from '../contract/notice-rules.ts'
import { listEpisodeNotices, listMovieNotices } from '../contract/notices.ts'
import type { NoticeRule } from '../rules/notice-rules.ts'
import { writeOptimistically } from './optimistic-writes.ts'
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

/** Undoes a change of the rule. Notices that were unseen before the change are unseen again. */
const undoNoticeRule = (title: TitleRef, rule: NoticeRule, previousRule: NoticeRule): Promise<boolean> =>
  sendNoticeRule(title, { rule: previousRule, keep_unseen: true }, rule)

type ListedRule = ReplyOf<typeof calls.listNoticeRules>['results'][number]

/**
 * Returns `listedRules` with the new rule of a title. The list contains only rules other than `all`. A title that the
 * list does not contain is added only if `title` is a card, because the list displays cards.
 */
function replaceRule(listedRules: ListedRule[], title: TitleRef, rule: NoticeRule): ListedRule[] {
  const isOfTitle = ({ media }: ListedRule) => media.type === title.type && media.id === title.id
  if (rule === 'all') return listedRules.filter((listedRule) => !isOfTitle(listedRule))
  if (listedRules.some(isOfTitle))
    return listedRules.map((listedRule) => (isOfTitle(listedRule) ? { ...listedRule, rule } : listedRule))
  return 'slug' in title ? [{ media: title as MediaCard, rule }, ...listedRules] : listedRules
}

/** Sends a rule and displays it immediately. */
async function sendNoticeRule(
  title: TitleRef,
  change: BodyOf<typeof calls.setNoticeRule>,
  previousRule: NoticeRule,
): Promise<boolean> {
  const { rule } = change
  const params = { id: $profile.get()?.profile_id ?? '', type: title.type, mediaId: title.id }
  try {
    await writeOptimistically($noticeRules, {
      applyChange: ({ results }) => ({ results: replaceRule(results, title, rule) }),
      send: async () => void (await callApi(calls.setNoticeRule, { params, body: change })),
    })
    showToast(`header:ruleSet_${rule}`, { undo: () => void undoNoticeRule(title, rule, previousRule) })
    return true
  } catch {
    showToast('errors:generic', { kind: 'bad' })
    return false
  } finally {
    refetch(calls.listNoticeRules, calls.listMutedTitles, listEpisodeNotices, listMovieNotices)
  }
}
