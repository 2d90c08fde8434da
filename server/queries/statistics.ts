/** Reads the data from which the statistics of a profile are computed. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { getDialect } from '../db/ddl.ts'
import { queryNumericIds } from './id-list.ts'
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

type ViewingFields = [
  season: number,
  episode: number,
  name: string,
  watchedAtMs: number,
  byDay: number,
  runtime: number | null,
]

/**
 * Returns all viewings of a profile in the order of the primary key. The viewings of a movie or episode follow each
 * other, oldest first, and viewings with an unknown time come first. The database sends one JSON text per title,
 * because creating a row object for each viewing takes longer than parsing the JSON.
 */
export async function selectStatisticsViewings(db: Db, profileId: string): Promise<StatisticsViewing[]> {
  const [collectFunction, arrayFunction] =
    getDialect(db) === 'postgres' ? ['json_agg', 'json_build_array'] : ['json_group_array', 'json_array']
  const { rows } = await sql<{ title_id: number; viewings: string | ViewingFields[] }>`
    select play.title_id, ${sql.raw(collectFunction)}(${sql.raw(arrayFunction)}(
      play.season_number, play.episode_number, play.name, play.watched_at, play.by_day, episode.runtime
    )) as viewings
    from play left join episode on episode.title_id = play.title_id
      and episode.season_number = play.season_number and episode.episode_number = play.episode_number
    where play.profile_id = ${profileId}
    group by play.title_id order by play.title_id`.execute(db)
  return rows.flatMap(({ title_id, viewings }) => {
    const viewingFields = typeof viewings === 'string' ? (JSON.parse(viewings) as ViewingFields[]) : viewings
    return viewingFields
      .sort(compareViewings)
      .map(([season_number, episode_number, name, watched_at, by_day, runtime]) => ({
        title_id,
        season_number,
        episode_number,
        name,
        watched_at,
        by_day,
        runtime,
      }))
  })
}

const compareViewings = (a: ViewingFields, b: ViewingFields) =>
  a[0] - b[0] || a[1] - b[1] || (a[2] === b[2] ? a[3] - b[3] : a[2] < b[2] ? -1 : 1)

export interface StatisticsTitle {
  title_id: number
  type: string
  year: number | null
  language: string | null
  /** Runtime in seconds. */
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

/** Number of actors that are counted for each title: the first actors of the cast. */
const LEADING_ROLE_COUNT = 5

/** Number of additional people to select, because blocked people are removed afterwards. */
const SPARE_PERSON_COUNT = 20

/**
 * Returns the actors with leading roles (LEADING_ROLE_COUNT) and the directors of at least two of these titles: at most
 * `maxPeople` of each, most titles first.
 */
export async function selectMostCreditedPeople(
  db: Db,
  titleIds: readonly number[],
  maxPeople: number,
): Promise<CountedPerson[]> {
  if (titleIds.length === 0) return []
  const buildCreditCountQuery = (condition: ReturnType<typeof sql>) => sql`
    select * from (
      select credit.kind as role, credit.person_id, count(distinct credit.title_id) as titles from credit
      where credit.title_id in ${queryNumericIds(db, titleIds)} and ${condition}
      group by credit.kind, credit.person_id having count(distinct credit.title_id) > 1
      order by 3 desc, 2 limit ${maxPeople + SPARE_PERSON_COUNT}
    ) as counted`
  const { rows } = await sql<CountedPerson>`
    select counted.role, person.slug, person.name, counted.titles from (
      ${buildCreditCountQuery(sql`credit.kind = 'cast' and credit.position < ${LEADING_ROLE_COUNT}`)}
      union all
      ${buildCreditCountQuery(sql`credit.kind = 'crew' and credit.job = 'Director'`)}
    ) as counted
    join person on person.person_id = counted.person_id and person.blocked = 0
    order by counted.titles desc, counted.person_id
  `.execute(db)
  const people = rows.map((row) => ({ ...row, titles: Number(row.titles) }))
  return (['cast', 'crew'] as const).flatMap((role) =>
    people.filter((person) => person.role === role).slice(0, maxPeople),
  )
}
