import type { Insertable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { insertRows } from './insert-rows.ts'
import type { SeasonRow } from './title-details.ts'
import type { SeasonRecord } from './title-record.ts'
import type { WrittenTitle } from './title-relations.ts'

type NewEpisodeRow = Insertable<DatabaseSchema['episode']>

/**
 * Updates seasons and episodes to match the records. Existing rows keep their ids, rows without a record are deleted,
 * and unchanged rows are not written.
 */
export async function replaceSeasons(db: Db, titles: WrittenTitle[]): Promise<void> {
  await addSeasons(
    db,
    titles
      .filter((title) => title.isNew)
      .map(({ titleId, record }) => ({ titleId, seasons: record.seasons })),
  )
  for (const { titleId, record, isNew } of titles) {
    if (!isNew) await updateSeasons(db, titleId, record.seasons)
  }
}

interface NewSeasons {
  titleId: number
  seasons: SeasonRecord[]
}

async function addSeasons(db: Db, titles: NewSeasons[]): Promise<void> {
  const rows = titles.flatMap(({ titleId, seasons }) =>
    seasons.map((season) => ({
      title_id: titleId,
      season_number: season.season_number,
      ...createSeasonColumns(season),
    })),
  )
  const insertedRows = await insertRows(db, 'season', rows, {
    returning: ['season_id', 'title_id', 'season_number'],
  })
  const seasonIdByTitleAndNumber = new Map(
    insertedRows.map((row) => [`${row['title_id']} ${row['season_number']}`, Number(row['season_id'])]),
  )
  const episodes = titles.flatMap(({ titleId, seasons }) =>
    seasons.flatMap((season) =>
      createEpisodeRows(
        titleId,
        seasonIdByTitleAndNumber.get(`${titleId} ${season.season_number}`) ?? 0,
        season,
      ),
    ),
  )
  await insertRows(db, 'episode', episodes)
}

async function updateSeasons(db: Db, titleId: number, seasons: SeasonRecord[]): Promise<void> {
  const storedSeasons = await db.selectFrom('season').selectAll().where('title_id', '=', titleId).execute()
  const storedSeasonsByNumber = new Map(storedSeasons.map((season) => [season.season_number, season]))
  const seasonNumbers = new Set(seasons.map((season) => season.season_number))
  const removedSeasonIds = storedSeasons
    .filter((season) => !seasonNumbers.has(season.season_number))
    .map((season) => season.season_id)
  if (removedSeasonIds.length > 0)
    await db.deleteFrom('season').where('season_id', 'in', removedSeasonIds).execute()
  for (const season of seasons) {
    const existingSeason = storedSeasonsByNumber.get(season.season_number)
    if (existingSeason) await updateSeason(db, existingSeason, season)
    else await addSeasons(db, [{ titleId, seasons: [season] }])
  }
}

async function updateSeason(db: Db, existingSeason: SeasonRow, season: SeasonRecord): Promise<void> {
  const seasonColumns = createSeasonColumns(season)
  if (hasDifferences(existingSeason, seasonColumns)) {
    await db
      .updateTable('season')
      .set(seasonColumns)
      .where('season_id', '=', existingSeason.season_id)
      .execute()
  }
  const storedEpisodes = await db
    .selectFrom('episode')
    .selectAll()
    .where('season_id', '=', existingSeason.season_id)
    .execute()
  const storedEpisodesByNumber = new Map(storedEpisodes.map((episode) => [episode.episode_number, episode]))
  const episodeRows = createEpisodeRows(existingSeason.title_id, existingSeason.season_id, season)
  const episodeNumbers = new Set(episodeRows.map((episode) => episode.episode_number))
  const removedEpisodeIds = storedEpisodes
    .filter((episode) => !episodeNumbers.has(episode.episode_number))
    .map((episode) => episode.episode_id)
  if (removedEpisodeIds.length > 0)
    await db.deleteFrom('episode').where('episode_id', 'in', removedEpisodeIds).execute()
  for (const episode of episodeRows) {
    const storedEpisode = storedEpisodesByNumber.get(episode.episode_number)
    if (storedEpisode && hasDifferences(storedEpisode, episode)) {
      await db
        .updateTable('episode')
        .set(episode)
        .where('episode_id', '=', storedEpisode.episode_id)
        .execute()
    }
  }
  await insertRows(
    db,
    'episode',
    episodeRows.filter((episode) => !storedEpisodesByNumber.has(episode.episode_number)),
  )
}

function hasDifferences(row: object, columns: object): boolean {
  return Object.entries(columns).some(([column, value]) => (row as Record<string, unknown>)[column] !== value)
}

function createSeasonColumns(season: SeasonRecord) {
  return {
    name: season.name ?? null,
    air_date: season.air_date ?? null,
    poster_path: season.poster_path ?? null,
    episode_count: season.episodes.length,
  }
}

function createEpisodeRows(title_id: number, season_id: number, season: SeasonRecord): NewEpisodeRow[] {
  return season.episodes.map((episode) => ({
    season_id,
    title_id,
    season_number: season.season_number,
    episode_number: episode.episode_number,
    name: episode.name ?? null,
    overview: episode.overview ?? null,
    air_date: episode.air_date ?? null,
    runtime: episode.runtime ?? null,
    still_path: episode.still_path ?? null,
    imdb_id: episode.imdb_id ?? null,
  }))
}
