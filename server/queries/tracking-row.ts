/**
 * Generic access to the tracking tables of a profile. History imports use it to read, write and undo many rows at a
 * time.
 */
import type { Db } from '../db/database.ts'

export type TrackingRow = Record<string, string | number | null>

/**
 * Tables by kind. `keyColumns` are the columns of the primary key except the profile. `otherColumns` are all other
 * columns.
 */
const TRACKING_TABLES = {
  progress: {
    table: 'progress',
    keyColumns: ['title_id', 'season_number', 'episode_number'],
    otherColumns: ['progress', 'duration', 'finished', 'plays', 'updated_at'],
  },
  play: {
    table: 'play',
    keyColumns: ['title_id', 'season_number', 'episode_number', 'name', 'watched_at'],
    otherColumns: ['by_day', 'marked', 'note'],
  },
  list: {
    table: 'watchlist_entry',
    keyColumns: ['title_id'],
    otherColumns: ['in_watchlist', 'state', 'favorite', 'added_at', 'updated_at'],
  },
  feedback: { table: 'feedback', keyColumns: ['title_id'], otherColumns: ['feedback', 'updated_at'] },
  rating: { table: 'rating', keyColumns: ['title_id'], otherColumns: ['rating', 'updated_at'] },
  list_entry: {
    table: 'named_list_entry',
    keyColumns: ['title_id', 'list_id'],
    otherColumns: ['position', 'added_at'],
  },
  interaction: {
    table: 'interaction',
    keyColumns: ['title_id'],
    otherColumns: ['impressions', 'opens', 'plays', 'dismissed_at', 'updated_at'],
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
  const { keyColumns, otherColumns } = TRACKING_TABLES[kind]
  return JSON.stringify(
    Object.fromEntries([...keyColumns, ...otherColumns].map((column) => [column, row[column] ?? null])),
  )
}

export async function selectTrackingRows(
  db: Db,
  kind: TrackingRowKind,
  profileId: string,
  titleIds: number[],
): Promise<TrackingRow[]> {
  if (titleIds.length === 0) return []
  const { table, keyColumns, otherColumns } = TRACKING_TABLES[kind]
  return db
    .selectFrom(table as 'progress')
    .select([...keyColumns, ...otherColumns] as never[])
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
  const { table, keyColumns, otherColumns } = TRACKING_TABLES[kind]
  if (rows.length === 0) return
  await db
    .insertInto(table as 'progress')
    .values(rows.map((row) => ({ profile_id: profileId, ...row })) as never)
    .onConflict((conflict) =>
      conflict
        .columns(['profile_id', ...keyColumns] as never[])
        .doUpdateSet((eb) =>
          Object.fromEntries(otherColumns.map((column) => [column, eb.ref(`excluded.${column}` as never)])),
        ),
    )
    .execute()
}

export async function deleteTrackingRow(
  db: Db,
  kind: TrackingRowKind,
  profileId: string,
  row: TrackingRow,
): Promise<void> {
  const { table, keyColumns } = TRACKING_TABLES[kind]
  let query = db.deleteFrom(table as 'progress').where('profile_id', '=', profileId)
  for (const column of keyColumns) query = query.where(column as 'title_id', '=', row[column] as number)
  await query.execute()
}
