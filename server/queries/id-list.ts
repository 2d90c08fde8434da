/** Lists of ids that are sent as one parameter. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { getDialect } from '../db/ddl.ts'

/**
 * Returns a subquery of ids that are sent as one JSON parameter. A list may contain more ids than a statement can have
 * parameters: 32,766 in SQLite, 65,535 in PostgreSQL. The text of the statement does not depend on the length of the
 * list, so PostgreSQL prepares the statement once.
 */
export function queryNumericIds(db: Db, ids: readonly number[]): RawBuilder<number> {
  const idsJson = JSON.stringify(ids)
  return getDialect(db) === 'postgres'
    ? sql`(select json_array_elements_text(${idsJson}::json)::bigint)`
    : queryJsonValues(idsJson)
}

export function queryTextIds(db: Db, ids: readonly string[]): RawBuilder<string> {
  const idsJson = JSON.stringify(ids)
  return getDialect(db) === 'postgres'
    ? sql`(select json_array_elements_text(${idsJson}::json))`
    : queryJsonValues(idsJson)
}

const queryJsonValues = <T>(idsJson: string): RawBuilder<T> => sql`(select value from json_each(${idsJson}))`
