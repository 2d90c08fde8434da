/** Media servers whose replies contain values that the database cannot store, or whose lists never end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { DATABASES } from '../../support/databases.ts'
import {
  createJellyfinApi,
  createPlexApi,
  JELLYFIN_KEY,
  PLEX_TOKEN,
  type StubServer,
  startStubServer,
  VIDEO_STREAM,
} from './media-server-fixture.ts'
import { type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const ODD_NUMBERS = [1.5, -1, 1e308, 2 ** 31, 2 ** 53, 'two', null, {}]
const ODD_TEXTS = ['Nul\0', '\ud800', `${'x'.repeat(499)}😀`, 'x'.repeat(100_000), 'Line\nbreak', 5, null]
const ODD_VALUES = [...ODD_NUMBERS, ...ODD_TEXTS]

const jellyfinItems = [
  { Id: 'heat', Type: 'Movie', Name: 'Heat', ProviderIds: { Imdb: 'tt0113277' }, ProductionYear: 1995 },
  { Id: 'fargo', Type: 'Series', Name: 'Fargo', ProviderIds: { Tvdb: '269613' } },
  ...ODD_VALUES.flatMap((value, index) => [
    {
      Id: `movie-${index}`,
      Type: 'Movie',
      Name: value,
      ProviderIds: { Imdb: value, Tmdb: value },
      ProductionYear: value,
    },
    { Id: value, Type: 'Movie', Name: 'Odd id', ProviderIds: {} },
    {
      Id: `episode-${index}`,
      Type: 'Episode',
      Name: value,
      ProviderIds: value,
      SeriesId: index % 2 ? 'fargo' : value,
      SeriesName: value,
      ParentIndexNumber: index % 3 ? value : 1,
      IndexNumber: value,
      IndexNumberEnd: index % 2 ? value : 3,
    },
  ]),
] as never[]
const plexItems = [
  { ratingKey: '1', type: 'movie', title: 'Brazil', Guid: [{ id: 'imdb://tt0088846' }] },
  ...ODD_VALUES.flatMap((value, index) => [
    { ratingKey: `m${index}`, type: 'movie', title: value, year: value, Guid: [{ id: value }], guid: value },
    {
      ratingKey: `e${index}`,
      type: 'episode',
      title: value,
      grandparentRatingKey: value,
      grandparentTitle: value,
      parentIndex: value,
      index: value,
    },
  ]),
] as never[]

describe.each(DATABASES)('media servers with odd replies on %s', (_name, openTestDatabase) => {
  let jellyfin: StubServer
  let plex: StubServer
  let mediaServer: MediaTestServer
  const get = async (path: string) => (await mediaServer.adult.get(path)).body
  const syncServers = async () => {
    const { body } = await mediaServer.adult.post('/api/admin/media-server-items/sync')
    await findJobWorker(mediaServer.server.deps)?.whenIdle()
    return get(`/api/jobs/${body.job_id}`)
  }

  beforeAll(async () => {
    jellyfin = await startStubServer(createJellyfinApi(jellyfinItems, () => [VIDEO_STREAM]))
    plex = await startStubServer(createPlexApi(plexItems))
    mediaServer = await startMediaTestServer(
      {},
      [
        { title: 'Heat', year: 1995, imdb: 'tt0113277' },
        { title: 'Fargo', year: 2014, imdb: 'tt2802850', tvdb: 269613, episodes: [0, 4] },
        { title: 'Brazil', year: 1985, imdb: 'tt0088846' },
      ],
      await openTestDatabase(),
    )
    await mediaServer.adult.put('/api/admin/media-servers', {
      servers: [
        { kind: 'jellyfin', address: jellyfin.url, token: JELLYFIN_KEY },
        { kind: 'plex', address: plex.url, token: PLEX_TOKEN },
      ],
    })
    await findJobWorker(mediaServer.server.deps)?.whenIdle()
  }, 60_000)
  afterAll(async () => {
    await mediaServer.close()
    await jellyfin.close()
    await plex.close()
  })

  it('a synchronisation stores items without the values that the database cannot store, and the next synchronisation changes nothing', async () => {
    const { status, report } = await syncServers()
    expect(status).toBe('done')
    expect(report).toMatchObject({ failed_servers: 0, added: 0, changed: 0, removed: 0 })
    const { results, total_results } = await get('/api/admin/media-server-items?limit=100')
    expect(total_results).toBeGreaterThan(4 * ODD_VALUES.length)
    for (const { name, year, season, episodes } of results) {
      expect(name).toMatch(/^[^\p{Cc}\p{Cs}]{0,500}$/u)
      for (const number of [year, season, ...episodes])
        if (number !== null) expect(number).toSatisfy(Number.isInteger)
    }
    const matchedItems = await get('/api/admin/media-server-items?state=matched')
    expect(matchedItems.results.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['Brazil', 'Heat']),
    )
  })

  it('a synchronisation ends and keeps the stored items even if the server sends its first page again and again', async () => {
    const { total_results } = await get('/api/admin/media-server-items')
    jellyfin.intercept = (request, response) => {
      if (!request.url?.startsWith('/Items')) return false
      const body = { Items: jellyfinItems.slice(0, 1), TotalRecordCount: Number.MAX_SAFE_INTEGER }
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      return true
    }
    const { status, report } = await syncServers()
    expect(status).toBe('done')
    expect(report).toMatchObject({ failed_servers: 1, removed: 0 })
    expect((await get('/api/admin/media-server-items')).total_results).toBe(total_results)
  })
})
