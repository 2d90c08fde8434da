import { type RawBuilder, sql } from 'kysely'

/**
 * Condition that a text in lower case contains a text as it is written: `%`, `_` and `\` in `search` are no wildcards.
 */
export function containsText(lowerCaseText: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, (wildcard) => `\\${wildcard}`)}%`
  return sql<boolean>`${lowerCaseText} like ${pattern} escape '\\'`
}
