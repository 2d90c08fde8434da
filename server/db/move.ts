/** A whole household from SQLite to PostgreSQL: all of it, compared row by row, or nothing. */
import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import { inTurn } from './lock.ts'
import { migrate } from './migrate.ts'
import type { Database } from './open.ts'

type Row = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: any table
type AnyDb = Kysely<any>

const BATCH = 500
/** Written by the database itself while titles and people go in, or of no use elsewhere. */
const MADE_ANEW = new Set(['catalogue_change', 'catalogue_version', 'search_pending', 'lease'])

export interface Moved {
  table: string
  rows: number
}

/**
 * Copies every table of `from` (SQLite) into `to` (PostgreSQL) in one transaction, then reads both sides again and compares
 * the number of rows and a checksum over all their values. Nobody can write to `from` meanwhile. Throws in plain words,
 * with nothing changed in `to` but empty tables, when `to` holds anything, or when anything differs.
 */
export async function moveDatabase(
  from: Database,
  to: Database,
  tell: (moved: Moved) => void = () => {},
): Promise<Moved[]> {
  const { sqlite } = from
  if (!sqlite || to.kind !== 'postgres') throw new Error('From SQLite to PostgreSQL is the one way there is.')
  await migrate(from)
  return inTurn(to, 'start', async () => {
    await migrate(to)
    sqlite.exec('begin immediate')
    try {
      const tables = inOrder(sqlite)
      return await to.primary.transaction().execute((trx) => copyAll(sqlite, trx, tables, tell))
    } finally {
      sqlite.exec('rollback')
    }
  })
}

async function copyAll(
  sqlite: DatabaseSync,
  trx: AnyDb,
  tables: string[],
  tell: (moved: Moved) => void,
): Promise<Moved[]> {
  for (const table of tables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(trx)
    if (rows.length > 0)
      throw new Error(`The target is not empty: its table ${table} has rows. Nothing was changed.`)
  }
  const moved: Moved[] = []
  for (const table of tables) {
    await copy(sqlite, trx, table)
    const [there, here] = [await summaryOfPostgres(trx, table), summary(rowsOf(sqlite, table))]
    if (there.rows !== here.rows || there.checksum !== here.checksum)
      throw new Error(`The rows of ${table} differ after copying. Nothing was changed.`)
    await goOnCounting(trx, table)
    moved.push({ table, rows: here.rows })
    tell({ table, rows: here.rows })
  }
  return moved
}

/** Tables whose rows others point to come first. */
function inOrder(sqlite: DatabaseSync): string[] {
  const names = (
    sqlite.prepare("select name from sqlite_master where type = 'table' order by name").all() as {
      name: string
    }[]
  )
    .map(({ name }) => name)
    .filter((name) => !/^(sqlite_|kysely_)/.test(name) && !MADE_ANEW.has(name))
  const ordered: string[] = []
  const visit = (name: string, path: string[]) => {
    if (ordered.includes(name) || path.includes(name)) return
    const parents = sqlite.prepare('select "table" as parent from pragma_foreign_key_list(?)').all(name) as {
      parent: string
    }[]
    for (const { parent } of parents) visit(parent, [...path, name])
    ordered.push(name)
  }
  for (const name of names) visit(name, [])
  return ordered
}

function rowsOf(sqlite: DatabaseSync, table: string): Iterable<Row> {
  return sqlite.prepare(`select * from "${table}"`).iterate() as Iterable<Row>
}

async function copy(sqlite: DatabaseSync, trx: AnyDb, table: string): Promise<void> {
  let batch: Row[] = []
  const write = async () => {
    if (batch.length > 0) await trx.insertInto(table).values(batch).execute()
    batch = []
  }
  for (const row of rowsOf(sqlite, table)) {
    batch.push({ ...row })
    if (batch.length === BATCH) await write()
  }
  await write()
}

interface Summary {
  rows: number
  checksum: string
}

/** The sum of a hash of every row: the order in which a database tells its rows does not matter, their number does. */
function summary(rows: Iterable<Row>): Summary {
  const sum = new Sum()
  for (const row of rows) sum.add(row)
  return sum.value()
}

async function summaryOfPostgres(trx: AnyDb, table: string): Promise<Summary> {
  const sum = new Sum()
  await sql`declare moved no scroll cursor for select * from ${sql.table(table)}`.execute(trx)
  for (;;) {
    const { rows } = await sql<Row>`fetch forward ${sql.lit(BATCH)} from moved`.execute(trx)
    for (const row of rows) sum.add(row)
    if (rows.length < BATCH) break
  }
  await sql`close moved`.execute(trx)
  return sum.value()
}

class Sum {
  #rows = 0
  #sum = 0n

  add(row: Row): void {
    const values = Object.keys(row)
      .sort()
      .map((name) => [
        name,
        row[name] instanceof Uint8Array ? Buffer.from(row[name]).toString('hex') : row[name],
      ])
    this.#rows += 1
    this.#sum += BigInt(`0x${createHash('sha256').update(JSON.stringify(values)).digest('hex')}`)
  }

  value(): Summary {
    return { rows: this.#rows, checksum: (this.#sum % (1n << 256n)).toString(16) }
  }
}

/** New rows get ids above those that came along. */
async function goOnCounting(trx: AnyDb, table: string): Promise<void> {
  const { rows } = await sql<{ column_name: string }>`
    select column_name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_identity = 'YES'`.execute(trx)
  for (const { column_name: column } of rows) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      (select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(table)}), false)`.execute(trx)
  }
}
