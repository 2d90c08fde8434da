/**
 * Derives, lists and changes the notices of recent episodes and of movies. The notices are derived from the
 * catalogue when a client requests them, and at an interval for push notifications (deliver-notices.ts).
 */

import type { Notice } from '../../../src/lib/contract/notices.ts'
import { addDays } from '../../../src/lib/rules/calendar-days.ts'
import type { NoticeRule } from '../../../src/lib/rules/notice-rules.ts'
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import { DAY_MS, toIsoTime } from '../../core/dates.ts'
import { createFieldProblem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import {
  countUnseenNotices,
  hasNoticeChanges,
  markNoticesSeen,
  selectNotices,
  updateNotices,
} from '../../queries/notice.ts'
import type { NoticeKind } from '../../queries/notice-condition.ts'
import { selectNoticeRules, setTitleNoticeRule } from '../../queries/notice-rule.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import { getTitleLanguage, getViewerDate } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import { parseId } from '../catalogue/titles.ts'
import { type ProfileContext, requireTitle, type TitleRef } from '../context.ts'
import { publishAccountEvent } from '../events/account-events.ts'

/** Maximum age of a release that gets a notice. */
const NOTICE_PERIOD_DAYS = 30
export const NOTICE_PERIOD_MS = NOTICE_PERIOD_DAYS * DAY_MS
const MAX_NOTICES = 50

interface NoticeTime {
  nowMs: number
  /** The date of the viewer, `YYYY-MM-DD`. */
  today: string
}

const getNoticePeriod = (profileId: string, { nowMs, today }: NoticeTime) => ({
  profileId,
  sinceDate: addDays(today, -NOTICE_PERIOD_DAYS),
  today,
  nowMs,
})

const NOTICE_KINDS: readonly NoticeKind[] = ['episode', 'high_quality']

/**
 * Adds the notices of recent releases to the notices of a profile, and deletes those of postponed releases. Without a
 * change, writes nothing and starts no transaction.
 */
export async function deriveNotices(
  db: Db,
  profileId: string,
  noticeTime: NoticeTime,
  kinds = NOTICE_KINDS,
): Promise<void> {
  const noticePeriod = getNoticePeriod(profileId, noticeTime)
  if (!(await hasNoticeChanges(db, noticePeriod, kinds))) return
  if (db.isTransaction) await updateNotices(db, noticePeriod, kinds)
  else await db.transaction().execute((trx) => updateNotices(trx, noticePeriod, kinds))
}

export async function listNotices(
  { deps, caller }: ProfileContext,
  kind: NoticeKind,
): Promise<{ results: Notice[]; unseen: number }> {
  const { primary, reader } = deps.database
  const profileId = caller.profile.profile_id
  const nowMs = deps.now()
  const noticeTime = { nowMs, today: getViewerDate(caller, nowMs) }
  // While the database cannot be written, only the notices that it already contains are listed.
  await runOptionalWrite(() => deriveNotices(primary, profileId, noticeTime, [kind]))
  const rows = await selectNotices(primary, caller.audience, { profileId, kind, maxRows: MAX_NOTICES })
  const titles = await selectTitlesByIds(reader, caller.audience, [
    ...new Set(rows.map((row) => row.title_id)),
  ])
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  const notices = rows.flatMap((row) => {
    const card = cardsById.get(row.title_id)
    if (!card) return []
    const release =
      row.kind === 'episode'
        ? { season: row.season_number, episode: row.episode_number }
        : row.kind === 'high_quality'
          ? { quality: '2160p' }
          : {}
    const created_at = toIsoTime(row.created_at)
    return [
      {
        notification_id: String(row.notice_id),
        kind: row.kind as Notice['kind'],
        media: card,
        ...release,
        created_at,
        seen: row.seen_at !== null || row.finished === 1,
      },
    ]
  })
  return { results: notices, unseen: await countUnseenNotices(primary, caller.audience, { profileId, kind }) }
}

export async function acknowledgeNotices(
  context: ProfileContext,
  noticeIds: string[] | undefined,
): Promise<{ unseen: number }> {
  const { deps, caller } = context
  const { primary } = deps.database
  const profileId = caller.profile.profile_id
  await markNoticesSeen(primary, profileId, noticeIds?.map(parseId), deps.now())
  publishAccountEvent(context, 'notices')
  return { unseen: await countUnseenNotices(primary, caller.audience, { profileId }) }
}

export async function listMutedTitles(context: ProfileContext) {
  const { results } = await listNoticeRules(context)
  return { results: results.filter(({ rule }) => rule === 'none').map(({ media }) => media) }
}

export async function listNoticeRules({ deps, caller }: ProfileContext) {
  const rules = await selectNoticeRules(deps.database.primary, caller.profile.profile_id)
  const titleIds = rules.map((rule) => rule.titleId)
  const titles = await selectTitlesByIds(deps.database.reader, caller.audience, titleIds)
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  const ruleEntries = rules.flatMap(({ titleId, wantsNewSeasons }) => {
    const card = cardsById.get(titleId)
    const rule: NoticeRule = wantsNewSeasons ? 'seasons' : 'none'
    return card ? [{ media: card, rule }] : []
  })
  return { results: ruleEntries }
}

/** Mutes or unmutes the notices of a title. After unmuting, only later releases cause notices. */
export async function changeTitleMute(
  context: ProfileContext,
  titleRef: TitleRef,
  isMuted: boolean,
): Promise<{ muted: boolean; previous_rule: NoticeRule }> {
  const rule = isMuted ? 'none' : 'all'
  return { muted: isMuted, previous_rule: await replaceNoticeRule(context, titleRef, { rule }) }
}

interface NoticeRuleChange {
  rule: NoticeRule
  /** True to undo an earlier change. The notices that the earlier change muted are then unseen again. */
  keep_unseen?: boolean | undefined
}

/**
 * Changes which releases of a title cause notices. Only later releases are affected, unless `keep_unseen` is true.
 * Throws 404 when the caller may not see the title, and 422 when the rule `seasons` is set for a movie.
 */
export async function changeNoticeRule(
  context: ProfileContext,
  titleRef: TitleRef,
  change: NoticeRuleChange,
): Promise<{ rule: NoticeRule }> {
  await replaceNoticeRule(context, titleRef, change)
  return { rule: change.rule }
}

/** Changes the rule like `changeNoticeRule`, and returns the previous rule. */
async function replaceNoticeRule(
  context: ProfileContext,
  titleRef: TitleRef,
  { rule, keep_unseen: shouldKeepUnseen = false }: NoticeRuleChange,
): Promise<NoticeRule> {
  const { deps, caller } = context
  if (rule === 'seasons' && titleRef.type !== 'tv') throw createFieldProblem('rule', 'not_for_movies')
  const { title_id: titleId } = await requireTitle(context, titleRef)
  const nowMs = deps.now()
  const profileId = caller.profile.profile_id
  const previousRule = await deps.database.primary.transaction().execute(async (trx) => {
    // Derive the notices of earlier releases under the old rule, so that these releases cause no notices
    // under the new rule.
    await deriveNotices(trx, profileId, { nowMs, today: getViewerDate(caller, nowMs) })
    return setTitleNoticeRule(trx, { profileId, titleId, rule, shouldKeepUnseen, nowMs })
  })
  publishAccountEvent(context, 'notices')
  return previousRule
}
