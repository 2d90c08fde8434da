import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type Audience, queryVisibleTitleOfRow } from './title-scope.ts'

export type ProgressRow = Selectable<DatabaseSchema['progress']>

interface ProgressKey {
  profileId: string
  titleId: number
  season: number
  episode: number
}

/** Locks the progress of a profile against other writers until the transaction ends. */
export const lockProgress = (db: Db, profileId: string) => lockUntilCommit(db, `progress:${profileId}`)

/** Locks the progress of the profile and returns the stored row of one movie or episode. */
export async function lockAndSelectProgress(
  db: Db,
  progressKey: ProgressKey,
): Promise<ProgressRow | undefined> {
  await lockProgress(db, progressKey.profileId)
  return db
    .selectFrom('progress')
    .selectAll()
    .where('profile_id', '=', progressKey.profileId)
    .where('title_id', '=', progressKey.titleId)
    .where('season_number', '=', progressKey.season)
    .where('episode_number', '=', progressKey.episode)
    .executeTakeFirst()
}

export async function upsertProgress(db: Db, row: Insertable<DatabaseSchema['progress']>): Promise<void> {
  const {
    profile_id: _profileId,
    title_id: _titleId,
    season_number: _seasonNumber,
    episode_number: _episodeNumber,
    ...otherColumns
  } = row
  await db
    .insertInto('progress')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['profile_id', 'title_id', 'season_number', 'episode_number'])
        .doUpdateSet(otherColumns),
    )
    .execute()
}

/** Returns all progress rows of a title, latest first. */
export async function selectProgressOfTitle(
  db: Db,
  profileId: string,
  titleId: number,
): Promise<ProgressRow[]> {
  return db
    .selectFrom('progress')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .orderBy('updated_at', 'desc')
    .orderBy('season_number', 'desc')
    .orderBy('episode_number', 'desc')
    .execute()
}

export async function selectProgressOfTitles(
  db: Db,
  profileId: string,
  titleIds: number[],
): Promise<ProgressRow[]> {
  if (titleIds.length === 0) return []
  return db
    .selectFrom('progress')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('title_id', 'in', titleIds)
    .execute()
}

export interface RecentlyPlayedTitle {
  titleId: number
  lastPlayedMs: number
  /** Date of the latest episode that aired from `airedFrom` to `today` (`YYYY-MM-DD`); null when none aired. */
  latestAirDate: string | null
}

interface RecentlyPlayedFilters {
  profileId: string
  sinceMs: number
  /** Episodes count if they aired from this date to `today`, both inclusive and in the format `YYYY-MM-DD`. */
  airedFrom: string
  today: string
}

/**
 * Returns the titles that the profile has played after `sinceMs`, and played series with an episode that aired from
 * `airedFrom` to `today`. `latestAirDate` is the date of the latest of these episodes. Leaves out finished movies,
 * titles that the audience may not see, and titles that were dismissed or disliked after the last playback.
 */
export async function selectRecentlyPlayed(
  db: Db,
  audience: Audience,
  filters: RecentlyPlayedFilters,
): Promise<RecentlyPlayedTitle[]> {
  const { profileId, airedFrom, today } = filters
  const airedEpisodesQuery = db
    .selectFrom('episode')
    .where(sql<boolean>`episode.title_id = played.title_id`)
    .where('episode.air_date', '>=', airedFrom)
    .where('episode.air_date', '<=', today)
  // The progress rows are grouped before the titles are looked up. With a join, PostgreSQL would read the whole
  // catalogue for a profile with many rows.
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('progress')
        .select((progressEb) => [
          'progress.title_id',
          progressEb.fn.max('progress.updated_at').as('last'),
          progressEb.fn.min('progress.finished').as('all_finished'),
        ])
        .where('progress.profile_id', '=', profileId)
        .groupBy('progress.title_id')
        .as('played'),
    )
    .leftJoin('interaction', (join) =>
      join.onRef('interaction.title_id', '=', 'played.title_id').on('interaction.profile_id', '=', profileId),
    )
    .leftJoin('feedback as dislike', (join) =>
      join
        .onRef('dislike.title_id', '=', 'played.title_id')
        .on('dislike.profile_id', '=', profileId)
        .on('dislike.feedback', '=', 'disliked'),
    )
    .select([
      'played.title_id',
      'played.last',
      airedEpisodesQuery.select((eb) => eb.fn.max('episode.air_date').as('air_date')).as('aired'),
    ])
    .where((eb) =>
      eb.or([
        eb('played.last', '>', filters.sinceMs),
        eb.exists(airedEpisodesQuery.select('episode.episode_id')),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb('interaction.dismissed_at', 'is', null),
        eb('played.last', '>', eb.ref('interaction.dismissed_at')),
      ]),
    )
    .where((eb) =>
      eb.or([eb('dislike.updated_at', 'is', null), eb('played.last', '>', eb.ref('dislike.updated_at'))]),
    )
    .where((eb) =>
      eb.exists(
        queryVisibleTitleOfRow(db, audience, 'played.title_id').where((titleEb) =>
          titleEb.or([titleEb('title.type', '=', 'tv'), sql<boolean>`played.all_finished = 0`]),
        ),
      ),
    )
    .execute()
  return rows.map((row) => ({
    titleId: row.title_id,
    lastPlayedMs: Number(row.last),
    latestAirDate: row.aired,
  }))
}

/**
 * Adds a viewing of the movie or episode of a progress row, at the time of this row. Does nothing when the viewing
 * exists already.
 */
export async function insertViewing(db: Db, row: ProgressRow): Promise<void> {
  const { profile_id, title_id, season_number, episode_number, updated_at: watched_at } = row
  await db
    .insertInto('play')
    .values({ profile_id, title_id, season_number, episode_number, watched_at, name: '', by_day: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
