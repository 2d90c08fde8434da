import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { getDialect } from '../db/ddl.ts'

/**
 * Returns a pattern for `like … escape '\\'` that matches every text with `search` in it. In `search`, `%`, `_` and `\`
 * have no special meaning.
 */
const createContainsPattern = (search: string) =>
  `%${search.replace(/[\\%_]/g, (wildcard) => `\\${wildcard}`)}%`

/** Returns an SQL condition: a text contains `search`, ignoring case. */
export function containsText(db: Db, text: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  // SQLite's own lower() changes only ASCII letters; server/db/sqlite-connection.ts adds lower_unicode().
  const lowerFunction = sql.raw(getDialect(db) === 'sqlite' ? 'lower_unicode' : 'lower')
  const pattern = sql`cast(${createContainsPattern(search)} as text)`
  return sql<boolean>`${lowerFunction}(${text}) like ${lowerFunction}(${pattern}) escape '\\'`
}

/** Returns an SQL condition: a folded text contains `foldedSearch`, which is folded too. */
export function containsFoldedText(
  foldedText: RawBuilder<unknown>,
  foldedSearch: string,
): RawBuilder<boolean> {
  return sql<boolean>`${foldedText} like ${createContainsPattern(foldedSearch)} escape '\\'`
}
