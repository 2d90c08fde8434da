/**
 * The search index on SQLite: contentless FTS5 tables keyed by slot, beside plain tables. Calls are synchronous.
 * There are two sets of tables, a and b: searches use one, a rebuild fills the other.
 */
import type { DatabaseSync } from 'node:sqlite'
import { getSlotRange, isInRange } from './slot.ts'
import { rebuildSqlite } from './sqlite-rebuild.ts'
import { MAX_STORED_PREFIX, PrefixExpander } from './sqlite-terms.ts'
import { type PrepareStatement, readSqliteState, writeSqliteBatch } from './sqlite-write.ts'
import { kidsToken } from './topics.ts'
import {
  type IndexStore,
  type SearchCandidate,
  type SearchRange,
  searchKinds,
  type TokenExpression,
  topicKinds,
} from './types.ts'

/** Maximum number of cached candidates; each takes some hundreds of bytes. */
const MAX_CACHED_CANDIDATES = 30_000

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
    // Each kind has its own table, because FTS5 reads a range of row ids from the start of the table. Prefixes longer
    // than the five indexed ones are merged from all words that start with them, which takes about a hundred times as
    // long for a common word.
    ...searchKinds.map(
      (kind) => `CREATE VIRTUAL TABLE IF NOT EXISTS search_${kind}_${tableSet} USING fts5(tokens, content='',
        contentless_delete=1, detail=none, prefix='1 2 3 4 5', tokenize='ascii')`,
    ),
    // Topics are looked up as whole words, and prefixes would make this table several times as large.
    ...topicKinds.map(
      (
        kind,
      ) => `CREATE VIRTUAL TABLE IF NOT EXISTS search_topic_${kind}_${tableSet} USING fts5(tokens, content='',
        contentless_delete=1, detail=none, tokenize='ascii')`,
    ),
  ]),
]

/**
 * Returns FTS5 query text. Every token is quoted and holds only letters, digits and the reserved signs, so input
 * cannot become query syntax.
 */
function createFtsQuery(expression: TokenExpression): string {
  if ('token' in expression) {
    const { token, prefix } = expression
    return `"${token.includes('"') ? token.replaceAll('"', '') : token}"${prefix ? ' *' : ''}`
  }
  const [operands, operator] = 'all' in expression ? [expression.all, ' AND '] : [expression.any, ' OR ']
  return `(${operands.map(createFtsQuery).join(operator)})`
}

/** Cache of recent candidates. Each letter typed runs a search that loads many of the same candidates again. */
class CandidateCache {
  #state = ''
  #candidates = new Map<number, SearchCandidate>()
  /** Returns the candidates of an index state. A new state empties the cache. */
  getCandidates(state: string): Map<number, SearchCandidate> {
    if (state !== this.#state || this.#candidates.size > MAX_CACHED_CANDIDATES) this.#candidates = new Map()
    this.#state = state
    return this.#candidates
  }
}

/** Returns a function that prepares each statement once. */
function createStatementCache(db: DatabaseSync): PrepareStatement {
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  return (text) => {
    const cached = prepared.get(text)
    if (cached) return cached
    const statement = db.prepare(text)
    prepared.set(text, statement)
    return statement
  }
}

const toSlots = (rows: unknown) => (rows as { slot: number }[]).map((row) => row.slot)
const createKidsCondition = (range: SearchRange) => (range.kids ? 'AND (slot & 1) = 1' : '')

export function createSqliteStore(db: DatabaseSync): IndexStore {
  const candidateCache = new CandidateCache()
  const sql = createStatementCache(db)
  const prefixExpander = new PrefixExpander(db, sql)
  const readLiveTableSet = () => readSqliteState(sql).live
  const matchTables = (
    tableNames: string[],
    { expression, range, limit }: { expression: TokenExpression; range: SearchRange; limit: number },
    maxStoredPrefix = MAX_STORED_PREFIX,
  ) => {
    const scopedExpression = range.kids
      ? { all: [{ token: kidsToken, prefix: false }, expression] }
      : expression
    const { live, version } = readSqliteState(sql)
    return tableNames
      .flatMap((table) => {
        const expanded = prefixExpander.expand(table, scopedExpression, {
          maxStoredPrefix,
          state: `${live}${version}`,
        })
        const text = `SELECT json_group_array(rowid) AS slots FROM
          (SELECT rowid FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid LIMIT ?)`
        const row = sql(text).get(createFtsQuery(expanded), limit) as { slots: string }
        // One text with all slots is several times as fast to read as one object for each row.
        return JSON.parse(row.slots) as number[]
      })
      .filter((slot) => isInRange(slot, range))
  }
  return {
    readState: () => readSqliteState(sql),
    findSlots(expression, range, limit) {
      const tableSet = readLiveTableSet()
      const kinds = range.kind === 'all' ? searchKinds : [range.kind]
      return matchTables(
        kinds.map((kind) => `search_${kind}_${tableSet}`),
        { expression, range, limit },
      )
    },
    findTopicSlots(expression, range, limit) {
      const tableSet = readLiveTableSet()
      const kinds = topicKinds.filter((kind) => range.kind === 'all' || range.kind === kind)
      return matchTables(
        kinds.map((kind) => `search_topic_${kind}_${tableSet}`),
        { expression, range, limit },
        0,
      )
    },
    findExactKeys(keys, range, limit) {
      const text = `SELECT slot FROM search_key_${readLiveTableSet()} WHERE key = ? AND slot BETWEEN ? AND ?
        ${createKidsCondition(range)} ORDER BY slot LIMIT ?`
      return [...new Set(keys)].flatMap((key) => toSlots(sql(text).all(key, ...getSlotRange(range), limit)))
    },
    findKeyPrefix(key, range, limit) {
      const text = `SELECT slot FROM search_key_${readLiveTableSet()} WHERE key >= ? AND key < ? AND slot BETWEEN ? AND ?
        ${createKidsCondition(range)} LIMIT ?`
      return toSlots(sql(text).all(key, `${key}\u{10ffff}`, ...getSlotRange(range), limit))
    },
    loadCandidates(slots) {
      const { live: tableSet, version } = readSqliteState(sql)
      const cached = candidateCache.getCandidates(`${tableSet}${version}`)
      const missing = slots.filter((slot) => !cached.has(slot))
      // One statement for all is twice as fast as one for each.
      const text = `SELECT slot, media_id AS mediaId, year, popularity, names, folds FROM search_doc_${tableSet}
        WHERE slot IN (SELECT value FROM json_each(?))`
      const rows = missing.length > 0 ? sql(text).all(JSON.stringify(missing)) : []
      for (const row of rows as SearchCandidate[]) cached.set(row.slot, row)
      return slots.flatMap((slot) => cached.get(slot) ?? [])
    },
    findWordsBySound(sound, limit) {
      const text = `SELECT word FROM search_word_${readLiveTableSet()} WHERE sound = ? AND sound <> '' AND docs > 0 ORDER BY docs DESC LIMIT ?`
      return (sql(text).all(sound, limit) as { word: string }[]).map((row) => row.word)
    },
    listWords(after, version, page) {
      const versionCondition = version < 0 ? '+version > ?' : 'version > ?'
      const text = `SELECT word, docs FROM search_word_${readLiveTableSet()} WHERE ${versionCondition} AND word > ? AND docs > 0 ORDER BY word LIMIT ?`
      return (sql(text).all(version, after, page) as { word: string; docs: number }[]).map((row) => [
        row.word,
        row.docs,
      ])
    },
    writeBatch: (entries, idsToRemove) => writeSqliteBatch(db, sql, entries, idsToRemove),
    rebuildAll: (pages) => rebuildSqlite(db, sql, pages),
  }
}
