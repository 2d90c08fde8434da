/**
 * Reads the profiles, lists, removed viewings and undone imports in the bin, and deletes them permanently. Also
 * restores profiles. title-publishing.ts contains the bin of titles.
 */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Time that an item other than a title stays in the bin. For titles, the setting `bin_days` applies. */
export const BIN_RETENTION_MS = 30 * 86_400_000

export interface BinRow {
  item_id: string
  name: string | null
  /** Id of the title whose name is shown for the item; null when the item has a name of its own. */
  title_id: number | null
  /** Number of titles of a list, or of viewings of a removal; null for a profile or an import. */
  count: number | null
  deleted_at: number
}

export async function selectDeletedProfiles(db: Db, accountId: string, sinceMs: number): Promise<BinRow[]> {
  const rows = await db
    .selectFrom('profile')
    .select(['profile_id', 'name', 'deleted_at'])
    .where('account_id', '=', accountId)
    .where('deleted_at', '>', sinceMs)
    .execute()
  return rows.map((row) => ({
    item_id: row.profile_id,
    name: row.name,
    title_id: null,
    count: null,
    deleted_at: Number(row.deleted_at),
  }))
}

export async function selectDeletedLists(db: Db, profileId: string, sinceMs: number): Promise<BinRow[]> {
  const rows = await db
    .selectFrom('named_list')
    .select((eb) => [
      'list_id',
      'name',
      'deleted_at',
      eb
        .selectFrom('named_list_entry')
        .whereRef('named_list_entry.list_id', '=', 'named_list.list_id')
        .select((subquery) => subquery.fn.countAll<number>().as('count'))
        .as('count'),
    ])
    .where('profile_id', '=', profileId)
    .where('deleted_at', '>', sinceMs)
    .execute()
  return rows.map((row) => ({
    item_id: row.list_id,
    name: row.name,
    title_id: null,
    count: Number(row.count),
    deleted_at: Number(row.deleted_at),
  }))
}

/**
 * Returns the viewing edits after `sinceMs` that removed viewings and have not been undone. `title_id` is the lowest id
 * of the titles that the edit has changed.
 */
export async function selectViewingRemovals(db: Db, profileId: string, sinceMs: number): Promise<BinRow[]> {
  const rows = await db
    .selectFrom('viewing_edit')
    .select(['edit_key', 'viewings', 'created_at'])
    .select(
      sql<
        number | null
      >`(select min(c.title_id) from viewing_edit_change c where c.edit_id = viewing_edit.edit_id)`.as(
        'title_id',
      ),
    )
    .where('profile_id', '=', profileId)
    .where('kind', '=', 'remove')
    .where('undone_at', 'is', null)
    .where('viewings', '>', 0)
    .where('created_at', '>', sinceMs)
    .execute()
  return rows.flatMap((row) =>
    row.title_id === null
      ? []
      : [
          {
            item_id: row.edit_key,
            name: null,
            title_id: Number(row.title_id),
            count: row.viewings,
            deleted_at: row.created_at,
          },
        ],
  )
}

export async function selectUndoneImports(db: Db, profileId: string, sinceMs: number): Promise<BinRow[]> {
  const rows = await db
    .selectFrom('history_import')
    .select(['import_id', 'file_name', 'undone_at'])
    .where('profile_id', '=', profileId)
    .where('status', '=', 'undone')
    .where('undone_at', '>', sinceMs)
    .execute()
  return rows.map((row) => ({
    item_id: row.import_id,
    name: row.file_name,
    title_id: null,
    count: null,
    deleted_at: Number(row.undone_at),
  }))
}

interface DeletedProfileRef {
  accountId: string
  profileId: string
}

/** Restores a profile from the bin. Returns false when the profile is not in the bin. */
export async function restoreDeletedProfile(
  db: Db,
  { accountId, profileId }: DeletedProfileRef,
  sinceMs: number,
): Promise<boolean> {
  const updateResult = await db
    .updateTable('profile')
    .set({ deleted_at: null })
    .where('account_id', '=', accountId)
    .where('profile_id', '=', profileId)
    .where('deleted_at', '>', sinceMs)
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}

/** Returns a profile in the bin; undefined when the profile is not in the bin. */
export async function selectDeletedProfile(db: Db, { accountId, profileId }: DeletedProfileRef) {
  return db
    .selectFrom('profile')
    .select(['profile_id', 'pin_hash'])
    .where('account_id', '=', accountId)
    .where('profile_id', '=', profileId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
}

/** Permanently deletes an item in the bin of a profile. Returns false when the item is not in the bin. */
export async function eraseProfileBinItem(
  db: Db,
  kind: 'list' | 'history' | 'import',
  { profileId, itemId }: { profileId: string; itemId: string },
): Promise<boolean> {
  const query =
    kind === 'list'
      ? db.deleteFrom('named_list').where('list_id', '=', itemId).where('deleted_at', 'is not', null)
      : kind === 'history'
        ? db.deleteFrom('viewing_edit').where('edit_key', '=', itemId).where('kind', '=', 'remove')
        : db.deleteFrom('history_import').where('import_id', '=', itemId).where('status', '=', 'undone')
  return (await query.where('profile_id', '=', profileId).executeTakeFirst()).numDeletedRows > 0n
}

/** Permanently deletes the profiles whose time in the bin is over. Returns their number. */
export async function deleteExpiredProfiles(db: Db, nowMs: number): Promise<number> {
  const deleteResult = await db
    .deleteFrom('profile')
    .where('deleted_at', '<=', nowMs - BIN_RETENTION_MS)
    .executeTakeFirst()
  return Number(deleteResult.numDeletedRows)
}
