/** The tables of the SQLite index. */
import { searchKinds, type TableSet, topicKinds } from './types.ts'

/**
 * Names of the token tables of one table set. For each of these names, there are a base FTS5 table, a table of posting
 * lists and a recent FTS5 table. The base FTS5 tables collect the documents of a rebuild. They are emptied when the
 * posting lists are complete. The recent FTS5 tables hold the documents written after the rebuild. Each kind of
 * document (`searchKinds`) has its own tables. In a common table, a search for one kind would also read the matches of
 * the other kinds, because FTS5 reads all matches from the first row id on, even for a range of row ids.
 */
export type SearchTable = (typeof searchTables)[number]
export const nameTables = searchKinds
export const topicTables = ['topic_movie', 'topic_tv'] as const
export const searchTables = [...nameTables, ...topicTables] as const
export const getBaseTable = (table: SearchTable, tableSet: TableSet) => `search_${table}_${tableSet}`
export const getPostingTable = (table: SearchTable, tableSet: TableSet) =>
  `search_posting_${table}_${tableSet}`
export const getRecentTableName = (table: SearchTable, tableSet: TableSet) =>
  `search_recent_${table}_${tableSet}`

const FTS_OPTIONS = `content='', contentless_delete=1, detail=none, tokenize='ascii'`

export const sqliteSchema: string[] = [
  'CREATE TABLE IF NOT EXISTS search_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  ...(['a', 'b'] as const).flatMap((tableSet) => [
    `CREATE TABLE IF NOT EXISTS search_doc_${tableSet} (slot INTEGER PRIMARY KEY, doc_id INTEGER NOT NULL UNIQUE,
      media_id TEXT NOT NULL, year INTEGER, popularity REAL NOT NULL, names TEXT NOT NULL, folds TEXT NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS search_key_${tableSet} (key TEXT, slot INTEGER, PRIMARY KEY (key, slot)) WITHOUT ROWID`,
    `CREATE TABLE IF NOT EXISTS search_word_${tableSet} (word TEXT PRIMARY KEY, docs INTEGER NOT NULL, sound TEXT NOT NULL,
      version INTEGER NOT NULL) WITHOUT ROWID`,
    `CREATE INDEX IF NOT EXISTS search_sound_${tableSet} ON search_word_${tableSet} (sound, docs) WHERE sound <> ''`,
    `CREATE INDEX IF NOT EXISTS search_new_${tableSet} ON search_word_${tableSet} (version, word)`,
    // The slots of each kind in the last rebuild, as 64-bit floating-point numbers. A rank is a position in
    // this list.
    `CREATE TABLE IF NOT EXISTS search_slot_${tableSet} (kind TEXT PRIMARY KEY, slots BLOB NOT NULL)`,
    // The documents of each token and of frequent prefixes ("token*") in the last rebuild.
    ...searchTables.map(
      (
        table,
      ) => `CREATE TABLE IF NOT EXISTS ${getPostingTable(table, tableSet)} (token TEXT PRIMARY KEY, ranks BLOB NOT NULL)
        WITHOUT ROWID`,
    ),
    // The slots of documents that were changed or removed since the last rebuild.
    `CREATE TABLE IF NOT EXISTS search_changed_${tableSet} (change_id INTEGER PRIMARY KEY, slot INTEGER NOT NULL)`,
    ...searchTables.map(
      (table) => `CREATE VIRTUAL TABLE IF NOT EXISTS ${getBaseTable(table, tableSet)} USING fts5(tokens,
        ${FTS_OPTIONS})`,
    ),
    // Name tables store short prefixes. For a prefix that is not stored, FTS5 merges the rows of all words that start
    // with it. Topic tables store no prefixes, because prefixes would make these tables several times as large.
    ...searchKinds.map(
      (kind) => `CREATE VIRTUAL TABLE IF NOT EXISTS ${getRecentTableName(kind, tableSet)} USING fts5(tokens,
        prefix='1 2 3 4 5', ${FTS_OPTIONS})`,
    ),
    ...topicKinds.map(
      (
        kind,
      ) => `CREATE VIRTUAL TABLE IF NOT EXISTS ${getRecentTableName(`topic_${kind}`, tableSet)} USING fts5(tokens,
        ${FTS_OPTIONS})`,
    ),
  ]),
]
