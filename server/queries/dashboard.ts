/**
 * Queries for the numbers of the dashboard. They read an index or a small table, and are therefore fast with 10,000
 * users and 100,000 titles.
 */

import { sql } from 'kysely'
import { DAY_MS, toIsoDate } from '../core/dates.ts'
import type { Db } from '../db/database.ts'
import { getDialect } from '../db/ddl.ts'

/**
 * Returns the numbers of accounts, administrators who are not blocked, blocked accounts, profiles, devices and open
 * invitations, and of accounts active in the last day and week.
 */
export async function selectUserCounts(db: Db, nowMs: number) {
  const { rows } = await sql<Record<(typeof USER_COUNT_NAMES)[number], number>>`
    select
      (select count(*) from account) as accounts,
      (select count(*) from account where role = 'admin' and blocked = 0) as admins,
      (select count(*) from account where blocked = 1) as blocked,
      (select count(*) from profile where deleted_at is null) as profiles,
      (select count(*) from login where expires_at > ${nowMs}) as devices,
      (select count(distinct account_id) from login where last_active_at > ${nowMs - DAY_MS}) as active_day,
      (select count(distinct account_id) from login where last_active_at > ${nowMs - 7 * DAY_MS}) as active_week,
      (select count(*) from invitation where used_at is null and revoked_at is null and expires_at > ${nowMs}) as invitations
  `.execute(db)
  const row = rows[0]
  return Object.fromEntries(USER_COUNT_NAMES.map((name) => [name, Number(row?.[name] ?? 0)])) as Record<
    (typeof USER_COUNT_NAMES)[number],
    number
  >
}
const USER_COUNT_NAMES = [
  'accounts',
  'admins',
  'blocked',
  'profiles',
  'devices',
  'active_day',
  'active_week',
  'invitations',
] as const

interface TitleCounts {
  total: number
  published: number
  blocked: number
}

/** Counts the titles of each type, the episodes and the people. Deleted titles and their episodes are not counted. */
export async function selectCatalogueCounts(db: Db) {
  const titleCountRows = await db
    .selectFrom('title')
    .select(['type', 'published', 'blocked'])
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number>('episode_count').as('episodes')])
    .where('deleted_at', 'is', null)
    .groupBy(['type', 'published', 'blocked'])
    .execute()
  const { people: personCount } = await db
    .selectFrom('person')
    .select((eb) => eb.fn.countAll<number>().as('people'))
    .executeTakeFirstOrThrow()
  const countTitles = (type: string): TitleCounts => {
    const counts = { total: 0, published: 0, blocked: 0 }
    for (const titleCountRow of titleCountRows) {
      if (titleCountRow.type !== type) continue
      counts.total += Number(titleCountRow.count)
      if (titleCountRow.published) counts.published += Number(titleCountRow.count)
      if (titleCountRow.blocked) counts.blocked += Number(titleCountRow.count)
    }
    return counts
  }
  const episodeCount = titleCountRows.reduce((sum, titleCountRow) => sum + Number(titleCountRow.episodes), 0)
  return {
    movies: countTitles('movie'),
    series: countTitles('tv'),
    episodes: episodeCount,
    actors: Number(personCount),
  }
}

/** Number of accounts created per day (UTC) since `sinceMs`. The keys are days since 1970. */
export async function selectNewAccountsPerDay(db: Db, sinceMs: number): Promise<Map<number, number>> {
  const dayExpression = sql<number>`created_at / ${sql.lit(DAY_MS)}`
  const rows = await db
    .selectFrom('account')
    .select((eb) => [dayExpression.as('day'), eb.fn.countAll<number>().as('count')])
    .where('created_at', '>=', sinceMs)
    .groupBy(dayExpression)
    .execute()
  return new Map(rows.map((row) => [Math.floor(Number(row.day)), Number(row.count)]))
}

/** Number of playback starts by day (`YYYY-MM-DD`, UTC), from `firstDay` on. */
export async function selectPlaybackStartsPerDay(db: Db, firstDay: string): Promise<Map<string, number>> {
  const rows = await db.selectFrom('play_day').selectAll().where('day', '>=', firstDay).execute()
  return new Map(rows.map((row) => [row.day, row.plays]))
}

/** Counts a playback start on its day. Neither profile nor title is stored. */
export async function incrementPlaybackStarts(db: Db, startedAtMs: number): Promise<void> {
  await db
    .insertInto('play_day')
    .values({ day: toIsoDate(startedAtMs), plays: 1 })
    .onConflict((conflict) => conflict.column('day').doUpdateSet({ plays: sql<number>`play_day.plays + 1` }))
    .execute()
}

/** Creation time of the first account in milliseconds since 1970, or null when no account exists. */
export async function selectFirstAccountTimeMs(db: Db): Promise<number | null> {
  const { at: firstCreatedAtMs } = await db
    .selectFrom('account')
    .select((eb) => eb.fn.min('created_at').as('at'))
    .executeTakeFirstOrThrow()
  return firstCreatedAtMs === null ? null : Number(firstCreatedAtMs)
}

/** Size of a PostgreSQL database in bytes; null on SQLite, where the caller reads the file size. */
export async function selectDatabaseSizeBytes(db: Db): Promise<number | null> {
  if (getDialect(db) !== 'postgres') return null
  const { rows } = await sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(
    db,
  )
  return Number(rows[0]?.size ?? 0)
}
