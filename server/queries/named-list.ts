/**
 * Named lists and their entries. A list is visible to its owner. A shared list is also visible to the other profiles of
 * the owner's account.
 */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type PageOfRows, type PageRequest, selectPage } from './page.ts'
import type { TitleRow } from './title.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'

export type NamedListRow = Selectable<DatabaseSchema['named_list']> & { owner_name: string }

interface NamedListViewer {
  accountId: string
  profileId: string
}

/**
 * Lists of the profile, and lists that other profiles of the account share. Omits deleted lists and lists of deleted
 * profiles.
 */
function queryReadableLists(db: Db, { accountId, profileId }: NamedListViewer) {
  return db
    .selectFrom('named_list')
    .innerJoin('profile', 'profile.profile_id', 'named_list.profile_id')
    .selectAll('named_list')
    .select('profile.name as owner_name')
    .where('profile.account_id', '=', accountId)
    .where('profile.deleted_at', 'is', null)
    .where('named_list.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('named_list.profile_id', '=', profileId), eb('named_list.shared', '=', 1)]))
}

/** Returns the readable lists: first those of the profile, then the others, each sorted by name. */
export async function selectReadableLists(db: Db, viewer: NamedListViewer): Promise<NamedListRow[]> {
  return queryReadableLists(db, viewer)
    .orderBy(sql`case when named_list.profile_id = ${viewer.profileId} then 0 else 1 end`)
    .orderBy(sql`lower(named_list.name)`)
    .orderBy('named_list.list_id')
    .execute()
}

export async function selectReadableList(
  db: Db,
  viewer: NamedListViewer,
  listId: string,
): Promise<NamedListRow | undefined> {
  return queryReadableLists(db, viewer).where('named_list.list_id', '=', listId).executeTakeFirst()
}

/** Returns a list of the profile, even a deleted list. */
export async function selectOwnList(db: Db, profileId: string, listId: string) {
  return db
    .selectFrom('named_list')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('list_id', '=', listId)
    .executeTakeFirst()
}

/** Returns the lists of the profile that are not deleted. */
export async function selectOwnLists(db: Db, profileId: string) {
  return db
    .selectFrom('named_list')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('list_id')
    .execute()
}

/** Locks the lists of a profile against other writers until the transaction ends. */
export const lockNamedLists = (db: Db, profileId: string) => lockUntilCommit(db, `named-lists:${profileId}`)

export async function insertNamedList(db: Db, row: Insertable<DatabaseSchema['named_list']>): Promise<void> {
  await db.insertInto('named_list').values(row).execute()
}

export async function updateNamedList(
  db: Db,
  listId: string,
  changes: Updateable<DatabaseSchema['named_list']>,
): Promise<void> {
  await db.updateTable('named_list').set(changes).where('list_id', '=', listId).execute()
}

/** Selects the entries of the lists `listIds`, without entries whose title the audience may not see. */
const queryVisibleListEntries = (db: Db, audience: Audience, listIds: readonly string[]) =>
  queryVisibleTitles(db, audience)
    .innerJoin('named_list_entry', 'named_list_entry.title_id', 'title.title_id')
    .where('named_list_entry.list_id', 'in', listIds)

/** Returns the number of visible titles by list id. Lists without visible titles are absent. */
export async function countListTitles(
  db: Db,
  audience: Audience,
  listIds: readonly string[],
): Promise<Map<string, number>> {
  if (listIds.length === 0) return new Map()
  const rows = await queryVisibleListEntries(db, audience, listIds)
    .select((eb) => ['named_list_entry.list_id', eb.fn.countAll<number>().as('count')])
    .groupBy('named_list_entry.list_id')
    .execute()
  return new Map(rows.map((row) => [row.list_id, Number(row.count)]))
}

/** Returns, by list id, the ids of the first `limit` visible titles in the order of the list. */
export async function selectFirstTitleIds(
  db: Db,
  audience: Audience,
  { listIds, limit }: { listIds: readonly string[]; limit: number },
): Promise<Map<string, number[]>> {
  if (listIds.length === 0) return new Map()
  const rankedEntriesQuery = queryVisibleListEntries(db, audience, listIds).select((eb) => [
    'named_list_entry.list_id',
    'title.title_id',
    eb.fn
      .agg<number>('row_number')
      .over((over) =>
        over
          .partitionBy('named_list_entry.list_id')
          .orderBy('named_list_entry.position')
          .orderBy('title.title_id'),
      )
      .as('place'),
  ])
  const rows = await db
    .selectFrom(rankedEntriesQuery.as('ranked'))
    .select(['list_id', 'title_id', 'place'])
    .where('place', '<=', limit)
    .orderBy('list_id')
    .orderBy('place')
    .execute()
  const rowsByListId = Map.groupBy(rows, (row) => row.list_id)
  return new Map([...rowsByListId].map(([listId, listRows]) => [listId, listRows.map((row) => row.title_id)]))
}

/** Returns the ids of those lists in `listIds` that contain the title. */
export async function selectListsWithTitle(
  db: Db,
  listIds: readonly string[],
  titleId: number,
): Promise<Set<string>> {
  if (listIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('named_list_entry')
    .select('list_id')
    .where('list_id', 'in', listIds)
    .where('title_id', '=', titleId)
    .execute()
  return new Set(rows.map((row) => row.list_id))
}

export async function selectListPage(
  db: Db,
  audience: Audience,
  listId: string,
  request: PageRequest,
): Promise<PageOfRows<TitleRow & { position: number; added_at: number | null }>> {
  const query = queryVisibleListEntries(db, audience, [listId])
  const rowsQuery = query
    .selectAll('title')
    .select(['named_list_entry.position', 'named_list_entry.added_at'])
    .orderBy('named_list_entry.position')
    .orderBy('title.title_id')
  return selectPage(rowsQuery, query, request)
}

/** Returns the last position and the number of entries of a list, including entries that an audience may not see. */
export async function selectEntryCountAndLastPosition(
  db: Db,
  listId: string,
): Promise<{ entryCount: number; lastPosition: number }> {
  const row = await db
    .selectFrom('named_list_entry')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('position').as('last')])
    .where('list_id', '=', listId)
    .executeTakeFirst()
  return { entryCount: Number(row?.count ?? 0), lastPosition: Number(row?.last ?? 0) }
}

/** Returns the ids of all titles of a list, including titles that an audience may not see. */
export async function selectListTitleIds(db: Db, listId: string): Promise<Set<number>> {
  const rows = await db
    .selectFrom('named_list_entry')
    .select('title_id')
    .where('list_id', '=', listId)
    .execute()
  return new Set(rows.map((row) => row.title_id))
}

/** Adds an entry. Returns false, and changes nothing, when the title is already in the list. */
export async function insertListEntry(
  db: Db,
  row: Insertable<DatabaseSchema['named_list_entry']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('named_list_entry')
    .values(row)
    .onConflict((conflict) => conflict.columns(['profile_id', 'list_id', 'title_id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Deletes an entry and returns the deleted values; undefined when the title is not in the list. */
export async function deleteListEntry(db: Db, listId: string, titleId: number) {
  return db
    .deleteFrom('named_list_entry')
    .where('list_id', '=', listId)
    .where('title_id', '=', titleId)
    .returning(['position', 'added_at'])
    .executeTakeFirst()
}

export async function selectListPosition(
  db: Db,
  listId: string,
  titleId: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('named_list_entry')
    .select('position')
    .where('list_id', '=', listId)
    .where('title_id', '=', titleId)
    .executeTakeFirst()
  return row?.position
}

/** Adds 1 to the positions of all entries from `fromPosition` on, so that a new entry can take `fromPosition`. */
export async function shiftListEntries(db: Db, listId: string, fromPosition: number): Promise<void> {
  await db
    .updateTable('named_list_entry')
    .set((eb) => ({ position: eb('position', '+', 1) }))
    .where('list_id', '=', listId)
    .where('position', '>=', fromPosition)
    .execute()
}

export async function updateListPosition(
  db: Db,
  listId: string,
  titleId: number,
  position: number,
): Promise<void> {
  await db
    .updateTable('named_list_entry')
    .set({ position })
    .where('list_id', '=', listId)
    .where('title_id', '=', titleId)
    .execute()
}

/**
 * Deletes the lists that an import created. Keeps the lists that still have entries, and the lists that were edited
 * after their creation. Call it after the entries of the import were removed.
 */
export async function deleteImportedLists(db: Db, importId: string): Promise<void> {
  await db
    .deleteFrom('named_list')
    .where('import_id', '=', importId)
    .where(sql<boolean>`updated_at = created_at`)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('named_list_entry')
            .select('title_id')
            .whereRef('named_list_entry.list_id', '=', 'named_list.list_id'),
        ),
      ),
    )
    .execute()
}
