/** What the engine is compared with, over the same documents: plain FTS5 prefix search and PostgreSQL's pg_trgm. */
import { DatabaseSync } from 'node:sqlite'
import type { SearchDoc } from '../../server/search/types.ts'

/** A search reduced to what is measured: the first ten media ids for a text. */
export type Asker = (q: string) => Promise<string[]>

/** FTS5 as its documentation shows it: unicode61 without diacritics, all words, the last one a prefix, bm25. */
export function plainFts5(docs: SearchDoc[]): Asker {
  const db = new DatabaseSync(':memory:')
  db.exec("CREATE VIRTUAL TABLE t USING fts5(names, id UNINDEXED, tokenize='unicode61 remove_diacritics 2')")
  const insert = db.prepare('INSERT INTO t VALUES (?, ?)')
  db.exec('BEGIN')
  for (const doc of docs) insert.run(doc.names.map((name) => name.text).join('\n'), doc.media_id)
  db.exec('COMMIT')
  const select = db.prepare('SELECT id FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10')
  return async (q) => {
    const words = q.replaceAll('"', ' ').split(/\s+/).filter(Boolean)
    if (words.length === 0) return []
    return select.all(`${words.map((word) => `"${word}"`).join(' ')}*`).map((row) => String(row['id']))
  }
}

/** pg_trgm with its index, nearest names first, popularity between equals. */
export async function trigrams(docs: SearchDoc[]): Promise<Asker> {
  const { PGlite } = await import('@electric-sql/pglite')
  const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm')
  const db = await PGlite.create({ extensions: { pg_trgm } })
  await db.exec('CREATE EXTENSION pg_trgm; CREATE TABLE t (id text, name text, popularity double precision)')
  const rows = docs.flatMap((doc) =>
    doc.names.map((name) => ({
      id: doc.media_id,
      name: name.text.toLowerCase(),
      popularity: doc.popularity,
    })),
  )
  for (let i = 0; i < rows.length; i += 5000) {
    const page = JSON.stringify(rows.slice(i, i + 5000)).replaceAll('\\u0000', '')
    await db.query(
      'INSERT INTO t SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(id text, name text, popularity double precision)',
      [page],
    )
  }
  await db.exec('CREATE INDEX ON t USING gin (name gin_trgm_ops); ANALYZE t')
  return async (q) => {
    const text =
      'SELECT id FROM t WHERE name % $1 ORDER BY similarity(name, $1) DESC, popularity DESC LIMIT 20'
    const found = (await db.query<{ id: string }>(text, [q.toLowerCase()])).rows.map((row) => row.id)
    return [...new Set(found)].slice(0, 10)
  }
}
