/**
 * The search index on SQLite. It has posting lists of the last rebuild (sqlite-base.ts), contentless FTS5 tables for
 * documents that were written after the rebuild, and plain tables. The row ids of the FTS5 tables are slots. Calls are
 * synchronous. There are two sets of tables, a and b: searches use one set, and a rebuild fills the other set.
 */
import type { DatabaseSync } from 'node:sqlite'
import { CandidateCache } from './candidate-cache.ts'
import { getDocId, getSlotRange, isInRange } from './slot.ts'
import { SqliteBase } from './sqlite-base.ts'
import { findFtsSlots } from './sqlite-fts.ts'
import { rebuildSqlite } from './sqlite-rebuild.ts'
import { getRecentTableName, nameTables, type SearchTable, topicTables } from './sqlite-schema.ts'
import { MAX_STORED_PREFIX_LENGTH, PrefixExpander } from './sqlite-terms.ts'
import { type PrepareStatement, readSqliteState, writeSqliteBatch } from './sqlite-write.ts'
import { kidsToken } from './topics.ts'
import type {
  IndexState,
  IndexStore,
  SearchCandidate,
  SearchRange,
  TokenExpression,
  VisibleDocsLookup,
} from './types.ts'

export { sqliteSchema } from './sqlite-schema.ts'

/**
 * Reads the state of the index only once per turn of the event loop. All lookups of a search in one turn share this
 * state.
 */
class StateReader {
  readonly #prepare: PrepareStatement
  #state: IndexState | undefined
  constructor(prepare: PrepareStatement) {
    this.#prepare = prepare
  }
  read(): IndexState {
    if (!this.#state) {
      this.#state = readSqliteState(this.#prepare)
      setImmediate(() => this.reset())
    }
    return this.#state
  }
  /** Discards the state, so that the next call of `read` reads the current state from the database. */
  reset(): void {
    this.#state = undefined
  }
}

/**
 * Returns a function that prepares a statement for an SQL text. Later calls with the same text return the same
 * statement.
 */
function createStatementCache(db: DatabaseSync): PrepareStatement {
  const statementsByText = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  return (sqlText) => {
    const cachedStatement = statementsByText.get(sqlText)
    if (cachedStatement) return cachedStatement
    const statement = db.prepare(sqlText)
    statementsByText.set(sqlText, statement)
    return statement
  }
}

type TableLookup = Omit<VisibleDocsLookup, 'isForNames' | 'isVisible'> &
  Partial<Pick<VisibleDocsLookup, 'isVisible'>>

/** Copies a row of SQLite. The row is a dictionary object, which takes 470 bytes more memory than the copy. */
const copyCandidate = ({
  slot,
  mediaId,
  year,
  popularity,
  names,
  folds,
}: SearchCandidate): SearchCandidate => ({ slot, mediaId, year, popularity, names, folds })

const toSlots = (rows: unknown) => (rows as { slot: number }[]).map((row) => row.slot)
const createKidsCondition = (range: SearchRange) => (range.isKidsOnly ? 'AND (slot & 1) = 1' : '')

export function createSqliteStore(db: DatabaseSync): IndexStore {
  const candidateCache = new CandidateCache()
  const prepare = createStatementCache(db)
  const prefixExpander = new PrefixExpander(db, prepare)
  const stateReader = new StateReader(prepare)
  const readLiveTableSet = () => stateReader.read().live
  let cachedBase: { version: string; base: SqliteBase } | undefined
  /**
   * Returns the posting lists of the last rebuild. Documents that have changed since the rebuild are excluded from
   * lookups.
   */
  const openBase = (state: IndexState): SqliteBase => {
    const version = `${state.live}${state.builtVersion}`
    if (cachedBase?.version !== version) cachedBase = { version, base: new SqliteBase(prepare, state.live) }
    cachedBase.base.applyChanges(state)
    return cachedBase.base
  }
  const findRecentSlots = (
    table: SearchTable,
    { live: liveTableSet, version }: IndexState,
    { expression, limit }: { expression: TokenExpression; limit: number },
  ): number[] => {
    const recentTable = getRecentTableName(table, liveTableSet)
    const maxStoredPrefixLength = topicTables.some((name) => name === table) ? 0 : MAX_STORED_PREFIX_LENGTH
    const expandedExpression = prefixExpander.expand(recentTable, expression, {
      maxStoredPrefixLength,
      state: `${liveTableSet}${version}`,
    })
    return findFtsSlots(prepare, recentTable, { expression: expandedExpression, limit })
  }
  const findSlotsInTable = (table: SearchTable, lookup: TableLookup): number[] => {
    const { range, limit, isVisible } = lookup
    const expression = range.isKidsOnly
      ? { all: [{ token: kidsToken, prefix: false }, lookup.expression] }
      : lookup.expression
    const state = stateReader.read()
    const hasBase = state.builtVersion !== undefined
    const baseSlots = hasBase ? openBase(state).findSlots(table, expression, { limit, isVisible }) : []
    // Equal versions mean that no document was written since the rebuild. The recent tables are then empty.
    if (state.builtVersion === state.version) return baseSlots
    const recentSlots = findRecentSlots(table, state, { expression, limit: isVisible ? -1 : limit })
    const visibleSlots = isVisible ? recentSlots.filter((slot) => isVisible(getDocId(slot))) : recentSlots
    if (visibleSlots.length === 0) return baseSlots
    return [...baseSlots, ...visibleSlots].sort((a, b) => a - b).slice(0, limit)
  }
  const findSlotsInTables = (tables: readonly SearchTable[], lookup: TableLookup) =>
    tables
      .filter((table) => lookup.range.kind === 'all' || table.endsWith(lookup.range.kind))
      .flatMap((table) => findSlotsInTable(table, lookup))
      .filter((slot) => isInRange(slot, lookup.range))
  return {
    readState: () => stateReader.read(),
    findSlots: (expression, range, limit) => findSlotsInTables(nameTables, { expression, range, limit }),
    findTopicSlots: (expression, range, limit) =>
      findSlotsInTables(topicTables, { expression, range, limit }),
    findVisibleDocs: ({ isForNames, ...lookup }) =>
      findSlotsInTables(isForNames ? nameTables : topicTables, lookup),
    findExactKeys(keys, range, limit) {
      const sqlText = `SELECT slot FROM search_key_${readLiveTableSet()} WHERE key = ? AND slot BETWEEN ? AND ?
        ${createKidsCondition(range)} ORDER BY slot LIMIT ?`
      return [...new Set(keys)].flatMap((key) =>
        toSlots(prepare(sqlText).all(key, ...getSlotRange(range), limit)),
      )
    },
    findKeyPrefix(key, range, limit) {
      const sqlText = `SELECT slot FROM search_key_${readLiveTableSet()} WHERE key >= ? AND key < ? AND slot BETWEEN ? AND ?
        ${createKidsCondition(range)} ORDER BY key, slot LIMIT ?`
      return toSlots(prepare(sqlText).all(key, `${key}\u{10ffff}`, ...getSlotRange(range), limit))
    },
    loadCandidates(slots) {
      const { live: tableSet, version } = stateReader.read()
      candidateCache.clearIfStateChanged(`${tableSet}${version}`)
      const candidatesBySlot = new Map<number, SearchCandidate | undefined>()
      for (const slot of slots) candidatesBySlot.set(slot, candidateCache.get(slot))
      const missingSlots = slots.filter((slot) => !candidatesBySlot.get(slot))
      // One statement that reads all rows is twice as fast as one statement for each row.
      const sqlText = `SELECT slot, media_id AS mediaId, year, popularity, names, folds FROM search_doc_${tableSet}
        WHERE slot IN (SELECT value FROM json_each(?))`
      const rows = missingSlots.length > 0 ? prepare(sqlText).all(JSON.stringify(missingSlots)) : []
      for (const row of rows as SearchCandidate[]) {
        const candidate = copyCandidate(row)
        candidateCache.add(candidate)
        candidatesBySlot.set(candidate.slot, candidate)
      }
      return slots.flatMap((slot) => candidatesBySlot.get(slot) ?? [])
    },
    findWordsBySound(sound, limit) {
      const sqlText = `SELECT word FROM search_word_${readLiveTableSet()} WHERE sound = ? AND sound <> '' AND docs > 0 ORDER BY docs DESC LIMIT ?`
      return (prepare(sqlText).all(sound, limit) as { word: string }[]).map((row) => row.word)
    },
    listWords(afterWord, afterVersion, pageSize) {
      // The version -1 selects all words, which the primary key already sorts. The unary plus therefore prevents SQLite
      // from using the index on the version.
      const versionCondition = afterVersion < 0 ? '+version > ?' : 'version > ?'
      const sqlText = `SELECT word, docs FROM search_word_${readLiveTableSet()} WHERE ${versionCondition} AND word > ? AND docs > 0 ORDER BY word LIMIT ?`
      return (
        prepare(sqlText).all(afterVersion, afterWord, pageSize) as { word: string; docs: number }[]
      ).map((row) => [row.word, row.docs])
    },
    writeBatch(entries, idsToRemove) {
      writeSqliteBatch(db, prepare, entries, idsToRemove)
      stateReader.reset()
    },
    async rebuildAll(pages) {
      const documentCount = await rebuildSqlite(db, prepare, pages)
      stateReader.reset()
      return documentCount
    },
  }
}
