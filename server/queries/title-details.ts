import type { Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import type { TitleRow } from './title.ts'
import { type Audience, queryVisibleTitleOfRow } from './title-scope.ts'

export type SeasonRow = Selectable<DatabaseSchema['season']>
/** A season with its lowest and highest episode number. */
export type SeasonRangeRow = SeasonRow & { first_episode: number | null; last_episode: number | null }
export type EpisodeRow = Selectable<DatabaseSchema['episode']>
export type EpisodeDate = Pick<EpisodeRow, 'season_number' | 'episode_number' | 'air_date'>

/** Returns names, texts and credits of a title, and the seasons of a series. */
export async function selectTitleDetails(
  db: Db,
  { title_id: titleId, type }: Pick<TitleRow, 'title_id' | 'type'>,
) {
  const [names, texts, credits, seasons] = await Promise.all([
    db.selectFrom('title_name').select(['lang', 'text', 'role']).where('title_id', '=', titleId).execute(),
    db
      .selectFrom('title_text')
      .select(['lang', 'overview', 'tagline'])
      .where('title_id', '=', titleId)
      .execute(),
    selectCredits(db, titleId),
    type === 'tv' ? selectSeasons(db, titleId) : [],
  ])
  return { names, texts, credits, seasons }
}

/** Returns the credits of a title. Blocked people are left out. */
async function selectCredits(db: Db, titleId: number) {
  return db
    .selectFrom('credit')
    .innerJoin('person', 'person.person_id', 'credit.person_id')
    .select([
      'credit.kind',
      'credit.job',
      'credit.character',
      'person.person_id',
      'person.slug',
      'person.name',
      'person.profile_path',
    ])
    .where('credit.title_id', '=', titleId)
    .where('person.blocked', '=', 0)
    .orderBy('credit.kind')
    .orderBy('credit.position')
    .execute()
}

/** Returns the seasons in order, with specials (season 0) last. */
export async function selectSeasons(db: Db, titleId: number): Promise<SeasonRangeRow[]> {
  const rows = await db
    .selectFrom('season')
    .selectAll()
    .select((eb) => {
      const episodes = eb
        .selectFrom('episode')
        .whereRef('episode.title_id', '=', 'season.title_id')
        .whereRef('episode.season_number', '=', 'season.season_number')
      return [
        episodes.select(({ fn }) => fn.min('episode.episode_number').as('number')).as('first_episode'),
        episodes.select(({ fn }) => fn.max('episode.episode_number').as('number')).as('last_episode'),
      ]
    })
    .where('title_id', '=', titleId)
    .orderBy('season_number')
    .execute()
  return [...rows.filter((row) => row.season_number > 0), ...rows.filter((row) => row.season_number === 0)]
}

/** Returns a season; undefined when it does not exist, or when the audience may not see its title. */
export async function selectVisibleSeason(
  db: Db,
  audience: Audience,
  seasonId: number,
): Promise<SeasonRow | undefined> {
  return db
    .selectFrom('season')
    .selectAll()
    .where('season_id', '=', seasonId)
    .where((eb) => eb.exists(queryVisibleTitleOfRow(db, audience, 'season.title_id')))
    .executeTakeFirst()
}

/**
 * Returns the episodes of a season. Overviews are in `lang` if available, otherwise in English. `overview_lang` is the
 * language of the overview.
 */
export async function selectEpisodes(
  db: Db,
  seasonId: number,
  lang: string,
): Promise<(EpisodeRow & { overview_lang: string })[]> {
  const rows = await db
    .selectFrom('episode')
    .leftJoin('episode_text', (join) =>
      join
        .onRef('episode_text.title_id', '=', 'episode.title_id')
        .onRef('episode_text.season_number', '=', 'episode.season_number')
        .onRef('episode_text.episode_number', '=', 'episode.episode_number')
        .on('episode_text.lang', '=', lang),
    )
    .selectAll('episode')
    .select('episode_text.overview as translated_overview')
    .where('episode.season_id', '=', seasonId)
    .orderBy('episode.episode_number')
    .execute()
  return rows.map(({ translated_overview, ...row }) => ({
    ...row,
    overview: translated_overview ?? row.overview,
    overview_lang: translated_overview === null ? 'en' : lang,
  }))
}

export async function hasEpisode(
  db: Db,
  { titleId, season, episode }: { titleId: number; season: number; episode: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('episode')
    .select('episode_id')
    .where('title_id', '=', titleId)
    .where('season_number', '=', season)
    .where('episode_number', '=', episode)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns all episodes of the titles, sorted by title, season and episode. */
export async function selectEpisodesOfTitles(db: Db, titleIds: number[]): Promise<EpisodeRow[]> {
  if (titleIds.length === 0) return []
  return db
    .selectFrom('episode')
    .selectAll()
    .where('title_id', 'in', titleIds)
    .orderBy('title_id')
    .orderBy('season_number')
    .orderBy('episode_number')
    .execute()
}

/**
 * Returns the numbers and dates of all episodes of a title, sorted by season and episode. Leaves out the other columns,
 * because a daily show has thousands of episodes.
 */
export async function selectEpisodeDates(db: Db, titleId: number): Promise<EpisodeDate[]> {
  return db
    .selectFrom('episode')
    .select(['season_number', 'episode_number', 'air_date'])
    .where('title_id', '=', titleId)
    .orderBy('season_number')
    .orderBy('episode_number')
    .execute()
}

/** Returns the ids of the titles that have this season and, if given, this episode. */
export async function selectTitleIdsWithSeason(
  db: Db,
  titleIds: number[],
  { season, episode }: { season: number; episode: number | null },
): Promise<number[]> {
  if (titleIds.length === 0) return []
  const seasonQuery = db
    .selectFrom('season')
    .select('title_id')
    .where('title_id', 'in', titleIds)
    .where('season_number', '=', season)
  const rows = await (episode === null
    ? seasonQuery
    : db
        .selectFrom('episode')
        .select('title_id')
        .where('title_id', 'in', titleIds)
        .where('season_number', '=', season)
        .where('episode_number', '=', episode)
  ).execute()
  return rows.map((row) => row.title_id)
}
