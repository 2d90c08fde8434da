/**
 * The callers are profiles with random limits, and groups of these profiles. They call all read endpoints that are
 * neither public nor for administrators, and all write endpoints with a title in the path. `canProfileSeeTitle` in
 * audience-world.ts decides which titles a profile may see. No response may name a hidden title, and every visible
 * title must be reachable. The environment variable AUDIENCE_ROUNDS sets the number of rounds, each with other random
 * limits. AUDIENCE_SEED sets the seed of the first round, to repeat a run.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalQuota } from '../../../server/providers/quota.ts'
import { selectTitlesByIds } from '../../../server/queries/title.ts'
import { loadProfilesAudience } from '../../../server/services/auth/audience.ts'
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import { ALL_ENDPOINTS, createSampleBody } from '../../support/endpoints.ts'
import { createIntegerGenerator } from '../../support/random.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import type { TestClient, TestResponse } from '../../support/test-client.ts'
import {
  type AudienceWorld,
  createAudienceWorld,
  listVisibleTitles,
  setRandomLimits,
  type WorldProfile,
  type WorldTitle,
} from './audience-world.ts'

const ROUND_COUNT = Number(process.env['AUDIENCE_ROUNDS'] ?? 5)
const FIRST_SEED = Number(process.env['AUDIENCE_SEED'] ?? 1895)
const TITLES_PER_ENDPOINT = 3

let server: TestServer
let world: AudienceWorld
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
  server.deps.quota = createLocalQuota(server.deps.now)
  world = await createAudienceWorld(server, FIRST_SEED)
}, 120_000)
afterAll(() => server.close())

const READ_ENDPOINTS = ALL_ENDPOINTS.filter(
  ({ method, path, access }) =>
    method === 'GET' && path !== '/events' && access !== 'admin' && access !== 'public',
)
const WRITE_ENDPOINTS = ALL_ENDPOINTS.filter(
  ({ method, path, access }) => method !== 'GET' && path.includes('{mediaId}') && access !== 'admin',
)
const QUERIES_BY_PATH: Record<string, string[]> = {
  '/search': [
    'q=lantern&limit=100',
    'q=player&limit=100',
    'q=common',
    'q=lantern&guide=violence-mild',
    'q=animation&limit=100',
    'q=keeper&guide=violence-mild',
  ],
}
/**
 * Search queries for a genre, a network, a character and a person, each with the types of the titles that the query
 * finds.
 */
const CONTENT_QUERIES: [q: string, types: readonly WorldTitle['type'][]][] = [
  ['animation', ['movie', 'tv']],
  ['netflix', ['tv']],
  ['keeper', ['movie', 'tv']],
  ['common player', ['movie', 'tv']],
]
const LIST_QUERIES = ['', 'limit=100', 'sort=title.asc&limit=100', 'kids=false&rated=18%2B']

function fillPath({ base, path }: Endpoint, title: WorldTitle, profileId: string): string {
  const paramsByName: Record<string, string> = {
    id: path.startsWith('/profile')
      ? profileId
      : path.startsWith('/seasons')
        ? (title.seasonId ?? 'x')
        : path.startsWith('/actors')
          ? title.actorId
          : title.id,
    slug: path.startsWith('/actors') ? title.actorSlug : title.slug,
    type: title.type,
    mediaId: title.id,
    imdbId: title.imdbId,
    state: 'planned',
    season: '1',
    episode: '1',
  }
  return base + path.replace(/\{(\w+)\}/g, (_, name: string) => paramsByName[name] ?? 'x')
}

/**
 * Fails if the body or the headers of a response contain the marker or the poster path of a hidden title. Also fails if
 * the status is 500 or higher. The field `query` is not checked, because a search reply repeats the query there.
 */
function expectNoHiddenTitles(
  response: TestResponse,
  path: string,
  hiddenTitles: readonly WorldTitle[],
): void {
  const { query: _query, ...body } = response.body ?? {}
  const responseText =
    JSON.stringify(Array.isArray(response.body) ? response.body : body) + [...response.headers].join()
  const namedTitles = hiddenTitles.filter(
    ({ marker, posterPath }) =>
      responseText.includes(marker) || responseText.includes(posterPath.split('?')[0] ?? posterPath),
  )
  expect([path, namedTitles.map(({ marker }) => marker)]).toEqual([path, []])
  expect([path, response.status < 500]).toEqual([path, true])
}

/**
 * Sends a GET request and returns the response. A body that is not JSON is returned as an array with the text, because
 * exports and streams are not JSON documents.
 */
async function sendGetRequest(client: TestClient, path: string): Promise<TestResponse> {
  const response = await server.request(path, {
    headers: { Authorization: `Bearer ${client.accessToken}`, 'X-Profile-Id': client.profileId ?? '' },
  })
  const responseText = await response.text()
  let body: unknown = responseText
  try {
    body = JSON.parse(responseText)
  } catch {
    // `body` keeps the text of a body that is not JSON.
  }
  return {
    status: response.status,
    body: typeof body === 'string' ? [body] : body,
    headers: response.headers,
  }
}

async function crawlEndpoints(
  client: TestClient,
  profileId: string,
  hiddenTitles: readonly WorldTitle[],
): Promise<void> {
  for (const endpoint of READ_ENDPOINTS) {
    const queries =
      QUERIES_BY_PATH[endpoint.path] ?? (endpoint.path.includes('{mediaId}') ? [''] : LIST_QUERIES)
    const paths = new Set(
      hiddenTitles.slice(0, TITLES_PER_ENDPOINT).map((title) => fillPath(endpoint, title, profileId)),
    )
    for (const path of paths)
      for (const query of endpoint.path.includes('{') && paths.size > 1 ? queries.slice(0, 1) : queries) {
        const fullPath = query ? `${path}?${query}` : path
        expectNoHiddenTitles(await sendGetRequest(client, fullPath), fullPath, hiddenTitles)
      }
  }
  for (const endpoint of WRITE_ENDPOINTS)
    for (const title of hiddenTitles.slice(0, 1)) {
      const path = fillPath(endpoint, title, profileId)
      const rule = path.includes('/notifications/') ? 'none' : null
      const body = createSampleBody(endpoint, { password: undefined, rule, feedback: 'like' })
      const response = await client.send(endpoint.method, path, body)
      expect([path, [403, 404].includes(response.status)]).toEqual([path, true])
      expectNoHiddenTitles(response, path, hiddenTitles)
    }
}

async function collectReachableTitles(client: TestClient) {
  const idsBySource = { lists: new Set<string>(), search: new Set<string>(), people: new Set<string>() }
  const countsBySource = { lists: 0, search: 0 }
  for (const listName of ['movies', 'series']) {
    for (let page = 1; page <= 4; page++) {
      const { body } = await client.get(`/api/${listName}?limit=6&sort=title.asc&page=${page}`)
      for (const { id } of body.results) idsBySource.lists.add(id)
      if (page === 1) countsBySource.lists += body.total_results
    }
    const { body } = await client.get(`/api/actors/slug/common-player/${listName}?limit=100`)
    for (const { id } of body.results ?? []) idsBySource.people.add(id)
  }
  const { body } = await client.get('/api/search?q=lantern&limit=100')
  for (const hit of body.results) if (hit.media) idsBySource.search.add(hit.media.id)
  countsBySource.search = body.counts.movie + body.counts.tv
  return { sources: idsBySource, counts: countsBySource }
}

/**
 * Makes the first profile the acting profile of `device`. If there are other profiles, the first profile starts a group
 * with them.
 */
async function actAsProfiles(
  { device }: AudienceWorld,
  [leader, ...members]: readonly WorldProfile[],
): Promise<void> {
  if (!leader) throw new Error('a group needs a member')
  await device.post('/api/profile/leave')
  device.profileId = leader.id
  if (members.length === 0) return
  const { body } = await device.post(`/api/profile/${leader.id}/group`, {
    members: members.map(({ id }) => ({ profile_id: id })),
  })
  expect(body.group).toEqual([leader, ...members].map(({ id }) => id))
}

describe.each(Array.from({ length: ROUND_COUNT }, (_, index) => FIRST_SEED + index))(
  'the API for profiles with random limits (seed %i)',
  (seed) => {
    const drawInteger = createIntegerGenerator(seed)
    let viewers: WorldProfile[] = []
    let visibleTitles: WorldTitle[] = []
    beforeAll(async () => {
      // Moves the clock to the next minute, because the limit on searches counts from 0 again in each minute.
      server.advanceClock(60_000)
      await setRandomLimits(world, drawInteger)
      const firstProfileIndex = drawInteger(3)
      const profileCount = 1 + (seed % 3)
      viewers = Array.from(
        { length: profileCount },
        (_, index) => world.profiles[(firstProfileIndex + index) % 3] as WorldProfile,
      )
      visibleTitles = listVisibleTitles(viewers, world.titles)
      await actAsProfiles(world, viewers)
    })

    it('shows no title outside the audience in any response', async () => {
      const hiddenTitles = world.titles.filter((title) => !visibleTitles.includes(title))
      for (const { id } of viewers) await crawlEndpoints(world.device, id, hiddenTitles)
    })

    it('shows and counts every title of the audience in lists, search and filmographies', async () => {
      const { sources, counts } = await collectReachableTitles(world.device)
      const expectedIds = visibleTitles.map(({ id }) => id).sort()
      for (const [source, ids] of Object.entries(sources))
        expect([source, [...ids].sort()]).toEqual([source, expectedIds])
      expect(counts).toEqual({ lists: expectedIds.length, search: expectedIds.length })
      for (const title of visibleTitles.slice(0, 2))
        expect(
          (await world.device.get(`/api/${title.type === 'movie' ? 'movies' : 'series'}/${title.id}`)).status,
        ).toBe(200)
    })

    it('a search by facets, topics or people finds and counts exactly the titles of the audience', async () => {
      for (const [query, types] of CONTENT_QUERIES) {
        const { body } = await world.device.get(`/api/search?q=${encodeURIComponent(query)}&limit=100`)
        const expectedIds = visibleTitles.filter(({ type }) => types.includes(type)).map(({ id }) => id)
        const foundIds = body.results.flatMap((hit: { media?: { id: string } }) => hit.media?.id ?? [])
        expect([query, foundIds.sort()]).toEqual([query, expectedIds.sort()])
        expect([query, body.counts.movie + body.counts.tv]).toEqual([query, expectedIds.length])
      }
    })

    it('shows a group exactly the titles that all members may see, both in the browse index and in the database', async () => {
      const { deps } = server
      const profileRows = await deps.database.primary.selectFrom('profile').selectAll().execute()
      const titleIds = world.titles.map(({ id }) => Number(id))
      const selectVisibleIds = async (profileIds: readonly string[]) => {
        const audience = await loadProfilesAudience(
          deps,
          profileRows.filter((row) => profileIds.includes(row.profile_id)),
        )
        const foundTitles = await selectTitlesByIds(deps.database.reader, audience, titleIds)
        const databaseIds = foundTitles.map((row) => row.title_id).sort((a, b) => a - b)
        const isVisible = await deps.browseIndex.loadFilter(undefined, { audience, filters: {} })
        expect(titleIds.filter(isVisible).sort((a, b) => a - b)).toEqual(databaseIds)
        return new Set(databaseIds)
      }
      const visibleIdSets = await Promise.all(viewers.map(({ id }) => selectVisibleIds([id])))
      const groupIds = await selectVisibleIds(viewers.map(({ id }) => id))
      const commonIds = visibleIdSets.reduce((common, visibleIds) => common.intersection(visibleIds))
      expect([...groupIds]).toEqual([...commonIds])
      expect([...groupIds].map(String).sort()).toEqual(visibleTitles.map(({ id }) => id).sort())
    })

    it('shows a parent no title outside the audience of a child when the parent reads the data of this child', async () => {
      const [child] = viewers as [WorldProfile]
      const hiddenTitles = world.titles.filter(
        (title) => !listVisibleTitles([child], world.titles).includes(title),
      )
      for (const path of [
        'watchlist',
        'viewings',
        'feedback',
        'continue-watching',
        'recommend',
        'watch-next',
        'calendar',
      ])
        expectNoHiddenTitles(
          await sendGetRequest(world.parent, `/api/profile/${child.id}/${path}`),
          path,
          hiddenTitles,
        )
    })
  },
)
