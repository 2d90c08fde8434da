/** Copies a complete database from SQLite to PostgreSQL and verifies the copy. */
import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from './database.ts'
import { withProcessLock } from './lock.ts'
import { migrateDatabase } from './migrate.ts'

type SourceRow = Record<string, unknown>

/**
 * Minimum number of characters that are sent to PostgreSQL at a time. Only the last chunk of a table may be shorter.
 */
const MIN_CHUNK_CHARACTERS = 65_536
/** Tables that are not copied, because their rows have no meaning in another database. */
const SKIPPED_TABLES = new Set(['catalogue_version', 'lease'])

export interface MovedTable {
  table: string
  rowCount: number
}

/**
 * Migrates both databases, and copies every table of `source` (SQLite) to `target` (PostgreSQL) in one transaction.
 * Then compares the row counts and the checksums of each table in the two databases. During the copy, `source` is
 * locked against writes. Throws when `target` is not empty, or when a table differs after copying; the transaction is
 * then rolled back.
 */
export async function moveDatabase(
  source: Database,
  target: Database,
  onTableMoved: (movedTable: MovedTable) => void = () => {},
): Promise<MovedTable[]> {
  const { sqlite } = source
  const { connectWithoutTimeouts } = target
  if (!sqlite || !connectWithoutTimeouts)
    throw new Error('The source must be SQLite and the target PostgreSQL.')
  await migrateDatabase(source)
  return withProcessLock(target, 'start', async () => {
    await migrateDatabase(target)
    sqlite.exec('begin immediate')
    try {
      return await copyInTransaction(sqlite, await connectWithoutTimeouts(), onTableMoved)
    } finally {
      sqlite.exec('rollback')
    }
  })
}

/** Copies the tables in a transaction of `client`, and closes `client`. */
async function copyInTransaction(
  sqlite: DatabaseSync,
  client: pg.Client,
  onTableMoved: (movedTable: MovedTable) => void,
): Promise<MovedTable[]> {
  try {
    await client.query('begin')
    const movedTables = await copyTables(sqlite, client, onTableMoved)
    await client.query('commit')
    return movedTables
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    await client.end()
  }
}

async function copyTables(
  sqlite: DatabaseSync,
  client: pg.Client,
  onTableMoved: (movedTable: MovedTable) => void,
): Promise<MovedTable[]> {
  const tables = listTables(sqlite)
  const tableList = tables.map(pg.escapeIdentifier).join(', ')
  await client.query(`lock table ${tableList} in access exclusive mode`)
  for (const table of tables) {
    const { rows } = await client.query(`select 1 from ${pg.escapeIdentifier(table)} limit 1`)
    if (rows.length > 0)
      throw new Error(`The target is not empty: its table ${table} has rows. Nothing was changed.`)
  }
  const restoreStatements = await dropIndexesAndConstraints(client, tables)
  // Removes the data that an earlier, rolled back move has left in the files of the tables. COPY FREEZE also requires
  // that the same transaction has truncated the table.
  await client.query(`truncate ${tableList}`)
  const movedTables: MovedTable[] = []
  for (const table of tables) {
    const rowCount = await copyTable(sqlite, client, table)
    movedTables.push({ table, rowCount })
    onTableMoved({ table, rowCount })
  }
  for (const statement of restoreStatements) await client.query(statement)
  // The table `catalogue_version` is not copied, but readers expect that no change has a higher version than the
  // catalogue.
  await client.query(
    'update catalogue_version set version = greatest(version, (select max(version) from catalogue_change))',
  )
  // Without statistics, PostgreSQL chooses slow plans until its first automatic analysis.
  await client.query(`analyze ${tableList}`)
  return movedTables
}

function listTables(sqlite: DatabaseSync): string[] {
  return sqlite
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !/^(sqlite_|kysely_)/.test(name) && !SKIPPED_TABLES.has(name))
}

/**
 * Disables the triggers of the tables, and drops their constraints and indexes. Building an index from all rows takes a
 * fraction of the time of inserting row after row. The triggers are not needed, because the rows that they would add
 * are copied from the source. Returns the statements that enable the triggers and create the indexes and constraints
 * again.
 */
async function dropIndexesAndConstraints(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ dropStatement: string; restoreStatement: string }>(
    `with copied as (select to_regclass(quote_ident(name)) as oid from unnest($1::text[]) as name)
    select 1 as position, format('alter table %s disable trigger user', oid::regclass) as "dropStatement",
      format('alter table %s enable trigger user', oid::regclass) as "restoreStatement"
    from copied
    union all
    select case when contype = 'f' then 2 else 3 end, format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where contype in ('f', 'p', 'u') and conrelid in (select oid from copied)
    union all
    select 4, format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    from pg_index where indrelid in (select oid from copied)
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
    order by position`,
    [tables],
  )
  for (const { dropStatement } of rows) await client.query(dropStatement)
  return rows.map(({ restoreStatement }) => restoreStatement).reverse()
}

/** Copies the rows of a table, and returns their number. Throws when the copied rows differ from the source. */
async function copyTable(sqlite: DatabaseSync, client: pg.Client, table: string): Promise<number> {
  const columns = await readColumns(sqlite, client, table)
  const sourceSummary = new RowSummary()
  function* encodeRows() {
    let chunk = ''
    for (const row of sqlite
      .prepare(`select * from ${pg.escapeIdentifier(table)}`)
      .iterate() as Iterable<SourceRow>) {
      chunk += `${columns.map(({ name }) => encodeCopyValue(row[name])).join('\t')}\n`
      sourceSummary.add(toComparableRow(row, columns))
      if (chunk.length < MIN_CHUNK_CHARACTERS) continue
      yield chunk
      chunk = ''
    }
    if (chunk) yield chunk
  }
  const columnList = columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ')
  const copyStatement = `copy ${pg.escapeIdentifier(table)} (${columnList}) from stdin with (freeze)`
  try {
    await pipeline(Readable.from(encodeRows()), client.query(copyFrom(copyStatement)))
  } catch (error) {
    const { message, where } = error as Error & { where?: string }
    const reason = where ? `${message} (${where})` : message
    throw new Error(`The rows of ${table} could not be copied: ${reason}. Nothing was changed.`, {
      cause: error,
    })
  }
  const targetSummary = await summariseTarget(client, table, columns)
  if (targetSummary.rowCount !== sourceSummary.rowCount || targetSummary.checksum !== sourceSummary.checksum)
    throw new Error(`The rows of ${table} differ after copying. Nothing was changed.`)
  await advanceIdentitySequences(client, table, columns)
  return sourceSummary.rowCount
}

interface TargetColumn {
  name: string
  type: string
  isIdentity: boolean
}

/** Returns the columns of a table. Throws when the columns of the source and of the target differ. */
async function readColumns(sqlite: DatabaseSync, client: pg.Client, table: string): Promise<TargetColumn[]> {
  const { rows: columns } = await client.query<TargetColumn>(
    `select column_name as name, data_type as type, is_identity = 'YES' as "isIdentity"
    from information_schema.columns where table_schema = current_schema() and table_name = $1`,
    [table],
  )
  const sourceNames = sqlite
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))
  return sourceNames.map((sourceName) => {
    const column = columns.find(({ name }) => name === sourceName)
    if (!column || columns.length !== sourceNames.length)
      throw new Error(`The columns of ${table} differ. Nothing was changed.`)
    return column
  })
}

const COPY_ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const ESCAPED_CHARACTER_PATTERN = /[\\\n\r\t]/

/** Encodes a value for the text format of COPY (https://www.postgresql.org/docs/current/sql-copy.html). */
function encodeCopyValue(value: unknown): string {
  if (value === null) return '\\N'
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`
  const text = String(value)
  // Hardly any text needs an escape, and the test takes less time than a replacement.
  if (!ESCAPED_CHARACTER_PATTERN.test(text)) return text
  return text.replace(/[\\\n\r\t]/g, (character) => COPY_ESCAPES[character] as string)
}

/*
 * The hash of a row is computed from the same JSON text on both sides: JSON.stringify() creates the text for the
 * source, and row_to_json() for the target. The two functions print some floating-point numbers differently, so the
 * JSON contains the bytes of these numbers.
 */
const floatBytes = Buffer.alloc(8)

function toComparableRow(row: SourceRow, columns: readonly TargetColumn[]): SourceRow {
  for (const { name, type } of columns) {
    const value = row[name]
    if (type === 'bytea' && value instanceof Uint8Array) row[name] = Buffer.from(value).toString('hex')
    if (type === 'double precision' && typeof value === 'number') {
      floatBytes.writeDoubleBE(value)
      row[name] = floatBytes.toString('hex')
    }
  }
  return row
}

function buildComparableColumn({ name, type }: TargetColumn): string {
  const column = pg.escapeIdentifier(name)
  if (type === 'bytea') return `encode(${column}, 'hex') as ${column}`
  if (type === 'double precision') return `encode(float8send(${column}), 'hex') as ${column}`
  return column
}

/**
 * Number of leading hexadecimal digits of a row hash that the checksum adds. 15 digits are 60 bits, so that they fit
 * into the signed 64-bit integers of PostgreSQL.
 */
const CHECKSUM_DIGITS = 15

/** The checksum is the sum of the first 60 bits of each row hash. A sum does not depend on the order of the rows. */
class RowSummary {
  rowCount = 0
  #sum = 0n

  add(row: SourceRow): void {
    this.rowCount += 1
    this.#sum += BigInt(`0x${hash('sha256', JSON.stringify(row)).slice(0, CHECKSUM_DIGITS)}`)
  }

  get checksum(): string {
    return String(this.#sum)
  }
}

async function summariseTarget(
  client: pg.Client,
  table: string,
  columns: readonly TargetColumn[],
): Promise<{ rowCount: number; checksum: string }> {
  const { rows } = await client.query<{ rowCount: number; checksum: string }>(
    `select count(*) as "rowCount",
      coalesce(sum(('x0' || left(encode(sha256(convert_to(row_to_json(r)::text, 'UTF8')), 'hex'), ${CHECKSUM_DIGITS}))::bit(64)::bigint), 0)::text
        as checksum
    from (select ${columns.map(buildComparableColumn).join(', ')} from ${pg.escapeIdentifier(table)}) as r`,
  )
  return rows[0] as { rowCount: number; checksum: string }
}

/** Sets the identity sequences of a table to a value above its highest copied id. */
async function advanceIdentitySequences(
  client: pg.Client,
  table: string,
  columns: readonly TargetColumn[],
): Promise<void> {
  const tableName = pg.escapeIdentifier(table)
  for (const { name } of columns.filter(({ isIdentity }) => isIdentity))
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2),
        (select coalesce(max(${pg.escapeIdentifier(name)}), 0) + 1 from ${tableName}), false)`,
      [tableName, name],
    )
}
