import type { Db } from '../db/open.ts'
import type { SeasonRecord } from './title-record.ts'

/** Brings seasons and episodes up to date; rows that stay keep their ids, rows that are gone go. */
export async function replaceSeasons(db: Db, titleId: number, seasons: SeasonRecord[]): Promise<void> {
  await dropGone(db, titleId, seasons)
  for (const season of seasons) {
    const facts = {
      name: season.name ?? null,
      air_date: season.air_date ?? null,
      poster_path: season.poster_path ?? null,
      episode_count: season.episodes.length,
    }
    const { season_id } = await db
      .insertInto('season')
      .values({ title_id: titleId, season_number: season.season_number, ...facts })
      .onConflict((conflict) => conflict.columns(['title_id', 'season_number']).doUpdateSet(facts))
      .returning('season_id')
      .executeTakeFirstOrThrow()
    await writeEpisodes(db, titleId, season_id, season)
  }
}

async function dropGone(db: Db, titleId: number, seasons: SeasonRecord[]): Promise<void> {
  const kept = seasons.map((season) => season.season_number)
  let gone = db.deleteFrom('season').where('title_id', '=', titleId)
  if (kept.length > 0) gone = gone.where('season_number', 'not in', kept)
  await gone.execute()
}

async function writeEpisodes(db: Db, titleId: number, seasonId: number, season: SeasonRecord): Promise<void> {
  const kept = season.episodes.map((episode) => episode.episode_number)
  let gone = db
    .deleteFrom('episode')
    .where('title_id', '=', titleId)
    .where('season_number', '=', season.season_number)
  if (kept.length > 0) gone = gone.where('episode_number', 'not in', kept)
  await gone.execute()
  for (const episode of season.episodes) {
    const facts = {
      season_id: seasonId,
      name: episode.name ?? null,
      overview: episode.overview ?? null,
      air_date: episode.air_date ?? null,
      runtime: episode.runtime ?? null,
      still_path: episode.still_path ?? null,
      imdb_id: episode.imdb_id ?? null,
    }
    await db
      .insertInto('episode')
      .values({
        title_id: titleId,
        season_number: season.season_number,
        episode_number: episode.episode_number,
        ...facts,
      })
      .onConflict((conflict) =>
        conflict.columns(['title_id', 'season_number', 'episode_number']).doUpdateSet(facts),
      )
      .execute()
  }
}
