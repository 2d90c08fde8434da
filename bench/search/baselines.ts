/** Baseline searches over the documents of the benchmark: FTS5 prefix search and PostgreSQL's pg_trgm. */
import { DatabaseSync } from 'node:sqlite'
import type { SearchDoc } from '../../server/search/types.ts'

/** Returns the media ids of the first ten results for a query. */
export type SearchFunction = (query: string) => Promise<string[]>

/**
 * Searches with FTS5, with the options that its documentation describes. The tokenizer unicode61 removes diacritics. A
 * result must contain all words of the query; the last word is a prefix. Results are ranked by bm25.
 */
export function createFts5Search(docs: SearchDoc[]): SearchFunction {
  const db = new DatabaseSync(':memory:')
  db.exec("CREATE VIRTUAL TABLE t USING fts5(names, id UNINDEXED, tokenize='unicode61 remove_diacritics 2')")
  const insertDoc = db.prepare('INSERT INTO t VALUES (?, ?)')
  db.exec('BEGIN')
  for (const doc of docs) insertDoc.run(doc.names.map((name) => name.text).join('\n'), doc.media_id)
  db.exec('COMMIT')
  const selectIds = db.prepare('SELECT id FROM t WHERE t MATCH ? ORDER BY rank LIMIT 10')
  return async (query) => {
    const queryWords = query.replaceAll('"', ' ').split(/\s+/).filter(Boolean)
    if (queryWords.length === 0) return []
    return selectIds
      .all(`${queryWords.map((word) => `"${word}"`).join(' ')}*`)
      .map((row) => String(row['id']))
  }
}

/** Searches with pg_trgm and a GIN index: most similar names first, ties by popularity. */
export async function createTrigramSearch(docs: SearchDoc[]): Promise<SearchFunction> {
  const { PGlite } = await import('@electric-sql/pglite')
  const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm')
  const db = await PGlite.create({ extensions: { pg_trgm } })
  await db.exec('CREATE EXTENSION pg_trgm; CREATE TABLE t (id text, name text, popularity double precision)')
  const nameRows = docs.flatMap((doc) =>
    doc.names.map((name) => ({
      id: doc.media_id,
      name: name.text.toLowerCase(),
      popularity: doc.popularity,
    })),
  )
  for (let offset = 0; offset < nameRows.length; offset += 5000) {
    const batchJson = JSON.stringify(nameRows.slice(offset, offset + 5000)).replaceAll('\\u0000', '')
    await db.query(
      'INSERT INTO t SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(id text, name text, popularity double precision)',
      [batchJson],
    )
  }
  await db.exec('CREATE INDEX ON t USING gin (name gin_trgm_ops); ANALYZE t')
  return async (query) => {
    const selectSql =
      'SELECT id FROM t WHERE name % $1 ORDER BY similarity(name, $1) DESC, popularity DESC LIMIT 20'
    const ids = (await db.query<{ id: string }>(selectSql, [query.toLowerCase()])).rows.map((row) => row.id)
    return [...new Set(ids)].slice(0, 10)
  }
}
