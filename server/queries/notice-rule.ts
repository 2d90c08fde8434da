/** Notice rules of titles: muted titles, and titles with notices of new seasons only. */
import { sql } from 'kysely'
import type { NoticeRule } from '../../src/lib/rules/notice-rules.ts'
import type { Db } from '../db/database.ts'
import { isNoticeUnmuted } from './notice-condition.ts'

interface NoticeRuleRow {
  titleId: number
  /**
   * True when the profile wants a notice about the start of each season; false when the profile wants no notices about
   * the title.
   */
  wantsNewSeasons: boolean
}

/** Returns the titles with a notice rule, latest rule first. */
export async function selectNoticeRules(db: Db, profileId: string): Promise<NoticeRuleRow[]> {
  const rows = await db
    .selectFrom('notice_mute')
    .select(['title_id', 'new_seasons'])
    .where('profile_id', '=', profileId)
    .orderBy('created_at', 'desc')
    .orderBy('title_id')
    .execute()
  return rows.map((row) => ({ titleId: row.title_id, wantsNewSeasons: row.new_seasons === 1 }))
}

interface NoticeRuleChange {
  profileId: string
  titleId: number
  rule: NoticeRule
  /**
   * True when the change undoes an earlier change of the rule. In this case, the notices that the previous rule muted
   * stay unseen.
   */
  shouldKeepUnseen: boolean
  nowMs: number
}

/**
 * Changes the rule of a title. Unless `shouldKeepUnseen` is true, the notices that the previous rule muted are marked
 * as seen, so that only later releases cause notices. Returns the previous rule. Call it in a transaction.
 */
export async function setTitleNoticeRule(
  db: Db,
  { profileId, titleId, rule, shouldKeepUnseen, nowMs }: NoticeRuleChange,
): Promise<NoticeRule> {
  const ruleRow = await db
    .selectFrom('notice_mute')
    .select('new_seasons')
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .executeTakeFirst()
  const previousRule = !ruleRow ? 'all' : ruleRow.new_seasons === 1 ? 'seasons' : 'none'
  // A repeated call, for example after a lost response, changes nothing.
  if (rule === previousRule) return previousRule
  if (!shouldKeepUnseen)
    await db
      .updateTable('notice')
      .set({ seen_at: nowMs })
      .where('profile_id', '=', profileId)
      .where('title_id', '=', titleId)
      .where('seen_at', 'is', null)
      .where(sql<boolean>`not ${isNoticeUnmuted}`)
      .execute()
  await storeNoticeRule(db, { profileId, titleId, rule, nowMs })
  return previousRule
}

async function storeNoticeRule(
  db: Db,
  { profileId, titleId, rule, nowMs }: Omit<NoticeRuleChange, 'shouldKeepUnseen'>,
): Promise<void> {
  if (rule === 'all') {
    await db
      .deleteFrom('notice_mute')
      .where('profile_id', '=', profileId)
      .where('title_id', '=', titleId)
      .execute()
    return
  }
  const new_seasons = rule === 'seasons' ? 1 : 0
  await db
    .insertInto('notice_mute')
    .values({ profile_id: profileId, title_id: titleId, new_seasons, created_at: nowMs })
    .onConflict((conflict) => conflict.columns(['profile_id', 'title_id']).doUpdateSet({ new_seasons }))
    .execute()
}
