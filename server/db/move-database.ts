/** Copies a complete database from SQLite to PostgreSQL and verifies the copy. */

import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { AnyDb } from './ddl.ts'
import { withProcessLock } from './lock.ts'
import { migrateDatabase } from './migrate.ts'

type TableRow = Record<string, unknown>

const BATCH_ROWS = 500
/**
 * Tables that are not copied: triggers fill them while titles and people are inserted, or their rows have no meaning in
 * another database.
 */
const SKIPPED_TABLES = new Set(['catalogue_change', 'catalogue_version', 'lease'])

export interface MovedTable {
  table: string
  rowCount: number
}

/**
 * Copies every table of `source` (SQLite) to `target` (PostgreSQL) in one transaction. Then reads both databases and
 * compares the row counts and a checksum over all values. Meanwhile `source` is locked against writes. Throws when
 * `target` is not empty, or when a table differs after copying; the transaction is then rolled back.
 */
export async function moveDatabase(
  source: Database,
  target: Database,
  onTableMoved: (movedTable: MovedTable) => void = () => {},
): Promise<MovedTable[]> {
  const { sqlite } = source
  if (!sqlite || target.kind !== 'postgres')
    throw new Error('The source must be SQLite and the target PostgreSQL.')
  await migrateDatabase(source)
  return withProcessLock(target, 'start', async () => {
    await migrateDatabase(target)
    /*
     * PostgreSQL closes pool connections that stay idle in a transaction for too long. Reading a large source table can
     * take longer.
     */
    const connection = target.openWithoutTimeouts?.() ?? target.primary
    sqlite.exec('begin immediate')
    try {
      const tables = listTablesInDependencyOrder(sqlite)
      return await connection.transaction().execute((trx) => copyTables(sqlite, trx, tables, onTableMoved))
    } finally {
      sqlite.exec('rollback')
      if (connection !== target.primary) await connection.destroy()
    }
  })
}

async function copyTables(
  sqlite: DatabaseSync,
  trx: AnyDb,
  tables: string[],
  onTableMoved: (movedTable: MovedTable) => void,
): Promise<MovedTable[]> {
  for (const table of tables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(trx)
    if (rows.length > 0)
      throw new Error(`The target is not empty: its table ${table} has rows. Nothing was changed.`)
  }
  const movedTables: MovedTable[] = []
  for (const table of tables) {
    await copyTable(sqlite, trx, table)
    const [targetSummary, sourceSummary] = [
      await summarisePostgresTable(trx, table),
      summariseRows(readRows(sqlite, table)),
    ]
    if (
      targetSummary.rowCount !== sourceSummary.rowCount ||
      targetSummary.checksum !== sourceSummary.checksum
    )
      throw new Error(`The rows of ${table} differ after copying. Nothing was changed.`)
    await advanceIdentity(trx, table)
    movedTables.push({ table, rowCount: sourceSummary.rowCount })
    onTableMoved({ table, rowCount: sourceSummary.rowCount })
  }
  return movedTables
}

/** Returns the table names. Each table follows the tables that its foreign keys refer to. */
function listTablesInDependencyOrder(sqlite: DatabaseSync): string[] {
  const tableNames = (
    sqlite.prepare("select name from sqlite_master where type = 'table' order by name").all() as {
      name: string
    }[]
  )
    .map(({ name }) => name)
    .filter((name) => !/^(sqlite_|kysely_)/.test(name) && !SKIPPED_TABLES.has(name))
  const orderedNames: string[] = []
  const addTableAfterParents = (name: string, dependencyPath: string[]) => {
    if (orderedNames.includes(name) || dependencyPath.includes(name)) return
    const parents = sqlite.prepare('select "table" as parent from pragma_foreign_key_list(?)').all(name) as {
      parent: string
    }[]
    for (const { parent } of parents) addTableAfterParents(parent, [...dependencyPath, name])
    orderedNames.push(name)
  }
  for (const name of tableNames) addTableAfterParents(name, [])
  return orderedNames
}

function readRows(sqlite: DatabaseSync, table: string): Iterable<TableRow> {
  return sqlite.prepare(`select * from "${table}"`).iterate() as Iterable<TableRow>
}

async function copyTable(sqlite: DatabaseSync, trx: AnyDb, table: string): Promise<void> {
  let batch: TableRow[] = []
  const writeBatch = async () => {
    if (batch.length > 0) await trx.insertInto(table).values(batch).execute()
    batch = []
  }
  for (const row of readRows(sqlite, table)) {
    batch.push({ ...row })
    if (batch.length === BATCH_ROWS) await writeBatch()
  }
  await writeBatch()
}

interface TableSummary {
  rowCount: number
  checksum: string
}

/**
 * Computes the summary of a table. The checksum is the sum of the row hashes, so that the order of the rows does not
 * matter.
 */
function summariseRows(rows: Iterable<TableRow>): TableSummary {
  const checksum = new RowChecksum()
  for (const row of rows) checksum.add(row)
  return checksum.summarise()
}

async function summarisePostgresTable(trx: AnyDb, table: string): Promise<TableSummary> {
  const checksum = new RowChecksum()
  await sql`declare moved no scroll cursor for select * from ${sql.table(table)}`.execute(trx)
  for (;;) {
    const { rows } = await sql<TableRow>`fetch forward ${sql.lit(BATCH_ROWS)} from moved`.execute(trx)
    for (const row of rows) checksum.add(row)
    if (rows.length < BATCH_ROWS) break
  }
  await sql`close moved`.execute(trx)
  return checksum.summarise()
}

class RowChecksum {
  #rowCount = 0
  #sum = 0n

  add(row: TableRow): void {
    const columnValues = Object.keys(row)
      .sort()
      .map((name) => [
        name,
        row[name] instanceof Uint8Array ? Buffer.from(row[name]).toString('hex') : row[name],
      ])
    this.#rowCount += 1
    this.#sum += BigInt(`0x${createHash('sha256').update(JSON.stringify(columnValues)).digest('hex')}`)
  }

  summarise(): TableSummary {
    return { rowCount: this.#rowCount, checksum: (this.#sum % (1n << 256n)).toString(16) }
  }
}

/** Sets the identity sequences of a table to a value above its highest copied id. */
async function advanceIdentity(trx: AnyDb, table: string): Promise<void> {
  const { rows } = await sql<{ column_name: string }>`
    select column_name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_identity = 'YES'`.execute(trx)
  for (const { column_name: column } of rows) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      (select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(table)}), false)`.execute(trx)
  }
}
