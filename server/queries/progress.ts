import { type Insertable, type Selectable, sql } from 'kysely'
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

/**
 * Returns titles that the profile played after `sinceMs`, or that have an episode aired between `airedFrom` and
 * `today`, last played first. Titles that the audience may not see, or that were dismissed after the last playback,
 * are excluded.
 */
export async function selectRecentlyPlayed(
  db: Db,
  audience: Audience,
  filters: RecentlyPlayedFilters,
): Promise<{ title_id: number; last: number }[]> {
  const { profileId, airedFrom, today, limit } = filters
  const rows = await queryVisibleTitles(db, audience)
    .innerJoin('progress', 'progress.title_id', 'title.title_id')
    .leftJoin('interaction', (join) =>
      join
        .onRef('interaction.title_id', '=', 'progress.title_id')
        .onRef('interaction.profile_id', '=', 'progress.profile_id'),
    )
    .select(['progress.title_id', (eb) => eb.fn.max('progress.updated_at').as('last')])
    .where('progress.profile_id', '=', profileId)
    .groupBy(['progress.title_id', 'interaction.dismissed_at'])
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
    .orderBy('last', 'desc')
    .orderBy('progress.title_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ title_id: row.title_id, last: Number(row.last) }))
}

interface RecentlyPlayedFilters {
  profileId: string
  /** Time in milliseconds since 1970. */
  sinceMs: number
  /** First air date, `YYYY-MM-DD`. `today` is the last air date in the same format. */
  airedFrom: string
  today: string
  limit: number
}

/** Adds a viewing at the time of the progress row. Does nothing when the viewing exists already. */
export async function insertViewing(db: Db, row: ProgressRow): Promise<void> {
  const { profile_id, title_id, season_number, episode_number, updated_at: watched_at } = row
  await db
    .insertInto('play')
    .values({ profile_id, title_id, season_number, episode_number, watched_at, name: '', by_day: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Time during which removed progress can be restored. */
export const PROGRESS_UNDO_PERIOD_MS = 600_000

const REMOVED_TABLES = [
  ['progress', 'progress_removed'],
  ['play', 'play_removed'],
] as const
const COLUMNS_BY_TABLE = {
  progress: [
    'profile_id',
    'title_id',
    'season_number',
    'episode_number',
    'progress',
    'duration',
    'finished',
    'plays',
    'updated_at',
  ],
  play: [
    'profile_id',
    'title_id',
    'season_number',
    'episode_number',
    'name',
    'watched_at',
    'by_day',
    'marked',
    'note',
  ],
} as const

/**
 * Moves progress and viewings of one title, or of all titles, to the `_removed` tables, so that they can be restored.
 * Only the rows of the last call that moved rows can be restored. A client may repeat a call after a lost response.
 * The repeated call finds no rows to move, and the rows of the first call can still be restored. Call it in a
 * transaction. Returns true when a row was moved.
 */
export async function moveProgressToRemoved(
  db: Db,
  { profileId, titleId, nowMs }: { profileId: string; titleId?: number; nowMs: number },
): Promise<boolean> {
  await lockProgress(db, profileId)
  const titleCondition = titleId === undefined ? sql`` : sql`and title_id = ${titleId}`
  const { rows } = await sql<{ found: number }>`
    select 1 as found from progress where profile_id = ${profileId} ${titleCondition}
    union all select 1 as found from play where profile_id = ${profileId} ${titleCondition} limit 1
  `.execute(db)
  if (rows.length === 0) {
    const otherTitlesCondition = titleId === undefined ? sql`1 = 0` : sql`title_id <> ${titleId}`
    for (const [, removedTable] of REMOVED_TABLES)
      await sql`delete from ${sql.table(removedTable)} where profile_id = ${profileId} and ${otherTitlesCondition}`.execute(
        db,
      )
    return false
  }
  for (const [table, removedTable] of REMOVED_TABLES) {
    const columns = sql.join(COLUMNS_BY_TABLE[table].map((columnName) => sql.ref(columnName)))
    await sql`delete from ${sql.table(removedTable)} where profile_id = ${profileId}`.execute(db)
    await sql`insert into ${sql.table(removedTable)} (${columns}, removed_at) select ${columns}, ${sql.lit(nowMs)}
      from ${sql.table(table)} where profile_id = ${profileId} ${titleCondition}`.execute(db)
    await sql`delete from ${sql.table(table)} where profile_id = ${profileId} ${titleCondition}`.execute(db)
  }
  return true
}

/**
 * Restores the last removed rows if they were removed at or after `sinceMs`. Does not overwrite rows that exist again.
 * Returns true when a row was restored.
 */
export async function restoreRemovedProgress(db: Db, profileId: string, sinceMs: number): Promise<boolean> {
  await lockProgress(db, profileId)
  let restoredCount = 0n
  for (const [table, removedTable] of REMOVED_TABLES) {
    const columns = sql.join(COLUMNS_BY_TABLE[table].map((columnName) => sql.ref(columnName)))
    const result =
      await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${sql.table(removedTable)}
      where profile_id = ${profileId} and removed_at >= ${sinceMs} on conflict do nothing`.execute(db)
    restoredCount += result.numAffectedRows ?? 0n
    await sql`delete from ${sql.table(removedTable)} where profile_id = ${profileId}`.execute(db)
  }
  return restoredCount > 0n
}

/** Permanently deletes removed progress and viewings that can no longer be restored. */
export async function deleteExpiredRemovedProgress(db: Db, nowMs: number): Promise<void> {
  for (const [, removedTable] of REMOVED_TABLES)
    await db
      .deleteFrom(removedTable)
      .where('removed_at', '<', nowMs - PROGRESS_UNDO_PERIOD_MS)
      .execute()
}
