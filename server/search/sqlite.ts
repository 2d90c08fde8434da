/**
 * The index on SQLite: a contentless FTS5 table of document numbers only, beside plain tables. Synchronous.
 * Two sets of tables, a and b: one is live, the other is what a rebuild fills.
 */
import type { DatabaseSync } from 'node:sqlite'
import { kidsToken } from './entry.ts'
import { inRange, slotRange } from './slot.ts'
import { readState, rebuildIndex, type Sql, writeBatch } from './sqlite-write.ts'
import { type Candidate, type Expression, kinds, type Range, type Store } from './types.ts'

/** Some hundreds of bytes each. */
const RECENT_MOST = 30_000

export const sqliteSchema: string[] = [
  'CREATE TABLE IF NOT EXISTS search_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  ...(['a', 'b'] as const).flatMap((g) => [
    `CREATE TABLE IF NOT EXISTS search_doc_${g} (slot INTEGER PRIMARY KEY, doc_id INTEGER NOT NULL UNIQUE,
      media_id TEXT NOT NULL, year INTEGER, popularity REAL NOT NULL, names TEXT NOT NULL, people TEXT NOT NULL,
      folds TEXT NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS search_key_${g} (key TEXT, slot INTEGER, PRIMARY KEY (key, slot)) WITHOUT ROWID`,
    `CREATE TABLE IF NOT EXISTS search_word_${g} (word TEXT PRIMARY KEY, docs INTEGER NOT NULL, sound TEXT NOT NULL,
      version INTEGER NOT NULL) WITHOUT ROWID`,
    `CREATE INDEX IF NOT EXISTS search_sound_${g} ON search_word_${g} (sound, docs) WHERE sound <> ''`,
    `CREATE INDEX IF NOT EXISTS search_new_${g} ON search_word_${g} (version, word)`,
    // A table for each kind: skipping to a range of row numbers inside one costs as much as reading up to it. Beginnings
    // longer than those kept are merged from all words that start so, which for a common word takes a hundred times as long.
    ...kinds.map(
      (kind) => `CREATE VIRTUAL TABLE IF NOT EXISTS search_${kind}_${g} USING fts5(tokens, content='',
        contentless_delete=1, detail=none, prefix='1 2 3 4 5', tokenize='ascii')`,
    ),
  ]),
]

/** FTS5 query text. Every token is quoted and holds only letters, digits and `§`, so no input is syntax. */
function ftsQuery(expression: Expression): string {
  if ('token' in expression)
    return `"${expression.token.replaceAll('"', '')}"${expression.prefix ? ' *' : ''}`
  const [parts, word] = 'all' in expression ? [expression.all, ' AND '] : [expression.any, ' OR ']
  return `(${parts.map(ftsQuery).join(word)})`
}

/** Documents looked at lately: each letter typed asks for many of those that the one before asked for. */
class Recent {
  #state = ''
  #documents = new Map<number, Candidate>()
  of(state: string): Map<number, Candidate> {
    if (state !== this.#state || this.#documents.size > RECENT_MOST) this.#documents = new Map()
    this.#state = state
    return this.#documents
  }
}

export function sqliteStore(db: DatabaseSync): Store {
  const recent = new Recent()
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const sql: Sql = (text) => {
    const known = prepared.get(text)
    if (known) return known
    const statement = db.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  const slots = (rows: unknown) => (rows as { slot: number }[]).map((row) => row.slot)
  const live = () => readState(sql).live
  const inKids = (range: Range) => (range.kids ? 'AND (slot & 1) = 1' : '')
  return {
    state: () => readState(sql),
    match(expression, range, limit) {
      const scoped = range.kids ? { all: [{ token: kidsToken, prefix: false }, expression] } : expression
      const gen = live()
      const query = ftsQuery(scoped)
      const tables = range.kind === 'all' ? kinds : [range.kind]
      const found = tables.flatMap((kind) => {
        const table = `search_${kind}_${gen}`
        return slots(
          sql(`SELECT rowid AS slot FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid LIMIT ?`).all(
            query,
            limit,
          ),
        )
      })
      return found.filter((slot) => inRange(slot, range))
    },
    exactKeys(keys, range, limit) {
      const text = `SELECT slot FROM search_key_${live()} WHERE key = ? AND slot BETWEEN ? AND ?
        ${inKids(range)} ORDER BY slot LIMIT ?`
      return [...new Set(keys)].flatMap((key) => slots(sql(text).all(key, ...slotRange(range), limit)))
    },
    prefixKeys(key, range, limit) {
      const text = `SELECT slot FROM search_key_${live()} WHERE key >= ? AND key < ? AND slot BETWEEN ? AND ?
        ${inKids(range)} LIMIT ?`
      return slots(sql(text).all(key, `${key}\u{10ffff}`, ...slotRange(range), limit))
    },
    candidates(wanted) {
      const { live, version } = readState(sql)
      const kept = recent.of(`${live}${version}`)
      const text = `SELECT slot, media_id AS mediaId, year, popularity, names, folds FROM search_doc_${live} WHERE slot = ?`
      const one = sql(text)
      return wanted.flatMap((slot) => {
        const candidate = kept.get(slot) ?? (one.get(slot) as Candidate | undefined)
        if (candidate) kept.set(slot, candidate)
        return candidate ?? []
      })
    },
    soundsLike(sound, limit) {
      const text = `SELECT word FROM search_word_${live()} WHERE sound = ? AND sound <> '' AND docs > 0 ORDER BY docs DESC LIMIT ?`
      return (sql(text).all(sound, limit) as { word: string }[]).map((row) => row.word)
    },
    words(after, version, page) {
      const newer = version < 0 ? '+version > ?' : 'version > ?'
      const text = `SELECT word, docs FROM search_word_${live()} WHERE ${newer} AND word > ? AND docs > 0 ORDER BY word LIMIT ?`
      return (sql(text).all(version, after, page) as { word: string; docs: number }[]).map((r) => [
        r.word,
        r.docs,
      ])
    },
    write: (entries, remove) => writeBatch(db, sql, entries, remove),
    rebuild: (entries) => rebuildIndex(db, sql, entries),
  }
}
