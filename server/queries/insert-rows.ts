/**
 * Inserts many rows with few statements. Only a few statement sizes exist, and their SQL is cached. So each statement
 * is compiled only once, and the database can reuse prepared statements.
 */
import { CompiledQuery, type Insertable, type InsertQueryBuilder } from 'kysely'
import type { Db } from '../db/database.ts'
import { getDialect } from '../db/ddl.ts'
import type { DatabaseSchema } from '../db/schema.ts'

/** Rows per statement. The largest size stays below SQLite's limit of 32,766 parameters for every table. */
const ROW_BATCH_SIZES = [256, 64, 16, 4, 1]
const sqlByStatementKey = new Map<string, string>()

interface InsertOptions {
  /** True to skip rows that already exist (`on conflict do nothing`). */
  shouldIgnoreConflicts?: boolean
  returning?: string[]
}

/**
 * Inserts rows, which must all have the same keys. Returns the columns `returning` of the inserted rows. The order of
 * the returned rows is not defined.
 */
export async function insertRows<T extends keyof DatabaseSchema>(
  db: Db,
  table: T,
  rows: Insertable<DatabaseSchema[T]>[],
  options: InsertOptions = {},
): Promise<Record<string, unknown>[]> {
  const firstRow = rows[0]
  if (!firstRow) return []
  const columns = Object.keys(firstRow)
  const returnedRows: Record<string, unknown>[] = []
  for (let startIndex = 0; startIndex < rows.length; ) {
    const batchSize = ROW_BATCH_SIZES.find((supportedSize) => supportedSize <= rows.length - startIndex) ?? 1
    const parameters: unknown[] = []
    for (let rowIndex = startIndex; rowIndex < startIndex + batchSize; rowIndex++) {
      const cells = rows[rowIndex] as Record<string, unknown>
      for (const column of columns) parameters.push(cells[column])
    }
    const sqlText = getInsertSql(db, { table, columns, rowCount: batchSize, options })
    const insertResult = await db.executeQuery<Record<string, unknown>>(
      CompiledQuery.raw(sqlText, parameters),
    )
    returnedRows.push(...insertResult.rows)
    startIndex += batchSize
  }
  return returnedRows
}

interface InsertStatement {
  table: keyof DatabaseSchema
  columns: string[]
  rowCount: number
  options: InsertOptions
}

function getInsertSql(db: Db, { table, columns, rowCount, options }: InsertStatement): string {
  const returning = options.returning ?? []
  const statementKey = `${getDialect(db)} ${table} ${rowCount} ${options.shouldIgnoreConflicts ?? false} ${returning} ${columns}`
  const cachedSql = sqlByStatementKey.get(statementKey)
  if (cachedSql) return cachedSql
  const placeholderRow = Object.fromEntries(columns.map((column) => [column, 0]))
  // biome-ignore lint/suspicious/noExplicitAny: `insertRows` checks the row types; this function only compiles SQL
  let query: InsertQueryBuilder<any, any, any> = db
    .insertInto(table)
    .values(Array.from({ length: rowCount }, () => placeholderRow) as never)
  if (options.shouldIgnoreConflicts) query = query.onConflict((conflict) => conflict.doNothing())
  if (returning.length > 0) query = query.returning(returning)
  const sqlText = query.compile().sql
  sqlByStatementKey.set(statementKey, sqlText)
  return sqlText
}

/**
 * Repeats the last value of a list for `in (...)` until its length is a power of two, so that few different statements
 * exist.
 */
export function padToPowerOfTwo<T>(values: T[]): T[] {
  const lastValue = values.at(-1)
  if (lastValue === undefined) return values
  const paddedLength = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array<T>(paddedLength - values.length).fill(lastValue)]
}
