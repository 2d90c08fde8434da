/** Adds episodes to series whose episodes are known only from files. */
import type { Db } from '../db/database.ts'

export interface MissingEpisode {
  titleId: number
  season: number
  episode: number
}

/**
 * Adds the episodes that do not exist yet, and their seasons, and updates the episode counts. Call it in a transaction.
 */
export async function insertMissingEpisodes(db: Db, episodes: readonly MissingEpisode[]): Promise<void> {
  for (const { titleId, season, episode } of episodes) {
    const seasonId = await getOrCreateSeasonId(db, titleId, season)
    const storedEpisode = await db
      .selectFrom('episode')
      .select('episode_id')
      .where('season_id', '=', seasonId)
      .where('episode_number', '=', episode)
      .executeTakeFirst()
    if (storedEpisode) continue
    await db
      .insertInto('episode')
      .values({ season_id: seasonId, title_id: titleId, season_number: season, episode_number: episode })
      .execute()
  }
  for (const titleId of new Set(episodes.map((episode) => episode.titleId)))
    await updateEpisodeCounts(db, titleId)
}

async function getOrCreateSeasonId(db: Db, titleId: number, season: number): Promise<number> {
  const storedSeason = await db
    .selectFrom('season')
    .select('season_id')
    .where('title_id', '=', titleId)
    .where('season_number', '=', season)
    .executeTakeFirst()
  if (storedSeason) return storedSeason.season_id
  const { season_id } = await db
    .insertInto('season')
    .values({ title_id: titleId, season_number: season, episode_count: 0 })
    .returning('season_id')
    .executeTakeFirstOrThrow()
  return season_id
}

async function updateEpisodeCounts(db: Db, titleId: number): Promise<void> {
  const seasonCounts = await db
    .selectFrom('episode')
    .select((eb) => ['season_id', 'season_number', eb.fn.countAll<number>().as('episodes')])
    .where('title_id', '=', titleId)
    .groupBy(['season_id', 'season_number'])
    .execute()
  for (const { season_id, episodes } of seasonCounts)
    await db
      .updateTable('season')
      .set({ episode_count: Number(episodes) })
      .where('season_id', '=', season_id)
      .execute()
  await db
    .updateTable('title')
    .set({
      season_count: seasonCounts.filter(({ season_number }) => season_number > 0).length,
      episode_count: seasonCounts.reduce((sum, { episodes }) => sum + Number(episodes), 0),
    })
    .where('title_id', '=', titleId)
    .execute()
}
