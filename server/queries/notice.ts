/**
 * Notices about new episodes and movies, about titles that have become available, and about watch requests. They are
 * stored once per profile, title, kind and episode.
 */
import { type RawBuilder, sql } from 'kysely'
import { addDays } from '../../src/lib/rules/calendar-days.ts'
import type { Db } from '../db/database.ts'
import {
  buildWantedCondition,
  hasFinishedPlayback,
  isEpisodeInCatalogue,
  isNoticeOfKind,
  isNoticeUnmuted,
  isReleaseFinished,
  isWanted,
  type NoticeKind,
} from './notice-condition.ts'
import { type Audience, queryVisibleTitleOfRow } from './title-scope.ts'

interface NoticeWindow {
  profileId: string
  /**
   * First date of the window, `YYYY-MM-DD`. `today` is its last date. Episodes that aired in the window and movies
   * that were released in the window can get a notice.
   */
  sinceDate: string
  today: string
  nowMs: number
}

/**
 * SQL condition of the notices of episodes and movies whose release an import has postponed. These notices are deleted,
 * so that the profile gets a notice on the new date. The notice of a release on the day after `today` stays, because
 * that day may already have begun in the time zone of another device of the profile.
 */
function buildPostponedReleaseCondition({ profileId, today }: NoticeWindow) {
  const tomorrow = addDays(today, 1)
  return sql`notice.profile_id = ${profileId} and (
    (notice.kind = 'episode' and exists (select 1 from episode e where e.title_id = notice.title_id
      and e.season_number = notice.season_number and e.episode_number = notice.episode_number
      and e.air_date > ${tomorrow}))
    or (notice.kind = 'high_quality' and exists (select 1 from title t where t.title_id = notice.title_id
      and t.release_date > ${tomorrow})))`
}

interface MissingNoticesQuery {
  /** Expressions of the title, the kind, the season and the episode of a new notice. */
  columns: RawBuilder<unknown>
  /** The `from` and `where` clauses of the releases that need a notice and have none. */
  source: RawBuilder<unknown>
}

/**
 * Selects the episodes that aired in the window, have no notice yet and were not finished by the profile. Specials are
 * left out. Only series that the profile has started and does not dislike, and series that its watchlist contains as
 * planned or watching, cause notices.
 */
function selectMissingEpisodeNotices({ profileId, sinceDate, today }: NoticeWindow): MissingNoticesQuery {
  return {
    columns: sql`e.title_id, 'episode', e.season_number, e.episode_number`,
    source: sql`from episode e
    where e.air_date >= ${sinceDate} and e.air_date <= ${today} and e.season_number > 0
      and (exists (select 1 from watchlist_entry w where w.profile_id = ${profileId} and w.title_id = e.title_id
             and w.in_watchlist = 1 and w.state in ('planned', 'watching'))
        or exists (select 1 from progress p where p.profile_id = ${profileId} and p.title_id = e.title_id))
      and not exists (select 1 from progress p where p.profile_id = ${profileId} and p.title_id = e.title_id
        and p.season_number = e.season_number and p.episode_number = e.episode_number and ${hasFinishedPlayback})
      and not exists (select 1 from notice n where n.profile_id = ${profileId} and n.title_id = e.title_id
        and n.kind = 'episode' and n.season_number = e.season_number and n.episode_number = e.episode_number)
      and ${buildWantedCondition({ profileId: sql`${profileId}`, titleId: sql`e.title_id` })}`,
  }
}

/**
 * Selects the released high-quality movies that have no notice yet and were not finished by the profile. A movie gets a
 * notice if it was released from `sinceDate` to `today` and is not disliked, or if the watchlist of the profile
 * contains it as planned.
 */
function selectMissingMovieNotices({ profileId, sinceDate, today }: NoticeWindow): MissingNoticesQuery {
  return {
    columns: sql`t.title_id, 'high_quality', 0, 0`,
    // The subquery reads the recent releases and the watchlist. With `or` between both conditions, the databases would
    // read all released movies.
    source: sql`from title t
    where t.type = 'movie' and t.high_quality = 1 and t.release_date <= ${today}
      and t.title_id in (
        select recent.title_id from title recent where recent.type = 'movie'
          and recent.release_date >= ${sinceDate} and recent.release_date <= ${today}
        union all
        select w.title_id from watchlist_entry w where w.profile_id = ${profileId} and w.in_watchlist = 1
          and w.state = 'planned')
      and not exists (select 1 from progress p where p.profile_id = ${profileId} and p.title_id = t.title_id
        and ${hasFinishedPlayback})
      and not exists (select 1 from notice n where n.profile_id = ${profileId} and n.title_id = t.title_id
        and n.kind = 'high_quality' and n.season_number = 0 and n.episode_number = 0)
      and ${buildWantedCondition({ profileId: sql`${profileId}`, titleId: sql`t.title_id` })}`,
  }
}

const selectMissingNotices = (window: NoticeWindow, kind: NoticeKind): MissingNoticesQuery =>
  kind === 'episode' ? selectMissingEpisodeNotices(window) : selectMissingMovieNotices(window)

/** Returns true if `updateNotices` would delete or add a notice. */
export async function hasNoticeChanges(
  db: Db,
  window: NoticeWindow,
  kinds: readonly NoticeKind[],
): Promise<boolean> {
  const changes = [
    sql`select 1 from notice where ${buildPostponedReleaseCondition(window)}`,
    ...kinds.map((kind) => sql`select 1 ${selectMissingNotices(window, kind).source}`),
  ]
  const hasChangeCondition = sql.join(
    changes.map((change) => sql`exists (${change})`),
    sql` or `,
  )
  const { rows } = await sql<{ changed: number }>`
    select case when ${hasChangeCondition} then 1 else 0 end as changed`.execute(db)
  return Number(rows[0]?.changed) === 1
}

/** Deletes the notices of postponed releases, and adds the missing notices of these kinds. Call it in a transaction. */
export async function updateNotices(
  db: Db,
  window: NoticeWindow,
  kinds: readonly NoticeKind[],
): Promise<void> {
  await sql`delete from notice where ${buildPostponedReleaseCondition(window)}`.execute(db)
  for (const kind of kinds) {
    const { columns, source } = selectMissingNotices(window, kind)
    await sql`
      insert into notice (profile_id, title_id, kind, season_number, episode_number, created_at)
      select ${window.profileId}, ${columns}, ${window.nowMs} ${source} on conflict do nothing`.execute(db)
  }
}

/** Returns the newest notices of a kind. Unseen notices come first, so that newer seen notices cannot displace them. */
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
    .where(isNoticeUnmuted)
    .where(isWanted)
    .where(isEpisodeInCatalogue)
    .where(isNoticeOfKind(kind))
    .where((eb) => eb.exists(queryVisibleTitleOfRow(db, audience, 'notice.title_id')))
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
    .where(isNoticeUnmuted)
    .where(isWanted)
    .where(isEpisodeInCatalogue)
    .where((eb) => eb.exists(queryVisibleTitleOfRow(db, audience, 'notice.title_id')))
  if (kind) query = query.where(isNoticeOfKind(kind))
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
 * of muted titles and of titles whose notices the profile does not want (`isWanted`), of finished episodes and movies,
 * of episodes that the catalogue no longer contains, and of titles that the audience may not see.
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
    .where(isNoticeUnmuted)
    .where(isWanted)
    .where(isEpisodeInCatalogue)
    .where((eb) => eb.exists(queryVisibleTitleOfRow(db, audience, 'notice.title_id')))
    .orderBy('notice_id')
    .execute()
}
export type NoticeRow = Awaited<ReturnType<typeof selectUnsentNotices>>[number]

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
    // The condition is part of the deletion, so that a request which is created at the same time keeps its notice.
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
