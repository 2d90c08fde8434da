/** Releases of titles that a profile follows: episodes of followed series, and saved movies. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { buildUnmutedCondition } from './notice-condition.ts'
import { type Audience, queryVisibleTitleOfRow, queryVisibleTitles } from './title-scope.ts'

/** The saved titles of a profile: titles in its watchlist, and titles for which it has an availability request. */
const querySavedTitleIds = (db: Db, profileId: string) =>
  db
    .selectFrom('watchlist_entry')
    .select('title_id')
    .where('profile_id', '=', profileId)
    .where('in_watchlist', '=', 1)
    .union(db.selectFrom('availability_request').select('title_id').where('profile_id', '=', profileId))

/** Saved titles, and titles that the profile has started and does not dislike. */
const queryFollowedTitleIds = (db: Db, profileId: string) =>
  querySavedTitleIds(db, profileId).union(
    db
      .selectFrom('progress')
      .select('progress.title_id')
      .where('progress.profile_id', '=', profileId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('feedback')
              .select('feedback.title_id')
              .whereRef('feedback.profile_id', '=', 'progress.profile_id')
              .whereRef('feedback.title_id', '=', 'progress.title_id')
              .where('feedback.feedback', '=', 'disliked'),
          ),
        ),
      ),
  )

export interface ReleaseFilters {
  profileId: string
  /** Dates, `YYYY-MM-DD`: `from` is inclusive, `until` is exclusive. */
  from: string
  until: string
  type?: 'movie' | 'tv' | undefined
  /** True to leave out releases of which the profile wants no notice (`buildUnmutedCondition`). */
  shouldExcludeMuted?: boolean
  limit: number
}

/** A release. A movie has season 0 and episode 0. */
export interface ReleaseRow {
  title_id: number
  season_number: number
  episode_number: number
  date: string
  /** Name of the episode; null for a movie, and when the name is not known. */
  name: string | null
  /** 1 when the profile has seen the episode or movie. */
  seen: number
}

/**
 * Returns the episodes of followed series and the saved movies that are released in a period, sorted by date. Specials
 * are left out, as in notices.
 */
export async function selectReleases(
  db: Db,
  audience: Audience,
  filters: ReleaseFilters,
): Promise<ReleaseRow[]> {
  const [episodes, movies] = await Promise.all([
    filters.type === 'movie' ? [] : selectEpisodeReleases(db, audience, filters),
    filters.type === 'tv' ? [] : selectMovieReleases(db, audience, filters),
  ])
  return [...episodes, ...movies].toSorted(compareReleases).slice(0, filters.limit)
}

const compareReleases = (a: ReleaseRow, b: ReleaseRow) =>
  a.date === b.date
    ? a.title_id - b.title_id || a.season_number - b.season_number || a.episode_number - b.episode_number
    : a.date < b.date
      ? -1
      : 1

const isSeen = sql<number>`case when progress.finished = 1 then 1 else 0 end`

async function selectEpisodeReleases(
  db: Db,
  audience: Audience,
  { profileId, from: fromDate, until: untilDate, shouldExcludeMuted, limit }: ReleaseFilters,
): Promise<ReleaseRow[]> {
  return db
    .selectFrom('episode')
    .leftJoin('progress', (join) =>
      join
        .onRef('progress.title_id', '=', 'episode.title_id')
        .onRef('progress.season_number', '=', 'episode.season_number')
        .onRef('progress.episode_number', '=', 'episode.episode_number')
        .on('progress.profile_id', '=', profileId),
    )
    .select(['episode.title_id', 'episode.season_number', 'episode.episode_number', 'episode.name'])
    .select([sql<string>`episode.air_date`.as('date'), isSeen.as('seen')])
    .where('episode.title_id', 'in', queryFollowedTitleIds(db, profileId))
    .where('episode.air_date', '>=', fromDate)
    .where('episode.air_date', '<', untilDate)
    .where('episode.season_number', '>', 0)
    .where((eb) =>
      eb.exists(queryVisibleTitleOfRow(db, audience, 'episode.title_id').where('title.type', '=', 'tv')),
    )
    .$if(shouldExcludeMuted === true, (query) =>
      query.where(
        buildUnmutedCondition({
          profileId: sql`${profileId}`,
          titleId: sql`episode.title_id`,
          season: sql`episode.season_number`,
          episode: sql`episode.episode_number`,
        }),
      ),
    )
    .orderBy('episode.air_date')
    .orderBy('episode.title_id')
    .orderBy('episode.season_number')
    .orderBy('episode.episode_number')
    .limit(limit)
    .execute()
}

async function selectMovieReleases(
  db: Db,
  audience: Audience,
  { profileId, from: fromDate, until: untilDate, shouldExcludeMuted, limit }: ReleaseFilters,
): Promise<ReleaseRow[]> {
  const rows = await queryVisibleTitles(db, audience)
    .leftJoin('progress', (join) =>
      join
        .onRef('progress.title_id', '=', 'title.title_id')
        .on('progress.season_number', '=', 0)
        .on('progress.episode_number', '=', 0)
        .on('progress.profile_id', '=', profileId),
    )
    .select(['title.title_id', sql<string>`title.release_date`.as('date'), isSeen.as('seen')])
    .where('title.title_id', 'in', querySavedTitleIds(db, profileId))
    .where('title.type', '=', 'movie')
    .where('title.release_date', '>=', fromDate)
    .where('title.release_date', '<', untilDate)
    .$if(shouldExcludeMuted === true, (query) =>
      query.where(
        buildUnmutedCondition({
          profileId: sql`${profileId}`,
          titleId: sql`title.title_id`,
          season: sql`0`,
          episode: sql`0`,
        }),
      ),
    )
    .orderBy('title.release_date')
    .orderBy('title.title_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, season_number: 0, episode_number: 0, name: null }))
}

/**
 * Returns the date of the last release before `from`, and of the first release from `until` on. Null means that there
 * is none.
 */
export async function selectNearestReleaseDates(
  db: Db,
  audience: Audience,
  { profileId, from: fromDate, until: untilDate, type }: Omit<ReleaseFilters, 'limit'>,
): Promise<{ previous: string | null; next: string | null }> {
  const rows = await Promise.all([
    type === 'movie'
      ? undefined
      : selectNearestEpisodeDates(db, audience, { profileId, from: fromDate, until: untilDate }),
    type === 'tv'
      ? undefined
      : selectNearestMovieDates(db, audience, { profileId, from: fromDate, until: untilDate }),
  ])
  const previousDates = rows.flatMap((row) => row?.previous ?? []).toSorted()
  const nextDates = rows.flatMap((row) => row?.next ?? []).toSorted()
  return { previous: previousDates.at(-1) ?? null, next: nextDates[0] ?? null }
}

type ReleasePeriod = Pick<ReleaseFilters, 'profileId' | 'from' | 'until'>

/**
 * Returns the dates of the last episode before `fromDate` and of the first episode from `untilDate` on, among all
 * followed series. The subqueries read only one entry of the index `episode_release` per series, and not all episodes
 * of the series.
 */
async function selectNearestEpisodeDates(
  db: Db,
  audience: Audience,
  { profileId, from: fromDate, until: untilDate }: ReleasePeriod,
) {
  const episodeCondition = sql`e.title_id = followed.title_id and e.season_number > 0`
  return db
    .selectFrom(queryFollowedTitleIds(db, profileId).as('followed'))
    .select([
      sql<
        string | null
      >`max((select max(e.air_date) from episode e where ${episodeCondition} and e.air_date < ${fromDate}))`.as(
        'previous',
      ),
      sql<
        string | null
      >`min((select min(e.air_date) from episode e where ${episodeCondition} and e.air_date >= ${untilDate}))`.as(
        'next',
      ),
    ])
    .where((eb) =>
      eb.exists(queryVisibleTitleOfRow(db, audience, 'followed.title_id').where('title.type', '=', 'tv')),
    )
    .executeTakeFirst()
}

async function selectNearestMovieDates(
  db: Db,
  audience: Audience,
  { profileId, from: fromDate, until: untilDate }: ReleasePeriod,
) {
  return queryVisibleTitles(db, audience)
    .select([
      sql<string | null>`max(case when title.release_date < ${fromDate} then title.release_date end)`.as(
        'previous',
      ),
      sql<string | null>`min(case when title.release_date >= ${untilDate} then title.release_date end)`.as(
        'next',
      ),
    ])
    .where('title.type', '=', 'movie')
    .where('title.title_id', 'in', querySavedTitleIds(db, profileId))
    .executeTakeFirst()
}
