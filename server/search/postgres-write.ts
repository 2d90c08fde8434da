/**
 * Writes the PostgreSQL index. Each batch is written in one transaction. A rebuild fills the set of tables
 * that searches do not use.
 */
import { countEntryWords, getWordSound, rebuildStoredEntry, type StoredDocRow } from './entry.ts'
import {
  type EntryPages,
  emptyIndexState,
  type IndexEntry,
  type IndexState,
  type PgDb,
  type PgQueryable,
  type SearchKind,
  type TableSet,
} from './types.ts'

export async function readPostgresState(db: PgQueryable): Promise<IndexState> {
  const { rows } = await db.query("SELECT value FROM search_meta WHERE key = 'state'")
  const row = rows[0] as { value: string } | undefined
  return row ? (JSON.parse(row.value) as IndexState) : emptyIndexState
}

async function saveState(db: PgQueryable, state: IndexState): Promise<void> {
  const statement =
    "INSERT INTO search_meta VALUES ('state', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
  await db.query(statement, [JSON.stringify(state)])
}

/** Allows one writer at a time, as SQLite does. Readers do not wait. */
const acquireWriteLock = (transaction: PgQueryable) =>
  transaction.query("SELECT pg_advisory_xact_lock(hashtext('search_index'))")

/** Removes the documents `idsToRemove` and writes `entries` in one transaction. */
export async function writePostgresBatch(
  db: PgDb,
  entries: IndexEntry[],
  idsToRemove: number[],
): Promise<void> {
  await db.transaction(async (transaction) => {
    await acquireWriteLock(transaction)
    const state = await readPostgresState(transaction)
    const version = state.version + 1
    const topPopularityByKind = { ...state.top }
    for (const { doc } of entries)
      topPopularityByKind[doc.kind] = Math.max(topPopularityByKind[doc.kind], doc.popularity)
    const removedIds = [...idsToRemove, ...entries.map((entry) => entry.doc.doc_id)]
    for (const tableSet of state.building ? (['a', 'b'] as const) : [state.live]) {
      const wordCounts = new Map<string, number>()
      await removeDocs(transaction, tableSet, removedIds, wordCounts)
      await insertDocs(transaction, tableSet, entries, wordCounts)
      await countWords(transaction, tableSet, wordCounts, version)
    }
    await saveState(transaction, { ...state, version, top: topPopularityByKind })
  })
}

async function removeDocs(
  transaction: PgQueryable,
  tableSet: TableSet,
  ids: number[],
  wordCounts: Map<string, number>,
): Promise<void> {
  const statement = `DELETE FROM search_doc_${tableSet} WHERE doc_id = ANY($1::bigint[])
    RETURNING slot, doc_id, media_id, year, popularity, names`
  const keyRows: { key: string; slot: number }[] = []
  for (const row of (await transaction.query(statement, [ids])).rows as StoredDocRow[]) {
    const storedEntry = rebuildStoredEntry({ ...row, slot: Number(row.slot), doc_id: Number(row.doc_id) })
    countEntryWords(storedEntry, -1, wordCounts)
    for (const key of storedEntry.keys) keyRows.push({ key, slot: storedEntry.slot })
  }
  const jsonRows = 'jsonb_to_recordset($1::jsonb) AS gone(key text, slot bigint)'
  await transaction.query(
    `DELETE FROM search_key_${tableSet} k USING ${jsonRows} WHERE k.key = gone.key AND k.slot = gone.slot`,
    [JSON.stringify(keyRows)],
  )
}

/**
 * Inserts documents and skips documents that exist already. A document can exist already only during a
 * rebuild: a batch has then written a newer version of it.
 */
async function insertDocs(
  transaction: PgQueryable,
  tableSet: TableSet,
  entries: IndexEntry[],
  wordCounts: Map<string, number>,
): Promise<void> {
  const docRows = entries.map(({ slot, doc, names, folds, tokens, topicTokens }) => ({
    slot,
    doc_id: doc.doc_id,
    media_id: doc.media_id,
    year: doc.year ?? null,
    popularity: doc.popularity,
    names,
    folds,
    tokens: tokens.split(' ').filter(Boolean),
    topics: topicTokens.split(' ').filter(Boolean),
  }))
  const statement = `INSERT INTO search_doc_${tableSet}
    SELECT slot, doc_id, media_id, year, popularity, names, folds, array_to_tsvector(tokens), array_to_tsvector(topics)
    FROM jsonb_to_recordset($1::jsonb) AS doc(slot bigint, doc_id bigint, media_id text, year integer,
      popularity double precision, names text, folds text, tokens text[], topics text[])
    ON CONFLICT DO NOTHING RETURNING slot`
  const insertedRows = (await transaction.query(statement, [JSON.stringify(docRows)])).rows as {
    slot: string | number
  }[]
  const insertedSlots = new Set(insertedRows.map((row) => Number(row.slot)))
  const addedEntries = entries.filter((entry) => insertedSlots.has(entry.slot))
  for (const entry of addedEntries) countEntryWords(entry, 1, wordCounts)
  const keyRows = addedEntries.flatMap((entry) => entry.keys.map((key) => ({ key, slot: entry.slot })))
  const jsonRows = 'jsonb_to_recordset($1::jsonb) AS k(key text, slot bigint)'
  await transaction.query(
    `INSERT INTO search_key_${tableSet} SELECT key, slot FROM ${jsonRows} ON CONFLICT DO NOTHING`,
    [JSON.stringify(keyRows)],
  )
}

async function countWords(
  transaction: PgQueryable,
  tableSet: TableSet,
  wordCounts: Map<string, number>,
  version: number,
): Promise<void> {
  const wordRows = [...wordCounts]
    .filter(([, docCount]) => docCount !== 0)
    .map(([word, docCount]) => ({ word, docs: docCount, sound: getWordSound(word) }))
  wordRows.sort((a, b) => (a.word < b.word ? -1 : 1))
  const statement = `INSERT INTO search_word_${tableSet} AS w SELECT word, docs, sound, $2
    FROM jsonb_to_recordset($1::jsonb) AS word(word text, docs integer, sound text)
    ON CONFLICT (word) DO UPDATE SET docs = w.docs + excluded.docs`
  await transaction.query(statement, [JSON.stringify(wordRows), version])
}

/**
 * Replaces the whole index in one pass with bounded memory and returns the number of documents. Searches use the old
 * set of tables until the new one is complete.
 */
export async function rebuildPostgres(db: PgDb, pages: EntryPages): Promise<number> {
  const previousState = await readPostgresState(db)
  const tableSet: TableSet = previousState.live === 'a' ? 'b' : 'a'
  const version = previousState.version + 1
  const truncateTables = (tableSet: TableSet) =>
    `TRUNCATE search_doc_${tableSet}, search_key_${tableSet}, search_word_${tableSet}`
  await db.transaction(async (transaction) => {
    await acquireWriteLock(transaction)
    await transaction.query(truncateTables(tableSet))
    await saveState(transaction, { ...previousState, version, building: true })
  })
  const topPopularityByKind: Record<SearchKind, number> = { movie: 0, tv: 0, actor: 0 }
  const writePage = async (page: IndexEntry[]) => {
    const wordCounts = new Map<string, number>()
    await db.transaction(async (transaction) => {
      await acquireWriteLock(transaction)
      await insertDocs(transaction, tableSet, page, wordCounts)
      await countWords(transaction, tableSet, wordCounts, version)
    })
    for (const { doc } of page)
      topPopularityByKind[doc.kind] = Math.max(topPopularityByKind[doc.kind], doc.popularity)
  }
  for await (const page of pages) await writePage(page)
  await db.query(`ANALYZE search_doc_${tableSet}`)
  const { rows } = await db.query(`SELECT count(*)::integer AS n FROM search_doc_${tableSet}`)
  await db.transaction(async (transaction) => {
    await acquireWriteLock(transaction)
    await saveState(transaction, {
      version: (await readPostgresState(transaction)).version + 1,
      live: tableSet,
      building: false,
      top: topPopularityByKind,
    })
    await transaction.query(truncateTables(previousState.live))
  })
  return (rows[0] as { n: number }).n
}
