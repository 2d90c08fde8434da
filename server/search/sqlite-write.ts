/**
 * Writes the SQLite index. One batch is one transaction; a rebuild fills the set of tables that searches do not use.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { isVocabularyWord, rebuildStoredEntry, type StoredDocRow, wordSound } from './entry.ts'
import {
  emptyIndexState,
  type IndexEntry,
  type IndexState,
  type SearchKind,
  searchKinds,
  type TableSet,
} from './types.ts'

export type PrepareStatement = (text: string) => StatementSync

// All writes run in the process that serves requests, so each step is small enough to delay them by about ten
// milliseconds.
const batchSize = 100
const wordBatchSize = 400
const maxPendingWords = 20_000
/** Pages of an FTS5 table that one merge step writes. */
const mergePages = 100

const parsedStates = new WeakMap<PrepareStatement, { value: string; state: IndexState }>()

/**
 * Returns the state of the index. Every search reads it several times, so the JSON is parsed only when it has
 * changed.
 */
export function readSqliteState(sql: PrepareStatement): IndexState {
  const row = sql("SELECT value FROM search_meta WHERE key = 'state'").get() as { value: string } | undefined
  if (!row) return emptyIndexState
  const cached = parsedStates.get(sql)
  if (cached?.value === row.value) return cached.state
  const state = JSON.parse(row.value) as IndexState
  parsedStates.set(sql, { value: row.value, state })
  return state
}

/**
 * Runs a statement and returns the number of changed rows. Integers are read as bigint, because FTS5 sets "last
 * inserted row id" to internal values that a JavaScript number cannot hold.
 */
function runStatement(sql: PrepareStatement, text: string, ...values: SQLInputValue[]): number {
  const statement = sql(text)
  statement.setReadBigInts(true)
  return Number(statement.run(...values).changes)
}

function saveState(sql: PrepareStatement, state: IndexState): void {
  const text = "INSERT INTO search_meta VALUES ('state', ?) ON CONFLICT DO UPDATE SET value = excluded.value"
  runStatement(sql, text, JSON.stringify(state))
}

function transaction(db: DatabaseSync, write: () => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    write()
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Removes the documents `remove` and writes `entries` (in ascending order of slot) in one transaction. */
export function writeSqliteBatch(
  db: DatabaseSync,
  sql: PrepareStatement,
  entries: IndexEntry[],
  remove: number[],
): void {
  transaction(db, () => {
    const state = readSqliteState(sql)
    const version = state.version + 1
    const top = { ...state.top }
    for (const { doc } of entries) top[doc.kind] = Math.max(top[doc.kind], doc.popularity)
    for (const tableSet of state.building ? (['a', 'b'] as const) : [state.live]) {
      const wordCounts = new Map<string, number>()
      for (const id of [...remove, ...entries.map((entry) => entry.doc.doc_id)])
        removeDoc(sql, tableSet, id, wordCounts)
      for (const entry of entries) insertDoc(sql, tableSet, entry, wordCounts)
      for (const entry of entries) insertFtsRow(sql, tableSet, entry)
      addWordCounts(sql, tableSet, wordCounts, version)
    }
    saveState(sql, { ...state, version, top })
  })
}

function removeDoc(
  sql: PrepareStatement,
  tableSet: TableSet,
  docId: number,
  wordCounts: Map<string, number>,
): void {
  const row = sql(`SELECT * FROM search_doc_${tableSet} WHERE doc_id = ?`).get(docId) as
    | StoredDocRow
    | undefined
  if (!row) return
  const entry = rebuildStoredEntry(row)
  for (const key of entry.keys)
    runStatement(sql, `DELETE FROM search_key_${tableSet} WHERE key = ? AND slot = ?`, key, row.slot)
  for (const token of entry.tokens)
    if (isVocabularyWord(token)) wordCounts.set(token, (wordCounts.get(token) ?? 0) - 1)
  runStatement(sql, `DELETE FROM search_${entry.doc.kind}_${tableSet} WHERE rowid = ?`, row.slot)
  runStatement(sql, `DELETE FROM search_doc_${tableSet} WHERE slot = ?`, row.slot)
}

/**
 * Returns false when the document exists already. That happens only in a rebuild, and the stored document is then
 * newer.
 */
function insertDoc(
  sql: PrepareStatement,
  tableSet: TableSet,
  { slot, doc, keys, tokens, folds }: IndexEntry,
  wordCounts: Map<string, number>,
): boolean {
  const people = JSON.stringify(doc.people ?? [])
  const text = `INSERT INTO search_doc_${tableSet} VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
  const year = doc.year ?? null
  const names = JSON.stringify(doc.names)
  if (
    runStatement(sql, text, slot, doc.doc_id, doc.media_id, year, doc.popularity, names, people, folds) === 0
  )
    return false
  for (const key of keys)
    runStatement(sql, `INSERT OR IGNORE INTO search_key_${tableSet} VALUES (?, ?)`, key, slot)
  for (const token of tokens)
    if (isVocabularyWord(token)) wordCounts.set(token, (wordCounts.get(token) ?? 0) + 1)
  return true
}

function insertFtsRow(sql: PrepareStatement, tableSet: TableSet, { slot, doc, tokens }: IndexEntry): void {
  runStatement(
    sql,
    `INSERT OR REPLACE INTO search_${doc.kind}_${tableSet} (rowid, tokens) VALUES (?, ?)`,
    slot,
    tokens.join(' '),
  )
}

function addWordCounts(
  sql: PrepareStatement,
  tableSet: TableSet,
  wordCounts: Map<string, number>,
  version: number,
): void {
  const text = `INSERT INTO search_word_${tableSet} VALUES (?, max(?, 0), ?, ?)
    ON CONFLICT DO UPDATE SET docs = max(docs + ?, 0)`
  for (const word of [...wordCounts.keys()].sort()) {
    const docs = wordCounts.get(word) ?? 0
    if (docs !== 0) runStatement(sql, text, word, docs, wordSound(word), version, docs)
  }
}

function clearTables(sql: PrepareStatement, tableSet: TableSet): void {
  for (const table of ['doc', 'key', 'word']) runStatement(sql, `DELETE FROM search_${table}_${tableSet}`)
  for (const kind of searchKinds) {
    const table = `search_${kind}_${tableSet}`
    runStatement(sql, `INSERT INTO ${table} (${table}) VALUES ('delete-all')`)
  }
}

/**
 * Merges each FTS5 table into one segment, like 'optimize' does, but in small steps:
 * https://www.sqlite.org/fts5.html#the_merge_command
 */
async function mergeFtsTables(db: DatabaseSync, sql: PrepareStatement, tableSet: TableSet): Promise<void> {
  const countChanges = () => Number(sql('SELECT total_changes() AS count').get()?.['count'])
  for (const kind of searchKinds) {
    const table = `search_${kind}_${tableSet}`
    // A negative number of pages merges all segments into one. A step that changes fewer than two rows was the last
    // one.
    for (let pages = -mergePages; ; pages = mergePages) {
      const changesBefore = countChanges()
      transaction(db, () =>
        runStatement(sql, `INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, pages),
      )
      if (countChanges() - changesBefore < 2) break
      await setImmediate()
    }
  }
}

/** Writes the word counts of a rebuild in steps; searches do not read them before the rebuild is complete. */
async function writeWordCounts(
  db: DatabaseSync,
  sql: PrepareStatement,
  tableSet: TableSet,
  wordCounts: Map<string, number>,
  version: number,
): Promise<void> {
  const sorted = [...wordCounts].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let start = 0; start < sorted.length; start += wordBatchSize) {
    transaction(db, () =>
      addWordCounts(sql, tableSet, new Map(sorted.slice(start, start + wordBatchSize)), version),
    )
    await setImmediate()
  }
}

/**
 * Replaces the whole index in one pass with bounded memory and returns the number of documents. Pauses between
 * batches let requests run. Searches use the old index until the rebuild is complete.
 */
export async function rebuildSqlite(
  db: DatabaseSync,
  sql: PrepareStatement,
  entries: AsyncIterable<IndexEntry> | Iterable<IndexEntry>,
): Promise<number> {
  const before = readSqliteState(sql)
  const tableSet: TableSet = before.live === 'a' ? 'b' : 'a'
  const version = before.version + 1
  transaction(db, () => {
    clearTables(sql, tableSet)
    saveState(sql, { ...before, version, building: true })
  })
  const top: Record<SearchKind, number> = { movie: 0, tv: 0, actor: 0 }
  let wordCounts = new Map<string, number>()
  let batch: IndexEntry[] = []
  const flush = async () => {
    transaction(db, () => {
      for (const entry of batch) {
        insertDoc(sql, tableSet, entry, wordCounts)
        top[entry.doc.kind] = Math.max(top[entry.doc.kind], entry.doc.popularity)
      }
    })
    batch = []
    if (wordCounts.size > maxPendingWords) {
      await writeWordCounts(db, sql, tableSet, wordCounts, version)
      wordCounts = new Map()
    }
    await setImmediate()
  }
  for await (const entry of entries) if (batch.push(entry) >= batchSize) await flush()
  await flush()
  await writeWordCounts(db, sql, tableSet, wordCounts, version)
  const count = await writeFtsRows(db, sql, tableSet)
  transaction(db, () => {
    saveState(sql, { version: readSqliteState(sql).version + 1, live: tableSet, building: false, top })
    clearTables(sql, before.live)
  })
  return count
}

/** FTS5 needs rows in ascending order, so the documents are read back in order of slot. */
async function writeFtsRows(db: DatabaseSync, sql: PrepareStatement, tableSet: TableSet): Promise<number> {
  const selectPage =
    sql(`SELECT slot, doc_id, media_id, year, popularity, names, people FROM search_doc_${tableSet}
    WHERE slot > ? ORDER BY slot LIMIT ${batchSize}`)
  let count = 0
  for (let lastSlot = -1; ; ) {
    const rows = selectPage.all(lastSlot) as StoredDocRow[]
    if (rows.length === 0) break
    transaction(db, () => {
      for (const row of rows) insertFtsRow(sql, tableSet, rebuildStoredEntry(row))
    })
    count += rows.length
    lastSlot = rows.at(-1)?.slot ?? lastSlot
    await setImmediate()
  }
  await mergeFtsTables(db, sql, tableSet)
  return count
}
