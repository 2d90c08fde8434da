/** Rebuilds the SQLite index in the set of tables that searches do not use. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { getWordSound, isVocabularyWord } from './entry.ts'
import { writeBase } from './sqlite-base-build.ts'
import { getBaseTable, getPostingTable, getRecentTableName, searchTables } from './sqlite-schema.ts'
import { createTermsTable } from './sqlite-terms.ts'
import {
  insertDocRow,
  insertFtsRow,
  insertKey,
  type PrepareStatement,
  readSqliteState,
  runStatement,
  runTransaction,
  saveIndexState,
} from './sqlite-write.ts'
import { type EntryPages, type IndexEntry, type SearchKind, searchKinds, type TableSet } from './types.ts'

/**
 * Number of documents per transaction. Each batch rewrites most pages of the tables, so few large batches are
 * faster than many small batches. A batch blocks its thread for about a second. For this reason,
 * rebuild-in-process.ts rebuilds the index of a database file in a separate process.
 */
const BATCH_SIZE = 20_000
/**
 * Number of keys that are sorted and inserted together. Even a small group changes most pages of the table of keys.
 * With a million titles, groups of 50,000 keys write six times as much data as groups of this size. A group takes about
 * 40 MB of memory.
 */
const MAX_PENDING_KEYS = 500_000
/** Number of pages of an FTS5 table that one merge step writes. */
const PAGES_PER_MERGE = 2_000
/**
 * Options of FTS5 (https://www.sqlite.org/fts5.html#the_automerge_configuration_option). During a rebuild, one batch
 * becomes one segment, and all segments are merged once at the end. The values are bigint, because FTS5 accepts
 * only integers, and SQLite would receive a JavaScript number as a floating-point number.
 */
const REBUILD_FTS_OPTIONS = { automerge: 0n, hashsize: 67_108_864n }
const DEFAULT_FTS_OPTIONS = { automerge: 4n, hashsize: 1_048_576n }

const listBaseTables = (tableSet: TableSet) => searchTables.map((table) => getBaseTable(table, tableSet))
const listFtsTables = (tableSet: TableSet) => [
  ...listBaseTables(tableSet),
  ...searchTables.map((table) => getRecentTableName(table, tableSet)),
]

function clearTables(prepare: PrepareStatement, tableSet: TableSet): void {
  for (const table of ['doc', 'key', 'word', 'slot', 'changed'])
    runStatement(prepare, `DELETE FROM search_${table}_${tableSet}`)
  for (const table of searchTables) runStatement(prepare, `DELETE FROM ${getPostingTable(table, tableSet)}`)
  clearFtsTables(prepare, listFtsTables(tableSet))
}

function clearFtsTables(prepare: PrepareStatement, tables: readonly string[]): void {
  for (const table of tables) runStatement(prepare, `INSERT INTO ${table} (${table}) VALUES ('delete-all')`)
}

function setFtsOptions(
  prepare: PrepareStatement,
  tableSet: TableSet,
  options: { automerge: bigint; hashsize: bigint },
): void {
  for (const table of listBaseTables(tableSet)) {
    for (const [option, value] of Object.entries(options))
      runStatement(prepare, `INSERT INTO ${table} (${table}, rank) VALUES (?, ?)`, option, value)
  }
}

/**
 * Merges each FTS5 table into one segment, as `optimize` does. Works in steps, so that the event loop can run between
 * two steps: https://www.sqlite.org/fts5.html#the_merge_command
 */
async function mergeFtsTables(
  db: DatabaseSync,
  prepare: PrepareStatement,
  tableSet: TableSet,
): Promise<void> {
  const countChanges = () => Number(prepare('SELECT total_changes() AS count').get()?.['count'])
  for (const table of listBaseTables(tableSet)) {
    // The negative number of pages in the first step tells FTS5 to merge all segments into one segment. A
    // step that changes fewer than two rows was the last step.
    for (let pageCount = -PAGES_PER_MERGE; ; pageCount = PAGES_PER_MERGE) {
      const changeCountBefore = countChanges()
      runTransaction(db, () =>
        runStatement(prepare, `INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, pageCount),
      )
      if (countChanges() - changeCountBefore < 2) break
      await setImmediate()
    }
  }
}

type KeyRow = { key: string; slot: number }

/**
 * Writes the entries of a batch and adds their keys to `pendingKeys`. Rows are written in ascending order of
 * slot. Each page of a table is then changed only once. FTS5 also needs this order.
 */
function insertBatch(
  prepare: PrepareStatement,
  tableSet: TableSet,
  batch: IndexEntry[],
  pendingKeys: KeyRow[],
): void {
  batch.sort((a, b) => a.slot - b.slot)
  for (const entry of batch) {
    if (!insertDocRow(prepare, tableSet, entry)) continue
    for (const key of entry.keys) pendingKeys.push({ key, slot: entry.slot })
    insertFtsRow(prepare, { tableSet, isLive: false }, entry)
  }
}

/**
 * Inserts the keys. Pass `hasChanges` if documents may have been removed during the rebuild. The keys of
 * removed documents are then skipped.
 */
function insertKeys(
  prepare: PrepareStatement,
  tableSet: TableSet,
  keyRows: KeyRow[],
  hasChanges: boolean,
): void {
  keyRows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.slot - b.slot))
  const selectDoc = prepare(`SELECT 1 FROM search_doc_${tableSet} WHERE slot = ?`)
  for (const { key, slot } of keyRows)
    if (!hasChanges || selectDoc.get(slot)) insertKey(prepare, tableSet, key, slot)
}

/** Fills the table of words from the terms of the FTS5 tables. FTS5 returns the terms counted and sorted. */
function insertWords(db: DatabaseSync, prepare: PrepareStatement, tableSet: TableSet, version: number): void {
  const termsTables = searchKinds.map((kind) => createTermsTable(db, getBaseTable(kind, tableSet)))
  runStatement(prepare, `DELETE FROM search_word_${tableSet}`)
  const terms = termsTables.map((table) => `SELECT term, doc FROM ${table}`).join(' UNION ALL ')
  const rows = prepare(`SELECT term, sum(doc) AS docs FROM (${terms}) GROUP BY term`).iterate()
  for (const row of rows) {
    const { term, docs } = row as { term: string; docs: number }
    if (isVocabularyWord(term))
      runStatement(
        prepare,
        `INSERT INTO search_word_${tableSet} VALUES (?, ?, ?, ?)`,
        term,
        docs,
        getWordSound(term),
        version,
      )
  }
}

/**
 * Clears the set of tables that searches do not use. The state is read in the same transaction, because another process
 * may write the index at the same time.
 */
function startRebuild(
  db: DatabaseSync,
  prepare: PrepareStatement,
): { liveTableSet: TableSet; tableSet: TableSet; version: number } {
  return runTransaction(db, () => {
    const state = readSqliteState(prepare)
    const tableSet: TableSet = state.live === 'a' ? 'b' : 'a'
    const version = state.version + 1
    clearTables(prepare, tableSet)
    setFtsOptions(prepare, tableSet, REBUILD_FTS_OPTIONS)
    saveIndexState(prepare, { ...state, version, building: true })
    return { liveTableSet: state.live, tableSet, version }
  })
}

/**
 * Replaces the whole index in one pass with bounded memory and returns the number of documents. Searches use the old
 * index until the rebuild is complete.
 */
export async function rebuildSqlite(
  db: DatabaseSync,
  prepare: PrepareStatement,
  pages: EntryPages,
): Promise<number> {
  const { liveTableSet, tableSet, version } = startRebuild(db, prepare)
  const top: Record<SearchKind, number> = { movie: 0, tv: 0, actor: 0 }
  let pendingKeys: KeyRow[] = []
  let batch: IndexEntry[] = []
  const writePendingKeys = () => {
    insertKeys(prepare, tableSet, pendingKeys, readSqliteState(prepare).version !== version)
    pendingKeys = []
  }
  const writeBatch = async () => {
    runTransaction(db, () => {
      insertBatch(prepare, tableSet, batch, pendingKeys)
      if (pendingKeys.length > MAX_PENDING_KEYS) writePendingKeys()
    })
    for (const { doc } of batch) top[doc.kind] = Math.max(top[doc.kind], doc.popularity)
    batch = []
    await setImmediate()
  }
  for await (const page of pages) {
    for (const entry of page) batch.push(entry)
    if (batch.length >= BATCH_SIZE) await writeBatch()
  }
  await writeBatch()
  runTransaction(db, writePendingKeys)
  await mergeFtsTables(db, prepare, tableSet)
  runTransaction(db, () => {
    insertWords(db, prepare, tableSet, version)
    setFtsOptions(prepare, tableSet, DEFAULT_FTS_OPTIONS)
    writeBase(db, prepare, tableSet)
    clearFtsTables(prepare, listBaseTables(tableSet))
    const builtVersion = readSqliteState(prepare).version + 1
    saveIndexState(prepare, { version: builtVersion, live: tableSet, building: false, top, builtVersion })
    clearTables(prepare, liveTableSet)
  })
  return Number(prepare(`SELECT count(*) AS count FROM search_doc_${tableSet}`).get()?.['count'])
}
