/** Jellyfin and Plex servers as libraries: matching by ids, playback through signed URLs, reports and administration. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import {
  isMediaServerSyncDue,
  runMediaServerSync,
} from '../../../server/services/media-servers/sync-media-servers.ts'
import { encodeCapabilities } from '../../../src/lib/rules/playback-capabilities.ts'
import { waitUntil } from './library-fixture.ts'
import {
  createAudioStream,
  createJellyfinApi,
  createPlexApi,
  createPlexMedia,
  FILE_BYTES,
  HEVC_STREAM,
  JELLYFIN_KEY,
  type JellyfinItem,
  PLEX_TOKEN,
  type StubServer,
  SUBTITLE_STREAMS,
  startStubServer,
  VIDEO_STREAM,
} from './media-server-fixture.ts'
import { type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const ALL_DECODERS = `?decoders=${encodeCapabilities((type) => !/hvc1/.test(type))}`
const jellyfinItems: JellyfinItem[] = [
  {
    Id: 'heat',
    Type: 'Movie',
    Name: 'Heat',
    ProviderIds: { Imdb: 'tt0113277', Tmdb: '949' },
    ProductionYear: 1995,
  },
  { Id: 'alien', Type: 'Movie', Name: 'Alien', ProviderIds: { Tmdb: '348' } },
  { Id: 'home', Type: 'Movie', Name: 'Holidays', ProviderIds: {} },
  { Id: 'gone', Type: 'Movie', Name: 'Elsewhere', ProviderIds: { Imdb: 'tt7777777' } },
  { Id: 'mixed', Type: 'Movie', Name: 'Mixed', ProviderIds: { Imdb: 'tt0113277', Tmdb: '348' } },
  { Id: 'fargo', Type: 'Series', Name: 'Fargo', ProviderIds: { Tvdb: '269613' } },
  createEpisode('e1', 1),
  createEpisode('e23', 2, 3),
  createEpisode('e9', 9),
  createEpisode('special', null),
]

function createEpisode(id: string, number: number | null, lastNumber?: number): JellyfinItem {
  return {
    Id: id,
    Type: 'Episode',
    Name: id,
    ProviderIds: {},
    SeriesId: 'fargo',
    SeriesName: 'Fargo',
    ParentIndexNumber: 1,
    ...(number !== null && { IndexNumber: number }),
    ...(lastNumber && { IndexNumberEnd: lastNumber }),
  }
}

let jellyfin: StubServer
let plex: StubServer
let media: MediaTestServer
const { put, get, post } = {
  put: (path: string, body: object) => media.adult.put(path, body),
  get: async (path: string) => (await media.adult.get(path)).body,
  post: (path: string) => media.adult.post(path),
}
const setServers = (servers: object[]) => put('/api/admin/media-servers', { servers })
const createJellyfin = (extraSettings: object = {}) => ({
  kind: 'jellyfin',
  address: jellyfin.url,
  token: JELLYFIN_KEY,
  ...extraSettings,
})
const waitForJobs = () => findJobWorker(media.server.deps)?.whenIdle()
async function listServers() {
  return (await get('/api/admin/media-servers')).results
}
async function readServers() {
  const { body } = await post('/api/admin/media-server-items/sync')
  await waitForJobs()
  return get(`/api/jobs/${body.job_id}`)
}
const listItems = async (query = '') => (await get(`/api/admin/media-server-items?limit=100${query}`)).results
const fetchText = async (url: string) => (await media.fetchMedia(url)).text()

beforeAll(async () => {
  jellyfin = await startStubServer(
    createJellyfinApi(jellyfinItems, (id) => [
      id === 'alien' ? HEVC_STREAM : VIDEO_STREAM,
      createAudioStream(1, 'eng'),
      createAudioStream(2, 'fre'),
      ...SUBTITLE_STREAMS,
    ]),
  )
  plex = await startStubServer(
    createPlexApi([
      {
        ratingKey: '7',
        type: 'movie',
        title: 'Brazil',
        year: 1985,
        Guid: [{ id: 'imdb://tt0088846' }, { id: 'tmdb://68' }],
        Media: createPlexMedia('h264'),
        Marker: [{ type: 'credits', startTimeOffset: 580_000, endTimeOffset: 600_000 }],
      },
      {
        ratingKey: '8',
        type: 'movie',
        title: 'Old',
        guid: 'com.plexapp.agents.imdb://tt0133093?lang=en',
        Media: createPlexMedia('hevc'),
      },
      { ratingKey: '20', type: 'show', title: 'Lost', Guid: [{ id: 'imdb://tt0411008' }] },
      {
        ratingKey: '21',
        type: 'episode',
        title: 'Pilot',
        grandparentRatingKey: '20',
        grandparentTitle: 'Lost',
        parentIndex: 1,
        index: 1,
      },
    ]),
  )
  media = await startMediaTestServer({}, [
    { title: 'Heat', year: 1995, imdb: 'tt0113277', tmdb: 949, safe: true },
    { title: 'Alien', year: 1979, imdb: 'tt0078748', tmdb: 348 },
    { title: 'Fargo', year: 2014, imdb: 'tt2802850', tvdb: 269613, episodes: [0, 4] },
    { title: 'Brazil', year: 1985, imdb: 'tt0088846' },
    { title: 'Matrix', year: 1999, imdb: 'tt0133093' },
    { title: 'Lost', year: 2004, imdb: 'tt0411008', episodes: [0, 2] },
  ])
})
afterAll(async () => {
  await media.close()
  await jellyfin.close()
  await plex.close()
})
beforeEach(() => {
  for (const stub of [jellyfin, plex])
    Object.assign(stub, { requests: [], posted: [], intercept: () => false })
})

describe('the settings of media servers', () => {
  it('a server is saved and read at once, and its address and token are stored encrypted and never returned', async () => {
    const { status, body } = await setServers([createJellyfin({ address: `${jellyfin.url}/web/index.html` })])
    expect(status).toBe(200)
    expect(body.results).toMatchObject([{ kind: 'jellyfin', origin: jellyfin.url, report_progress: false }])
    await waitForJobs()
    const [server] = await listServers()
    expect(server).toMatchObject({ matched: 4, unmatched: 5, problem: null })
    expect(server.contacted_at).not.toBeNull()
    const rows = await media.server.database.primary.selectFrom('setting').selectAll().execute()
    expect(JSON.stringify([rows, body])).not.toContain(JELLYFIN_KEY)
    expect(JSON.stringify(rows)).not.toContain(jellyfin.url)
  })
  it('a changed address requires the token again, so that nobody can send a stored token to another server', async () => {
    const [{ id }] = await listServers()
    const moved = await setServers([{ id, address: plex.url }])
    expect([moved.status, moved.body.errors]).toEqual([422, { token: ['needed'] }])
    expect((await setServers([{ id, kind: 'plex' }])).body.errors).toEqual({ kind: ['does_not_fit'] })
    expect((await setServers([{ ...createJellyfin(), address: 'ftp://x' }])).body.errors).toEqual({
      address: ['unusable'],
    })
    expect((await setServers([{ ...createJellyfin(), address: 'http://a:b@host' }])).status).toBe(422)
    expect((await listServers())[0]).toMatchObject({ id, origin: jellyfin.url })
  })
  it('the connection test reports the reason for a failure', async () => {
    const otherServer = await startStubServer(() => ({ hello: 'world' }))
    const old = await startStubServer(() => ({ ProductName: 'Jellyfin Server', Version: '10.7.7' }))
    const moved = await startStubServer(() => 404)
    moved.intercept = (_, response) => {
      response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()
      return true
    }
    const html = await startStubServer(() => '<html>Router</html>')
    const addresses = [
      otherServer.url,
      old.url,
      moved.url,
      html.url,
      'http://127.0.0.1:1',
      'http://nowhere.invalid',
    ]
    const results: unknown[] = []
    for (const address of addresses.slice(0, 5))
      results.push(await testServer({ ...createJellyfin(), address }))
    results.push(await testServer({ ...createJellyfin(), address: addresses[5] }))
    results.push(await testServer({ ...createJellyfin(), address: 'http://169.254.169.254' }))
    results.push(await testServer({ ...createJellyfin(), token: 'wrong' }))
    results.push(await testServer({ kind: 'plex', address: jellyfin.url, token: 'x' }))
    results.push(await testServer({ kind: 'plex', address: plex.url, token: 'wrong' }))
    expect(results).toEqual([
      'wrong_service',
      'outdated',
      'redirected',
      'wrong_service',
      'connection_refused',
      'unknown_host',
      'forbidden_address',
      'unauthorized',
      'unauthorized',
      'unauthorized',
    ])
    for (const stub of [otherServer, old, moved, html]) await stub.close()
    await setServers([createJellyfin(), { kind: 'plex', address: plex.url, token: PLEX_TOKEN }])
    await waitForJobs()
    const ids = (await listServers()).map(({ id }: { id: string }) => id)
    const replies = await Promise.all(ids.map((id: string) => post(`/api/admin/media-servers/${id}/test`)))
    expect(replies.map(({ body }) => body)).toEqual([
      { result: 'ok', name: 'Attic', version: '10.8.13' },
      { result: 'ok', name: 'Cellar', version: '1.40.0' },
    ])
  })
  async function testServer(server: object) {
    await setServers([server])
    await waitForJobs()
    const [{ id, problem }] = await listServers()
    const { body } = await post(`/api/admin/media-servers/${id}/test`)
    expect(body.result).toBe(problem)
    return body.result
  }
})

describe('matching', () => {
  it('movies and episodes have a title, or the reason why they have none', async () => {
    const items = await listItems()
    const outcomes = Object.fromEntries(
      items.map(
        ({ name, title, reason }: { name: string; title: { title: string } | null; reason: string }) => [
          name,
          title?.title ?? reason,
        ],
      ),
    )
    expect(outcomes).toEqual({
      Heat: 'Heat',
      Alien: 'Alien',
      Holidays: 'no_ids',
      Elsewhere: 'unknown_id',
      Mixed: 'id_conflict',
      e1: 'Fargo',
      e23: 'Fargo',
      e9: 'no_episode',
      special: 'no_number',
      Brazil: 'Brazil',
      Old: 'Matrix',
      Pilot: 'Lost',
    })
    expect(await listItems('&reason=no_ids')).toHaveLength(1)
    expect(await listItems('&search=FARGO&state=matched')).toHaveLength(2)
  })
  it('cards, filtered lists and episodes show which titles can be played', async () => {
    const list = (await get('/api/movies?available=true&sort=title.asc')).results
    expect(list.map(({ title }: { title: string }) => title)).toEqual(['Alien', 'Brazil', 'Heat', 'Matrix'])
    const series = await get('/api/series/slug/fargo')
    expect(series.available).toBe(true)
    const season = series.seasons.find((entry: { season_number: number }) => entry.season_number === 1)
    const { results } = await get(`/api/seasons/${season.id}/episodes`)
    expect(results.map(({ available }: { available: boolean }) => available)).toEqual([
      true,
      true,
      true,
      false,
    ])
  })
  it('later runs list only what has changed, unless the number of items has changed in another way', async () => {
    jellyfin.requests = []
    expect(await readServers()).toMatchObject({
      status: 'done',
      report: { added: 0, changed: 0, removed: 0 },
    })
    expect(
      jellyfin.requests.filter((line) => line.includes('Movie,Episode') && line.includes('fields=')),
    ).toEqual([expect.stringContaining('minDateLastSaved=')])
    const addedEpisode: JellyfinItem = { ...createEpisode('e4', 4), savedAtMs: Date.now() }
    const [removed] = jellyfinItems.splice(
      jellyfinItems.findIndex(({ Id }) => Id === 'gone'),
      1,
      addedEpisode,
    )
    expect(await readServers()).toMatchObject({ report: { added: 1, removed: 1 } })
    jellyfinItems.splice(jellyfinItems.indexOf(addedEpisode), 1, {
      ...(removed as JellyfinItem),
      savedAtMs: Date.now(),
    })
    expect(await readServers()).toMatchObject({ report: { added: 1, removed: 1 } })
  })
  it('an episode is matched by its own IMDb id in preference to its numbers', async () => {
    const { primary } = media.server.database
    await primary
      .updateTable('episode')
      .set({ imdb_id: 'tt5555555' })
      .where('episode_number', '=', 4)
      .execute()
    const episode = jellyfinItems.find(({ Id }) => Id === 'e9') as JellyfinItem
    Object.assign(episode, { ProviderIds: { Imdb: 'tt5555555' }, savedAtMs: Date.now() })
    await readServers()
    expect((await listItems('&search=e9'))[0]).toMatchObject({ state: 'matched', episodes: [9] })
    expect((await media.lookupStream('tv/tt2802850/1/4')).status).toBe(200)
  })
  it('a synchronisation is due every half hour, and a cancelled synchronisation writes nothing', async () => {
    const { deps } = media.server
    expect(await isMediaServerSyncDue(deps)).toBe(false)
    const later = { ...deps, now: () => Date.now() + 31 * 60_000 }
    expect(await isMediaServerSyncDue(later)).toBe(true)
    const idle = { reportProgress: async () => {}, saveCheckpoint: async () => {} }
    const signal = AbortSignal.abort('cancelled')
    const outcome = await runMediaServerSync({ deps, input: {}, checkpoint: null, signal, ...idle })
    expect(outcome.report).toMatchObject({ items: 0, removed: 0 })
  })
})

describe('playback from Jellyfin', () => {
  it('plays a file directly, with ranges, subtitles, tracks and chapters, and reveals neither address nor key', async () => {
    const { status, body } = await media.lookupStream('movie/tt0113277', ALL_DECODERS)
    expect(status).toBe(200)
    expect(body.sources.map(({ delivery, quality, mime_type }) => [delivery, quality, mime_type])).toEqual([
      ['direct', '1080p', 'video/mp4'],
      ['transcode', '720p', 'application/vnd.apple.mpegurl'],
      ['transcode', '480p', 'application/vnd.apple.mpegurl'],
    ])
    expect(body).toMatchObject({ intro: { start: 0, end: 60 }, credits_at: 550 })
    expect(body.audio_tracks?.map(({ lang, selected }) => [lang, selected])).toEqual([
      ['en', true],
      ['fr', false],
    ])
    expect(body.subtitles).toMatchObject([{ lang: 'fr', forced: true }])
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${jellyfin.url}|${JELLYFIN_KEY}`))
    const url = body.sources[0]?.url ?? ''
    const part = await media.fetchMedia(url, { headers: { Range: 'bytes=100-199' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 100-199/${FILE_BYTES.length}`,
    ])
    expect(Buffer.from(await part.arrayBuffer()).equals(FILE_BYTES.subarray(100, 200))).toBe(true)
    expect(await fetchText(body.subtitles[0]?.url ?? '')).toContain('Hi')
    expect(jellyfin.lastHeaders.authorization).toContain(JELLYFIN_KEY)
    expect(jellyfin.requests.join()).not.toContain(JELLYFIN_KEY)
  })
  it('plays the conversion of the media server when the browser cannot play the file, or when the viewer chooses another audio track', async () => {
    const { body } = await media.lookupStream('movie/tt0078748', ALL_DECODERS)
    expect(body.sources[0]).toMatchObject({ delivery: 'transcode', reason: 'video_codec', quality: '1080p' })
    const master = await fetchText(body.sources[0]?.url ?? '')
    expect(jellyfin.requests.at(-1)).toMatch(
      /\/Videos\/alien\/master\.m3u8\?.*videoCodec=h264.*audioCodec=aac/,
    )
    const playlist = await fetchText(master.split('\n')[2] ?? '')
    const segment = await media.fetchMedia(playlist.split('\n')[2] ?? '')
    expect((await segment.arrayBuffer()).byteLength).toBe(FILE_BYTES.length)
    const otherReply = await media.lookupStream('movie/tt0113277', `${ALL_DECODERS}&audio=2`)
    expect(otherReply.body.sources[0]).toMatchObject({ delivery: 'remux', reason: 'audio_track' })
    await fetchText(otherReply.body.sources[0]?.url ?? '')
    expect(jellyfin.requests.at(-1)).toContain('audioStreamIndex=2')
  })
  it('a second lookup returns the path of the first lookup, so that playback continues with a renewed URL', async () => {
    const getPaths = async () =>
      (await media.lookupStream('movie/tt0078748', ALL_DECODERS)).body.sources.map(
        ({ url }) => url.split('?')[0],
      )
    expect(await getPaths()).toEqual(await getPaths())
  })
  it('plays only safe titles for a kids profile', async () => {
    expect((await media.lookupStream('movie/tt0113277', '', media.kid)).status).toBe(200)
    expect((await media.lookupStream('movie/tt0078748', '', media.kid)).status).toBe(404)
  })
  it('refuses a redirect to another origin, and follows a redirect to the origin of the server', async () => {
    const { body } = await media.lookupStream('movie/tt0113277', ALL_DECODERS)
    const url = body.sources[0]?.url ?? ''
    const redirectTo = (location: string) => {
      jellyfin.intercept = (request, response) => {
        if (request.url?.startsWith('/moved')) return void response.end('moved') === undefined
        response.writeHead(302, { Location: location }).end()
        return true
      }
    }
    redirectTo('/moved')
    expect(await fetchText(url)).toBe('moved')
    redirectTo(`${plex.url}/library/parts/9`)
    expect((await media.fetchMedia(url)).status).toBe(502)
    expect(plex.requests).toEqual([])
    redirectTo('/loop')
    expect((await media.fetchMedia(url)).status).toBe(502)
  })
  it('a server that was removed plays nothing, and its items are deleted', async () => {
    const { body } = await media.lookupStream('movie/tt0113277', ALL_DECODERS)
    const [, plexServer] = await listServers()
    await setServers([{ id: plexServer.id }])
    expect((await media.fetchMedia(body.sources[0]?.url ?? '')).status).toBe(404)
    expect((await get('/api/movies?available=true')).results).toHaveLength(2)
    await setServers([
      createJellyfin({ report_progress: true }),
      { id: plexServer.id, report_progress: true },
    ])
    await waitForJobs()
  })
})

describe('playback from Plex', () => {
  it('plays the file, its conversion, and subtitles that have a URL', async () => {
    const { body } = await media.lookupStream('movie/tt0088846', ALL_DECODERS)
    expect(body.sources.map(({ delivery, quality }) => [delivery, quality])).toEqual([
      ['direct', '720p'],
      ['transcode', '480p'],
    ])
    expect(body).toMatchObject({ credits_at: 580, subtitles: [{ lang: 'fr' }] })
    expect((await media.fetchMedia(body.sources[0]?.url ?? '')).status).toBe(200)
    expect(plex.lastHeaders['x-plex-token']).toBe(PLEX_TOKEN)
    expect(await fetchText(body.subtitles[0]?.url ?? '')).toContain('Salut')
    const converted = (await media.lookupStream('movie/tt0133093', ALL_DECODERS)).body.sources[0]
    expect(converted).toMatchObject({ delivery: 'transcode', reason: 'video_codec' })
    expect(await fetchText(converted?.url ?? '')).toContain('/proxy/m/')
    expect(plex.requests.at(-1)).toContain('path=/library/metadata/8')
    expect((await media.lookupStream('tv/tt0411008/1/1')).status).toBe(404)
  })
})

describe('reports of progress', () => {
  const savePosition = async (title: string, position: number) => {
    const [card] = (await get(`/api/search?q=${title}`)).results
    return media.adult.post(`/api/profile/${media.adultId}/history`, {
      type: 'movie',
      media_id: card.media.id,
      progress: position,
      data: { video_duration: 600 },
    })
  }
  it('start, progress and stop are sent when the operator turned reports on, and never delay the viewer', async () => {
    expect((await savePosition('Heat', 20)).status).toBe(200)
    await waitUntil(async () => jellyfin.posted.length === 1)
    expect((await savePosition('Heat', 40)).status).toBe(200)
    await waitUntil(async () => jellyfin.posted.length === 2)
    expect((await savePosition('Heat', 590)).status).toBe(200)
    await waitUntil(async () => jellyfin.posted.length === 3)
    expect(jellyfin.requests.map((line) => line.replace('POST ', ''))).toEqual([
      '/Sessions/Playing',
      '/Sessions/Playing/Progress',
      '/Sessions/Playing/Stopped',
    ])
    expect(jellyfin.posted).toMatchObject([
      { ItemId: 'heat', PositionTicks: 200_000_000 },
      { ItemId: 'heat', PositionTicks: 400_000_000 },
      { ItemId: 'heat', PositionTicks: 5_900_000_000 },
    ])
    await savePosition('Brazil', 30)
    await waitUntil(async () => plex.requests.length === 1)
    expect(plex.requests[0]).toMatch(
      /POST \/:\/timeline\?ratingKey=7&.*state=playing&time=30000&duration=600000/,
    )
  })
  it('nothing is sent without the setting', async () => {
    const [jellyfinServer, plexServer] = await listServers()
    await setServers([{ id: jellyfinServer.id }, { id: plexServer.id }])
    await savePosition('Heat', 10)
    await savePosition('Brazil', 60)
    expect([jellyfin.posted, plex.requests]).toEqual([[], []])
  })
})

describe('a server that is down', () => {
  it('is skipped when the next server has the title, and viewers see the reason when no server has the title', async () => {
    jellyfin.intercept = (_, response) => {
      response.writeHead(500).end()
      return true
    }
    const down = await media.lookupStream('movie/tt0113277')
    expect([down.status, down.body]).toMatchObject([502, { errors: { media_server: ['unreachable'] } }])
    expect((await media.lookupStream('movie/tt0088846')).status).toBe(200)
    expect((await listServers())[0]).toMatchObject({ problem: 'refused' })
    jellyfin.requests = []
    expect((await media.lookupStream('movie/tt0113277')).status).toBe(502)
    expect(jellyfin.requests).toEqual([])
    media.server.advanceClock(31_000)
    jellyfin.intercept = () => false
    expect((await media.lookupStream('movie/tt0113277')).status).toBe(200)
    expect((await listServers())[0]).toMatchObject({ problem: null })
  })
  it('fails the job only when no media server can be read, and keeps the items', async () => {
    const failWith503: StubServer['intercept'] = (_, response) => {
      response.writeHead(503).end()
      return true
    }
    jellyfin.intercept = failWith503
    expect(await readServers()).toMatchObject({ status: 'done', report: { failed_servers: 1 } })
    plex.intercept = failWith503
    expect(await readServers()).toMatchObject({ status: 'failed', message: 'media_servers_failed' })
    expect(await listItems()).toHaveLength(12)
  })
})
