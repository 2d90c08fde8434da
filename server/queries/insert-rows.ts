/**
 * Many rows in few statements. Statements come in a few sizes and their texts are kept, so that a database which prepares
 * statements (SQLite) prepares each once.
 */
import { CompiledQuery, type Insertable, type InsertQueryBuilder } from 'kysely'
import { dialectOf } from '../db/ddl.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

/** Rows per statement; the largest stays below SQLite's 32,766 parameters for every table. */
const SIZES = [256, 64, 16, 4, 1]
const texts = new Map<string, string>()

interface Options {
  /** Rows that are there already stay as they are. */
  ignore?: boolean
  returning?: string[]
}

/** All rows have the same keys. Answers the columns of `returning`, in no order that may be relied on. */
export async function insertRows<T extends keyof Schema>(
  db: Db,
  table: T,
  rows: Insertable<Schema[T]>[],
  options: Options = {},
): Promise<Record<string, unknown>[]> {
  const first = rows[0]
  if (!first) return []
  const columns = Object.keys(first)
  const answers: Record<string, unknown>[] = []
  for (let at = 0; at < rows.length; ) {
    const size = SIZES.find((one) => one <= rows.length - at) ?? 1
    const values: unknown[] = []
    for (let row = at; row < at + size; row++) {
      const cells = rows[row] as Record<string, unknown>
      for (const column of columns) values.push(cells[column])
    }
    const text = textOf(db, { table, columns, size, options })
    const result = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values))
    answers.push(...result.rows)
    at += size
  }
  return answers
}

interface Statement {
  table: keyof Schema
  columns: string[]
  size: number
  options: Options
}

function textOf(db: Db, { table, columns, size, options }: Statement): string {
  const returning = options.returning ?? []
  const key = `${dialectOf(db)} ${table} ${size} ${options.ignore ?? false} ${returning} ${columns}`
  const kept = texts.get(key)
  if (kept) return kept
  const sample = Object.fromEntries(columns.map((column) => [column, 0]))
  // biome-ignore lint/suspicious/noExplicitAny: the rows were typed by the caller; this only asks for the statement's text
  let query: InsertQueryBuilder<any, any, any> = db
    .insertInto(table)
    .values(Array.from({ length: size }, () => sample) as never)
  if (options.ignore) query = query.onConflict((conflict) => conflict.doNothing())
  if (returning.length > 0) query = query.returning(returning)
  const text = query.compile().sql
  texts.set(key, text)
  return text
}

/** A list for `in (...)`, lengthened to a power of two by repeating its last value: few lengths, few statements. */
export function evened<T>(values: T[]): T[] {
  const last = values.at(-1)
  if (last === undefined) return values
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array<T>(length - values.length).fill(last)]
}
