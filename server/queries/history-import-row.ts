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

export type Group = Selectable<Schema['history_import_group']>

/** Adds to what is counted already. */
export async function addGroups(db: Db, groups: Group[]): Promise<void> {
  if (groups.length === 0) return
  await db
    .insertInto('history_import_group')
    .values(groups)
    .onConflict((conflict) =>
      conflict.columns(['import_id', 'row_key', 'outcome', 'title_id']).doUpdateSet((eb) => ({
        count: eb('history_import_group.count', '+', eb.ref('excluded.count')),
      })),
    )
    .execute()
}

/** Counts a key anew, after decisions. */
export async function recountGroup(db: Db, importId: string, rowKey: string): Promise<void> {
  await db
    .deleteFrom('history_import_group')
    .where('import_id', '=', importId)
    .where('row_key', '=', rowKey)
    .execute()
  const counted = await db
    .selectFrom('history_import_row')
    .select(['outcome', 'title_id', (eb) => eb.fn.min('n').as('first'), (eb) => eb.fn.countAll().as('count')])
    .where('import_id', '=', importId)
    .where('row_key', '=', rowKey)
    .where('outcome', '!=', 'skipped')
    .groupBy(['outcome', 'title_id'])
    .execute()
  const groups = new Map<string, Group>()
  for (const one of counted) {
    const outcome = shownAs(one.outcome)
    const title_id = one.title_id ?? 0
    const before = groups.get(`${outcome} ${title_id}`)
    groups.set(`${outcome} ${title_id}`, {
      import_id: importId,
      row_key: rowKey,
      outcome,
      title_id,
      first: Math.min(Number(one.first), before?.first ?? Number.POSITIVE_INFINITY),
      count: Number(one.count) + (before?.count ?? 0),
    })
  }
  await addGroups(db, [...groups.values()])
}

/** What was chosen by hand is shown with what was found. */
export const shownAs = (outcome: string) => (outcome === 'chosen' ? 'matched' : outcome)

export async function countOutcomes(db: Db, importId: string): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('history_import_group')
    .select(['outcome', (eb) => eb.fn.sum<number>('count').as('count')])
    .where('import_id', '=', importId)
    .groupBy('outcome')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.outcome, Number(row.count)]))
}

interface Page {
  outcome: string
  page: number
  limit: number
}

/** What one decision holds for, those with most rows first. */
export async function groupsOf(
  db: Db,
  importId: string,
  { outcome, page, limit }: Page,
): Promise<{ groups: Group[]; total: number }> {
  const mine = db
    .selectFrom('history_import_group')
    .where('import_id', '=', importId)
    .where('outcome', '=', outcome)
  const groups = await mine
    .selectAll()
    .orderBy('count', 'desc')
    .orderBy('first')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await mine.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
  return { groups, total: Number(total) }
}

/** Rows that were left out, in the order of the file. */
export async function skippedRows(
  db: Db,
  importId: string,
  { page, limit }: { page: number; limit: number },
): Promise<ImportedRow[]> {
  return db
    .selectFrom('history_import_row')
    .selectAll()
    .where('import_id', '=', importId)
    .where('row_key', '=', SKIPPED)
    .orderBy('n')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
}

/** The key of rows that no decision is for. */
export const SKIPPED = '-'

export async function rowsByNumber(db: Db, importId: string, numbers: number[]): Promise<ImportedRow[]> {
  if (numbers.length === 0) return []
  return db
    .selectFrom('history_import_row')
    .selectAll()
    .where('import_id', '=', importId)
    .where('n', 'in', numbers)
    .execute()
}

interface OfKey {
  rowKey: string
  /** Only rows of this text. */
  textKey: string | null
  after: number
  limit: number
}

/** Rows of one key after `n`, in their order. */
export async function rowsOfKey(
  db: Db,
  importId: string,
  { rowKey, textKey, after, limit }: OfKey,
): Promise<ImportedRow[]> {
  let query = db
    .selectFrom('history_import_row')
    .selectAll()
    .where('import_id', '=', importId)
    .where('row_key', '=', rowKey)
    .where('n', '>', after)
  if (textKey !== null) query = query.where('text_key', '=', textKey)
  return query.orderBy('n').limit(limit).execute()
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
