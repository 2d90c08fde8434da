/** The viewings of a profile in pages, newest first. */
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { getDialect } from '../db/ddl.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type Audience, queryVisibleTitleOfRow } from './title-scope.ts'

/** Position at which the next page starts: the sort columns of the last viewing of the previous page. */
export type ViewingCursor = readonly [
  watchedAtMs: number,
  titleId: number,
  season: number,
  episode: number,
  name: string,
]

interface ViewingFilters {
  profileId: string
  type?: string | undefined
  titleId?: number | undefined
  /** Limits of the time of a viewing, in milliseconds since 1970: `fromMs` is inclusive, `untilMs` is exclusive. */
  fromMs?: number | undefined
  untilMs?: number | undefined
  /**
   * The same limits for viewings of which only the date is known. If a limit is absent, `fromMs` or `untilMs` applies
   * to these viewings too.
   */
  fromDayMs?: number | undefined
  untilDayMs?: number | undefined
  after?: ViewingCursor | undefined
  limit: number
}

/**
 * SQL condition: the time of a viewing is at or after the limit (`>=`) or before it (`<`). The limit is `dayMs` for a
 * viewing of which only the date is known, and `ms` for other viewings.
 */
const buildViewingTimeCondition =
  (operator: '>=' | '<', ms: number, dayMs: number) => (eb: ExpressionBuilder<DatabaseSchema, 'play'>) =>
    eb.or([
      eb.and([eb('play.by_day', '=', 0), eb('play.watched_at', operator, ms)]),
      eb.and([eb('play.by_day', '=', 1), eb('play.watched_at', operator, dayMs)]),
    ])

/**
 * Returns the viewings of titles that the audience may see, with episode titles. Viewings with an unknown time come
 * last.
 */
export async function selectViewings(db: Db, audience: Audience, filters: ViewingFilters) {
  const { profileId, type, titleId, fromMs, untilMs, after: afterCursor, limit } = filters
  const { fromDayMs = fromMs, untilDayMs = untilMs } = filters
  const nameExpression = getDialect(db) === 'postgres' ? sql`play.name collate "C"` : sql`play.name`
  const orderExpressions = [
    sql.ref('play.watched_at'),
    sql.ref('play.title_id'),
    sql.ref('play.season_number'),
    sql.ref('play.episode_number'),
    nameExpression,
  ]
  let query = db
    .selectFrom('play')
    .selectAll('play')
    .where('play.profile_id', '=', profileId)
    .where((eb) =>
      eb.exists(
        queryVisibleTitleOfRow(db, audience, 'play.title_id').$if(type !== undefined, (titleQuery) =>
          titleQuery.where('title.type', '=', type ?? ''),
        ),
      ),
    )
    .limit(limit)
  if (titleId !== undefined) query = query.where('play.title_id', '=', titleId)
  // The first comparison of each pair is redundant. It lets the database use the index on the time.
  if (fromMs !== undefined && fromDayMs !== undefined)
    query = query
      .where('play.watched_at', '>=', Math.min(fromMs, fromDayMs))
      .where(buildViewingTimeCondition('>=', fromMs, fromDayMs))
  if (untilMs !== undefined && untilDayMs !== undefined)
    query = query
      .where('play.watched_at', '<', Math.max(untilMs, untilDayMs))
      .where(buildViewingTimeCondition('<', untilMs, untilDayMs))
  if (afterCursor) {
    query = query
      .where('play.watched_at', '<=', afterCursor[0])
      .where(
        sql<boolean>`(${sql.join(orderExpressions)}) < (${sql.join(afterCursor.map((value) => sql`${value}`))})`,
      )
  }
  for (const expression of orderExpressions) query = query.orderBy(expression, 'desc')
  // The episodes are joined only to the rows of the page. A join in `query` would also look up the episodes of the
  // viewings that the filters skip, which can be thousands.
  let pageQuery = db
    .selectFrom(query.as('play'))
    .leftJoin('episode', (join) =>
      join
        .onRef('episode.title_id', '=', 'play.title_id')
        .onRef('episode.season_number', '=', 'play.season_number')
        .onRef('episode.episode_number', '=', 'play.episode_number'),
    )
    .selectAll('play')
    .select('episode.name as episode_title')
  for (const expression of orderExpressions) pageQuery = pageQuery.orderBy(expression, 'desc')
  return pageQuery.execute()
}

/**
 * Returns the time of the oldest viewing of a title that the audience may see, in milliseconds since 1970. Viewings
 * with an unknown time are ignored. Returns null when there is no such viewing.
 */
export async function selectOldestViewingMs(
  db: Db,
  audience: Audience,
  profileId: string,
): Promise<number | null> {
  const row = await db
    .selectFrom('play')
    .select('watched_at')
    .where('profile_id', '=', profileId)
    .where('watched_at', '>', 0)
    .where((eb) => eb.exists(queryVisibleTitleOfRow(db, audience, 'play.title_id')))
    .orderBy('watched_at')
    .limit(1)
    .executeTakeFirst()
  return row?.watched_at ?? null
}
