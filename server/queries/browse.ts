/** Reading titles for the browse index (server/browse/), which answers the lists. */
import { sql } from 'kysely'
import type { BrowseTitle } from '../browse/types.ts'
import type { Db } from '../db/open.ts'
import type { TitleRow, TitleType } from './catalogue.ts'
import { type Audience, allTitles, visibleTitles } from './scope.ts'

const COLUMNS = [
  'title_id',
  'type',
  'published',
  'blocked',
  'safe_for_kids',
  'high_quality',
  'year',
  'release_date',
  'newest_season',
  'language',
  'rated',
  'rating',
  'rating_votes',
  'score',
  'popularity',
  'sort_title',
] as const

/** Titles whose id is above `after`, up to `limit`, or those of `ids`; hidden ones too. */
export async function browseTitles(
  db: Db,
  which: { after: number; limit: number } | { ids: number[] },
): Promise<BrowseTitle[]> {
  if ('ids' in which && which.ids.length === 0) return []
  const titles = allTitles(db).select(COLUMNS).orderBy('title_id')
  const rows = await ('ids' in which
    ? titles.where('title_id', 'in', which.ids)
    : titles.where('title_id', '>', which.after).limit(which.limit)
  ).execute()
  const [first, last] = [rows[0]?.title_id ?? 0, rows.at(-1)?.title_id ?? 0]
  const [genres, networks] = await Promise.all([
    db
      .selectFrom('title_genre')
      .selectAll()
      .where('title_id', '>=', first)
      .where('title_id', '<=', last)
      .$if('ids' in which, (query) => query.where('title_id', 'in', 'ids' in which ? which.ids : []))
      .execute(),
    db
      .selectFrom('title_network')
      .selectAll()
      .where('title_id', '>=', first)
      .where('title_id', '<=', last)
      .$if('ids' in which, (query) => query.where('title_id', 'in', 'ids' in which ? which.ids : []))
      .execute(),
  ])
  const genresOf = Map.groupBy(genres, (row) => row.title_id)
  const networksOf = Map.groupBy(networks, (row) => row.title_id)
  return rows.map(({ safe_for_kids, rating_votes, ...row }) => ({
    ...row,
    type: row.type as TitleType,
    published: row.published === 1,
    blocked: row.blocked === 1,
    safe: safe_for_kids === 1,
    high_quality: row.high_quality === 1,
    votes: rating_votes,
    genres: (genresOf.get(row.title_id) ?? []).map((one) => one.genre_id),
    networks: (networksOf.get(row.title_id) ?? []).map((one) => one.network),
  }))
}

/** A page of ids in the order of titles, after one of them. */
export async function idsByTitle(
  db: Db,
  type: TitleType,
  { after, limit }: { after: { sort_title: string; title_id: number } | null; limit: number },
) {
  return allTitles(db)
    .select(['title_id', 'sort_title'])
    .where('type', '=', type)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(sort_title, title_id) > (${after?.sort_title ?? ''}, ${after?.title_id ?? 0})`,
      ),
    )
    .orderBy('sort_title')
    .orderBy('title_id')
    .limit(limit)
    .execute()
}

/** The id of the title just before one in the order of titles; null for the first. */
export async function titleBefore(
  db: Db,
  { type, sort_title, title_id }: Pick<BrowseTitle, 'type' | 'sort_title' | 'title_id'>,
): Promise<number | null> {
  const row = await allTitles(db)
    .select('title_id')
    .where('type', '=', type)
    .where(sql<boolean>`(sort_title, title_id) < (${sort_title}, ${title_id})`)
    .orderBy('sort_title', 'desc')
    .orderBy('title_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.title_id ?? null
}

/** Titles (not people) that changed at or after an instant, up to `limit`. */
export async function titleChanges(db: Db, since: number, limit: number) {
  return db
    .selectFrom('catalogue_change')
    .select(['doc_id', 'revision', 'changed_at'])
    .where('changed_at', '>=', since)
    .where(sql<boolean>`doc_id % 2 = 0`)
    .orderBy('changed_at')
    .limit(limit)
    .execute()
}

export async function lastChange(db: Db): Promise<number> {
  const row = await db
    .selectFrom('catalogue_change')
    .select((eb) => eb.fn.max('changed_at').as('at'))
    .executeTakeFirst()
  return Number(row?.at ?? 0)
}

/** What a profile has finished, or marked as completed: what "hide what I have seen" leaves out. */
export async function seenTitles(db: Db, profileId: string): Promise<Set<number>> {
  const [completed, finished] = await Promise.all([
    db
      .selectFrom('watchlist_entry')
      .select('title_id')
      .where('profile_id', '=', profileId)
      .where('state', '=', 'completed')
      .execute(),
    db
      .selectFrom('progress')
      .innerJoin('title', 'title.title_id', 'progress.title_id')
      .select('progress.title_id')
      .where('profile_id', '=', profileId)
      .where('finished', '=', 1)
      .where('title.type', '=', 'movie')
      .execute(),
  ])
  return new Set([...completed, ...finished].map((row) => row.title_id))
}

/** Rows of ids in the order of the ids; what the audience may not see is left out. Null: an administrator's list. */
export async function titlesInOrder(db: Db, audience: Audience | null, ids: number[]): Promise<TitleRow[]> {
  if (ids.length === 0) return []
  const titles = audience ? visibleTitles(db, audience) : allTitles(db)
  const rows = await titles.selectAll('title').where('title_id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.title_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** For administrators: titles whose sort title holds a text. */
export async function idsNamed(db: Db, type: TitleType, text: string, limit: number): Promise<number[]> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  const rows = await allTitles(db)
    .select('title_id')
    .where('type', '=', type)
    .where(sql<boolean>`sort_title like ${pattern} escape '\\'`)
    .limit(limit)
    .execute()
  return rows.map((row) => row.title_id)
}
