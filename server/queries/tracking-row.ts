/**
 * Generic access to the tracking tables of a profile. History imports use it to read, write and undo many rows at a
 * time.
 */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export type TrackingRow = Record<string, string | number | null>

/**
 * Tables by kind. `keyColumns` are the columns of the primary key except the profile. `nonKeyColumns` are all other
 * columns.
 */
const TRACKING_TABLES = {
  progress: {
    table: 'progress',
    keyColumns: ['title_id', 'season_number', 'episode_number'],
    nonKeyColumns: ['progress', 'duration', 'finished', 'plays', 'updated_at'],
  },
  play: {
    table: 'play',
    keyColumns: ['title_id', 'season_number', 'episode_number', 'name', 'watched_at'],
    nonKeyColumns: ['by_day', 'marked', 'note'],
  },
  list: {
    table: 'watchlist_entry',
    keyColumns: ['title_id'],
    nonKeyColumns: ['in_watchlist', 'state', 'favorite', 'added_at', 'updated_at'],
  },
  feedback: { table: 'feedback', keyColumns: ['title_id'], nonKeyColumns: ['feedback', 'updated_at'] },
  rating: { table: 'rating', keyColumns: ['title_id'], nonKeyColumns: ['rating', 'updated_at'] },
  list_entry: {
    table: 'named_list_entry',
    keyColumns: ['title_id', 'list_id'],
    nonKeyColumns: ['position', 'added_at'],
  },
  interaction: {
    table: 'interaction',
    keyColumns: ['title_id'],
    nonKeyColumns: ['impressions', 'opens', 'plays', 'dismissed_at', 'updated_at'],
  },
} as const
export type TrackingRowKind = keyof typeof TRACKING_TABLES
export const TRACKING_ROW_KINDS = Object.keys(TRACKING_TABLES) as TrackingRowKind[]

/** Returns a key that is unique among the rows of all kinds of one profile. */
export function getTrackingRowKey(kind: TrackingRowKind, row: TrackingRow): string {
  return `${kind} ${TRACKING_TABLES[kind].keyColumns.map((column) => row[column]).join(' ')}`
}

/** Serialises a row with its columns in a fixed order, so that equal rows give equal text. */
export function serialiseTrackingRow(kind: TrackingRowKind, row: TrackingRow): string {
  const { keyColumns, nonKeyColumns } = TRACKING_TABLES[kind]
  return JSON.stringify(
    Object.fromEntries([...keyColumns, ...nonKeyColumns].map((column) => [column, row[column] ?? null])),
  )
}

export async function selectTrackingRows(
  db: Db,
  kind: TrackingRowKind,
  profileId: string,
  titleIds: number[],
): Promise<TrackingRow[]> {
  if (titleIds.length === 0) return []
  const { table, keyColumns, nonKeyColumns } = TRACKING_TABLES[kind]
  return db
    .selectFrom(table as 'progress')
    .select([...keyColumns, ...nonKeyColumns] as never[])
    .where('profile_id', '=', profileId)
    .where('title_id', 'in', titleIds)
    .execute() as unknown as Promise<TrackingRow[]>
}

/** Inserts rows. Overwrites rows that already exist. */
export async function upsertTrackingRows(
  db: Db,
  kind: TrackingRowKind,
  profileId: string,
  rows: TrackingRow[],
): Promise<void> {
  const { table, keyColumns, nonKeyColumns } = TRACKING_TABLES[kind]
  if (rows.length === 0) return
  await db
    .insertInto(table as 'progress')
    .values(rows.map((row) => ({ profile_id: profileId, ...row })) as never)
    .onConflict((conflict) =>
      conflict
        .columns(['profile_id', ...keyColumns] as never[])
        .doUpdateSet((eb) =>
          Object.fromEntries(nonKeyColumns.map((column) => [column, eb.ref(`excluded.${column}` as never)])),
        ),
    )
    .execute()
}

/** SQL types of the key columns that are not of the type `integer`. */
const KEY_COLUMN_TYPES: Readonly<Record<string, 'text' | 'bigint'>> = {
  name: 'text',
  list_id: 'text',
  watched_at: 'bigint',
}
const ROWS_PER_DELETION = 100

/**
 * Deletes the stored rows that have the same keys as `rows`, many rows per statement. `onStatementEnd` is called after
 * each statement.
 */
export async function deleteTrackingRows(
  db: Db,
  kind: TrackingRowKind,
  profileId: string,
  { rows, onStatementEnd }: { rows: readonly TrackingRow[]; onStatementEnd: () => Promise<void> | undefined },
): Promise<void> {
  const { table, keyColumns } = TRACKING_TABLES[kind]
  const rangeColumns = keyColumns.filter((column) => !(column in KEY_COLUMN_TYPES) || column === 'watched_at')
  const sortedRows = rows.toSorted((a, b) => compareColumns(a, b, rangeColumns))
  for (let startIndex = 0; startIndex < sortedRows.length; startIndex += ROWS_PER_DELETION) {
    const rowsOfStatement = sortedRows.slice(startIndex, startIndex + ROWS_PER_DELETION)
    await db
      .deleteFrom(table as 'progress')
      .where('profile_id', '=', profileId)
      .where(createRangeSql(rangeColumns, rowsOfStatement))
      .where(createKeyListSql(keyColumns, rowsOfStatement))
      .execute()
    await onStatementEnd()
  }
}

function compareColumns(a: TrackingRow, b: TrackingRow, columns: readonly string[]): number {
  const column = columns.find((name) => a[name] !== b[name])
  return column === undefined ? 0 : Number(a[column]) - Number(b[column])
}

/**
 * Returns the condition that the columns are between those of the first and of the last row. While PostgreSQL has no
 * statistics of newly inserted rows, it would read all rows of the profile or of the title without this condition.
 */
function createRangeSql(columns: readonly string[], sortedRows: readonly TrackingRow[]) {
  const [firstRow, lastRow] = [sortedRows[0], sortedRows.at(-1)]
  const buildComparison = (operator: '>=' | '<=', row: TrackingRow | undefined) =>
    sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) ${sql.raw(operator)} (${sql.join(
      columns.map((column) => sql`${row?.[column]}`),
    )})`
  return sql<boolean>`${buildComparison('>=', firstRow)} and ${buildComparison('<=', lastRow)}`
}

/** Returns the condition that the row has one of these keys. */
function createKeyListSql(columns: readonly string[], rows: readonly TrackingRow[]) {
  // PostgreSQL takes the types of a VALUES list from its first row.
  const keyRows = rows.map((row, index) => {
    const values = columns.map((column) =>
      index > 0
        ? sql`${row[column]}`
        : sql`cast(${row[column]} as ${sql.raw(KEY_COLUMN_TYPES[column] ?? 'integer')})`,
    )
    return sql`(${sql.join(values)})`
  })
  return sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) in (values ${sql.join(keyRows)})`
}
