/** What a profile's history is made of, as plain rows: how imports read, write and take back many at a time. */
import type { Db } from '../db/open.ts'

export type Row = Record<string, string | number | null>

/** Table, what names a row beside the profile, and the rest of it. */
const KINDS = {
  progress: {
    table: 'progress',
    key: ['title_id', 'season_number', 'episode_number'],
    rest: ['progress', 'duration', 'finished', 'plays', 'updated_at'],
  },
  play: {
    table: 'play',
    key: ['title_id', 'season_number', 'episode_number', 'name', 'watched_at'],
    rest: ['by_day'],
  },
  list: {
    table: 'watchlist_entry',
    key: ['title_id'],
    rest: ['in_watchlist', 'state', 'favorite', 'added_at', 'updated_at'],
  },
  feedback: { table: 'feedback', key: ['title_id'], rest: ['feedback', 'updated_at'] },
  interaction: {
    table: 'interaction',
    key: ['title_id'],
    rest: ['impressions', 'opens', 'plays', 'dismissed_at', 'updated_at'],
  },
} as const
export type RowKind = keyof typeof KINDS
export const ROW_KINDS = Object.keys(KINDS) as RowKind[]

/** Names a row among all kinds. */
export function rowName(kind: RowKind, row: Row): string {
  return `${kind} ${KINDS[kind].key.map((column) => row[column]).join(' ')}`
}

/** The row with its columns in their order, so that equal rows are equal text. */
export function rowText(kind: RowKind, row: Row): string {
  const { key, rest } = KINDS[kind]
  return JSON.stringify(Object.fromEntries([...key, ...rest].map((column) => [column, row[column] ?? null])))
}

export async function rowsOf(db: Db, kind: RowKind, profileId: string, titleIds: number[]): Promise<Row[]> {
  if (titleIds.length === 0) return []
  const { table, key, rest } = KINDS[kind]
  return db
    .selectFrom(table as 'progress')
    .select([...key, ...rest] as never[])
    .where('profile_id', '=', profileId)
    .where('title_id', 'in', titleIds)
    .execute() as unknown as Promise<Row[]>
}

export async function writeRows(db: Db, kind: RowKind, profileId: string, rows: Row[]): Promise<void> {
  const { table, key, rest } = KINDS[kind]
  if (rows.length === 0) return
  await db
    .insertInto(table as 'progress')
    .values(rows.map((row) => ({ profile_id: profileId, ...row })) as never)
    .onConflict((conflict) =>
      conflict
        .columns(['profile_id', ...key] as never[])
        .doUpdateSet((eb) =>
          Object.fromEntries(rest.map((column) => [column, eb.ref(`excluded.${column}` as never)])),
        ),
    )
    .execute()
}

export async function removeRow(db: Db, kind: RowKind, profileId: string, row: Row): Promise<void> {
  const { table, key } = KINDS[kind]
  let query = db.deleteFrom(table as 'progress').where('profile_id', '=', profileId)
  for (const column of key) query = query.where(column as 'title_id', '=', row[column] as number)
  await query.execute()
}
