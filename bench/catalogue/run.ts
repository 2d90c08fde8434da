/**
 * Measures catalogue, search and dashboard requests at growing catalogue sizes, through the whole server except the socket:
 * `node bench/catalogue/run.ts [--titles=10000,100000,1000000] [--limits]`. Produces the figures of docs/measurements/catalogue.md.
 * With `--limits`, only lists and searches of profiles with limits are measured, beside those of a profile without any.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { DatabaseSync } from 'node:sqlite'
import { openSqliteDatabase } from '../../server/db/database.ts'
import { MOVIE_GENRES, TV_GENRES } from '../../src/lib/rules/genres.ts'
import { insertTestAccount, startTestServer } from '../../tests/support/server.ts'
import { TestClient } from '../../tests/support/test-client.ts'
import { createMulberry32, generateWord } from '../generate/catalogue.ts'
import { insertGeneratedCatalogue } from './insert-catalogue.ts'
import { addParentalGuides, createLimitedAudiences } from './limited-audiences.ts'

const readOption = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1]
const sizes = (readOption('titles') ?? '10000,100000,1000000').split(',').map(Number)
const USER_COUNT = 10_000
const measuresLimits = process.argv.includes('--limits')
const SAMPLES = Number(readOption('rounds') ?? 300)

const getQuantile = (sorted: number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0

/** Runs `run` for each sample and returns its median, p95 and p99 as text, in milliseconds. */
async function measureLatency(samples: number, run: (sample: number) => Promise<unknown>): Promise<string> {
  const durationsMs: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    const startMs = performance.now()
    await run(sample)
    durationsMs.push(performance.now() - startMs)
  }
  durationsMs.sort((a, b) => a - b)
  return [0.5, 0.95, 0.99].map((q) => getQuantile(durationsMs, q).toFixed(1)).join(' / ')
}

const random = createMulberry32(42)
const pickRandom = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const drawWithProbability = (probability: number) => random() < probability

/** Builds the URL of a list with a random combination of filters. */
function buildRandomListUrl(): string {
  const type = pickRandom(['movies', 'series'])
  const genres: readonly number[] = type === 'movies' ? MOVIE_GENRES : TV_GENRES
  const query = new URLSearchParams()
  query.set(
    'sort',
    pickRandom(['popularity.desc', 'release_date.desc', 'rating.desc', 'title.asc', 'rating_votes.desc']),
  )
  if (drawWithProbability(0.6)) query.append('include-genres', String(pickRandom(genres)))
  if (drawWithProbability(0.3)) query.append('include-genres', String(pickRandom(genres)))
  if (drawWithProbability(0.3)) query.append('exclude-genres', String(pickRandom(genres)))
  if (drawWithProbability(0.2)) query.set('genres-mode', 'all')
  if (drawWithProbability(0.3)) query.append('release-year', String(1980 + Math.floor(random() * 47)))
  if (drawWithProbability(0.3)) query.append('language', pickRandom(['en', 'fr', 'ar', 'ja', 'ko']))
  if (drawWithProbability(0.2)) query.append('rated', pickRandom(['All', '8+']))
  if (drawWithProbability(0.3)) query.set('rating', pickRandom(['5', '6', '7', '8']))
  if (drawWithProbability(0.3)) query.set('rating-votes', pickRandom(['1000', '5000', '10000']))
  if (drawWithProbability(0.1)) query.set('kids', 'true')
  return `/api/${type}?${query}`
}

/** Returns 60 title prefixes for search, favouring popular titles. */
function sampleTitleNames(sqlite: DatabaseSync, titles: number): string[] {
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
  for (let index = 0; index < count; index++)
    insert.run(`bench-${index}`, `somebody${index}@example.org`, index)
  sqlite.exec('commit')
}

/** Returns the requests of the dashboard's tables, with their printed labels. */
const listDashboardRequests = (): [string, (sample: number) => string][] => [
  ['overview', () => '/api/admin/overview'],
  [`page of ${USER_COUNT} users`, (sample) => `/api/auth/users?page=${1 + sample * 8}`],
  ['user search by email', (sample) => `/api/auth/users?search=body${sample}`],
  ['page of titles', (sample) => `/api/movies?admin=true&page=${1 + sample}`],
  ['blocklist', () => '/api/blocklist'],
  ['audit log', () => '/api/admin/audit'],
]

/** Returns the latencies of lists and searches of profiles without and with limits. */
async function measureLimitedAudiences(
  adult: TestClient,
  sqlite: DatabaseSync,
  titles: number,
): Promise<[string, string][]> {
  const listUrls = Array.from({ length: SAMPLES }, buildRandomListUrl)
  const prefixes = sampleTitleNames(sqlite, titles).flatMap((name) =>
    Array.from(name, (_, end) => name.slice(0, end + 1).trim()).filter(Boolean),
  )
  const audiences = await createLimitedAudiences(adult, sqlite, titles)
  const results: [string, string][] = []
  for (const { name, device } of [{ name: 'without limits', device: adult }, ...audiences]) {
    const request = async (path: string) => {
      const { status, body } = await device.get(path)
      if (status !== 200) throw new Error(`${status} ${path}`)
      return body
    }
    const { total_results } = await request('/api/movies')
    const listLatency = await measureLatency(SAMPLES, (sample) => request(listUrls[sample] as string))
    const searchLatency = await measureLatency(prefixes.length, (sample) =>
      request(`/api/search?q=${encodeURIComponent(prefixes[sample] as string)}`),
    )
    const label = `${name} (${total_results} movies)`
    results.push([`lists, ${label}`, listLatency], [`every keystroke, ${label}`, searchLatency])
  }
  return results
}

async function measureCatalogueSize(titles: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
  const file = join(folder, 'marquee.db')
  const server = await startTestServer({ database: openSqliteDatabase(file) })
  /* The quota is disabled, because the benchmark sends more searches than an account may. */
  server.deps.quota = { consume: async () => 0 }
  const fillStartMs = performance.now()
  const sqlite = server.database.sqlite as DatabaseSync
  insertGeneratedCatalogue(sqlite, titles)
  if (measuresLimits) addParentalGuides(sqlite)
  const fillEndMs = performance.now()
  console.log(`\n## ${titles.toLocaleString('en')} titles`)
  console.log(
    `filled in ${((fillEndMs - fillStartMs) / 1000).toFixed(0)} s, database ${(statSync(file).size / 2 ** 20).toFixed(0)} MB`,
  )
  await insertTestAccount(server, 'bench@example.org', 'admin')
  const device = new TestClient(server)
  await device.login('bench@example.org')
  const profile = await device.post('/api/profile', {
    name: 'Bench',
    avatar: 1,
    preferences: { language: 'en' },
  })
  device.profileId = profile.body.profile_id
  const setupSteps: [string, () => Promise<unknown>][] = [
    ['first page of movies, cold cache', () => device.get('/api/movies')],
    ['search index built', () => server.deps.searchIndex.rebuild()],
    ...(measuresLimits
      ? []
      : [
          ['recommendation model trained', () => server.deps.recommender.refresh()] as [
            string,
            () => Promise<unknown>,
          ],
        ]),
  ]
  for (const [label, run] of setupSteps) {
    const eventLoopDelay = monitorEventLoopDelay({ resolution: 5 })
    eventLoopDelay.enable()
    const startMs = performance.now()
    await run()
    eventLoopDelay.disable()
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
    console.log(
      `${label}: ${seconds} s, event loop delay p99 ${(eventLoopDelay.percentile(99) / 1e6).toFixed(0)} ms, max ${(eventLoopDelay.max / 1e6).toFixed(0)} ms`,
    )
  }
  const results = measuresLimits
    ? await measureLimitedAudiences(device, sqlite, titles)
    : await measureRequests(device, sqlite, titles)
  for (const [label, latencies] of results) console.log(`${label}: ${latencies} ms`)
  console.log(`process memory ${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MB`)
  await server.close()
  rmSync(folder, { recursive: true })
}

/** Returns the latencies of all kinds of requests of a profile without limits. */
async function measureRequests(
  device: TestClient,
  sqlite: DatabaseSync,
  titles: number,
): Promise<[string, string][]> {
  const listUrls = Array.from({ length: SAMPLES }, buildRandomListUrl)
  const pickRandomTitleId = () => 1 + Math.floor(random() ** 2 * titles)
  const requestPath = async (path: string) => {
    const response = await device.get(path)
    if (response.status !== 200 && response.status !== 404) throw new Error(`${response.status} ${path}`)
  }
  const searchPrefixes = sampleTitleNames(sqlite, titles).flatMap((name) =>
    Array.from(name, (_, end) => name.slice(0, end + 1).trim()).filter(Boolean),
  )
  const unknownNames = Array.from({ length: 60 }, () => `${generateWord(random)} ${generateWord(random)}`)
  const homeRowPaths = [
    '/api/movies/featured',
    '/api/series/featured',
    `/api/profile/${device.profileId}/recommend?limit=15`,
    `/api/profile/${device.profileId}/recommend/top-genres`,
    `/api/profile/${device.profileId}/continue-watching`,
  ]
  const results: [string, string][] = [
    [
      'random filters, first page and count',
      await measureLatency(SAMPLES, (sample) => requestPath(listUrls[sample] as string)),
    ],
    [
      'repeated filters (cached)',
      await measureLatency(SAMPLES, (sample) => requestPath(listUrls[sample % 20] as string)),
    ],
    ['page 2,000 of all movies', await measureLatency(50, () => requestPath('/api/movies?page=2000'))],
    [
      'detail by slug',
      await measureLatency(SAMPLES, () => requestPath(`/api/movies/slug/title-${pickRandomTitleId()}`)),
    ],
    [
      'similar',
      await measureLatency(SAMPLES, () => requestPath(`/api/recommend/similar/${pickRandomTitleId()}`)),
    ],
    [
      'search, every keystroke',
      await measureLatency(searchPrefixes.length, (sample) =>
        requestPath(`/api/search?q=${encodeURIComponent(searchPrefixes[sample] as string)}`),
      ),
    ],
    [
      'search without matches',
      await measureLatency(unknownNames.length, (sample) =>
        requestPath(`/api/search?q=${encodeURIComponent(unknownNames[sample] as string)}`),
      ),
    ],
    [
      'five home rows in parallel',
      await measureLatency(60, () => Promise.all(homeRowPaths.map(requestPath))),
    ],
  ]
  addUsers(sqlite, USER_COUNT)
  for (const [label, path] of listDashboardRequests())
    results.push([`dashboard, ${label}`, await measureLatency(60, (sample) => requestPath(path(sample)))])
  return results
}

console.log(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}; milliseconds at p50 / p95 / p99`,
)
for (const size of sizes) await measureCatalogueSize(size)
