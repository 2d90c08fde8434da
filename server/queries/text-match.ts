import { type RawBuilder, sql } from 'kysely'

/**
 * Returns an SQL condition: a lower-case text contains `search`, ignoring the case of `search`. `%`, `_` and `\` in `search`
 * have no special meaning.
 */
export function containsText(lowerCaseText: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, (wildcard) => `\\${wildcard}`)}%`
  return sql<boolean>`${lowerCaseText} like ${pattern} escape '\\'`
}
