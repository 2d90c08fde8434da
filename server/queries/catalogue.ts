/** Reading the catalogue. Every query starts from the audience's scope. */
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { type Audience, allTitles, visibleTitles } from './scope.ts'

export type TitleRow = Selectable<Schema['title']>
export type TitleType = 'movie' | 'tv'

export interface TitleFilters {
  type: TitleType
  include?: number[]
  exclude?: number[]
  mode?: 'any' | 'all'
  years?: number[]
  startYear?: number
  startDate?: string
  languages?: string[]
  rated?: string[]
  rating?: number
  votes?: number
  highQuality?: boolean
  networks?: string[]
  safe?: boolean
  search?: string
  /** Leaves out what this profile has finished. */
  unseenBy?: string
  /** Administrators alone: unpublished titles too, or only them. */
  published?: boolean
}

const ORDERS: Record<string, [keyof Schema['title'], 'asc' | 'desc']> = {
  'popularity.desc': ['popularity', 'desc'],
  'release_date.desc': ['release_date', 'desc'],
  'release_date.asc': ['release_date', 'asc'],
  'rating.desc': ['score', 'desc'],
  'rating.asc': ['score', 'asc'],
  'title.asc': ['sort_title', 'asc'],
  'title.desc': ['sort_title', 'desc'],
  'rating_votes.desc': ['rating_votes', 'desc'],
  'newest_season.desc': ['newest_season', 'desc'],
}

type Titles = SelectQueryBuilder<Schema, 'title', object>

/** `audience` null reads everything, for an administrator's list. */
function filtered(db: Db, audience: Audience | null, filters: TitleFilters): Titles {
  let query: Titles = (audience ? visibleTitles(db, audience) : allTitles(db)).where(
    'title.type',
    '=',
    filters.type,
  )
  if (filters.published !== undefined) query = query.where('published', '=', filters.published ? 1 : 0)
  if (filters.safe) query = query.where('safe_for_kids', '=', 1)
  if (filters.years?.length) query = query.where('year', 'in', filters.years)
  if (filters.startYear !== undefined) query = query.where('year', '>=', filters.startYear)
  if (filters.startDate !== undefined) query = query.where('release_date', '>=', filters.startDate)
  if (filters.languages?.length) query = query.where('language', 'in', filters.languages)
  if (filters.rated?.length) query = query.where('rated', 'in', filters.rated)
  if (filters.rating !== undefined) query = query.where('rating', '>=', filters.rating)
  if (filters.votes !== undefined) query = query.where('rating_votes', '>=', filters.votes)
  if (filters.highQuality !== undefined) query = query.where('high_quality', '=', filters.highQuality ? 1 : 0)
  if (filters.search) query = query.where('sort_title', 'like', `%${escapeLike(filters.search)}%`)
  return byParts(query, filters)
}

function byParts(titles: Titles, { include, exclude, mode, networks, unseenBy }: TitleFilters): Titles {
  let query = titles
  const hasGenre = (ids: number[]) =>
    sql<boolean>`exists (select 1 from title_genre g where g.title_id = title.title_id and g.genre_id in (${sql.join(ids)}))`
  if (include?.length) {
    if (mode === 'all') for (const id of include) query = query.where(hasGenre([id]))
    else query = query.where(hasGenre(include))
  }
  if (exclude?.length) query = query.where(sql<boolean>`not ${hasGenre(exclude)}`)
  if (networks?.length) {
    query = query.where(
      sql<boolean>`exists (select 1 from title_network n where n.title_id = title.title_id and n.network in (${sql.join(networks)}))`,
    )
  }
  if (unseenBy) {
    query =
      query.where(sql<boolean>`not exists (select 1 from watchlist_entry w where w.title_id = title.title_id
      and w.profile_id = ${unseenBy} and w.state = 'completed')`)
    query = query.where(sql<boolean>`not (title.type = 'movie' and exists (select 1 from progress p
      where p.title_id = title.title_id and p.profile_id = ${unseenBy} and p.finished = 1))`)
  }
  return query
}

function escapeLike(text: string): string {
  return text.toLowerCase().replace(/[\\%_]/g, '')
}

interface Page {
  sort: string
  page: number
  limit: number
}

export async function listTitles(
  db: Db,
  audience: Audience | null,
  filters: TitleFilters,
  { sort, page, limit }: Page,
): Promise<TitleRow[]> {
  const [column, direction] = ORDERS[sort] ?? ['popularity', 'desc']
  let query = filtered(db, audience, filters).selectAll('title')
  if (column === 'newest_season' || column === 'release_date') query = query.where(column, 'is not', null)
  return query
    .orderBy(column, direction)
    .orderBy('title_id', direction === 'desc' ? 'asc' : direction)
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
}

export async function countTitles(
  db: Db,
  audience: Audience | null,
  filters: TitleFilters,
  sort: string,
): Promise<number> {
  const [column] = ORDERS[sort] ?? ['popularity']
  let query = filtered(db, audience, filters)
  if (column === 'newest_season' || column === 'release_date') query = query.where(column, 'is not', null)
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

/** Titles by id that the audience may know of, in no order; ids that it may not are left out. */
export async function titlesByIds(db: Db, audience: Audience, ids: number[]): Promise<TitleRow[]> {
  if (ids.length === 0) return []
  return visibleTitles(db, audience).selectAll('title').where('title_id', 'in', ids).execute()
}

export async function titleBy(
  db: Db,
  audience: Audience,
  type: TitleType | null,
  by: { id: number } | { slug: string } | { imdbId: string },
): Promise<TitleRow | undefined> {
  let query = visibleTitles(db, audience).selectAll('title')
  if (type) query = query.where('type', '=', type)
  if ('id' in by) query = query.where('title_id', '=', by.id)
  else if ('slug' in by) query = query.where('slug', '=', by.slug)
  else query = query.where('imdb_id', '=', by.imdbId)
  return query.executeTakeFirst()
}

/** What cards need beside the rows: names in the languages asked for, genres, networks; keyed by title id. */
export async function cardParts(db: Db, ids: number[], langs: string[]) {
  if (ids.length === 0) return { names: [], genres: [], networks: [] }
  const [names, genres, networks] = await Promise.all([
    db
      .selectFrom('title_name')
      .select(['title_id', 'lang', 'text'])
      .where('title_id', 'in', ids)
      .where('lang', 'in', langs)
      .where('role', '!=', 'aka')
      .execute(),
    db.selectFrom('title_genre').selectAll().where('title_id', 'in', ids).execute(),
    db.selectFrom('title_network').selectAll().where('title_id', 'in', ids).orderBy('network').execute(),
  ])
  return { names, genres, networks }
}
