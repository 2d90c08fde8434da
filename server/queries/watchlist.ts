import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type PageRequest, selectPage } from './page.ts'
import type { TitleRow } from './title.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'

export type WatchlistRow = Selectable<DatabaseSchema['watchlist_entry']>

interface WatchlistEntryRef {
  profileId: string
  titleId: number
  /** `YYYY-MM-DD` */
  today: string
}

/**
 * SQL expression of the watch state. A completed series counts as `watching` when an episode after the last seen
 * episode has aired. A series without seen episodes, such as an imported series, stays completed.
 */
export const createWatchStateSql = (today: string) => sql<string | null>`
  case when watchlist_entry.state = 'completed'
    and exists (select 1 from progress p where p.profile_id = watchlist_entry.profile_id
      and p.title_id = watchlist_entry.title_id and p.finished = 1 and p.season_number > 0)
    and exists (select 1 from episode e where e.title_id = watchlist_entry.title_id and e.season_number > 0
      and e.air_date <= ${today}
      and not exists (select 1 from progress p where p.profile_id = watchlist_entry.profile_id
        and p.title_id = e.title_id and p.finished = 1
        and (p.season_number, p.episode_number) >= (e.season_number, e.episode_number)))
  then 'watching' else watchlist_entry.state end`

export async function selectWatchlistEntry(
  db: Db,
  { profileId, titleId, today }: WatchlistEntryRef,
): Promise<WatchlistRow | undefined> {
  return db
    .selectFrom('watchlist_entry')
    .select(['profile_id', 'title_id', 'in_watchlist', 'favorite', 'added_at', 'updated_at'])
    .select(createWatchStateSql(today).as('state'))
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .executeTakeFirst()
}

/** Locks the watchlist of a profile against other writers until the transaction ends. */
export const lockWatchlist = (db: Db, profileId: string) => lockUntilCommit(db, `list:${profileId}`)

/** Like `selectWatchlistEntry`, but locks the watchlist of the profile first. */
export async function lockAndSelectWatchlistEntry(
  db: Db,
  entryRef: WatchlistEntryRef,
): Promise<WatchlistRow | undefined> {
  await lockWatchlist(db, entryRef.profileId)
  return selectWatchlistEntry(db, entryRef)
}

export async function upsertWatchlistEntry(
  db: Db,
  row: Insertable<DatabaseSchema['watchlist_entry']>,
): Promise<void> {
  const { profile_id: _profile, title_id: _title, ...otherColumns } = row
  await db
    .insertInto('watchlist_entry')
    .values(row)
    .onConflict((conflict) => conflict.columns(['profile_id', 'title_id']).doUpdateSet(otherColumns))
    .execute()
}

/**
 * Sets completed entries to planned after their progress or viewings were removed. `removedAtMs` is the time of the
 * removal (`moveProgressToRemoved`) and becomes the time of the change. The caller must hold the lock of the progress.
 * Returns true when an entry has changed.
 */
export async function resetCompletedEntries(
  db: Db,
  { profileId, removedAtMs }: { profileId: string; removedAtMs: number },
): Promise<boolean> {
  await lockWatchlist(db, profileId)
  const { numAffectedRows = 0n } = await sql`
    update watchlist_entry set state = 'planned', updated_at = ${removedAtMs}
    where profile_id = ${profileId} and in_watchlist = 1 and state = 'completed' and title_id in (
      select title_id from progress_removed where profile_id = ${profileId} and removed_at = ${removedAtMs}
      union select title_id from play_removed where profile_id = ${profileId} and removed_at = ${removedAtMs})
  `.execute(db)
  return numAffectedRows > 0n
}

/**
 * Undoes `resetCompletedEntries`: sets those entries to completed again whose progress or viewings were removed at
 * `removedAtMs`. Skips entries that were changed later, and titles that were started again. Call it before the
 * removed progress is restored. The caller must hold the lock of the progress. Returns true when an entry has changed.
 */
export async function restoreCompletedEntries(
  db: Db,
  { profileId, removedAtMs, nowMs }: { profileId: string; removedAtMs: number; nowMs: number },
): Promise<boolean> {
  await lockWatchlist(db, profileId)
  const { numAffectedRows = 0n } = await sql`
    update watchlist_entry set state = 'completed', updated_at = ${nowMs}
    where profile_id = ${profileId} and in_watchlist = 1 and state = 'planned' and updated_at = ${removedAtMs}
      and title_id in (
        select title_id from progress_removed where profile_id = ${profileId} and removed_at = ${removedAtMs}
        union select title_id from play_removed where profile_id = ${profileId} and removed_at = ${removedAtMs})
      and not exists (select 1 from progress where progress.profile_id = watchlist_entry.profile_id
        and progress.title_id = watchlist_entry.title_id and progress.finished = 0)
  `.execute(db)
  return numAffectedRows > 0n
}

const SORT_COLUMNS = {
  added_at: 'watchlist_entry.added_at',
  title: 'title.sort_title',
  year: 'title.year',
  rating: 'rating.rating',
} as const

export interface WatchlistFilters extends PageRequest {
  profileId: string
  type?: string | undefined
  state?: string | undefined
  favorite?: boolean | undefined
  /** True: only rated titles. False: only titles without a rating. */
  rated?: boolean | undefined
  /** Only titles that the profile rated with at least this rating. */
  'min-rating'?: number | undefined
  /** Sort column and direction, for example `added_at.desc`. */
  sort: string
  /** `YYYY-MM-DD` */
  today: string
}

type RatedWatchlistRow = TitleRow &
  Pick<WatchlistRow, 'state' | 'favorite' | 'added_at'> & { own_rating: number | null }

/**
 * Returns a page of the watchlist entries that match the filters and whose titles the audience may see. If the entries
 * are to be sorted by title, `sortTitleIds` determines the order. Without `sortTitleIds`, the database sorts the
 * entries.
 */
export async function selectWatchlist(
  db: Db,
  audience: Audience,
  { profileId, type, state, favorite, sort, page, limit, today, ...filters }: WatchlistFilters,
  sortTitleIds: ((titleIds: number[]) => Promise<number[]>) | null,
): Promise<{ rows: RatedWatchlistRow[]; total: number }> {
  const { rated, 'min-rating': minRating } = filters
  let query = queryVisibleTitles(db, audience)
    .innerJoin('watchlist_entry', 'watchlist_entry.title_id', 'title.title_id')
    .leftJoin('rating', (join) =>
      join
        .onRef('rating.title_id', '=', 'watchlist_entry.title_id')
        .onRef('rating.profile_id', '=', 'watchlist_entry.profile_id'),
    )
    .where('watchlist_entry.profile_id', '=', profileId)
    .where('watchlist_entry.in_watchlist', '=', 1)
  if (type) query = query.where('title.type', '=', type)
  if (state) query = query.where(createWatchStateSql(today), '=', state)
  if (favorite !== undefined) query = query.where('watchlist_entry.favorite', '=', favorite ? 1 : 0)
  if (rated !== undefined) query = query.where('rating.rating', rated ? 'is not' : 'is', null)
  if (minRating !== undefined) query = query.where('rating.rating', '>=', minRating)
  const [sortColumn = 'added_at', direction] = sort.split('.')
  const entriesQuery = query
    .selectAll('title')
    .select([
      'watchlist_entry.favorite',
      'watchlist_entry.added_at',
      'rating.rating as own_rating',
      createWatchStateSql(today).as('state'),
    ])
  if (sortColumn === 'title' && sortTitleIds) {
    const idRows = await query.select('title.title_id').execute()
    const sortedIds = await sortTitleIds(idRows.map((row) => row.title_id))
    if (direction === 'desc') sortedIds.reverse()
    const pageIds = sortedIds.slice((page - 1) * limit, page * limit)
    const pageRows =
      pageIds.length > 0 ? await entriesQuery.where('title.title_id', 'in', pageIds).execute() : []
    const rowsById = new Map(pageRows.map((row) => [row.title_id, row]))
    return { rows: pageIds.flatMap((titleId) => rowsById.get(titleId) ?? []), total: sortedIds.length }
  }
  const rowsQuery = entriesQuery
    // Titles without a date, year or rating come last in both directions. SQLite and PostgreSQL sort null differently
    // by default.
    .orderBy(SORT_COLUMNS[sortColumn as keyof typeof SORT_COLUMNS], (order) =>
      (direction === 'asc' ? order.asc() : order.desc()).nullsLast(),
    )
    .orderBy('title.title_id')
  return selectPage(rowsQuery, query, { page, limit })
}
