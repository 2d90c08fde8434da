/** Rebuilds the SQLite index in the set of tables that searches do not use. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { rebuildStoredEntry, type StoredDocRow } from './entry.ts'
import {
  addWordCounts,
  insertDoc,
  insertFtsRow,
  type PrepareStatement,
  readSqliteState,
  runStatement,
  runTransaction,
  saveState,
} from './sqlite-write.ts'
import { type IndexEntry, type SearchKind, searchKinds, type TableSet } from './types.ts'

// All writes run in the process that serves requests, so each step is small enough to delay them by about ten
// milliseconds.
const batchSize = 100
const wordBatchSize = 400
const maxPendingWords = 20_000
/** Number of pages of an FTS5 table that one merge step writes. */
const mergePages = 100

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
      runTransaction(db, () =>
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
  const sortedCounts = [...wordCounts].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let start = 0; start < sortedCounts.length; start += wordBatchSize) {
    runTransaction(db, () =>
      addWordCounts(sql, tableSet, new Map(sortedCounts.slice(start, start + wordBatchSize)), version),
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
  const previousState = readSqliteState(sql)
  const tableSet: TableSet = previousState.live === 'a' ? 'b' : 'a'
  const version = previousState.version + 1
  runTransaction(db, () => {
    clearTables(sql, tableSet)
    saveState(sql, { ...previousState, version, building: true })
  })
  const top: Record<SearchKind, number> = { movie: 0, tv: 0, actor: 0 }
  let wordCounts = new Map<string, number>()
  let batch: IndexEntry[] = []
  const flush = async () => {
    runTransaction(db, () => {
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
  runTransaction(db, () => {
    saveState(sql, { version: readSqliteState(sql).version + 1, live: tableSet, building: false, top })
    clearTables(sql, previousState.live)
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
    runTransaction(db, () => {
      for (const row of rows) insertFtsRow(sql, tableSet, rebuildStoredEntry(row))
    })
    count += rows.length
    lastSlot = rows.at(-1)?.slot ?? lastSlot
    await setImmediate()
  }
  await mergeFtsTables(db, sql, tableSet)
  return count
}
