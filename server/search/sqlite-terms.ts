/** The terms of an FTS5 table: https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module */
import type { DatabaseSync } from 'node:sqlite'
import type { PrepareStatement } from './sqlite-write.ts'
import type { TokenExpression } from './types.ts'

/** Length in characters of the longest prefix that the recent name tables store; see `sqliteSchema`. */
export const MAX_STORED_PREFIX_LENGTH = 5
/** A prefix with more terms is not expanded; FTS5 looks it up as a prefix. */
const MAX_EXPANDED_TERMS = 100
const MAX_CACHED_PREFIXES = 500

/**
 * Creates a temporary table of the terms of an FTS5 table, and returns the name of the temporary table. The table has
 * one row for each term, or with `instance` one row for each document of each term. If the temporary table exists
 * already, it is kept.
 */
export function createTermsTable(
  db: DatabaseSync,
  ftsTable: string,
  vocabTableType: 'row' | 'instance' = 'row',
): string {
  const name = `temp.${vocabTableType === 'row' ? 'terms' : 'instances'}_of_${ftsTable}`
  db.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${name} USING fts5vocab(main, ${ftsTable}, ${vocabTableType})`)
  return name
}

/** Replaces prefixes by all terms that begin with them. */
export class PrefixExpander {
  readonly #db: DatabaseSync
  readonly #prepare: PrepareStatement
  readonly #termsTables = new Map<string, string>()
  #cachedState = ''
  #cache = new Map<string, TokenExpression>()

  constructor(db: DatabaseSync, prepare: PrepareStatement) {
    this.#db = db
    this.#prepare = prepare
  }

  /**
   * Returns an expression that finds the same rows of `ftsTable` as `expression`. Prefixes of more than
   * `maxStoredPrefixLength` characters, which the table does not store, are replaced by their terms, unless there are
   * more than MAX_EXPANDED_TERMS. With the prefix, FTS5 would merge the rows of all its terms before it returns the
   * first row. The merge takes up to a hundred times as long as reading the first rows of each term. The terms are
   * cached until `state` changes, so `state` must change with every write.
   */
  expand(
    ftsTable: string,
    expression: TokenExpression,
    { maxStoredPrefixLength, state }: { maxStoredPrefixLength: number; state: string },
  ): TokenExpression {
    if ('token' in expression) {
      if (!expression.prefix || expression.token.length <= maxStoredPrefixLength) return expression
      return this.#expandPrefix(ftsTable, expression.token, state)
    }
    const expandPart = (part: TokenExpression) =>
      this.expand(ftsTable, part, { maxStoredPrefixLength, state })
    return 'all' in expression
      ? { all: expression.all.map(expandPart) }
      : { any: expression.any.map(expandPart) }
  }

  #expandPrefix(ftsTable: string, prefix: string, state: string): TokenExpression {
    if (state !== this.#cachedState || this.#cache.size >= MAX_CACHED_PREFIXES) this.#cache = new Map()
    this.#cachedState = state
    const key = `${ftsTable} ${prefix}`
    const cachedTerms = this.#cache.get(key)
    if (cachedTerms) return cachedTerms
    const terms = this.#listTerms(ftsTable, prefix)
    const expression: TokenExpression =
      terms.length === 0 || terms.length > MAX_EXPANDED_TERMS
        ? { token: prefix, prefix: true }
        : { any: terms.map((token) => ({ token, prefix: false })) }
    this.#cache.set(key, expression)
    return expression
  }

  #listTerms(ftsTable: string, prefix: string): string[] {
    const table = this.#termsTables.get(ftsTable) ?? createTermsTable(this.#db, ftsTable)
    this.#termsTables.set(ftsTable, table)
    const sqlText = `SELECT term FROM ${table} WHERE term >= ? AND term < ? LIMIT ?`
    const rows = this.#prepare(sqlText).all(prefix, `${prefix}\u{10ffff}`, MAX_EXPANDED_TERMS + 1)
    return (rows as { term: string }[]).map((row) => row.term)
  }
}
