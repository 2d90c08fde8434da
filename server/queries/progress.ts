import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'

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
  /** `YYYY-MM-DD` */
  latestAirDate: string | null
}

interface RecentlyPlayedFilters {
  profileId: string
  /** Time in milliseconds since 1970. */
  sinceMs: number
  /** First air date, `YYYY-MM-DD`. `today` is the last air date in the same format. */
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
  const rows = await queryVisibleTitles(db, audience)
    .innerJoin('progress', 'progress.title_id', 'title.title_id')
    .leftJoin('interaction', (join) =>
      join
        .onRef('interaction.title_id', '=', 'progress.title_id')
        .onRef('interaction.profile_id', '=', 'progress.profile_id'),
    )
    .leftJoin('feedback as dislike', (join) =>
      join
        .onRef('dislike.title_id', '=', 'progress.title_id')
        .onRef('dislike.profile_id', '=', 'progress.profile_id')
        .on('dislike.feedback', '=', 'disliked'),
    )
    .select((eb) => [
      'progress.title_id',
      eb.fn.max('progress.updated_at').as('last'),
      eb
        .selectFrom('episode')
        .select((episodeEb) => episodeEb.fn.max('episode.air_date').as('air_date'))
        .whereRef('episode.title_id', '=', 'progress.title_id')
        .where('episode.air_date', '>=', airedFrom)
        .where('episode.air_date', '<=', today)
        .as('aired'),
    ])
    .where('progress.profile_id', '=', profileId)
    .where((eb) => eb.not(eb.and([eb('title.type', '=', 'movie'), eb('progress.finished', '=', 1)])))
    .groupBy(['progress.title_id', 'interaction.dismissed_at', 'dislike.updated_at'])
    .having((eb) =>
      eb.or([
        eb(eb.fn.max('progress.updated_at'), '>', filters.sinceMs),
        eb.exists(
          eb
            .selectFrom('episode')
            .select('episode.episode_id')
            .whereRef('episode.title_id', '=', 'progress.title_id')
            .where('episode.air_date', '>=', airedFrom)
            .where('episode.air_date', '<=', today),
        ),
      ]),
    )
    .having((eb) =>
      eb.or([
        eb('interaction.dismissed_at', 'is', null),
        eb(eb.fn.max('progress.updated_at'), '>', eb.ref('interaction.dismissed_at')),
      ]),
    )
    .having((eb) =>
      eb.or([
        eb('dislike.updated_at', 'is', null),
        eb(eb.fn.max('progress.updated_at'), '>', eb.ref('dislike.updated_at')),
      ]),
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
