/** Writing the PostgreSQL index: one batch is one transaction; a rebuild fills the tables that are not live. */
import { isVocabulary, type StoredRow, soundOf, storedEntry } from './entry.ts'
import {
  type Entry,
  type Gen,
  type IndexState,
  type Kind,
  newIndex,
  type PgDb,
  type PgQuery,
} from './types.ts'

const batchSize = 200

export async function pgReadState(db: PgQuery): Promise<IndexState> {
  const { rows } = await db.query("SELECT value FROM search_meta WHERE key = 'state'")
  const row = rows[0] as { value: string } | undefined
  return row ? (JSON.parse(row.value) as IndexState) : newIndex
}

async function saveState(db: PgQuery, state: IndexState): Promise<void> {
  const text =
    "INSERT INTO search_meta VALUES ('state', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
  await db.query(text, [JSON.stringify(state)])
}

/** One writer at a time, as SQLite has it by nature; readers are not held up. */
const lock = (tx: PgQuery) => tx.query("SELECT pg_advisory_xact_lock(hashtext('search_index'))")

/** Takes out `remove`, puts in `entries`, all or nothing. */
export async function pgWriteBatch(db: PgDb, entries: Entry[], remove: number[]): Promise<void> {
  await db.transaction(async (tx) => {
    await lock(tx)
    const state = await pgReadState(tx)
    const version = state.version + 1
    const top = { ...state.top }
    for (const { doc } of entries) top[doc.kind] = Math.max(top[doc.kind], doc.popularity)
    const gone = [...remove, ...entries.map((entry) => entry.doc.doc_id)]
    for (const gen of state.building ? (['a', 'b'] as const) : [state.live]) {
      const words = new Map<string, number>()
      await removeDocs(tx, gen, gone, words)
      await insertDocs(tx, gen, entries, words)
      await countWords(tx, gen, words, version)
    }
    await saveState(tx, { ...state, version, top })
  })
}

function count(words: Map<string, number>, tokens: string[], by: number): void {
  for (const token of tokens) if (isVocabulary(token)) words.set(token, (words.get(token) ?? 0) + by)
}

async function removeDocs(tx: PgQuery, gen: Gen, ids: number[], words: Map<string, number>): Promise<void> {
  const text = `DELETE FROM search_doc_${gen} WHERE doc_id = ANY($1::bigint[])
    RETURNING slot, doc_id, media_id, year, popularity, names, people`
  const keys: { key: string; slot: number }[] = []
  for (const row of (await tx.query(text, [ids])).rows as StoredRow[]) {
    const entry = storedEntry({ ...row, slot: Number(row.slot), doc_id: Number(row.doc_id) })
    count(words, entry.tokens, -1)
    for (const key of entry.keys) keys.push({ key, slot: entry.slot })
  }
  const each = 'jsonb_to_recordset($1::jsonb) AS gone(key text, slot bigint)'
  await tx.query(
    `DELETE FROM search_key_${gen} k USING ${each} WHERE k.key = gone.key AND k.slot = gone.slot`,
    [JSON.stringify(keys)],
  )
}

/** A document that is there already stays: only a rebuild meets one, and then the stored one is newer. */
async function insertDocs(
  tx: PgQuery,
  gen: Gen,
  entries: Entry[],
  words: Map<string, number>,
): Promise<void> {
  const rows = entries.map(({ slot, doc, folds, tokens }) => ({
    slot,
    doc_id: doc.doc_id,
    media_id: doc.media_id,
    year: doc.year ?? null,
    popularity: doc.popularity,
    names: JSON.stringify(doc.names),
    people: JSON.stringify(doc.people ?? []),
    folds,
    tokens,
  }))
  const text = `INSERT INTO search_doc_${gen}
    SELECT slot, doc_id, media_id, year, popularity, names, people, folds, array_to_tsvector(tokens)
    FROM jsonb_to_recordset($1::jsonb) AS doc(slot bigint, doc_id bigint, media_id text, year integer,
      popularity double precision, names text, people text, folds text, tokens text[])
    ON CONFLICT DO NOTHING RETURNING slot`
  const stored = (await tx.query(text, [JSON.stringify(rows)])).rows as { slot: string | number }[]
  const added = new Set(stored.map((row) => Number(row.slot)))
  const fresh = entries.filter((entry) => added.has(entry.slot))
  for (const entry of fresh) count(words, entry.tokens, 1)
  const keys = fresh.flatMap((entry) => entry.keys.map((key) => ({ key, slot: entry.slot })))
  const each = 'jsonb_to_recordset($1::jsonb) AS k(key text, slot bigint)'
  await tx.query(`INSERT INTO search_key_${gen} SELECT key, slot FROM ${each} ON CONFLICT DO NOTHING`, [
    JSON.stringify(keys),
  ])
}

async function countWords(tx: PgQuery, gen: Gen, words: Map<string, number>, version: number): Promise<void> {
  const rows = [...words]
    .filter(([, docs]) => docs !== 0)
    .map(([word, docs]) => ({ word, docs, sound: soundOf(word) }))
  rows.sort((a, b) => (a.word < b.word ? -1 : 1))
  const text = `INSERT INTO search_word_${gen} AS w SELECT word, docs, sound, $2
    FROM jsonb_to_recordset($1::jsonb) AS word(word text, docs integer, sound text)
    ON CONFLICT (word) DO UPDATE SET docs = w.docs + excluded.docs`
  await tx.query(text, [JSON.stringify(rows), version])
}

/** As the SQLite one: one pass, bounded memory, the old index answers until the new one is whole. */
export async function pgRebuild(db: PgDb, entries: AsyncIterable<Entry> | Iterable<Entry>): Promise<number> {
  const before = await pgReadState(db)
  const gen: Gen = before.live === 'a' ? 'b' : 'a'
  const version = before.version + 1
  const truncate = (which: Gen) => `TRUNCATE search_doc_${which}, search_key_${which}, search_word_${which}`
  await db.transaction(async (tx) => {
    await lock(tx)
    await tx.query(truncate(gen))
    await saveState(tx, { ...before, version, building: true })
  })
  const top: Record<Kind, number> = { movie: 0, tv: 0, actor: 0 }
  let batch: Entry[] = []
  const flush = async () => {
    const words = new Map<string, number>()
    await db.transaction(async (tx) => {
      await lock(tx)
      await insertDocs(tx, gen, batch, words)
      await countWords(tx, gen, words, version)
    })
    for (const { doc } of batch) top[doc.kind] = Math.max(top[doc.kind], doc.popularity)
    batch = []
  }
  for await (const entry of entries) if (batch.push(entry) >= batchSize) await flush()
  await flush()
  await db.query(`ANALYZE search_doc_${gen}`)
  const { rows } = await db.query(`SELECT count(*)::integer AS n FROM search_doc_${gen}`)
  await db.transaction(async (tx) => {
    await lock(tx)
    await saveState(tx, { version: (await pgReadState(tx)).version + 1, live: gen, building: false, top })
    await tx.query(truncate(before.live))
  })
  return (rows[0] as { n: number }).n
}
