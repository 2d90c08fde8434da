/** Lookups in FTS5 tables: https://www.sqlite.org/fts5.html#full_text_query_syntax */
import type { PrepareStatement } from './sqlite-write.ts'
import type { TokenExpression } from './types.ts'

/**
 * Returns FTS5 query text. Every token stands in quotes, and the quotes inside a token are removed, so that typed text
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

/** Returns the first `limit` matching slots of a table, ascending; all of them when `limit` is negative. */
export function findFtsSlots(
  prepare: PrepareStatement,
  table: string,
  { expression, limit }: { expression: TokenExpression; limit: number },
): number[] {
  const sqlText = `SELECT json_group_array(rowid) AS slots FROM
    (SELECT rowid FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid LIMIT ?)`
  const row = prepare(sqlText).get(createFtsQuery(expression), limit) as { slots: string }
  // Reading one text with all slots is several times as fast as reading one object for each row.
  return JSON.parse(row.slots) as number[]
}
