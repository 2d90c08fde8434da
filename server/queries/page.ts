import type { SelectQueryBuilder } from 'kysely'

/** A page of a list. `page` starts at 1. */
export interface PageRequest {
  page: number
  limit: number
}

export interface PageOfRows<Row> {
  rows: Row[]
  /** Number of rows on all pages. */
  total: number
}

/**
 * Returns a page of `rowsQuery`, and the number of all rows that match `matchingQuery`. `rowsQuery` must be
 * `matchingQuery` with selected columns and with an unambiguous order.
 */
export async function selectPage<
  Schema,
  RowTables extends keyof Schema,
  Row,
  MatchSchema,
  MatchTables extends keyof MatchSchema,
>(
  rowsQuery: SelectQueryBuilder<Schema, RowTables, Row>,
  matchingQuery: SelectQueryBuilder<MatchSchema, MatchTables, object>,
  { page, limit }: PageRequest,
): Promise<PageOfRows<Row>> {
  const pageRows = await rowsQuery
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const countQuery = matchingQuery
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total')) as unknown as SelectQueryBuilder<
    MatchSchema,
    MatchTables,
    { total: number }
  >
  const { total } = await countQuery.executeTakeFirstOrThrow()
  return { rows: pageRows as Row[], total: Number(total) }
}
