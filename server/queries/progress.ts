import { type Insertable, type Selectable, sql } from 'kysely'
import { lockUntilCommit } from '../db/lock.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { type Audience, visibleTitles } from './scope.ts'

export type ProgressRow = Selectable<Schema['progress']>

interface Place {
  profileId: string
  titleId: number
  season: number
  episode: number
}

/** Nobody else writes, removes or restores the profile's progress until the transaction ends. */
export const lockProgress = (db: Db, profileId: string) => lockUntilCommit(db, `progress:${profileId}`)

/** The stored progress, locked. */
export async function lockedProgress(db: Db, place: Place): Promise<ProgressRow | undefined> {
  await lockProgress(db, place.profileId)
  return db
    .selectFrom('progress')
    .selectAll()
    .where('profile_id', '=', place.profileId)
    .where('title_id', '=', place.titleId)
    .where('season_number', '=', place.season)
    .where('episode_number', '=', place.episode)
    .executeTakeFirst()
}

export async function putProgress(db: Db, row: Insertable<Schema['progress']>): Promise<void> {
  const { profile_id: _p, title_id: _t, season_number: _s, episode_number: _e, ...set } = row
  await db
    .insertInto('progress')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['profile_id', 'title_id', 'season_number', 'episode_number']).doUpdateSet(set),
    )
    .execute()
}

/** Newest first. */
export async function progressOf(db: Db, profileId: string, titleId: number): Promise<ProgressRow[]> {
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

export async function progressOfTitles(
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
 * Titles that the profile has played, last played first, that the audience may know of and nobody dismissed since: played
 * after `since`, or with an episode that aired from `airedFrom` to `today`.
 */
export async function recentlyPlayed(
  db: Db,
  audience: Audience,
  { profileId, since, airedFrom, today, limit }: Recent,
): Promise<{ title_id: number; last: number }[]> {
  const rows = await visibleTitles(db, audience)
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
        eb(eb.fn.max('progress.updated_at'), '>', since),
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

interface Recent {
  profileId: string
  /** In ms. */
  since: number
  /** Days, YYYY-MM-DD. */
  airedFrom: string
  today: string
  limit: number
}

/** A viewing that ended at the time of this progress. */
export async function insertPlay(db: Db, row: ProgressRow): Promise<void> {
  const { profile_id, title_id, season_number, episode_number, updated_at: watched_at } = row
  await db
    .insertInto('play')
    .values({ profile_id, title_id, season_number, episode_number, watched_at, name: '', by_day: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const KEPT = [
  ['progress', 'progress_removed'],
  ['play', 'play_removed'],
] as const
const COLUMNS = {
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
  play: ['profile_id', 'title_id', 'season_number', 'episode_number', 'name', 'watched_at', 'by_day'],
} as const

/**
 * Takes progress and viewings away, of a title or all of it, and keeps them to be brought back. Said twice (the first answer
 * was lost), what the first took can still be brought back. Call it in a transaction.
 */
export async function removeProgress(
  db: Db,
  { profileId, titleId, now }: { profileId: string; titleId?: number; now: number },
): Promise<void> {
  await lockProgress(db, profileId)
  const ofTitle = titleId === undefined ? sql`` : sql`and title_id = ${titleId}`
  const { rows } = await sql<{ one: number }>`
    select 1 as one from progress where profile_id = ${profileId} ${ofTitle}
    union all select 1 as one from play where profile_id = ${profileId} ${ofTitle} limit 1
  `.execute(db)
  if (rows.length === 0) {
    const ofOthers = titleId === undefined ? sql`1 = 0` : sql`title_id <> ${titleId}`
    for (const [, kept] of KEPT)
      await sql`delete from ${sql.table(kept)} where profile_id = ${profileId} and ${ofOthers}`.execute(db)
    return
  }
  for (const [table, kept] of KEPT) {
    const columns = sql.join(COLUMNS[table].map((name) => sql.ref(name)))
    await sql`delete from ${sql.table(kept)} where profile_id = ${profileId}`.execute(db)
    await sql`insert into ${sql.table(kept)} (${columns}, removed_at) select ${columns}, ${sql.lit(now)}
      from ${sql.table(table)} where profile_id = ${profileId} ${ofTitle}`.execute(db)
    await sql`delete from ${sql.table(table)} where profile_id = ${profileId} ${ofTitle}`.execute(db)
  }
}

/** Brings back what was removed last, if that was after `since`; what was watched again meanwhile stays as it is. */
export async function restoreProgress(db: Db, profileId: string, since: number): Promise<boolean> {
  await lockProgress(db, profileId)
  let restored = 0n
  for (const [table, kept] of KEPT) {
    const columns = sql.join(COLUMNS[table].map((name) => sql.ref(name)))
    const back =
      await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${sql.table(kept)}
      where profile_id = ${profileId} and removed_at >= ${since} on conflict do nothing`.execute(db)
    restored += back.numAffectedRows ?? 0n
    await sql`delete from ${sql.table(kept)} where profile_id = ${profileId}`.execute(db)
  }
  return restored > 0n
}
