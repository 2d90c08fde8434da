/**
 * Profiles with random limits, and groups of such profiles, call every endpoint of the contract. No response may name a title
 * that the model hides, and every title that the model shows must be reachable. AUDIENCE_ROUNDS sets the number of random
 * households. AUDIENCE_SEED repeats a run.
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
  listVisible,
  setRandomLimits,
  type WorldProfile,
  type WorldTitle,
} from './audience-world.ts'

const ROUNDS = Number(process.env['AUDIENCE_ROUNDS'] ?? 5)
const SEED = Number(process.env['AUDIENCE_SEED'] ?? 1895)
const TITLES_PER_ENDPOINT = 3

let server: TestServer
let world: AudienceWorld
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
  server.deps.quota = createLocalQuota(server.deps.now)
  world = await createAudienceWorld(server, SEED)
}, 120_000)
afterAll(() => server.close())

const READ_ENDPOINTS = ALL_ENDPOINTS.filter(
  ({ method, path, access }) =>
    method === 'GET' && path !== '/events' && access !== 'admin' && access !== 'public',
)
const WRITE_ENDPOINTS = ALL_ENDPOINTS.filter(
  ({ method, path, access }) => method !== 'GET' && path.includes('{mediaId}') && access !== 'admin',
)
const QUERIES: Record<string, string[]> = {
  '/search': [
    'q=lantern&limit=100',
    'q=player&limit=100',
    'q=common',
    'q=lantern&guide=violence-mild',
    'q=animation&limit=100',
    'q=keeper&guide=violence-mild',
  ],
}
/** Searches by a genre, a network, a character and a person, each with the types of titles that it finds. */
const CONTENT_QUERIES: [q: string, types: readonly WorldTitle['type'][]][] = [
  ['animation', ['movie', 'tv']],
  ['netflix', ['tv']],
  ['keeper', ['movie', 'tv']],
  ['common player', ['movie', 'tv']],
]
const LIST_QUERIES = ['', 'limit=100', 'sort=title.asc&limit=100', 'kids=false&rated=18%2B']

function fillPath({ base, path }: Endpoint, title: WorldTitle, profileId: string): string {
  const params: Record<string, string> = {
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
  return base + path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'x')
}

/** Fails if the body or the headers of a response name a hidden title. The query that a search reply repeats is ignored. */
function expectOnlyVisible(response: TestResponse, path: string, hiddenTitles: readonly WorldTitle[]): void {
  const { query: _query, ...body } = response.body ?? {}
  const text =
    JSON.stringify(Array.isArray(response.body) ? response.body : body) + [...response.headers].join()
  const named = hiddenTitles.filter(
    ({ marker, posterPath }) =>
      text.includes(marker) || text.includes(posterPath.split('?')[0] ?? posterPath),
  )
  expect([path, named.map(({ marker }) => marker)]).toEqual([path, []])
  expect([path, response.status < 500]).toEqual([path, true])
}

/** Sends a request. Accepts a body that is not JSON, because exports and streams are not JSON documents. */
async function readPath(client: TestClient, path: string): Promise<TestResponse> {
  const response = await server.request(path, {
    headers: { Authorization: `Bearer ${client.accessToken}`, 'X-Profile-Id': client.profileId ?? '' },
  })
  const text = await response.text()
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {
    // A body that is not JSON is checked as text.
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
    const queries = QUERIES[endpoint.path] ?? (endpoint.path.includes('{mediaId}') ? [''] : LIST_QUERIES)
    const paths = new Set(
      hiddenTitles.slice(0, TITLES_PER_ENDPOINT).map((title) => fillPath(endpoint, title, profileId)),
    )
    for (const path of paths)
      for (const query of endpoint.path.includes('{') && paths.size > 1 ? queries.slice(0, 1) : queries) {
        const fullPath = query ? `${path}?${query}` : path
        expectOnlyVisible(await readPath(client, fullPath), fullPath, hiddenTitles)
      }
  }
  for (const endpoint of WRITE_ENDPOINTS)
    for (const title of hiddenTitles.slice(0, 1)) {
      const path = fillPath(endpoint, title, profileId)
      const rule = path.includes('/notifications/') ? 'none' : null
      const body = createSampleBody(endpoint, { password: undefined, rule, feedback: 'like' })
      const response = await client.send(endpoint.method, path, body)
      expect([path, [403, 404].includes(response.status)]).toEqual([path, true])
      expectOnlyVisible(response, path, hiddenTitles)
    }
}

async function collectReachable(client: TestClient) {
  const sources = { lists: new Set<string>(), search: new Set<string>(), people: new Set<string>() }
  const counts = { lists: 0, search: 0 }
  for (const folder of ['movies', 'series']) {
    for (let page = 1; page <= 4; page++) {
      const { body } = await client.get(`/api/${folder}?limit=6&sort=title.asc&page=${page}`)
      for (const { id } of body.results) sources.lists.add(id)
      if (page === 1) counts.lists += body.total_results
    }
    const { body } = await client.get(`/api/actors/slug/common-player/${folder}?limit=100`)
    for (const { id } of body.results ?? []) sources.people.add(id)
  }
  const { body } = await client.get('/api/search?q=lantern&limit=100')
  for (const hit of body.results) if (hit.media) sources.search.add(hit.media.id)
  counts.search = body.counts.movie + body.counts.tv
  return { sources, counts }
}

/** Makes the first profile act on the device of the world, alone or in a group with the other profiles. */
async function actAs(
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

describe.each(Array.from({ length: ROUNDS }, (_, index) => SEED + index))('limits of seed %i', (seed) => {
  const nextInteger = createIntegerGenerator(seed)
  let viewers: WorldProfile[] = []
  let visible: WorldTitle[] = []
  beforeAll(async () => {
    // Moves to the next minute, in which the search quota is full again.
    server.advanceClock(60_000)
    await setRandomLimits(world, nextInteger)
    const offset = nextInteger(3)
    const size = 1 + (seed % 3)
    viewers = Array.from({ length: size }, (_, index) => world.profiles[(offset + index) % 3] as WorldProfile)
    visible = listVisible(viewers, world.titles)
    await actAs(world, viewers)
  })

  it('shows no title outside the audience in any response', async () => {
    const hiddenTitles = world.titles.filter((title) => !visible.includes(title))
    for (const { id } of viewers) await crawlEndpoints(world.device, id, hiddenTitles)
  })

  it('shows and counts every title of the audience in lists, search and filmographies', async () => {
    const { sources, counts } = await collectReachable(world.device)
    const expected = visible.map(({ id }) => id).sort()
    for (const [source, ids] of Object.entries(sources))
      expect([source, [...ids].sort()]).toEqual([source, expected])
    expect(counts).toEqual({ lists: expected.length, search: expected.length })
    for (const title of visible.slice(0, 2))
      expect(
        (await world.device.get(`/api/${title.type === 'movie' ? 'movies' : 'series'}/${title.id}`)).status,
      ).toBe(200)
  })

  it('a search by facets, topics or people finds and counts exactly the titles of the audience', async () => {
    for (const [q, types] of CONTENT_QUERIES) {
      const { body } = await world.device.get(`/api/search?q=${encodeURIComponent(q)}&limit=100`)
      const expected = visible.filter(({ type }) => types.includes(type)).map(({ id }) => id)
      const foundIds = body.results.flatMap((hit: { media?: { id: string } }) => hit.media?.id ?? [])
      expect([q, foundIds.sort()]).toEqual([q, expected.sort()])
      expect([q, body.counts.movie + body.counts.tv]).toEqual([q, expected.length])
    }
  })

  it('shows a group only titles that all members may see, both from memory and from the database', async () => {
    const { deps } = server
    const rows = await deps.database.primary.selectFrom('profile').selectAll().execute()
    const ids = world.titles.map(({ id }) => Number(id))
    const selectVisibleIds = async (profileIds: readonly string[]) => {
      const audience = await loadProfilesAudience(
        deps,
        rows.filter((row) => profileIds.includes(row.profile_id)),
      )
      const foundTitles = await selectTitlesByIds(deps.database.reader, audience, ids)
      const inDatabase = foundTitles.map((row) => row.title_id).sort((a, b) => a - b)
      const isVisible = await deps.browseIndex.loadFilter(undefined, { audience, filters: {} })
      expect(ids.filter(isVisible).sort((a, b) => a - b)).toEqual(inDatabase)
      return new Set(inDatabase)
    }
    const audiences = await Promise.all(viewers.map(({ id }) => selectVisibleIds([id])))
    const group = await selectVisibleIds(viewers.map(({ id }) => id))
    const intersection = audiences.reduce((common, audience) => common.intersection(audience))
    expect([...group]).toEqual([...intersection])
    expect([...group].map(String).sort()).toEqual(visible.map(({ id }) => id).sort())
  })

  it('shows a parent who reads the data of a child no title outside the audience of the child', async () => {
    const [child] = viewers as [WorldProfile]
    const hiddenTitles = world.titles.filter((title) => !listVisible([child], world.titles).includes(title))
    for (const path of [
      'watchlist',
      'viewings',
      'feedback',
      'continue-watching',
      'recommend',
      'watch-next',
      'calendar',
    ])
      expectOnlyVisible(await readPath(world.parent, `/api/profile/${child.id}/${path}`), path, hiddenTitles)
  })
})
