/** What one request of each kind costs: processor time here and in PostgreSQL, statements, bytes of write-ahead log. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { adminOf, newVisitor, titleIds } from '../../tests/scale/scenarios.ts'
import type { Household } from '../../tests/support/processes.ts'
import type { Visitor } from '../../tests/support/visitor.ts'
import type { Orders } from './load.ts'
import { cpuOf, headersOf, offer, say, two } from './measure.ts'

const SECONDS = 4
const OPEN_TABS = 500

type Requests = Orders['requests']

async function kinds(household: Household, admin: Visitor): Promise<[name: string, requests: Requests][]> {
  const viewer = await newVisitor(admin, `cost${Date.now()}`)
  const ids = await titleIds(admin, 50)
  const headers = headersOf(viewer)
  const mine = `/api/profile/${viewer.profileId}`
  const get = (...paths: string[]): Requests => paths.map((path) => ({ method: 'GET', path, headers }))
  const send = (method: string, path: string, body: object) => ({
    method,
    path,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const progress = (media_id: string, at: number) =>
    send('POST', `${mine}/history`, {
      type: 'movie',
      media_id,
      progress: 60 + at,
      data: { video_duration: 6_000 },
    })
  const login = {
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: household.admin.email, password: household.admin.password }),
  }
  return [
    ['list (shared answer)', get('/api/movies?limit=20', '/api/series?limit=20')],
    ['detail of a title', get(...ids.map((id) => `/api/movies/${id}`))],
    ['search', get(...['heat', 'love', 'night', 'gold', 'war'].map((q) => `/api/search?q=${q}`))],
    ['continue watching', get(`${mine}/continue-watching`)],
    ['recommendations', get(`${mine}/recommend`)],
    ['my list', get(`${mine}/watchlist`)],
    ['progress (write)', ids.map(progress)],
    ['my list (write)', ids.map((id) => send('PUT', `${mine}/watchlist/movie/${id}`, {}))],
    ['sign in', [login]],
  ]
}

/** Restarts PostgreSQL with its own statistics of statements. */
async function countStatements(household: Household): Promise<pg.Client> {
  const client = async () => {
    const one = new pg.Client({ connectionString: household.postgres.url() })
    one.on('error', () => {})
    await one.connect()
    return one
  }
  const first = await client()
  await first.query("alter system set shared_preload_libraries = 'pg_stat_statements'")
  await first.end()
  await household.postgres.down()
  await household.postgres.up()
  const counting = await client()
  await counting.query('create extension pg_stat_statements')
  return counting
}

async function databaseSince(counting: pg.Client) {
  const { rows } = await counting.query(`
    select coalesce(sum(calls) filter (where query ilike 'select%' or query ilike 'with%'), 0)::float8 as reads,
           coalesce(sum(calls) filter (where query ~* '^(insert|update|delete)'), 0)::float8 as writes,
           coalesce(sum(wal_bytes), 0)::float8 as wal
    from pg_stat_statements where query not like '%pg_stat%'`)
  return rows[0] as { reads: number; writes: number; wal: number }
}

/** Of all backends that are there, ms. */
async function postgresCpu(counting: pg.Client): Promise<Map<number, number>> {
  const { rows } = await counting.query('select pid from pg_stat_activity where pid <> pg_backend_pid()')
  return new Map(rows.map(({ pid }: { pid: number }) => [pid, cpuOf(pid)]))
}

const memoryOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024

export async function cost(household: Household): Promise<void> {
  const counting = await countStatements(household)
  await pause(2_000)
  const [first] = household.processes
  if (!first) throw new Error('no process')
  const admin = await adminOf(household, first.url)
  say('memory of a process, just started (MB)', Math.round(memoryOf(first.pid())))
  for (const [name, requests] of await kinds(household, admin)) {
    const orders: Omit<Orders, 'seconds'> = { urls: [first.url], requests, connections: 4 }
    // Within what one account may ask.
    if (name === 'search') orders.rate = 4
    await offer({ ...orders, seconds: 1 })
    await counting.query('select pg_stat_statements_reset()')
    const before = await postgresCpu(counting)
    const api = cpuOf(first.pid())
    const { good, statuses, p50, p99 } = await offer({ ...orders, seconds: SECONDS })
    const count = Object.values(statuses).reduce((sum, one) => sum + one, 0)
    let postgres = 0
    for (const [pid, ms] of await postgresCpu(counting)) postgres += ms - (before.get(pid) ?? 0)
    const { reads, writes, wal } = await databaseSince(counting)
    say(name, {
      good,
      p50,
      p99,
      apiCpuMs: two((cpuOf(first.pid()) - api) / count),
      postgresCpuMs: two(postgres / count),
      reads: two(reads / count),
      writes: two(writes / count),
      walBytes: Math.round(wal / count),
      others: Object.keys(statuses).filter((status) => !status.startsWith('2')),
    })
  }
  await sizes(counting)
  await openTabs(first, admin)
  await counting.end()
}

/** What a row that grows with viewers takes, its indexes aside, in bytes. */
async function sizes(counting: pg.Client): Promise<void> {
  const { rows } = await counting.query(`
    select (select round(avg(pg_column_size(p.*))) from progress p)::int as progress,
           (select round(avg(pg_column_size(w.*))) from watchlist_entry w)::int as watchlist_entry,
           (select round(avg(pg_column_size(l.*))) from login l)::int as login`)
  say('bytes of a row', rows[0])
}

/** Memory of a tab that listens for news and does nothing else. */
async function openTabs(one: { url: string; pid: () => number }, visitor: Visitor): Promise<void> {
  const before = memoryOf(one.pid())
  const leave = new AbortController()
  const headers = headersOf(visitor)
  const tabs: number[] = []
  while (tabs.length < OPEN_TABS)
    tabs.push(
      ...(await Promise.all(
        Array.from({ length: 25 }, () =>
          fetch(`${one.url}/api/events`, { headers, signal: leave.signal }).then(({ status }) => status),
        ),
      )),
    )
  await pause(2_000)
  say(`memory of ${OPEN_TABS} open tabs, each (kB)`, {
    answered: tabs.filter((status) => status === 200).length,
    each: Math.round(((memoryOf(one.pid()) - before) * 1_024) / OPEN_TABS),
  })
  leave.abort()
}
