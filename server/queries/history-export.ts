/** Reads the history of a profile for export in a deterministic order: by time, then by the ids of the title. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { getDialect } from '../db/ddl.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'
import type { TrackingRow } from './tracking-row.ts'

/**
 * Tables of the export. The rows are sorted by `timeColumn`. Rows of one title with the same time are sorted by
 * `tieBreakerColumns`. `columns` are the other exported columns.
 */
export const HISTORY_EXPORT_SECTIONS = {
  list: {
    table: 'watchlist_entry',
    timeColumn: 'added_at',
    tieBreakerColumns: [],
    columns: ['state', 'favorite', 'in_watchlist'],
  },
  progress: {
    table: 'progress',
    timeColumn: 'updated_at',
    tieBreakerColumns: ['season_number', 'episode_number'],
    columns: ['progress', 'duration', 'finished', 'plays'],
  },
  play: {
    table: 'play',
    timeColumn: 'watched_at',
    tieBreakerColumns: ['season_number', 'episode_number', 'name'],
    columns: ['by_day', 'marked', 'note'],
  },
  feedback: { table: 'feedback', timeColumn: 'updated_at', tieBreakerColumns: [], columns: ['feedback'] },
  rating: { table: 'rating', timeColumn: 'updated_at', tieBreakerColumns: [], columns: ['rating'] },
} as const
export type HistoryExportSection = keyof typeof HISTORY_EXPORT_SECTIONS
export const HISTORY_EXPORT_SECTION_NAMES = Object.keys(HISTORY_EXPORT_SECTIONS) as HistoryExportSection[]

export interface HistoryExportRow extends TrackingRow {
  title_id: number
  type: string
  year: number | null
  imdb_id: string | null
  tmdb_id: number | null
  original_title: string
  /** Time of the row in milliseconds since 1970; 0 when the time is unknown. */
  at: number
}

const PAGE_ROWS = 500

/** Yields the rows of one table in pages, without titles that the audience may not see. */
export async function* readHistoryExportRows(
  db: Db,
  audience: Audience,
  profileId: string,
  section: HistoryExportSection,
): AsyncGenerator<HistoryExportRow[]> {
  const { table, timeColumn, tieBreakerColumns, columns } = HISTORY_EXPORT_SECTIONS[section]
  // Some watchlist entries have no time, so their time is read with `coalesce`. Such a query cannot use an index on the
  // time. This is acceptable because watchlists are short. The other tables are read through their index on the time.
  const sortTimeExpression =
    section === 'list' ? sql<number>`coalesce(t.added_at, 0)` : sql.ref<number>(`t.${timeColumn}`)
  const orderExpressions = [
    sortTimeExpression,
    sql`coalesce(title.tmdb_id, 0)`,
    sql.ref('title.type'),
    sql.ref('title.title_id'),
    ...tieBreakerColumns.map((columnName) =>
      columnName === 'name' ? createBinaryOrder(sql.ref(`t.${columnName}`), db) : sql.ref(`t.${columnName}`),
    ),
  ]
  const sortColumns = ['at', 'tmdb_order', 'type', 'title_id', ...tieBreakerColumns]
  let lastRow: TrackingRow | null = null
  for (;;) {
    let query = queryVisibleTitles(db, audience)
      .innerJoin(`${table as 'progress'} as t`, 't.title_id', 'title.title_id')
      .where('t.profile_id', '=', profileId)
      .select([
        'title.title_id',
        'title.type',
        'title.year',
        'title.imdb_id',
        'title.tmdb_id',
        'title.original_title',
        sortTimeExpression.as('at'),
        sql<number>`coalesce(title.tmdb_id, 0)`.as('tmdb_order'),
        ...[...tieBreakerColumns, ...columns].map((columnName) => sql.ref(`t.${columnName}`).as(columnName)),
      ])
      .limit(PAGE_ROWS)
    if (section === 'list') query = query.where(sql<boolean>`(t.in_watchlist = 1 or t.favorite = 1)`)
    if (lastRow) {
      const previousRow: TrackingRow = lastRow
      query = query.where(sql<boolean>`${sortTimeExpression} >= ${previousRow['at']}`)
      query = query.where(
        sql<boolean>`(${sql.join(orderExpressions)}) > (${sql.join(sortColumns.map((columnName) => sql`${previousRow[columnName]}`))})`,
      )
    }
    for (const expression of orderExpressions) query = query.orderBy(expression)
    const rows = (await query.execute()) as unknown as HistoryExportRow[]
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_ROWS) return
    lastRow = rows.at(-1) ?? null
  }
}

const createBinaryOrder = (textColumn: ReturnType<typeof sql.ref>, db: Db) =>
  getDialect(db) === 'postgres' ? sql`${textColumn} collate "C"` : textColumn

/** Returns the English names with the role `main`, by title id. */
export async function selectEnglishTitleNames(db: Db, titleIds: number[]): Promise<Map<number, string>> {
  if (titleIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('title_name')
    .select(['title_id', 'text'])
    .where('title_id', 'in', titleIds)
    .where('lang', '=', 'en')
    .where('role', '=', 'main')
    .orderBy('text', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.title_id, row.text]))
}
