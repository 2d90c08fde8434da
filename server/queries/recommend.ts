/** Signals of a profile, and candidates by what they share with titles. */
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { TitleRow } from './catalogue.ts'
import { type Audience, visibleTitles } from './scope.ts'

export interface Signal {
  title_id: number
  kind: 'liked' | 'disliked' | 'watched' | 'in_list'
  finished: boolean
  at: number
}

export async function signalsOf(db: Db, profileId: string): Promise<Signal[]> {
  const [feedback, progress, list] = await Promise.all([
    db.selectFrom('feedback').selectAll().where('profile_id', '=', profileId).execute(),
    db
      .selectFrom('progress')
      .select([
        'title_id',
        (eb) => eb.fn.max('updated_at').as('at'),
        (eb) => eb.fn.max('finished').as('finished'),
      ])
      .where('profile_id', '=', profileId)
      .groupBy('title_id')
      .execute(),
    db
      .selectFrom('watchlist_entry')
      .selectAll()
      .where('profile_id', '=', profileId)
      .where('in_watchlist', '=', 1)
      .execute(),
  ])
  return [
    ...feedback.map((row) => ({
      title_id: row.title_id,
      kind: row.feedback as Signal['kind'],
      finished: false,
      at: row.updated_at,
    })),
    ...progress.map((row) => ({
      title_id: row.title_id,
      kind: 'watched' as const,
      finished: row.finished === 1,
      at: Number(row.at),
    })),
    ...list.map((row) => ({
      title_id: row.title_id,
      kind: 'in_list' as const,
      finished: row.state === 'completed',
      at: row.updated_at,
    })),
  ]
}

export interface Features {
  genres: Map<number, number[]>
  keywords: Map<number, string[]>
  people: Map<number, number[]>
}

export async function featuresOf(db: Db, ids: number[]): Promise<Features> {
  if (ids.length === 0) return { genres: new Map(), keywords: new Map(), people: new Map() }
  const [genres, keywords, people] = await Promise.all([
    db.selectFrom('title_genre').selectAll().where('title_id', 'in', ids).execute(),
    db.selectFrom('title_keyword').selectAll().where('title_id', 'in', ids).execute(),
    db.selectFrom('credit').select(['title_id', 'person_id']).where('title_id', 'in', ids).execute(),
  ])
  const by = <R extends { title_id: number }, V>(rows: R[], value: (row: R) => V) => {
    const map = new Map<number, V[]>()
    for (const row of rows) map.set(row.title_id, [...(map.get(row.title_id) ?? []), value(row)])
    return map
  }
  return {
    genres: by(genres, (row) => row.genre_id),
    keywords: by(keywords, (row) => row.keyword),
    people: by(people, (row) => row.person_id),
  }
}

export interface CandidateFilters {
  type?: string | undefined
  rating?: number | undefined
  votes?: number | undefined
  include?: number[] | undefined
  exclude?: number[] | undefined
}

/** The most popular titles in scope: what ranking chooses from. */
export async function candidates(
  db: Db,
  audience: Audience,
  filters: CandidateFilters,
  limit: number,
): Promise<TitleRow[]> {
  let query = visibleTitles(db, audience).selectAll('title')
  if (filters.type) query = query.where('type', '=', filters.type)
  if (filters.rating !== undefined) query = query.where('rating', '>=', filters.rating)
  if (filters.votes !== undefined) query = query.where('rating_votes', '>=', filters.votes)
  const has = (ids: number[]) =>
    sql<boolean>`exists (select 1 from title_genre g where g.title_id = title.title_id and g.genre_id in (${sql.join(ids)}))`
  if (filters.include?.length) query = query.where(has(filters.include))
  if (filters.exclude?.length) query = query.where(sql<boolean>`not ${has(filters.exclude)}`)
  return query.orderBy('popularity', 'desc').orderBy('title_id').limit(limit).execute()
}

/** Titles that share keywords or people with one, or else genres; the most shared first. */
export async function relatives(
  db: Db,
  audience: Audience,
  titleId: number,
  type: string,
  limit: number,
): Promise<TitleRow[]> {
  const { rows } = await sql<{ title_id: number }>`
    select title_id from (
      select k.title_id, 3.0 as points from title_keyword k
        where k.keyword in (select keyword from title_keyword where title_id = ${titleId})
      union all
      select c.title_id, 2.0 from credit c where c.person_id in (select person_id from credit where title_id = ${titleId})
      union all
      select g.title_id, 1.0 from title_genre g join title t on t.title_id = g.title_id
        where g.genre_id in (select genre_id from title_genre where title_id = ${titleId}) and t.type = ${type}
    ) shared where title_id <> ${titleId} group by title_id order by sum(points) desc, title_id limit ${limit}`.execute(
    db,
  )
  const ids = rows.map((row) => row.title_id)
  if (ids.length === 0) return []
  return visibleTitles(db, audience).selectAll('title').where('title_id', 'in', ids).execute()
}
