/** A hash of the database, with which tests check that a rejected call changed nothing. */
import { createHash } from 'node:crypto'
import type { DatabaseSync, Session } from 'node:sqlite'
import type { TestServer } from './server.ts'

const LOGIN_USAGE_COLUMNS = [
  'last_active_at',
  'active_profile_id',
  'unlocked_until',
  'unlock_generation',
  'group_members',
  'kids_profile_id',
  'successor_used',
  'time_zone',
]
/**
 * Tables that a call may change even when it is rejected: rate limits, counters of ids, and the pseudonyms and the
 * anchor of the audit log.
 */
const TABLES_CHANGED_BY_REJECTED_CALLS = ['rate_limit', 'sqlite_sequence', 'audit_subject', 'audit_anchor']
/** Audit actions of rejected calls. */
const DENIAL_ACTIONS = ['admin_denied', 'proof_denied', 'object_denied']

interface TableState {
  session: Session
  hash: string
}
const statesByTableByDatabase = new WeakMap<DatabaseSync, Map<string, TableState>>()

/**
 * Returns one SHA-256 hash over every row that a rejected call must not change. The hash excludes the columns of
 * `login` that any request may change, and the rows that record a rejection. Only tables that changed since the last
 * call of this function are read again. Throws if the database is not SQLite.
 */
export function hashDatabase({ database }: TestServer): string {
  const db = database.sqlite
  if (!db) throw new Error('hashing the database requires SQLite')
  const statesByTable = statesByTableByDatabase.get(db) ?? new Map<string, TableState>()
  statesByTableByDatabase.set(db, statesByTable)
  const databaseHash = createHash('sha256')
  for (const table of listComparedTables(db)) {
    const previousState = statesByTable.get(table)
    const isUnchanged = previousState !== undefined && previousState.session.changeset().length === 0
    const tableState = isUnchanged
      ? previousState
      : { session: db.createSession({ table }), hash: computeTableHash(db, table) }
    if (!isUnchanged) previousState?.session.close()
    statesByTable.set(table, tableState)
    databaseHash.update(tableState.hash)
  }
  return databaseHash.digest('hex')
}

const comparedTablesByDatabase = new WeakMap<DatabaseSync, string[]>()

/**
 * Returns the names of the tables that are compared. Throws if a table has no primary key, because a SQLite session
 * records no changes of such a table.
 */
function listComparedTables(db: DatabaseSync): string[] {
  const cachedTables = comparedTablesByDatabase.get(db)
  if (cachedTables) return cachedTables
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .all()
    .map(({ name: tableName }) => String(tableName))
    .filter((tableName) => !TABLES_CHANGED_BY_REJECTED_CALLS.includes(tableName))
  for (const table of tables)
    if (!db.prepare('select 1 from pragma_table_info(?) where pk > 0').get(table))
      throw new Error(`table ${table} has no primary key`)
  comparedTablesByDatabase.set(db, tables)
  return tables
}

function computeTableHash(db: DatabaseSync, table: string): string {
  const columns = db.prepare('select name from pragma_table_info(?)').all(table)
  const comparedColumns = columns
    .map(({ name }) => String(name))
    .filter((column) => table !== 'login' || !LOGIN_USAGE_COLUMNS.includes(column))
  const denialActionsSql = DENIAL_ACTIONS.map((action) => `'${action}'`).join(', ')
  const condition = table === 'audit_event' ? `where action not in (${denialActionsSql})` : ''
  const statement = db.prepare(`select "${comparedColumns.join('", "')}" from "${table}" ${condition}`)
  statement.setReturnArrays(true)
  return createHash('sha256')
    .update(JSON.stringify([table, statement.all()]))
    .digest('hex')
}
