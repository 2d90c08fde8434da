/** Rows of a dry run. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

export type ImportedRow = Selectable<Schema['history_import_row']>

export async function insertImportedRows(
  db: Db,
  rows: Insertable<Schema['history_import_row']>[],
): Promise<void> {
  if (rows.length > 0) await db.insertInto('history_import_row').values(rows).execute()
}

/** How many rows there are of each outcome, by import. */
export async function countOutcomes(db: Db, importIds: string[]) {
  if (importIds.length === 0) return []
  const rows = await db
    .selectFrom('history_import_row')
    .select(['import_id', 'outcome', (eb) => eb.fn.countAll<number>().as('count')])
    .where('import_id', 'in', importIds)
    .groupBy(['import_id', 'outcome'])
    .execute()
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

export async function ownersOf(db: Db, importId: string): Promise<{ name: string; count: number }[]> {
  const rows = await db
    .selectFrom('history_import_row')
    .select(['owner', (eb) => eb.fn.countAll<number>().as('count')])
    .where('import_id', '=', importId)
    .where('owner', '!=', '')
    .groupBy('owner')
    .orderBy('owner')
    .limit(50)
    .execute()
  return rows.map((row) => ({ name: row.owner, count: Number(row.count) }))
}

interface Group {
  first: number
  count: number
}

/** What one decision holds for, those with most rows first. */
export async function groupsOf(
  db: Db,
  importId: string,
  { outcomes, page, limit }: { outcomes: readonly string[]; page: number; limit: number },
): Promise<{ groups: Group[]; total: number }> {
  const mine = db
    .selectFrom('history_import_row')
    .where('import_id', '=', importId)
    .where('outcome', 'in', outcomes)
    .select([(eb) => eb.fn.min('n').as('first'), (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy(['outcome', 'row_key', 'title_id'])
  const groups = await mine
    .orderBy('count', 'desc')
    .orderBy('first')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await db
    .selectFrom(mine.as('groups'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return {
    groups: groups.map((one) => ({ first: Number(one.first), count: Number(one.count) })),
    total: Number(total),
  }
}

export async function rowsByNumber(db: Db, importId: string, numbers: number[]): Promise<ImportedRow[]> {
  if (numbers.length === 0) return []
  return db
    .selectFrom('history_import_row')
    .selectAll()
    .where('import_id', '=', importId)
    .where('n', 'in', numbers)
    .execute()
}

/** Rows of one key after `n`, in their order; skipped ones are never decided on. */
export async function rowsOfKey(
  db: Db,
  importId: string,
  {
    column,
    key,
    after,
    limit,
  }: { column: 'row_key' | 'text_key'; key: string; after: number; limit: number },
): Promise<ImportedRow[]> {
  return db
    .selectFrom('history_import_row')
    .selectAll()
    .where('import_id', '=', importId)
    .where(column, '=', key)
    .where('outcome', '!=', 'skipped')
    .where('n', '>', after)
    .orderBy('n')
    .limit(limit)
    .execute()
}

export async function updateImportedRow(
  db: Db,
  importId: string,
  n: number,
  set: Updateable<Schema['history_import_row']>,
): Promise<void> {
  await db
    .updateTable('history_import_row')
    .set(set)
    .where('import_id', '=', importId)
    .where('n', '=', n)
    .execute()
}

export interface PlaceCursor {
  title_id: number
  season_number: number
  episode_number: number
  n: number
}

/** Rows with a title, by title and place, after the cursor. */
export async function placedRows(
  db: Db,
  importId: string,
  { after, owners, limit }: { after: PlaceCursor; owners: readonly string[] | undefined; limit: number },
): Promise<(ImportedRow & { title_id: number })[]> {
  let query = db
    .selectFrom('history_import_row')
    .selectAll()
    .where('import_id', '=', importId)
    .where('outcome', 'in', ['matched', 'chosen'])
    .where('title_id', '>=', after.title_id)
    .where((eb) =>
      eb(
        eb.refTuple('title_id', 'season_number', 'episode_number', 'n'),
        '>',
        eb.tuple(after.title_id, after.season_number, after.episode_number, after.n),
      ),
    )
  if (owners) query = query.where('owner', 'in', owners)
  return (await query
    .orderBy('title_id')
    .orderBy('season_number')
    .orderBy('episode_number')
    .orderBy('n')
    .limit(limit)
    .execute()) as (ImportedRow & { title_id: number })[]
}
