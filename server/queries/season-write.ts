import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { insertRows } from './insert-rows.ts'
import type { Written } from './title-parts.ts'
import type { SeasonRecord } from './title-record.ts'

type Season = Selectable<Schema['season']>
type Episode = Insertable<Schema['episode']>

/** Brings seasons and episodes up to date; rows that stay keep their ids, rows that are gone go, equal rows rest. */
export async function replaceSeasons(db: Db, titles: Written[]): Promise<void> {
  await addSeasons(
    db,
    titles
      .filter((title) => title.fresh)
      .map(({ titleId, record }) => ({ titleId, seasons: record.seasons })),
  )
  for (const { titleId, record, fresh } of titles) {
    if (!fresh) await updateSeasons(db, titleId, record.seasons)
  }
}

interface Added {
  titleId: number
  seasons: SeasonRecord[]
}

async function addSeasons(db: Db, titles: Added[]): Promise<void> {
  const rows = titles.flatMap(({ titleId, seasons }) =>
    seasons.map((season) => ({
      title_id: titleId,
      season_number: season.season_number,
      ...seasonFacts(season),
    })),
  )
  const answers = await insertRows(db, 'season', rows, {
    returning: ['season_id', 'title_id', 'season_number'],
  })
  const ids = new Map(
    answers.map((row) => [`${row['title_id']} ${row['season_number']}`, Number(row['season_id'])]),
  )
  const episodes = titles.flatMap(({ titleId, seasons }) =>
    seasons.flatMap((season) =>
      episodesOf(titleId, ids.get(`${titleId} ${season.season_number}`) ?? 0, season),
    ),
  )
  await insertRows(db, 'episode', episodes)
}

async function updateSeasons(db: Db, titleId: number, seasons: SeasonRecord[]): Promise<void> {
  const mine = await db.selectFrom('season').selectAll().where('title_id', '=', titleId).execute()
  const known = new Map(mine.map((season) => [season.season_number, season]))
  const kept = new Set(seasons.map((season) => season.season_number))
  const gone = mine.filter((season) => !kept.has(season.season_number)).map((season) => season.season_id)
  if (gone.length > 0) await db.deleteFrom('season').where('season_id', 'in', gone).execute()
  for (const season of seasons) {
    const old = known.get(season.season_number)
    if (old) await updateSeason(db, old, season)
    else await addSeasons(db, [{ titleId, seasons: [season] }])
  }
}

async function updateSeason(db: Db, old: Season, season: SeasonRecord): Promise<void> {
  const facts = seasonFacts(season)
  if (differ(old, facts)) {
    await db.updateTable('season').set(facts).where('season_id', '=', old.season_id).execute()
  }
  const mine = await db.selectFrom('episode').selectAll().where('season_id', '=', old.season_id).execute()
  const known = new Map(mine.map((episode) => [episode.episode_number, episode]))
  const wanted = episodesOf(old.title_id, old.season_id, season)
  const kept = new Set(wanted.map((episode) => episode.episode_number))
  const gone = mine.filter((episode) => !kept.has(episode.episode_number)).map((one) => one.episode_id)
  if (gone.length > 0) await db.deleteFrom('episode').where('episode_id', 'in', gone).execute()
  for (const episode of wanted) {
    const before = known.get(episode.episode_number)
    if (before && differ(before, episode)) {
      await db.updateTable('episode').set(episode).where('episode_id', '=', before.episode_id).execute()
    }
  }
  await insertRows(
    db,
    'episode',
    wanted.filter((episode) => !known.has(episode.episode_number)),
  )
}

function differ(old: object, facts: object): boolean {
  return Object.entries(facts).some(([key, value]) => (old as Record<string, unknown>)[key] !== value)
}

function seasonFacts(season: SeasonRecord) {
  return {
    name: season.name ?? null,
    air_date: season.air_date ?? null,
    poster_path: season.poster_path ?? null,
    episode_count: season.episodes.length,
  }
}

function episodesOf(title_id: number, season_id: number, season: SeasonRecord): Episode[] {
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
