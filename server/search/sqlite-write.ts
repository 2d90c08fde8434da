/** Writing the SQLite index: one batch is one transaction; a rebuild fills the tables that are not live. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { isVocabulary, type StoredRow, soundOf, storedEntry } from './entry.ts'
import { type Entry, type Gen, type IndexState, type Kind, kinds, newIndex } from './types.ts'

export type Sql = (text: string) => StatementSync

/* Everything runs in the process that answers requests: each step is so small that they wait ten milliseconds or so. */
const batchSize = 100
const wordBatch = 400
const maxPendingWords = 20_000
/** Pages of a text table that one step of merging writes. */
const mergePages = 100

const states = new WeakMap<Sql, { value: string; state: IndexState }>()

/** Asked many times a search, so it is read anew each time but parsed only when it is another. */
export function readState(sql: Sql): IndexState {
  const row = sql("SELECT value FROM search_meta WHERE key = 'state'").get() as { value: string } | undefined
  if (!row) return newIndex
  const known = states.get(sql)
  if (known?.value === row.value) return known.state
  const state = JSON.parse(row.value) as IndexState
  states.set(sql, { value: row.value, state })
  return state
}

/**
 * Runs a write and answers how many rows it changed. Integers are read as bigint because FTS5 leaves row numbers of its
 * own as "last inserted", which a JavaScript number cannot hold.
 */
function run(sql: Sql, text: string, ...values: SQLInputValue[]): number {
  const statement = sql(text)
  statement.setReadBigInts(true)
  return Number(statement.run(...values).changes)
}

function saveState(sql: Sql, state: IndexState): void {
  const text = "INSERT INTO search_meta VALUES ('state', ?) ON CONFLICT DO UPDATE SET value = excluded.value"
  run(sql, text, JSON.stringify(state))
}

function transaction(db: DatabaseSync, work: () => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Takes out `remove`, puts in `entries` (ascending by slot), all or nothing. */
export function writeBatch(db: DatabaseSync, sql: Sql, entries: Entry[], remove: number[]): void {
  transaction(db, () => {
    const state = readState(sql)
    const version = state.version + 1
    const top = { ...state.top }
    for (const { doc } of entries) top[doc.kind] = Math.max(top[doc.kind], doc.popularity)
    for (const gen of state.building ? (['a', 'b'] as const) : [state.live]) {
      const words = new Map<string, number>()
      for (const id of [...remove, ...entries.map((entry) => entry.doc.doc_id)])
        removeDoc(sql, gen, id, words)
      for (const entry of entries) insertDoc(sql, gen, entry, words)
      for (const entry of entries) insertText(sql, gen, entry)
      countWords(sql, gen, words, version)
    }
    saveState(sql, { ...state, version, top })
  })
}

function removeDoc(sql: Sql, gen: Gen, docId: number, words: Map<string, number>): void {
  const row = sql(`SELECT * FROM search_doc_${gen} WHERE doc_id = ?`).get(docId) as StoredRow | undefined
  if (!row) return
  const entry = storedEntry(row)
  for (const key of entry.keys)
    run(sql, `DELETE FROM search_key_${gen} WHERE key = ? AND slot = ?`, key, row.slot)
  for (const token of entry.tokens) if (isVocabulary(token)) words.set(token, (words.get(token) ?? 0) - 1)
  run(sql, `DELETE FROM search_${entry.doc.kind}_${gen} WHERE rowid = ?`, row.slot)
  run(sql, `DELETE FROM search_doc_${gen} WHERE slot = ?`, row.slot)
}

/** False when the document is there already, which only happens to a rebuild: then the newer one stays. */
function insertDoc(
  sql: Sql,
  gen: Gen,
  { slot, doc, keys, tokens, folds }: Entry,
  words: Map<string, number>,
): boolean {
  const people = JSON.stringify(doc.people ?? [])
  const text = `INSERT INTO search_doc_${gen} VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
  const year = doc.year ?? null
  const names = JSON.stringify(doc.names)
  if (run(sql, text, slot, doc.doc_id, doc.media_id, year, doc.popularity, names, people, folds) === 0)
    return false
  for (const key of keys) run(sql, `INSERT OR IGNORE INTO search_key_${gen} VALUES (?, ?)`, key, slot)
  for (const token of tokens) if (isVocabulary(token)) words.set(token, (words.get(token) ?? 0) + 1)
  return true
}

function insertText(sql: Sql, gen: Gen, { slot, doc, tokens }: Entry): void {
  run(
    sql,
    `INSERT OR REPLACE INTO search_${doc.kind}_${gen} (rowid, tokens) VALUES (?, ?)`,
    slot,
    tokens.join(' '),
  )
}

function countWords(sql: Sql, gen: Gen, words: Map<string, number>, version: number): void {
  const text = `INSERT INTO search_word_${gen} VALUES (?, max(?, 0), ?, ?)
    ON CONFLICT DO UPDATE SET docs = max(docs + ?, 0)`
  for (const word of [...words.keys()].sort()) {
    const docs = words.get(word) ?? 0
    if (docs !== 0) run(sql, text, word, docs, soundOf(word), version, docs)
  }
}

function clear(sql: Sql, gen: Gen): void {
  for (const table of ['doc', 'key', 'word']) run(sql, `DELETE FROM search_${table}_${gen}`)
  for (const kind of kinds) {
    const table = `search_${kind}_${gen}`
    run(sql, `INSERT INTO ${table} (${table}) VALUES ('delete-all')`)
  }
}

/** One segment of each text table, as 'optimize' would make it, in steps: https://www.sqlite.org/fts5.html#the_merge_command */
async function mergeTexts(db: DatabaseSync, sql: Sql, gen: Gen): Promise<void> {
  const changes = () => Number(sql('SELECT total_changes() AS count').get()?.['count'])
  for (const kind of kinds) {
    const table = `search_${kind}_${gen}`
    /* A negative number gathers all segments first. A step that changed next to nothing was the last. */
    for (let pages = -mergePages; ; pages = mergePages) {
      const before = changes()
      transaction(db, () => run(sql, `INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, pages))
      if (changes() - before < 2) break
      await setImmediate()
    }
  }
}

/** Counts of a rebuild: nobody reads them before it is done, so they need not be written all at once. */
async function countInSteps(
  db: DatabaseSync,
  sql: Sql,
  gen: Gen,
  words: Map<string, number>,
  version: number,
): Promise<void> {
  const sorted = [...words].sort(([one], [other]) => (one < other ? -1 : 1))
  for (let at = 0; at < sorted.length; at += wordBatch) {
    transaction(db, () => countWords(sql, gen, new Map(sorted.slice(at, at + wordBatch)), version))
    await setImmediate()
  }
}

/**
 * Replaces the whole index by `entries`, one pass, bounded memory, other work let in between batches. Searches see the
 * old index until the last moment and then the new one. Answers the number of documents.
 */
export async function rebuildIndex(
  db: DatabaseSync,
  sql: Sql,
  entries: AsyncIterable<Entry> | Iterable<Entry>,
): Promise<number> {
  const before = readState(sql)
  const gen: Gen = before.live === 'a' ? 'b' : 'a'
  const version = before.version + 1
  transaction(db, () => {
    clear(sql, gen)
    saveState(sql, { ...before, version, building: true })
  })
  const top: Record<Kind, number> = { movie: 0, tv: 0, actor: 0 }
  let words = new Map<string, number>()
  let batch: Entry[] = []
  const flush = async () => {
    transaction(db, () => {
      for (const entry of batch) {
        insertDoc(sql, gen, entry, words)
        top[entry.doc.kind] = Math.max(top[entry.doc.kind], entry.doc.popularity)
      }
    })
    batch = []
    if (words.size > maxPendingWords) {
      await countInSteps(db, sql, gen, words, version)
      words = new Map()
    }
    await setImmediate()
  }
  for await (const entry of entries) if (batch.push(entry) >= batchSize) await flush()
  await flush()
  await countInSteps(db, sql, gen, words, version)
  const count = await writeTexts(db, sql, gen)
  transaction(db, () => {
    saveState(sql, { version: readState(sql).version + 1, live: gen, building: false, top })
    clear(sql, before.live)
  })
  return count
}

/** The text table wants its rows in ascending order: the documents are read back in that order. */
async function writeTexts(db: DatabaseSync, sql: Sql, gen: Gen): Promise<number> {
  const page = sql(`SELECT slot, doc_id, media_id, year, popularity, names, people FROM search_doc_${gen}
    WHERE slot > ? ORDER BY slot LIMIT ${batchSize}`)
  let count = 0
  for (let last = -1; ; ) {
    const rows = page.all(last) as StoredRow[]
    if (rows.length === 0) break
    transaction(db, () => {
      for (const row of rows) insertText(sql, gen, storedEntry(row))
    })
    count += rows.length
    last = rows.at(-1)?.slot ?? last
    await setImmediate()
  }
  await mergeTexts(db, sql, gen)
  return count
}
