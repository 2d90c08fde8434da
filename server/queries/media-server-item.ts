/**
 * The rows of the movies and episodes that media servers listed, with the titles to which they belong, and the state of
 * these servers.
 */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { insertRows, padToPowerOfTwo } from './insert-rows.ts'
import { splitIntoChunks } from './library-file.ts'
import { type PageRequest, selectPage } from './page.ts'
import { containsText } from './text-match.ts'

export type MediaServerItemRow = Selectable<DatabaseSchema['media_server_item']>
export type MediaServerItemInsert = Insertable<DatabaseSchema['media_server_item']>
type MediaServerStateRow = Selectable<DatabaseSchema['media_server_state']>

export async function selectItemsOfServer(db: Db, serverId: string): Promise<MediaServerItemRow[]> {
  return db.selectFrom('media_server_item').selectAll().where('server_id', '=', serverId).execute()
}

interface MediaServerItemChanges {
  addedRows: MediaServerItemInsert[]
  changedRows: MediaServerItemRow[]
  removedIds: number[]
}

/** Deletes, updates and inserts the rows of items. Call this function in a transaction. */
export async function writeMediaServerItems(
  db: Db,
  { addedRows, changedRows, removedIds }: MediaServerItemChanges,
) {
  for (const itemIds of splitIntoChunks(removedIds))
    await db.deleteFrom('media_server_item').where('item_id', 'in', padToPowerOfTwo(itemIds)).execute()
  for (const { item_id, ...row } of changedRows)
    await db.updateTable('media_server_item').set(row).where('item_id', '=', item_id).execute()
  await insertRows(db, 'media_server_item', addedRows)
}

/**
 * Deletes the items and the states of all media servers except the servers in `serverIds`. Returns true when items were
 * deleted.
 */
export async function deleteOtherMediaServers(db: Db, serverIds: readonly string[]): Promise<boolean> {
  const keptServerIds = serverIds.concat('')
  await db.deleteFrom('media_server_state').where('server_id', 'not in', keptServerIds).execute()
  const { numDeletedRows } = await db
    .deleteFrom('media_server_item')
    .where('server_id', 'not in', keptServerIds)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Returns the matched items of a title. */
export const selectItemsOfTitle = (db: Db, titleId: number): Promise<MediaServerItemRow[]> =>
  selectItemsOfTitles(db, [titleId])

/** Returns the matched items of the titles. */
export async function selectItemsOfTitles(db: Db, titleIds: number[]): Promise<MediaServerItemRow[]> {
  if (titleIds.length === 0) return []
  return db
    .selectFrom('media_server_item')
    .selectAll()
    .where('title_id', 'in', padToPowerOfTwo(titleIds))
    .where('state', '=', 'matched')
    .orderBy('item_id')
    .execute()
}

interface MediaServerItemFilters extends PageRequest {
  server?: string | undefined
  state?: string | undefined
  reason?: string | undefined
  search?: string | undefined
}

/** Returns a page of items, sorted by the name of the movie or series, then by season and episode. */
export async function selectMediaServerItems(db: Db, filters: MediaServerItemFilters) {
  let query = db.selectFrom('media_server_item')
  if (filters.server) query = query.where('server_id', '=', filters.server)
  if (filters.state) query = query.where('state', '=', filters.state)
  if (filters.reason) query = query.where('reason', '=', filters.reason)
  if (filters.search)
    query = query.where(containsText(db, sql`coalesce(series_name, '') || ' ' || name`, filters.search))
  const rowsQuery = query
    .selectAll()
    .orderBy(sql`coalesce(series_name, name)`)
    .orderBy('season_number')
    .orderBy('episodes')
    .orderBy('item_id')
  return selectPage(rowsQuery, query, filters)
}

/** Counts the items by server and state. */
export async function countMediaServerItems(db: Db) {
  const rows = await db
    .selectFrom('media_server_item')
    .select((eb) => ['server_id', 'state', eb.fn.countAll<number>().as('items')])
    .groupBy(['server_id', 'state'])
    .execute()
  return rows.map((row) => ({ ...row, items: Number(row.items) }))
}

export async function selectMediaServerStates(db: Db): Promise<MediaServerStateRow[]> {
  return db.selectFrom('media_server_state').selectAll().execute()
}

export async function upsertMediaServerState(
  db: Db,
  serverId: string,
  changes: Partial<Omit<MediaServerStateRow, 'server_id'>>,
): Promise<void> {
  await db
    .insertInto('media_server_state')
    .values({ server_id: serverId, ...changes })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(changes))
    .execute()
}
