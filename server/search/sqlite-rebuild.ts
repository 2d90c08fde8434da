/** Rebuilds the SQLite index in the set of tables that searches do not use. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { getWordSound, isVocabularyWord } from './entry.ts'
import { writeBase } from './sqlite-base-build.ts'
import { getBaseTable, getPostingTable, getRecentTable, searchTables } from './sqlite-schema.ts'
import { createTermsTable } from './sqlite-terms.ts'
import {
  insertDocRow,
  insertFtsRow,
  insertKey,
  type PrepareStatement,
  readSqliteState,
  runStatement,
  runTransaction,
  saveState,
} from './sqlite-write.ts'
import { type EntryPages, type IndexEntry, type SearchKind, searchKinds, type TableSet } from './types.ts'

/**
 * Number of documents per transaction. Each batch rewrites most pages of the tables, so a large batch is faster. It blocks
 * its thread for about a second; search-index.ts rebuilds a database file in a process of its own.
 */
const BATCH_SIZE = 20_000
/**
 * Keys are inserted in large sorted groups, because a group as small as a batch changes most pages of their table too: at a
 * million titles, groups of 50,000 wrote six times as much. A group takes about 40 MB of memory.
 */
const MAX_PENDING_KEYS = 500_000
/** Number of pages of an FTS5 table that one merge step writes. */
const MERGE_PAGES = 2_000
/**
 * Options of FTS5 (https://www.sqlite.org/fts5.html#the_automerge_configuration_option). During a rebuild, one batch
 * becomes one segment, and all segments are merged once at the end. FTS5 accepts integers only, which are bigint here.
 */
const REBUILD_OPTIONS = { automerge: 0n, hashsize: 67_108_864n }
const DEFAULT_OPTIONS = { automerge: 4n, hashsize: 1_048_576n }

const listBaseTables = (tableSet: TableSet) => searchTables.map((table) => getBaseTable(table, tableSet))
const listFtsTables = (tableSet: TableSet) => [
  ...listBaseTables(tableSet),
  ...searchTables.map((table) => getRecentTable(table, tableSet)),
]

function clearTables(sql: PrepareStatement, tableSet: TableSet): void {
  for (const table of ['doc', 'key', 'word', 'slot', 'changed'])
    runStatement(sql, `DELETE FROM search_${table}_${tableSet}`)
  for (const table of searchTables) runStatement(sql, `DELETE FROM ${getPostingTable(table, tableSet)}`)
  clearFtsTables(sql, listFtsTables(tableSet))
}

function clearFtsTables(sql: PrepareStatement, tables: readonly string[]): void {
  for (const table of tables) runStatement(sql, `INSERT INTO ${table} (${table}) VALUES ('delete-all')`)
}

function setFtsOptions(
  sql: PrepareStatement,
  tableSet: TableSet,
  options: { automerge: bigint; hashsize: bigint },
): void {
  for (const table of listBaseTables(tableSet)) {
    for (const [option, value] of Object.entries(options))
      runStatement(sql, `INSERT INTO ${table} (${table}, rank) VALUES (?, ?)`, option, value)
  }
}

/**
 * Merges each FTS5 table into one segment, like 'optimize' does, but in steps, so that the thread can be stopped:
 * https://www.sqlite.org/fts5.html#the_merge_command
 */
async function mergeFtsTables(db: DatabaseSync, sql: PrepareStatement, tableSet: TableSet): Promise<void> {
  const countChanges = () => Number(sql('SELECT total_changes() AS count').get()?.['count'])
  for (const table of listBaseTables(tableSet)) {
    // A negative number of pages merges all segments into one. A step that changes fewer than two rows was the last
    // one.
    for (let pages = -MERGE_PAGES; ; pages = MERGE_PAGES) {
      const changesBefore = countChanges()
      runTransaction(db, () =>
        runStatement(sql, `INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, pages),
      )
      if (countChanges() - changesBefore < 2) break
      await setImmediate()
    }
  }
}

type KeyRow = { key: string; slot: number }

/**
 * Writes the entries of a batch and adds their keys to `pendingKeys`. Rows are written in the order of their tables, which
 * changes each page once; FTS5 also needs ascending slots.
 */
function insertBatch(
  sql: PrepareStatement,
  tableSet: TableSet,
  batch: IndexEntry[],
  pendingKeys: KeyRow[],
): void {
  batch.sort((a, b) => a.slot - b.slot)
  for (const entry of batch) {
    if (!insertDocRow(sql, tableSet, entry)) continue
    for (const key of entry.keys) pendingKeys.push({ key, slot: entry.slot })
    insertFtsRow(sql, { tableSet, isLive: false }, entry)
  }
}

/** Inserts the keys. With `hasChanges`, some of their documents may have been removed meanwhile and are left out. */
function insertKeys(sql: PrepareStatement, tableSet: TableSet, keyRows: KeyRow[], hasChanges: boolean): void {
  keyRows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.slot - b.slot))
  const selectDoc = sql(`SELECT 1 FROM search_doc_${tableSet} WHERE slot = ?`)
  for (const { key, slot } of keyRows)
    if (!hasChanges || selectDoc.get(slot)) insertKey(sql, tableSet, key, slot)
}

/** Fills the table of words from the terms of the FTS5 tables, which FTS5 has counted and sorted. */
function insertWords(db: DatabaseSync, sql: PrepareStatement, tableSet: TableSet, version: number): void {
  const termsTables = searchKinds.map((kind) => createTermsTable(db, getBaseTable(kind, tableSet)))
  runStatement(sql, `DELETE FROM search_word_${tableSet}`)
  const terms = termsTables.map((table) => `SELECT term, doc FROM ${table}`).join(' UNION ALL ')
  const rows = sql(`SELECT term, sum(doc) AS docs FROM (${terms}) GROUP BY term`).iterate()
  for (const row of rows) {
    const { term, docs } = row as { term: string; docs: number }
    if (isVocabularyWord(term))
      runStatement(
        sql,
        `INSERT INTO search_word_${tableSet} VALUES (?, ?, ?, ?)`,
        term,
        docs,
        getWordSound(term),
        version,
      )
  }
}

/**
 * Replaces the whole index in one pass with bounded memory and returns the number of documents. Searches use the old
 * index until the rebuild is complete.
 */
export async function rebuildSqlite(
  db: DatabaseSync,
  sql: PrepareStatement,
  pages: EntryPages,
): Promise<number> {
  const previousState = readSqliteState(sql)
  const tableSet: TableSet = previousState.live === 'a' ? 'b' : 'a'
  const version = previousState.version + 1
  runTransaction(db, () => {
    clearTables(sql, tableSet)
    setFtsOptions(sql, tableSet, REBUILD_OPTIONS)
    saveState(sql, { ...previousState, version, building: true })
  })
  const top: Record<SearchKind, number> = { movie: 0, tv: 0, actor: 0 }
  let pendingKeys: KeyRow[] = []
  let batch: IndexEntry[] = []
  const writePendingKeys = () => {
    insertKeys(sql, tableSet, pendingKeys, readSqliteState(sql).version !== version)
    pendingKeys = []
  }
  const flush = async () => {
    runTransaction(db, () => {
      insertBatch(sql, tableSet, batch, pendingKeys)
      if (pendingKeys.length > MAX_PENDING_KEYS) writePendingKeys()
    })
    for (const { doc } of batch) top[doc.kind] = Math.max(top[doc.kind], doc.popularity)
    batch = []
    await setImmediate()
  }
  for await (const page of pages) {
    for (const entry of page) batch.push(entry)
    if (batch.length >= BATCH_SIZE) await flush()
  }
  await flush()
  runTransaction(db, writePendingKeys)
  await mergeFtsTables(db, sql, tableSet)
  runTransaction(db, () => {
    insertWords(db, sql, tableSet, version)
    setFtsOptions(sql, tableSet, DEFAULT_OPTIONS)
    writeBase(db, sql, tableSet)
    clearFtsTables(sql, listBaseTables(tableSet))
    const builtVersion = readSqliteState(sql).version + 1
    saveState(sql, { version: builtVersion, live: tableSet, building: false, top, builtVersion })
    clearTables(sql, previousState.live)
  })
  return Number(sql(`SELECT count(*) AS count FROM search_doc_${tableSet}`).get()?.['count'])
}
