/**
 * A kids profile calls every GET endpoint of the API except the endpoints for administrators and the event stream.
 * Half of the titles are not safe for kids. Each text of these unsafe titles contains `UNSAFE_MARKER`.
 * No response to the kids profile may contain `UNSAFE_MARKER`. Changes of an unsafe title must return 404.
 * Lists and search must return every safe title. The profile watched the unsafe titles while it was an adult profile.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importTitles } from '../../server/importers/import-titles.ts'
import type { PersonRecord, TitleRecord } from '../../server/queries/title-record.ts'
import { addDays } from '../../src/lib/rules/calendar-days.ts'
import { GUIDE_CATEGORIES } from '../../src/lib/rules/parental-guide.ts'
import { ALL_ENDPOINTS, createSampleBody, getEndpointName } from '../support/endpoints.ts'
import { insertTestAccount, startTestServer, TEST_PASSWORD, type TestServer } from '../support/server.ts'
import { fillEndpointPath, TestClient } from '../support/test-client.ts'

const UNSAFE_MARKER = 'zzgrim'
const TITLES_PER_TYPE = 30
const formatToday = () => new Date().toISOString().slice(0, 10)

let server: TestServer
let kid: TestClient
let kidId = ''
const safeTitles = { ids: new Set<string>(), slugs: new Set<string>() }
const unsafeTitles: { type: 'movie' | 'tv'; id: string; slug: string; imdb: string }[] = []
const pathValues = { seasonIds: [] as string[], actorIds: [] as string[], actorSlugs: [] as string[] }

function createTitleRecord(titleNumber: number, type: 'movie' | 'tv', isSafe: boolean): TitleRecord {
  const marker = isSafe ? '' : `${UNSAFE_MARKER} `
  const title = `${marker}Lantern ${titleNumber} ${type}`
  const createPerson = (name: string): PersonRecord => ({ name, biography: `${marker}life` })
  return {
    type,
    imdb_id: `tt${9_000_000 + titleNumber + (type === 'tv' ? 1_000 : 0)}`,
    original_title: title,
    language: 'en',
    names: [
      { lang: 'en', text: title, role: 'main' },
      { lang: 'ar', text: `${marker}فانوس ${titleNumber}`, role: 'main' },
      { lang: 'fr', text: `${marker}Lanterne ${titleNumber}`, role: 'aka' },
    ],
    release_date: formatToday(),
    genres: isSafe ? [16, 10751] : [27, 16, 10751],
    rated: isSafe ? 'All' : '18+',
    rating: 8,
    rating_votes: 5_000 + titleNumber,
    safe_for_kids: isSafe,
    high_quality: true,
    networks: type === 'tv' ? ['netflix'] : [],
    texts: [{ lang: 'en', overview: `${marker}A lantern is lit.`, tagline: `${marker}Light.` }],
    keywords: [`${marker}lantern`],
    // "Common Player" acts in safe and unsafe titles. Every other person acts only in safe or only in unsafe titles.
    cast: [
      { person: { name: 'Common Player' }, character: `${marker}Keeper` },
      {
        person: createPerson(
          isSafe ? `Kind ${titleNumber % 5}` : `${UNSAFE_MARKER} Actor ${titleNumber % 5}`,
        ),
      },
    ],
    crew: [{ person: createPerson(isSafe ? 'Kind Maker' : `${UNSAFE_MARKER} Maker`), job: 'Director' }],
    parental_guide: GUIDE_CATEGORIES.map((category) => ({
      category,
      severity: isSafe ? ('None' as const) : ('Severe' as const),
      votes: 3,
    })),
    seasons:
      type === 'tv'
        ? [
            {
              season_number: 1,
              name: `${marker}One`,
              air_date: formatToday(),
              episodes: [1, 2].map((episodeNumber) => ({
                episode_number: episodeNumber,
                name: `${marker}Night ${episodeNumber}`,
                overview: `${marker}Dark.`,
                air_date: formatToday(),
              })),
            },
          ]
        : [],
  }
}

beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
  const records = Array.from({ length: TITLES_PER_TYPE }, (_, index) => index + 1).flatMap((number) =>
    (['movie', 'tv'] as const).map((type) =>
      createTitleRecord(number * 2 + (number % 2), type, number % 2 === 0),
    ),
  )
  const report = await importTitles(
    server.deps,
    records.map((record, index) => ({ location: String(index), record })),
    { source: 'test' },
  )
  expect(report).toMatchObject({ added: TITLES_PER_TYPE * 2, skipped: 0 })
  await insertTestAccount(server, 'ada@example.org')
  kid = new TestClient(server)
  await kid.login('ada@example.org')
  kid.profileId = (await kid.post('/api/profile', { name: 'Ada', avatar: 1 })).body.profile_id
  kidId = (await kid.post('/api/profile', { name: 'Kit', avatar: 2 })).body.profile_id
  kid.profileId = kidId
  for (const listName of ['movies', 'series'] as const) {
    for (const title of (await kid.get(`/api/${listName}?limit=100`)).body.results) {
      if (title.safe_for_kids) {
        safeTitles.ids.add(title.id)
        safeTitles.slugs.add(title.slug)
      } else unsafeTitles.push({ type: title.type, id: title.id, slug: title.slug, imdb: '' })
      const details = (await kid.get(`/api/${listName}/slug/${title.slug}`)).body
      for (const season of details.seasons ?? []) pathValues.seasonIds.push(season.id)
      for (const actor of details.cast) {
        pathValues.actorIds.push(actor.actor_id)
        pathValues.actorSlugs.push(actor.slug)
      }
      const unsafeTitle = unsafeTitles.find(({ id }) => id === title.id)
      if (unsafeTitle) unsafeTitle.imdb = details.imdb_id
    }
  }
  for (const { type, id } of unsafeTitles) {
    await kid.put(`/api/profile/${kidId}/watchlist/${type}/${id}/state/watching`)
    await kid.put(`/api/profile/${kidId}/feedback/${type}/${id}`, { feedback: 'like' })
    const episode = type === 'tv' ? { season: 1, episode: 1 } : {}
    await kid.post(`/api/profile/${kidId}/history`, {
      type,
      media_id: id,
      ...episode,
      progress: 300,
      data: { video_duration: 600 },
    })
  }
  await kid.get(`/api/profile/${kidId}/notifications/movies`)
  await kid.get(`/api/profile/${kidId}/notifications/episodes`)
  await server.deps.recommender.refresh()
  expect((await kid.put(`/api/profile/${kidId}`, { kids: true })).status).toBe(200)
}, 120_000)
afterAll(() => server.close())

/**
 * Returns the paths of an endpoint with its path parameters filled in: one path for each season, for each id and each
 * slug of an actor, or for each of eight unsafe titles.
 */
function buildUnsafePaths(path: string): string[] {
  const titles = unsafeTitles.slice(0, 8)
  const fillParams = (paramSets: Record<string, string>[]) =>
    paramSets.map((params) => path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? kidId))
  if (path.startsWith('/profile')) {
    return fillParams(
      titles.map(({ type, id }) => ({
        type,
        mediaId: id,
        state: 'watching',
        signal: `liked:${id}`,
        kind: 'list',
      })),
    )
  }
  if (path.startsWith('/seasons')) return fillParams(pathValues.seasonIds.map((id) => ({ id })))
  if (path.startsWith('/actors'))
    return fillParams([
      ...pathValues.actorIds.map((id) => ({ id, slug: 'x' })),
      ...pathValues.actorSlugs.map((slug) => ({ id: '1', slug })),
    ])
  return fillParams(
    titles.map(({ id, slug, imdb }) => ({ id, slug, imdbId: imdb, season: '1', episode: '1', key: 'x' })),
  )
}
const QUERIES = [
  '',
  'kids=false',
  'limit=100',
  `search=${UNSAFE_MARKER}`,
  'sort=rating.desc&limit=100',
  'published=true',
  'admin=true',
  'include-rated=true&limit=100',
  'genres-included=27',
  'include-genres=27',
  'rated=18%2B',
  'sort=title.asc&limit=100&page=2',
  `from=${formatToday()}&until=${addDays(formatToday(), 30)}`,
]

const READ_ENDPOINTS = ALL_ENDPOINTS.filter(
  (endpoint) => endpoint.method === 'GET' && endpoint.path !== '/events' && endpoint.access !== 'admin',
)
it.each(READ_ENDPOINTS.map((endpoint) => [getEndpointName(endpoint), endpoint] as const))(
  '%s returns no unsafe content to a kids profile',
  async (_, endpoint) => {
    const queries =
      endpoint.path === '/search'
        ? [`q=${UNSAFE_MARKER}`, 'q=lantern&limit=100', 'q=common', 'q=فانوس', 'q=18']
        : QUERIES
    const unsafePaths = new Set(buildUnsafePaths(endpoint.path))
    expect(unsafePaths.size).toBeGreaterThan(0)
    for (const path of unsafePaths) {
      for (const query of queries) {
        const response = await kid.get(`${endpoint.base}${path}${query ? `?${query}` : ''}`)
        const { query: echoedQuery, ...body } = response.body ?? {}
        expect([path, query, JSON.stringify(body).includes(UNSAFE_MARKER)]).toEqual([path, query, false])
        expect(response.status).toBeLessThan(500)
        void echoedQuery
      }
    }
  },
)

const WRITE_ENDPOINTS = ALL_ENDPOINTS.filter(
  (endpoint) => endpoint.method !== 'GET' && endpoint.path.includes('{mediaId}'),
)
it.each(WRITE_ENDPOINTS.map((endpoint) => [getEndpointName(endpoint), endpoint] as const))(
  '%s returns 404 for an unsafe title to a kids profile',
  async (_, endpoint) => {
    expect(unsafeTitles).toHaveLength(TITLES_PER_TYPE)
    for (const { type, id } of unsafeTitles) {
      const path = fillEndpointPath(endpoint, { id: kidId, type, mediaId: id, state: 'planned' })
      const response = await kid.send(
        endpoint.method,
        path,
        createSampleBody(endpoint, { password: TEST_PASSWORD }),
      )
      expect([path, response.status]).toEqual([path, 404])
    }
  },
)

it('a kids profile gets every safe title in lists, in search and among the titles of an actor', async () => {
  const titleIdsBySource = { lists: new Set<string>(), search: new Set<string>(), people: new Set<string>() }
  for (const listName of ['movies', 'series']) {
    for (let page = 1; page <= 5; page++)
      for (const title of (await kid.get(`/api/${listName}?limit=7&page=${page}`)).body.results)
        titleIdsBySource.lists.add(title.id)
  }
  const searchResponse = (await kid.get('/api/search?q=lantern&limit=100')).body
  for (const hit of searchResponse.results) if (hit.media) titleIdsBySource.search.add(hit.media.id)
  expect(searchResponse.counts).toMatchObject({ movie: TITLES_PER_TYPE / 2, tv: TITLES_PER_TYPE / 2 })
  for (const listName of ['movies', 'series'])
    for (const title of (await kid.get(`/api/actors/slug/common-player/${listName}?limit=100`)).body.results)
      titleIdsBySource.people.add(title.id)
  for (const titleIds of Object.values(titleIdsBySource))
    expect([...titleIds].sort()).toEqual([...safeTitles.ids].sort())
})

it('the counts of lists, search results and notices include only what a kids profile can see', async () => {
  expect((await kid.get('/api/movies')).body.total_results).toBe(TITLES_PER_TYPE / 2)
  expect((await kid.get(`/api/search?q=${UNSAFE_MARKER}`)).body.counts).toEqual({
    all: 0,
    movie: 0,
    tv: 0,
    actor: 0,
  })
  const watchlist = (await kid.get(`/api/profile/${kidId}/watchlist`)).body
  expect(watchlist).toMatchObject({ total_results: 0, results: [] })
  const notices = (await kid.get(`/api/profile/${kidId}/notifications/movies`)).body
  expect(notices.unseen).toBe(notices.results.length)
})
