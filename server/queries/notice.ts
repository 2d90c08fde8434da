/**
 * Notices about new episodes and movies, about titles that have become available, and about watch requests. They are
 * stored once per profile, title, kind and episode.
 */
import { type RawBuilder, sql } from 'kysely'
import type { NoticeRule } from '../../src/lib/rules/notice-rules.ts'
import type { Db } from '../db/database.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'

export type NoticeKind = 'episode' | 'high_quality'

interface NoticeWindow {
  profileId: string
  /**
   * First date of the window, `YYYY-MM-DD`. `today` is its last date. Episodes that aired in the window and movies
   * that were released in the window get a notice.
   */
  sinceDate: string
  today: string
  nowMs: number
}

/** SQL condition: the profile does not dislike the title, or has it in My List. */
const buildWantedCondition = ({ profileId, titleId }: Pick<MuteSubject, 'profileId' | 'titleId'>) =>
  sql<boolean>`(not exists (select 1 from feedback f where f.profile_id = ${profileId}
    and f.title_id = ${titleId} and f.feedback = 'disliked')
    or exists (select 1 from watchlist_entry w where w.profile_id = ${profileId} and w.title_id = ${titleId}
      and w.in_watchlist = 1))`

/**
 * Adds notices for aired episodes that the profile has not finished. The series must have been started by the profile
 * and not be disliked, or be in its watchlist as planned or watching.
 */
export async function insertEpisodeNotices(
  db: Db,
  { profileId, sinceDate, today, nowMs }: NoticeWindow,
): Promise<void> {
  await sql`
    insert into notice (profile_id, title_id, kind, season_number, episode_number, created_at)
    select ${profileId}, e.title_id, 'episode', e.season_number, e.episode_number, ${nowMs}
    from episode e
    where e.air_date >= ${sinceDate} and e.air_date <= ${today} and e.season_number > 0
      and (exists (select 1 from watchlist_entry w where w.profile_id = ${profileId} and w.title_id = e.title_id
             and w.in_watchlist = 1 and w.state in ('planned', 'watching'))
        or exists (select 1 from progress p where p.profile_id = ${profileId} and p.title_id = e.title_id))
      and not exists (select 1 from progress p where p.profile_id = ${profileId} and p.title_id = e.title_id
        and p.season_number = e.season_number and p.episode_number = e.episode_number and p.finished = 1)
      and ${buildWantedCondition({ profileId: sql`${profileId}`, titleId: sql`e.title_id` })}
    on conflict do nothing`.execute(db)
}

/**
 * Adds notices for released high-quality movies that the profile has not finished: movies that were released from
 * `sinceDate` to `today` and are not disliked, and movies that the watchlist of the profile contains as planned.
 */
export async function insertMovieNotices(
  db: Db,
  { profileId, sinceDate, today, nowMs }: NoticeWindow,
): Promise<void> {
  await sql`
    insert into notice (profile_id, title_id, kind, season_number, episode_number, created_at)
    select ${profileId}, t.title_id, 'high_quality', 0, 0, ${nowMs}
    from title t
    where t.type = 'movie' and t.high_quality = 1 and t.release_date <= ${today}
      and (t.release_date >= ${sinceDate}
        or exists (select 1 from watchlist_entry w where w.profile_id = ${profileId} and w.title_id = t.title_id
             and w.in_watchlist = 1 and w.state = 'planned'))
      and not exists (select 1 from progress p where p.profile_id = ${profileId} and p.title_id = t.title_id
        and p.finished = 1)
      and ${buildWantedCondition({ profileId: sql`${profileId}`, titleId: sql`t.title_id` })}
    on conflict do nothing`.execute(db)
}

interface MuteSubject {
  profileId: RawBuilder<unknown>
  titleId: RawBuilder<unknown>
  /** Numbers of the episode; 0 for a movie, and for a notice about a whole series. */
  season: RawBuilder<unknown>
  episode: RawBuilder<unknown>
}

/**
 * SQL condition: the profile has not muted the title. If the stored rule has `new_seasons`, movies are not muted.
 * Neither is the first episode of a season, even if its episode number is not 1.
 */
export const buildUnmutedCondition = ({ profileId, titleId, season, episode }: MuteSubject) =>
  sql<boolean>`not exists (select 1 from notice_mute m where m.profile_id = ${profileId} and m.title_id = ${titleId}
    and (m.new_seasons = 0 or exists (select 1 from episode earlier where earlier.title_id = ${titleId}
      and earlier.season_number = ${season} and earlier.episode_number < ${episode})))`

const isTitleUnmuted = buildUnmutedCondition({
  profileId: sql`notice.profile_id`,
  titleId: sql`notice.title_id`,
  season: sql`notice.season_number`,
  episode: sql`notice.episode_number`,
})
/** True unless the title is muted. The notice of a watch request cannot be muted, because a request needs an answer. */
const isUnmuted = sql<boolean>`(notice.kind = 'request' or ${isTitleUnmuted})`

/**
 * SQL condition: a notice has this kind. A notice of the kind `available` or `request` counts as a notice about an
 * episode if its title is a series, and as a notice about a movie if its title is a movie.
 */
const isOfKind = (
  kind: NoticeKind,
) => sql<boolean>`(notice.kind = ${kind} or (notice.kind in ('available', 'request') and exists (
  select 1 from title t where t.title_id = notice.title_id and t.type = ${kind === 'episode' ? 'tv' : 'movie'})))`
/** A notice about a title that the profile dislikes is not shown, unless the profile has asked for the title. */
const isWanted = sql<boolean>`(notice.kind in ('available', 'request') or ${buildWantedCondition({
  profileId: sql`notice.profile_id`,
  titleId: sql`notice.title_id`,
})})`
/** 1 if the profile has finished the episode or movie of a notice about a release. */
const isReleaseFinished = sql<number>`case when exists (
  select 1 from progress p where p.profile_id = notice.profile_id and p.title_id = notice.title_id
    and p.season_number = notice.season_number and p.episode_number = notice.episode_number
    and p.finished = 1 and notice.kind in ('episode', 'high_quality')) then 1 else 0 end`

/** Returns the newest notices of a kind. Unseen notices come first, so that older seen notices cannot displace them. */
export async function selectNotices(
  db: Db,
  audience: Audience,
  { profileId, kind, maxRows }: { profileId: string; kind: NoticeKind; maxRows: number },
) {
  return db
    .selectFrom('notice')
    .selectAll()
    .select(isReleaseFinished.as('finished'))
    .where('profile_id', '=', profileId)
    .where(isUnmuted)
    .where(isWanted)
    .where(isOfKind(kind))
    .where('title_id', 'in', queryVisibleTitles(db, audience).select('title.title_id'))
    .orderBy(sql`case when seen_at is null then 0 else 1 end`)
    .orderBy('created_at', 'desc')
    .orderBy('season_number', 'desc')
    .orderBy('episode_number', 'desc')
    .orderBy('notice_id', 'desc')
    .limit(maxRows)
    .execute()
}

/** Counts the unseen notices of a kind, or of all kinds if `kind` is undefined. */
export async function countUnseenNotices(
  db: Db,
  audience: Audience,
  { profileId, kind }: { profileId: string; kind?: NoticeKind },
): Promise<number> {
  let query = db
    .selectFrom('notice')
    .select((eb) => eb.fn.countAll<number>().as('unseen'))
    .where('profile_id', '=', profileId)
    .where('seen_at', 'is', null)
    .where(isReleaseFinished, '=', 0)
    .where(isUnmuted)
    .where(isWanted)
    .where('title_id', 'in', queryVisibleTitles(db, audience).select('title.title_id'))
  if (kind) query = query.where(isOfKind(kind))
  return Number((await query.executeTakeFirstOrThrow()).unseen)
}

/** Marks the notices `noticeIds` of a profile as seen. Without `noticeIds`, marks all notices of the profile. */
export async function markNoticesSeen(
  db: Db,
  profileId: string,
  noticeIds: number[] | undefined,
  nowMs: number,
): Promise<void> {
  // PostgreSQL rejects an empty `in ()` list.
  if (noticeIds?.length === 0) return
  let query = db
    .updateTable('notice')
    .set({ seen_at: nowMs })
    .where('profile_id', '=', profileId)
    .where('seen_at', 'is', null)
  if (noticeIds) query = query.where('notice_id', 'in', noticeIds)
  await query.execute()
}

/**
 * Returns the unseen notices after `lastNoticeId` that were created since `sinceMs`, oldest first. Leaves out notices
 * of muted or disliked titles, of finished episodes and movies, and of titles that the audience may not see.
 */
export async function selectUnsentNotices(
  db: Db,
  audience: Audience,
  { profileId, lastNoticeId, sinceMs }: { profileId: string; lastNoticeId: number; sinceMs: number },
) {
  return db
    .selectFrom('notice')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('notice_id', '>', lastNoticeId)
    .where('created_at', '>=', sinceMs)
    .where('seen_at', 'is', null)
    .where(isReleaseFinished, '=', 0)
    .where(isUnmuted)
    .where(isWanted)
    .where('title_id', 'in', queryVisibleTitles(db, audience).select('title.title_id'))
    .orderBy('notice_id')
    .execute()
}
export type NoticeRow = Awaited<ReturnType<typeof selectUnsentNotices>>[number]

interface NoticeRuleRow {
  titleId: number
  /**
   * True when the profile wants a notice about the start of each season, false when it wants no notices of the title.
   */
  hasNewSeasons: boolean
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
  return rows.map((row) => ({ titleId: row.title_id, hasNewSeasons: row.new_seasons === 1 }))
}

interface RuleChange {
  profileId: string
  titleId: number
  rule: NoticeRule
  /** True when the change undoes an earlier change of the rule. Notices that were muted until now then stay unseen. */
  keepsUnseen: boolean
  nowMs: number
}

/**
 * Changes the rule of a title. Unless `keepsUnseen` is true, notices that were muted until now are marked as seen, so
 * that only later releases cause notices. Returns the previous rule. Call it in a transaction.
 */
export async function setTitleNoticeRule(
  db: Db,
  { profileId, titleId, rule, keepsUnseen, nowMs }: RuleChange,
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
  if (!keepsUnseen)
    await db
      .updateTable('notice')
      .set({ seen_at: nowMs })
      .where('profile_id', '=', profileId)
      .where('title_id', '=', titleId)
      .where('seen_at', 'is', null)
      .where(sql<boolean>`not ${isUnmuted}`)
      .execute()
  await storeNoticeRule(db, { profileId, titleId, rule, nowMs })
  return previousRule
}

async function storeNoticeRule(
  db: Db,
  { profileId, titleId, rule, nowMs }: Omit<RuleChange, 'keepsUnseen'>,
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

/**
 * Adds an unseen notice and deletes an earlier notice of this kind for the title. The new notice has a new id,
 * because only notices after the last sent id are delivered. Call it in a transaction.
 */
export async function replaceTitleNotice(
  db: Db,
  {
    profileId,
    titleId,
    kind,
    nowMs,
  }: { profileId: string; titleId: number; kind: 'available' | 'request'; nowMs: number },
): Promise<void> {
  await db
    .deleteFrom('notice')
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .where('kind', '=', kind)
    .execute()
  // On PostgreSQL, a concurrent transaction can insert the same notice after the deletion. That notice is updated here.
  await sql`
    insert into notice (profile_id, title_id, kind, season_number, episode_number, created_at)
    values (${profileId}, ${titleId}, ${kind}, 0, 0, ${nowMs})
    on conflict (profile_id, title_id, kind, season_number, episode_number)
    do update set created_at = excluded.created_at, seen_at = null`.execute(db)
}

/**
 * Deletes the notice about the watch requests for a title, unless one of the profiles `childIds` has an unanswered
 * request for the title that was created after `sinceMs`.
 */
export async function deleteAnsweredRequestNotice(
  db: Db,
  {
    profileId,
    titleId,
    childIds,
    sinceMs,
  }: { profileId: string; titleId: number; childIds: readonly string[]; sinceMs: number },
): Promise<void> {
  await db
    .deleteFrom('notice')
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .where('kind', '=', 'request')
    // One statement, so that a request which is created at the same time keeps its notice.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('watch_request')
            .select('request_id')
            .where('watch_request.title_id', '=', titleId)
            .where('watch_request.profile_id', 'in', childIds)
            .where('watch_request.answer', 'is', null)
            .where('watch_request.created_at', '>', sinceMs),
        ),
      ),
    )
    .execute()
}
