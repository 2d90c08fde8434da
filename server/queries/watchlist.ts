import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type PageRequest, selectPage } from './page.ts'
import type { TitleRow } from './title.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'

export type WatchlistRow = Selectable<DatabaseSchema['watchlist_entry']>

export async function selectWatchlistEntry(
  db: Db,
  profileId: string,
  titleId: number,
): Promise<WatchlistRow | undefined> {
  return db
    .selectFrom('watchlist_entry')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .executeTakeFirst()
}

/** Locks the watchlist of a profile against other writers until the transaction ends. */
export const lockWatchlist = (db: Db, profileId: string) => lockUntilCommit(db, `list:${profileId}`)

/** Like `selectWatchlistEntry`, but locks the watchlist of the profile first. */
export async function lockAndSelectWatchlistEntry(
  db: Db,
  profileId: string,
  titleId: number,
): Promise<WatchlistRow | undefined> {
  await lockWatchlist(db, profileId)
  return selectWatchlistEntry(db, profileId, titleId)
}

export async function upsertWatchlistEntry(
  db: Db,
  row: Insertable<DatabaseSchema['watchlist_entry']>,
): Promise<void> {
  const { profile_id: _profile, title_id: _title, ...set } = row
  await db
    .insertInto('watchlist_entry')
    .values(row)
    .onConflict((conflict) => conflict.columns(['profile_id', 'title_id']).doUpdateSet(set))
    .execute()
}

const SORT_COLUMNS = {
  added_at: 'watchlist_entry.added_at',
  title: 'title.sort_title',
  year: 'title.year',
} as const

export interface WatchlistFilters extends PageRequest {
  profileId: string
  type?: string | undefined
  state?: string | undefined
  favorite?: boolean | undefined
  /** `column.direction`, for example `added_at.desc`. */
  sort: string
}

/** Returns a page of the watchlist entries that match the filters and whose titles the audience may see. */
export async function selectWatchlist(
  db: Db,
  audience: Audience,
  { profileId, type, state, favorite, sort, page, limit }: WatchlistFilters,
): Promise<{ rows: (TitleRow & Pick<WatchlistRow, 'state' | 'favorite' | 'added_at'>)[]; total: number }> {
  let query = queryVisibleTitles(db, audience)
    .innerJoin('watchlist_entry', 'watchlist_entry.title_id', 'title.title_id')
    .where('watchlist_entry.profile_id', '=', profileId)
    .where('watchlist_entry.in_watchlist', '=', 1)
  if (type) query = query.where('title.type', '=', type)
  if (state) query = query.where('watchlist_entry.state', '=', state)
  if (favorite !== undefined) query = query.where('watchlist_entry.favorite', '=', favorite ? 1 : 0)
  const [column = 'added_at', direction] = sort.split('.')
  const rows = query
    .selectAll('title')
    .select(['watchlist_entry.state', 'watchlist_entry.favorite', 'watchlist_entry.added_at'])
    // Both databases must sort titles without a year last in both directions.
    .$if(column === 'year', (entries) => entries.orderBy(sql`title.year is null`))
    .orderBy(SORT_COLUMNS[column as keyof typeof SORT_COLUMNS], direction === 'asc' ? 'asc' : 'desc')
    .orderBy('title.title_id')
  return selectPage(rows, query, { page, limit })
}
