/** Titles that a profile has seen completely. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { createWatchStateSql } from './watchlist.ts'

/**
 * Returns the ids of series whose released regular episodes were all finished by the profile. An episode without a date
 * counts as released only if no regular episode of the series has a date.
 */
export async function selectSeenSeriesIds(db: Db, profileId: string, today: string): Promise<number[]> {
  const { rows } = await sql<{ title_id: number }>`
    select seen.title_id from (
      select distinct progress.title_id from progress join title on title.title_id = progress.title_id
      where progress.profile_id = ${profileId} and progress.finished = 1 and progress.season_number > 0
        and title.type = 'tv') seen
    where not exists (
      select 1 from episode e where e.title_id = seen.title_id and e.season_number > 0
        and (e.air_date <= ${today} or (e.air_date is null and not exists (
          select 1 from episode dated where dated.title_id = e.title_id and dated.season_number > 0
            and dated.air_date is not null)))
        and not exists (select 1 from progress p where p.profile_id = ${profileId} and p.title_id = e.title_id
          and p.season_number = e.season_number and p.episode_number = e.episode_number and p.finished = 1))
    order by seen.title_id`.execute(db)
  return rows.map((row) => row.title_id)
}

/**
 * Returns the ids of titles that the profile has seen or marked as completed. The filter "hide seen" excludes these
 * titles.
 */
export async function selectSeenTitleIds(db: Db, profileId: string, today: string): Promise<Set<number>> {
  const [completedTitles, finishedMovies, seenSeriesIds] = await Promise.all([
    db
      .selectFrom('watchlist_entry')
      .select('title_id')
      .where('profile_id', '=', profileId)
      .where(createWatchStateSql(today), '=', 'completed')
      .execute(),
    db
      .selectFrom('progress')
      .innerJoin('title', 'title.title_id', 'progress.title_id')
      .select('progress.title_id')
      .where('profile_id', '=', profileId)
      .where('finished', '=', 1)
      .where('title.type', '=', 'movie')
      .execute(),
    selectSeenSeriesIds(db, profileId, today),
  ])
  return new Set([...[...completedTitles, ...finishedMovies].map((row) => row.title_id), ...seenSeriesIds])
}
