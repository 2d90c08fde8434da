/** Reads the titles that a profile plans to watch, and the first episodes of series. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { TitleRow } from './title.ts'
import type { EpisodeRow } from './title-details.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'
import { createWatchStateSql } from './watchlist.ts'

interface PlannedTitleFilters {
  profileId: string
  /** `YYYY-MM-DD` */
  today: string
  /** Ids of titles to leave out. */
  excludedTitleIds: readonly number[]
  limit: number
  offset: number
}

/**
 * Returns the titles of the watchlist that are not completed, last added first. Seen movies, unreleased titles and
 * `excludedTitleIds` are left out.
 */
export async function selectPlannedTitles(
  db: Db,
  audience: Audience,
  { profileId, today, excludedTitleIds, limit, offset }: PlannedTitleFilters,
): Promise<TitleRow[]> {
  return queryVisibleTitles(db, audience)
    .innerJoin('watchlist_entry', 'watchlist_entry.title_id', 'title.title_id')
    .selectAll('title')
    .where('watchlist_entry.profile_id', '=', profileId)
    .where('watchlist_entry.in_watchlist', '=', 1)
    .where(sql<boolean>`coalesce(${createWatchStateSql(today)}, '') <> 'completed'`)
    .where((eb) => eb.or([eb('title.release_date', 'is', null), eb('title.release_date', '<=', today)]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('progress')
            .select('progress.title_id')
            .whereRef('progress.profile_id', '=', 'watchlist_entry.profile_id')
            .whereRef('progress.title_id', '=', 'watchlist_entry.title_id')
            .where('progress.season_number', '=', 0)
            .where('progress.episode_number', '=', 0)
            .where('progress.finished', '=', 1),
        ),
      ),
    )
    .orderBy('watchlist_entry.added_at', (order) => order.desc().nullsLast())
    .orderBy('title.title_id')
    .limit(limit)
    .offset(offset)
    .$if(excludedTitleIds.length > 0, (query) => query.where('title.title_id', 'not in', excludedTitleIds))
    .execute()
}

/** Returns the episodes of the first season of each title, or its specials when it has no other episodes. */
export async function selectFirstSeasonEpisodes(db: Db, titleIds: number[]): Promise<EpisodeRow[]> {
  if (titleIds.length === 0) return []
  return db
    .selectFrom('episode')
    .selectAll()
    .where('title_id', 'in', titleIds)
    .where(
      'season_number',
      '=',
      sql<number>`coalesce((select min(e.season_number) from episode e
        where e.title_id = episode.title_id and e.season_number > 0), 0)`,
    )
    .orderBy('title_id')
    .orderBy('episode_number')
    .execute()
}
