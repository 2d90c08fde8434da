/** Writes documents to the SQLite index. Each batch is written in one transaction. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { addEntryWordCounts, getWordSound, rebuildStoredEntry, type StoredDocRow } from './entry.ts'
import { getBaseTable, getRecentTableName, type SearchTable } from './sqlite-schema.ts'
import { emptyIndexState, type IndexEntry, type IndexState, type TableSet } from './types.ts'

export type PrepareStatement = (sqlText: string) => StatementSync

const parsedStates = new WeakMap<PrepareStatement, { value: string; state: IndexState }>()

/**
 * Returns the state of the index. Every search reads the state several times, so the stored JSON text is parsed only
 * when the text has changed.
 */
export function readSqliteState(prepare: PrepareStatement): IndexState {
  const row = prepare("SELECT value FROM search_meta WHERE key = 'state'").get() as
    | { value: string }
    | undefined
  if (!row) return emptyIndexState
  const cacheEntry = parsedStates.get(prepare)
  if (cacheEntry?.value === row.value) return cacheEntry.state
  const state = JSON.parse(row.value) as IndexState
  parsedStates.set(prepare, { value: row.value, state })
  return state
}

/**
 * Runs a statement and returns the number of changed rows. Integers are read as bigint, because FTS5 sets "last
 * inserted row id" to internal values that a JavaScript number cannot hold.
 */
export function runStatement(prepare: PrepareStatement, sqlText: string, ...values: SQLInputValue[]): number {
  const statement = prepare(sqlText)
  statement.setReadBigInts(true)
  return Number(statement.run(...values).changes)
}

export function saveIndexState(prepare: PrepareStatement, state: IndexState): void {
  const sqlText =
    "INSERT INTO search_meta VALUES ('state', ?) ON CONFLICT DO UPDATE SET value = excluded.value"
  runStatement(prepare, sqlText, JSON.stringify(state))
}

export function runTransaction<Result>(db: DatabaseSync, write: () => Result): Result {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = write()
    db.exec('COMMIT')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Removes the documents `idsToRemove` and writes `entries` (in ascending order of slot) in one transaction. */
export function writeSqliteBatch(
  db: DatabaseSync,
  prepare: PrepareStatement,
  entries: IndexEntry[],
  idsToRemove: number[],
): void {
  runTransaction(db, () => {
    const state = readSqliteState(prepare)
    const version = state.version + 1
    const top = { ...state.top }
    for (const { doc } of entries) top[doc.kind] = Math.max(top[doc.kind], doc.popularity)
    for (const tableSet of state.building ? (['a', 'b'] as const) : [state.live]) {
      const target = { tableSet, isLive: tableSet === state.live }
      const wordCounts = new Map<string, number>()
      for (const id of [...idsToRemove, ...entries.map((entry) => entry.doc.doc_id)])
        removeDoc(prepare, target, id, wordCounts)
      for (const entry of entries) {
        insertDocRow(prepare, tableSet, entry)
        for (const key of entry.keys) insertKey(prepare, tableSet, key, entry.slot)
        addEntryWordCounts(entry, 1, wordCounts)
        insertFtsRow(prepare, target, entry)
      }
      addWordCounts(prepare, tableSet, wordCounts, version)
    }
    saveIndexState(prepare, { ...state, version, top })
  })
}

/**
 * A set of tables to write to. The live set is the set that searches use. It keeps the posting lists of the last
 * rebuild unchanged. Documents written since the rebuild are in its recent tables, and its table `search_changed` lists
 * the slots of changed and removed documents. A set that is not live is filled by a rebuild: its documents are in its
 * base tables.
 */
type WriteTarget = { tableSet: TableSet; isLive: boolean }

const getFtsTable = (table: SearchTable, { tableSet, isLive }: WriteTarget) =>
  isLive ? getRecentTableName(table, tableSet) : getBaseTable(table, tableSet)

function removeDoc(
  prepare: PrepareStatement,
  target: WriteTarget,
  docId: number,
  wordCounts: Map<string, number>,
): void {
  const { tableSet, isLive } = target
  const row = prepare(`SELECT * FROM search_doc_${tableSet} WHERE doc_id = ?`).get(docId) as
    | StoredDocRow
    | undefined
  if (!row) return
  const entry = rebuildStoredEntry(row)
  for (const key of entry.keys)
    runStatement(prepare, `DELETE FROM search_key_${tableSet} WHERE key = ? AND slot = ?`, key, row.slot)
  addEntryWordCounts(entry, -1, wordCounts)
  const { kind } = entry.doc
  runStatement(prepare, `DELETE FROM ${getFtsTable(kind, target)} WHERE rowid = ?`, row.slot)
  if (kind !== 'actor')
    runStatement(prepare, `DELETE FROM ${getFtsTable(`topic_${kind}`, target)} WHERE rowid = ?`, row.slot)
  if (isLive) runStatement(prepare, `INSERT INTO search_changed_${tableSet} (slot) VALUES (?)`, row.slot)
  runStatement(prepare, `DELETE FROM search_doc_${tableSet} WHERE slot = ?`, row.slot)
}

/**
 * Inserts the row of a document. Returns false when the document exists already. This happens only during a rebuild, if
 * `writeSqliteBatch` has written a newer version of the document.
 */
export function insertDocRow(
  prepare: PrepareStatement,
  tableSet: TableSet,
  { slot, doc, names, folds }: IndexEntry,
): boolean {
  const sqlText = `INSERT INTO search_doc_${tableSet} VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
  const year = doc.year ?? null
  return (
    runStatement(prepare, sqlText, slot, doc.doc_id, doc.media_id, year, doc.popularity, names, folds) > 0
  )
}

export function insertKey(prepare: PrepareStatement, tableSet: TableSet, key: string, slot: number): void {
  runStatement(prepare, `INSERT OR IGNORE INTO search_key_${tableSet} VALUES (?, ?)`, key, slot)
}

export function insertFtsRow(
  prepare: PrepareStatement,
  target: WriteTarget,
  { slot, doc, tokens, topicTokens }: IndexEntry,
): void {
  const { kind } = doc
  runStatement(
    prepare,
    `INSERT INTO ${getFtsTable(kind, target)} (rowid, tokens) VALUES (?, ?)`,
    slot,
    tokens,
  )
  if (kind === 'actor' || topicTokens === '') return
  const topicTable = getFtsTable(`topic_${kind}`, target)
  runStatement(prepare, `INSERT INTO ${topicTable} (rowid, tokens) VALUES (?, ?)`, slot, topicTokens)
}

export function addWordCounts(
  prepare: PrepareStatement,
  tableSet: TableSet,
  wordCounts: Map<string, number>,
  version: number,
): void {
  const sqlText = `INSERT INTO search_word_${tableSet} VALUES (?, max(?, 0), ?, ?)
    ON CONFLICT DO UPDATE SET docs = max(docs + ?, 0)`
  for (const word of [...wordCounts.keys()].sort()) {
    const docs = wordCounts.get(word) ?? 0
    if (docs !== 0) runStatement(prepare, sqlText, word, docs, getWordSound(word), version, docs)
  }
}
