/**
 * Inserts many rows with few statements. Only a few statement sizes exist, and their SQL is cached. So each statement is
 * compiled and prepared only once.
 */
import { CompiledQuery, type Insertable, type InsertQueryBuilder } from 'kysely'
import type { Db } from '../db/database.ts'
import { getDialect } from '../db/ddl.ts'
import type { DatabaseSchema } from '../db/schema.ts'

/** Rows per statement. The largest size stays below SQLite's limit of 32,766 parameters for every table. */
const BATCH_SIZES = [256, 64, 16, 4, 1]
const sqlCache = new Map<string, string>()

interface InsertOptions {
  /** True to leave existing rows unchanged (`on conflict do nothing`). */
  ignore?: boolean
  returning?: string[]
}

/** Inserts rows, which must all have the same keys. Returns the columns of `returning`, in no particular order. */
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
  for (let start = 0; start < rows.length; ) {
    const size = BATCH_SIZES.find((batchSize) => batchSize <= rows.length - start) ?? 1
    const values: unknown[] = []
    for (let row = start; row < start + size; row++) {
      const cells = rows[row] as Record<string, unknown>
      for (const column of columns) values.push(cells[column])
    }
    const text = getSql(db, { table, columns, size, options })
    const result = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values))
    returnedRows.push(...result.rows)
    start += size
  }
  return returnedRows
}

interface InsertStatement {
  table: keyof DatabaseSchema
  columns: string[]
  size: number
  options: InsertOptions
}

function getSql(db: Db, { table, columns, size, options }: InsertStatement): string {
  const returning = options.returning ?? []
  const key = `${getDialect(db)} ${table} ${size} ${options.ignore ?? false} ${returning} ${columns}`
  const cachedSql = sqlCache.get(key)
  if (cachedSql) return cachedSql
  const sample = Object.fromEntries(columns.map((column) => [column, 0]))
  // biome-ignore lint/suspicious/noExplicitAny: the caller has typed the rows; this only compiles the SQL
  let query: InsertQueryBuilder<any, any, any> = db
    .insertInto(table)
    .values(Array.from({ length: size }, () => sample) as never)
  if (options.ignore) query = query.onConflict((conflict) => conflict.doNothing())
  if (returning.length > 0) query = query.returning(returning)
  const text = query.compile().sql
  sqlCache.set(key, text)
  return text
}

/** Pads a list for `in (...)` to a power of two by repeating its last value, so that few different statements exist. */
export function padToPowerOfTwo<T>(values: T[]): T[] {
  const lastValue = values.at(-1)
  if (lastValue === undefined) return values
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array<T>(length - values.length).fill(lastValue)]
}
