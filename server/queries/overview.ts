/** Figures of the whole service, each read from an index: the dashboard stays quick with 10,000 users and 100,000 titles (docs/catalogue.md). */
import { sql } from 'kysely'
import { dialectOf } from '../db/ddl.ts'
import type { Db } from '../db/open.ts'

const DAY_MS = 86_400_000

export async function peopleCounts(db: Db, now: number) {
  const { rows } = await sql<Record<(typeof PEOPLE)[number], number>>`
    select
      (select count(*) from account) as accounts,
      (select count(*) from account where role = 'admin' and blocked = 0) as admins,
      (select count(*) from account where blocked = 1) as blocked,
      (select count(*) from profile) as profiles,
      (select count(*) from login where expires_at > ${now}) as devices,
      (select count(distinct account_id) from login where last_active_at > ${now - DAY_MS}) as active_day,
      (select count(distinct account_id) from login where last_active_at > ${now - 7 * DAY_MS}) as active_week,
      (select count(*) from invitation where used_at is null and revoked_at is null and expires_at > ${now}) as invitations
  `.execute(db)
  const row = rows[0]
  return Object.fromEntries(PEOPLE.map((name) => [name, Number(row?.[name] ?? 0)])) as Record<
    (typeof PEOPLE)[number],
    number
  >
}
const PEOPLE = [
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

/** Those just deleted are not counted. */
export async function catalogueCounts(db: Db) {
  const groups = await db
    .selectFrom('title')
    .select(['type', 'published', 'blocked'])
    .select((eb) => [eb.fn.countAll<number>().as('n'), eb.fn.sum<number>('episode_count').as('episodes')])
    .where('deleted_at', 'is', null)
    .groupBy(['type', 'published', 'blocked'])
    .execute()
  const { people } = await db
    .selectFrom('person')
    .select((eb) => eb.fn.countAll<number>().as('people'))
    .executeTakeFirstOrThrow()
  const of = (type: string): TitleCounts => {
    const counts = { total: 0, published: 0, blocked: 0 }
    for (const group of groups) {
      if (group.type !== type) continue
      counts.total += Number(group.n)
      if (group.published) counts.published += Number(group.n)
      if (group.blocked) counts.blocked += Number(group.n)
    }
    return counts
  }
  const episodes = groups.reduce((sum, group) => sum + Number(group.episodes), 0)
  return { movies: of('movie'), series: of('tv'), episodes, actors: Number(people) }
}

/** Accounts opened per day (UTC) since an instant, by day number since 1970. */
export async function newAccounts(db: Db, since: number): Promise<Map<number, number>> {
  const day = sql<number>`created_at / ${sql.lit(DAY_MS)}`
  const rows = await db
    .selectFrom('account')
    .select((eb) => [day.as('day'), eb.fn.countAll<number>().as('n')])
    .where('created_at', '>=', since)
    .groupBy(day)
    .execute()
  return new Map(rows.map((row) => [Math.floor(Number(row.day)), Number(row.n)]))
}

/** Plays begun per day from a day on. */
export async function playsPerDay(db: Db, from: string): Promise<Map<string, number>> {
  const rows = await db.selectFrom('play_day').selectAll().where('day', '>=', from).execute()
  return new Map(rows.map((row) => [row.day, row.plays]))
}

/** Somebody began to watch something. Nobody is named. */
export async function countPlay(db: Db, at: number): Promise<void> {
  await db
    .insertInto('play_day')
    .values({ day: new Date(at).toISOString().slice(0, 10), plays: 1 })
    .onConflict((conflict) => conflict.column('day').doUpdateSet({ plays: sql<number>`play_day.plays + 1` }))
    .execute()
}

/** When the first account was opened; null while there is none. */
export async function firstAccount(db: Db): Promise<number | null> {
  const { at } = await db
    .selectFrom('account')
    .select((eb) => eb.fn.min('created_at').as('at'))
    .executeTakeFirstOrThrow()
  return at === null ? null : Number(at)
}

/** Bytes of a PostgreSQL database; null on SQLite, whose file says it. */
export async function databaseSize(db: Db): Promise<number | null> {
  if (dialectOf(db) !== 'postgres') return null
  const { rows } = await sql<{ n: number }>`select pg_database_size(current_database()) as n`.execute(db)
  return Number(rows[0]?.n ?? 0)
}
