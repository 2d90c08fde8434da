/**
 * The catalogue's calls at growing sizes, through the whole server but for the socket:
 * `node bench/catalogue/run.ts [--titles=10000,100000,1000000]`. Figures for docs/catalogue.md.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { DatabaseSync } from 'node:sqlite'
import { openSqliteDatabase } from '../../server/db/open.ts'
import { MOVIE_GENRES, TV_GENRES } from '../../src/lib/rules/genres.ts'
import { Device } from '../../tests/support/client.ts'
import { addAccount, startServer } from '../../tests/support/server.ts'
import { inventedWord, randomFrom } from '../generate/catalogue.ts'
import { fill } from './fill.ts'

const option = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]
const sizes = (option('titles') ?? '10000,100000,1000000').split(',').map(Number)
const USERS = 10_000
const ROUNDS = Number(option('rounds') ?? 300)

const quantile = (sorted: number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0

/** Milliseconds at the median and the 95th and 99th of 100. */
async function timed(rounds: number, work: (round: number) => Promise<unknown>): Promise<string> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await work(round)
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return [0.5, 0.95, 0.99].map((q) => quantile(times, q).toFixed(1)).join(' / ')
}

const random = randomFrom(42)
const one = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
const chance = (share: number) => random() < share

/** Any combination of filters, as somebody playing with the panel would make them. */
function listAddress(): string {
  const type = one(['movies', 'series'])
  const genres: readonly number[] = type === 'movies' ? MOVIE_GENRES : TV_GENRES
  const query = new URLSearchParams()
  query.set(
    'sort',
    one(['popularity.desc', 'release_date.desc', 'rating.desc', 'title.asc', 'rating_votes.desc']),
  )
  if (chance(0.6)) query.append('include-genres', String(one(genres)))
  if (chance(0.3)) query.append('include-genres', String(one(genres)))
  if (chance(0.3)) query.append('exclude-genres', String(one(genres)))
  if (chance(0.2)) query.set('genres-mode', 'all')
  if (chance(0.3)) query.append('release-year', String(1980 + Math.floor(random() * 47)))
  if (chance(0.3)) query.append('language', one(['en', 'fr', 'ar', 'ja', 'ko']))
  if (chance(0.2)) query.append('rated', one(['All', '8+']))
  if (chance(0.3)) query.set('rating', one(['5', '6', '7', '8']))
  if (chance(0.3)) query.set('rating-votes', one(['1000', '5000', '10000']))
  if (chance(0.1)) query.set('kids', 'true')
  return `/api/${type}?${query}`
}

/** Titles that somebody types letter by letter: well-known ones more often. */
function namesOf(sqlite: DatabaseSync, titles: number): string[] {
  const name = sqlite.prepare('select text from title_name where title_id = ? limit 1')
  return Array.from({ length: 60 }, () => {
    const row = name.get(1 + Math.floor(random() ** 2 * titles)) as { text: string }
    return [...row.text].slice(0, 14).join('')
  })
}

function addUsers(sqlite: DatabaseSync, count: number): void {
  const insert =
    sqlite.prepare(`insert into account (account_id, email, password_hash, role, interface_language,
    title_language, media_quality, created_at) values (?, ?, '', 'user', 'en', 'en', 'auto', ?)`)
  sqlite.exec('begin')
  for (let at = 0; at < count; at++) insert.run(`bench-${at}`, `somebody${at}@example.org`, at)
  sqlite.exec('commit')
}

/** The calls behind the dashboard's tables, by what they show. */
const dashboard = (): [string, (round: number) => string][] => [
  ['overview', () => '/api/admin/overview'],
  [`one page of ${USERS} users`, (round) => `/api/auth/users?page=${1 + round * 8}`],
  ['users by a part of the address', (round) => `/api/auth/users?search=body${round}`],
  ['a page of titles', (round) => `/api/movies?admin=true&page=${1 + round}`],
  ['the block list', () => '/api/blocklist'],
  ['the log', () => '/api/admin/audit'],
]

async function measure(titles: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  const file = join(folder, 'marquee.db')
  const server = await startServer({ database: openSqliteDatabase(file) })
  /* Nobody types this fast: what is measured is the search, not the limit of its calls. */
  server.deps.quota = { take: async () => 0 }
  const at = performance.now()
  fill(server.database.sqlite as DatabaseSync, titles)
  const filled = performance.now()
  console.log(`\n## ${titles.toLocaleString('en')} titles`)
  console.log(
    `filled in ${((filled - at) / 1000).toFixed(0)} s, database ${(statSync(file).size / 2 ** 20).toFixed(0)} MB`,
  )
  await addAccount(server, 'bench@example.org', 'admin')
  const device = new Device(server)
  await device.login('bench@example.org')
  const profile = await device.post('/api/profile', {
    name: 'Bench',
    avatar: 1,
    preferences: { language: 'en' },
  })
  device.profileId = profile.body.profile_id
  const steps: [string, () => Promise<unknown>][] = [
    ['lists read into memory, first page', () => device.get('/api/movies')],
    ['search index built', () => server.deps.searchIndex.rebuild()],
    ['recommendations learnt', () => server.deps.recommender.refresh()],
  ]
  for (const [name, work] of steps) {
    const lag = monitorEventLoopDelay({ resolution: 5 })
    lag.enable()
    const start = performance.now()
    await work()
    lag.disable()
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(
      `${name}: ${seconds} s, event loop held up p99 ${(lag.percentile(99) / 1e6).toFixed(0)} ms, most ${(lag.max / 1e6).toFixed(0)} ms`,
    )
  }
  const addresses = Array.from({ length: ROUNDS }, listAddress)
  const slug = () => 1 + Math.floor(random() ** 2 * titles)
  const check = async (path: string) => {
    const answer = await device.get(path)
    if (answer.status !== 200 && answer.status !== 404) throw new Error(`${answer.status} ${path}`)
  }
  const typed = namesOf(server.database.sqlite as DatabaseSync, titles).flatMap((name) =>
    Array.from(name, (_, end) => name.slice(0, end + 1).trim()).filter(Boolean),
  )
  const unheard = Array.from({ length: 60 }, () => `${inventedWord(random)} ${inventedWord(random)}`)
  const rows = [
    '/api/movies/featured',
    '/api/series/featured',
    `/api/profile/${device.profileId}/recommend?limit=15`,
    `/api/profile/${device.profileId}/recommend/top-genres`,
    `/api/profile/${device.profileId}/continue-watching`,
  ]
  const lines: [string, string][] = [
    ['any filters, first page and count', await timed(ROUNDS, (round) => check(addresses[round] as string))],
    ['the same again (kept)', await timed(ROUNDS, (round) => check(addresses[round % 20] as string))],
    ['page 2,000 of all movies', await timed(50, () => check('/api/movies?page=2000'))],
    ['detail by slug', await timed(ROUNDS, () => check(`/api/movies/slug/title-${slug()}`))],
    ['similar', await timed(ROUNDS, () => check(`/api/recommend/similar/${slug()}`))],
    [
      'search, every keystroke',
      await timed(typed.length, (round) =>
        check(`/api/search?q=${encodeURIComponent(typed[round] as string)}`),
      ),
    ],
    [
      'search for what nobody has',
      await timed(unheard.length, (round) =>
        check(`/api/search?q=${encodeURIComponent(unheard[round] as string)}`),
      ),
    ],
    ["home's rows, all five", await timed(60, () => Promise.all(rows.map(check)))],
  ]
  addUsers(server.database.sqlite as DatabaseSync, USERS)
  for (const [name, path] of dashboard())
    lines.push([`dashboard, ${name}`, await timed(60, (round) => check(path(round)))])
  for (const [name, figures] of lines) console.log(`${name}: ${figures} ms`)
  console.log(`process ${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MB`)
  await server.close()
  rmSync(folder, { recursive: true })
}

console.log(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}; milliseconds at p50 / p95 / p99`,
)
for (const size of sizes) await measure(size)
