/** The requests of the catalogue benchmark. */
import type { DatabaseSync } from 'node:sqlite'
import { MOVIE_GENRE_IDS, TV_GENRE_IDS } from '../../src/lib/rules/genres.ts'
import type { TestClient, TestResponse } from '../../tests/support/test-client.ts'
import { createMulberry32, generateWord } from '../generate/catalogue.ts'
import type { LimitedAudience } from './limited-audiences.ts'

export const BENCH_EMAIL = 'bench@example.org'
export const USER_COUNT = 10_000

/** One kind of request. The benchmark sends `sampleCount` requests of this kind. */
export interface RequestKind {
  label: string
  sampleCount: number
  send: (sampleIndex: number) => Promise<unknown>
}

const nextRandom = createMulberry32(42)
const pickRandom = <T>(items: readonly T[]): T => items[Math.floor(nextRandom() * items.length)] as T
const drawWithProbability = (probability: number) => nextRandom() < probability

/** Sends a request. Signs in and repeats the request if the access token has expired. */
export async function requestWithSignIn(device: TestClient, path: string): Promise<TestResponse> {
  let response = await device.get(path)
  if (response.status === 401) {
    await device.login(BENCH_EMAIL)
    response = await device.get(path)
  }
  if (response.status !== 200 && response.status !== 404) throw new Error(`${response.status} ${path}`)
  return response
}

/** Builds the URL of a list with a random combination of filters. */
function buildRandomListUrl(): string {
  const listType = pickRandom(['movies', 'series'])
  const genreIds: readonly number[] = listType === 'movies' ? MOVIE_GENRE_IDS : TV_GENRE_IDS
  const query = new URLSearchParams()
  query.set(
    'sort',
    pickRandom(['popularity.desc', 'release_date.desc', 'rating.desc', 'title.asc', 'rating_votes.desc']),
  )
  if (drawWithProbability(0.6)) query.append('include-genres', String(pickRandom(genreIds)))
  if (drawWithProbability(0.3)) query.append('include-genres', String(pickRandom(genreIds)))
  if (drawWithProbability(0.3)) query.append('exclude-genres', String(pickRandom(genreIds)))
  if (drawWithProbability(0.2)) query.set('genres-mode', 'all')
  if (drawWithProbability(0.3)) query.append('release-year', String(1980 + Math.floor(nextRandom() * 47)))
  if (drawWithProbability(0.3)) query.append('language', pickRandom(['en', 'fr', 'ar', 'ja', 'ko']))
  if (drawWithProbability(0.2)) query.append('rated', pickRandom(['All', '8+']))
  if (drawWithProbability(0.3)) query.set('rating', pickRandom(['5', '6', '7', '8']))
  if (drawWithProbability(0.3)) query.set('rating-votes', pickRandom(['1000', '5000', '10000']))
  if (drawWithProbability(0.1)) query.set('kids', 'true')
  return `/api/${listType}?${query}`
}

/**
 * Returns search URLs for the names of 60 titles: one URL for every prefix of a name, up to 14 characters. Titles with
 * lower ids are more likely.
 */
function sampleKeystrokeUrls(sqlite: DatabaseSync, titleCount: number): string[] {
  const selectName = sqlite.prepare('select text from title_name where title_id = ? limit 1')
  const nameLetterLists = Array.from({ length: 60 }, () => {
    const nameRow = selectName.get(1 + Math.floor(nextRandom() ** 2 * titleCount)) as { text: string }
    return [...nameRow.text].slice(0, 14)
  })
  return nameLetterLists
    .flatMap((nameLetters) =>
      nameLetters.map((_, lastIndex) =>
        nameLetters
          .slice(0, lastIndex + 1)
          .join('')
          .trim(),
      ),
    )
    .filter(Boolean)
    .map((prefix) => `/api/search?q=${encodeURIComponent(prefix)}`)
}

/** Returns the kinds of requests of a profile without limits. */
export function listRequestKinds(
  device: TestClient,
  { sqlite, titleCount, sampleCount }: { sqlite: DatabaseSync; titleCount: number; sampleCount: number },
): RequestKind[] {
  const titleListUrls = Array.from({ length: sampleCount }, buildRandomListUrl)
  const keystrokeUrls = sampleKeystrokeUrls(sqlite, titleCount)
  const unknownNames = Array.from(
    { length: 60 },
    () => `${generateWord(nextRandom)} ${generateWord(nextRandom)}`,
  )
  const pickRandomTitleId = () => 1 + Math.floor(nextRandom() ** 2 * titleCount)
  const detailUrls = Array.from(
    { length: sampleCount },
    () => `/api/movies/slug/title-${pickRandomTitleId()}`,
  )
  const similarUrls = Array.from(
    { length: sampleCount },
    () => `/api/recommend/similar/${pickRandomTitleId()}`,
  )
  const homeRowPaths = [
    '/api/movies/featured',
    '/api/series/featured',
    `/api/profile/${device.profileId}/recommend?limit=15`,
    `/api/profile/${device.profileId}/recommend/top-genres`,
    `/api/profile/${device.profileId}/continue-watching`,
  ]
  const createKindFromUrls = (label: string, urls: string[]): RequestKind => ({
    label,
    sampleCount: urls.length,
    send: (sampleIndex) => requestWithSignIn(device, urls[sampleIndex] as string),
  })
  return [
    createKindFromUrls('lists with random filters', titleListUrls),
    createKindFromUrls(
      'repeated filters (cached)',
      titleListUrls.map((_, sampleIndex) => titleListUrls[sampleIndex % 20] as string),
    ),
    createKindFromUrls('page 2,000 of all movies', Array<string>(50).fill('/api/movies?page=2000')),
    createKindFromUrls('detail by slug', detailUrls),
    createKindFromUrls('similar', similarUrls),
    createKindFromUrls('search, every keystroke', keystrokeUrls),
    createKindFromUrls(
      'search without matches',
      unknownNames.map((name) => `/api/search?q=${encodeURIComponent(name)}`),
    ),
    {
      label: 'five home rows in parallel',
      sampleCount: 60,
      send: () => Promise.all(homeRowPaths.map((path) => requestWithSignIn(device, path))),
    },
  ]
}

/** Adds users, and returns the kinds of requests of the dashboard. */
export function listDashboardRequestKinds(device: TestClient, sqlite: DatabaseSync): RequestKind[] {
  const insertAccount =
    sqlite.prepare(`insert into account (account_id, email, password_hash, role, interface_language,
    title_language, media_quality, created_at) values (?, ?, '', 'user', 'en', 'en', 'auto', ?)`)
  sqlite.exec('begin')
  for (let index = 0; index < USER_COUNT; index++)
    insertAccount.run(`bench-${index}`, `somebody${index}@example.org`, index)
  sqlite.exec('commit')
  const pathGetters: [string, (sampleIndex: number) => string][] = [
    ['overview', () => '/api/admin/overview'],
    [`page of ${USER_COUNT} users`, (sampleIndex) => `/api/auth/users?page=${1 + sampleIndex * 8}`],
    ['user search by email', (sampleIndex) => `/api/auth/users?search=body${sampleIndex}`],
    ['page of titles', (sampleIndex) => `/api/movies?admin=true&page=${1 + sampleIndex}`],
    ['blocklist', () => '/api/blocklist'],
    ['audit log', () => '/api/admin/audit'],
  ]
  return pathGetters.map(([label, getPath]) => ({
    label: `dashboard, ${label}`,
    sampleCount: 60,
    send: (sampleIndex) => requestWithSignIn(device, getPath(sampleIndex)),
  }))
}

/** Returns the kinds of list and search requests, for a profile without limits and for each audience. */
export async function listLimitedRequestKinds(
  adult: TestClient,
  audiences: readonly LimitedAudience[],
  { sqlite, titleCount, sampleCount }: { sqlite: DatabaseSync; titleCount: number; sampleCount: number },
): Promise<RequestKind[]> {
  const titleListUrls = Array.from({ length: sampleCount }, buildRandomListUrl)
  const keystrokeUrls = sampleKeystrokeUrls(sqlite, titleCount)
  const requestKinds: RequestKind[] = []
  for (const { name: audienceName, device } of [{ name: 'without limits', device: adult }, ...audiences]) {
    const { total_results } = (await requestWithSignIn(device, '/api/movies')).body
    const audienceLabel = `${audienceName} (${total_results} movies)`
    for (const [label, urls] of [
      ['lists', titleListUrls],
      ['every keystroke', keystrokeUrls],
    ] as const)
      requestKinds.push({
        label: `${label}, ${audienceLabel}`,
        sampleCount: urls.length,
        send: (sampleIndex) => requestWithSignIn(device, urls[sampleIndex] as string),
      })
  }
  return requestKinds
}
