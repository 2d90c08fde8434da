/** Reads what the statistics of a profile are computed from. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { padToPowerOfTwo } from './insert-rows.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'

const queryViewedTitleIds = (db: Db, profileId: string) =>
  db.selectFrom('play').select('play.title_id').distinct().where('play.profile_id', '=', profileId)

export interface StatisticsViewing {
  title_id: number
  season_number: number
  episode_number: number
  name: string
  watched_at: number
  by_day: number
  /** Runtime of the episode in seconds; null for movies and when it is not known. */
  runtime: number | null
}

/**
 * Returns all viewings of a profile in the order of the primary key: viewings of one movie or episode follow each other, oldest
 * first. Those with an unknown time are first.
 */
export async function selectStatisticsViewings(db: Db, profileId: string): Promise<StatisticsViewing[]> {
  return db
    .selectFrom('play')
    .leftJoin('episode', (join) =>
      join
        .onRef('episode.title_id', '=', 'play.title_id')
        .onRef('episode.season_number', '=', 'play.season_number')
        .onRef('episode.episode_number', '=', 'play.episode_number'),
    )
    .select(['play.title_id', 'play.season_number', 'play.episode_number', 'play.name'])
    .select(['play.watched_at', 'play.by_day', 'episode.runtime'])
    .where('play.profile_id', '=', profileId)
    .orderBy('play.title_id')
    .orderBy('play.season_number')
    .orderBy('play.episode_number')
    .orderBy('play.name')
    .orderBy('play.watched_at')
    .execute()
}

export interface StatisticsTitle {
  title_id: number
  type: string
  year: number | null
  language: string | null
  /** Seconds. */
  runtime: number | null
}

/** Returns the viewed titles that the audience may see. */
export async function selectStatisticsTitles(
  db: Db,
  audience: Audience,
  profileId: string,
): Promise<StatisticsTitle[]> {
  return queryVisibleTitles(db, audience)
    .select(['title.title_id', 'title.type', 'title.year', 'title.language', 'title.runtime'])
    .where('title.title_id', 'in', queryViewedTitleIds(db, profileId))
    .execute()
}

/** Returns the genres of all viewed titles. */
export async function selectStatisticsGenres(
  db: Db,
  profileId: string,
): Promise<{ title_id: number; genre_id: number }[]> {
  return db
    .selectFrom('title_genre')
    .select(['title_id', 'genre_id'])
    .where('title_id', 'in', queryViewedTitleIds(db, profileId))
    .execute()
}

export interface CountedPerson {
  role: 'cast' | 'crew'
  slug: string
  name: string
  titles: number
}

/** Of the cast, only the first roles count. */
const LEADING_ROLES = 5

/** Returns actors and directors who took part in at least two of these titles, those with the most titles first. */
export async function selectMostCreditedPeople(
  db: Db,
  titleIds: readonly number[],
  limit: number,
): Promise<CountedPerson[]> {
  if (titleIds.length === 0) return []
  const { rows } = await sql<CountedPerson>`
    select ranked.role, person.slug, person.name, ranked.titles from (
      select counted.*, row_number() over (partition by role order by titles desc, person_id) as position from (
        select credit.kind as role, credit.person_id, count(distinct credit.title_id) as titles from credit
        join person on person.person_id = credit.person_id and person.blocked = 0
        where credit.title_id in (${sql.join(padToPowerOfTwo([...titleIds]))})
          and (credit.kind = 'cast' and credit.position < ${LEADING_ROLES}
            or credit.kind = 'crew' and credit.job = 'Director')
        group by credit.kind, credit.person_id having count(distinct credit.title_id) > 1
      ) as counted
    ) as ranked
    join person on person.person_id = ranked.person_id
    where ranked.position <= ${limit} order by ranked.role, ranked.position
  `.execute(db)
  return rows.map((row) => ({ ...row, titles: Number(row.titles) }))
}
