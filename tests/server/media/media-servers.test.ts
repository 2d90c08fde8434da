/**
 * Jellyfin and Plex servers as sources of media. The tests match titles by ids, play media through signed URLs,
 * report playback to the media server, and change the settings as an administrator.
 */
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

const DECODERS_QUERY = `?decoders=${encodeCapabilities((type) => !/hvc1/.test(type))}`
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

function createEpisode(id: string, episodeNumber: number | null, lastEpisodeNumber?: number): JellyfinItem {
  return {
    Id: id,
    Type: 'Episode',
    Name: id,
    ProviderIds: {},
    SeriesId: 'fargo',
    SeriesName: 'Fargo',
    ParentIndexNumber: 1,
    ...(episodeNumber !== null && { IndexNumber: episodeNumber }),
    ...(lastEpisodeNumber && { IndexNumberEnd: lastEpisodeNumber }),
  }
}

let jellyfin: StubServer
let plex: StubServer
let mediaServer: MediaTestServer
const { put, get, post } = {
  put: (path: string, body: object) => mediaServer.adult.put(path, body),
  get: async (path: string) => (await mediaServer.adult.get(path)).body,
  post: (path: string) => mediaServer.adult.post(path),
}
const setServers = (servers: object[]) => put('/api/admin/media-servers', { servers })
const createJellyfinSettings = (extraSettings: object = {}) => ({
  kind: 'jellyfin',
  address: jellyfin.url,
  token: JELLYFIN_KEY,
  ...extraSettings,
})
const waitForJobs = () => findJobWorker(mediaServer.server.deps)?.whenIdle()
async function listServers() {
  return (await get('/api/admin/media-servers')).results
}
async function syncServers() {
  const { body } = await post('/api/admin/media-server-items/sync')
  await waitForJobs()
  return get(`/api/jobs/${body.job_id}`)
}
const listItems = async (query = '') => (await get(`/api/admin/media-server-items?limit=100${query}`)).results
const fetchText = async (url: string) => (await mediaServer.fetchMedia(url)).text()

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
  mediaServer = await startMediaTestServer({}, [
    { title: 'Dune', year: 2021, imdb: 'tt1160419' },
    { title: 'Heat', year: 1995, imdb: 'tt0113277', tmdb: 949, isSafeForKids: true },
    { title: 'Alien', year: 1979, imdb: 'tt0078748', tmdb: 348 },
    { title: 'Fargo', year: 2014, imdb: 'tt2802850', tvdb: 269613, episodes: [0, 4] },
    { title: 'Brazil', year: 1985, imdb: 'tt0088846' },
    { title: 'Matrix', year: 1999, imdb: 'tt0133093' },
    { title: 'Lost', year: 2004, imdb: 'tt0411008', episodes: [0, 2] },
  ])
})
afterAll(async () => {
  await mediaServer.close()
  await jellyfin.close()
  await plex.close()
})
beforeEach(() => {
  for (const stub of [jellyfin, plex])
    Object.assign(stub, { requestLines: [], postedBodies: [], intercept: () => false })
})

describe('the settings of media servers', () => {
  it('title details contain the availability as long as the settings contain a media server, even one with a wrong token', async () => {
    const loadDetails = () => get('/api/movies/slug/brazil')
    expect(await loadDetails()).not.toHaveProperty('available')
    await setServers([createJellyfinSettings({ token: 'wrong' })])
    await waitForJobs()
    expect(await loadDetails()).toHaveProperty('available', false)
    await setServers([])
    expect(await loadDetails()).not.toHaveProperty('available')
  })
  it('a saved server is synchronised immediately, its address and token are stored encrypted, and the token is not returned', async () => {
    const { status, body } = await setServers([
      createJellyfinSettings({ address: `${jellyfin.url}/web/index.html` }),
    ])
    expect(status).toBe(200)
    expect(body.results).toMatchObject([{ kind: 'jellyfin', origin: jellyfin.url, report_progress: false }])
    await waitForJobs()
    const [server] = await listServers()
    expect(server).toMatchObject({ matched: 4, unmatched: 5, problem: null })
    expect(server.contacted_at).not.toBeNull()
    const rows = await mediaServer.server.database.primary.selectFrom('setting').selectAll().execute()
    expect(JSON.stringify([rows, body])).not.toContain(JELLYFIN_KEY)
    expect(JSON.stringify(rows)).not.toContain(jellyfin.url)
  })
  it('a change of the address without the token, a change of the kind, and an unusable address are rejected', async () => {
    const [{ id }] = await listServers()
    const movedServerReply = await setServers([{ id, address: plex.url }])
    expect([movedServerReply.status, movedServerReply.body.errors]).toEqual([422, { token: ['needed'] }])
    expect((await setServers([{ id, kind: 'plex' }])).body.errors).toEqual({ kind: ['does_not_fit'] })
    expect((await setServers([{ ...createJellyfinSettings(), address: 'ftp://x' }])).body.errors).toEqual({
      address: ['unusable'],
    })
    expect((await setServers([{ ...createJellyfinSettings(), address: 'http://a:b@host' }])).status).toBe(422)
    expect((await listServers())[0]).toMatchObject({ id, origin: jellyfin.url })
  })
  it('a request that is based on an outdated list of servers is rejected, so that it neither deletes a newer server nor restores a removed server', async () => {
    const { results, version: oldVersion } = await get('/api/admin/media-servers')
    const keptServers = results.map(({ id }: { id: string }) => ({ id }))
    await setServers([...keptServers, { kind: 'plex', address: plex.url, token: PLEX_TOKEN }])
    await waitForJobs()
    const serversBefore = await listServers()
    const { status, body } = await put('/api/admin/media-servers', {
      version: oldVersion,
      servers: keptServers,
    })
    expect([status, body.errors]).toEqual([409, { list: ['changed'] }])
    expect(await listServers()).toEqual(serversBefore)
  })

  it('the connection test reports the reason for a failure', async () => {
    const otherServer = await startStubServer(() => ({ hello: 'world' }))
    const outdatedServer = await startStubServer(() => ({
      ProductName: 'Jellyfin Server',
      Version: '10.7.7',
    }))
    const redirectingServer = await startStubServer(() => 404)
    redirectingServer.intercept = (_, response) => {
      response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()
      return true
    }
    const htmlServer = await startStubServer(() => '<html>Router</html>')
    const addresses = [
      otherServer.url,
      outdatedServer.url,
      redirectingServer.url,
      htmlServer.url,
      'http://127.0.0.1:1',
      'http://nowhere.invalid',
    ]
    const results: unknown[] = []
    for (const address of addresses.slice(0, 5))
      results.push(await testServer({ ...createJellyfinSettings(), address }))
    results.push(await testServer({ ...createJellyfinSettings(), address: addresses[5] }))
    results.push(await testServer({ ...createJellyfinSettings(), address: 'http://169.254.169.254' }))
    results.push(await testServer({ ...createJellyfinSettings(), token: 'wrong' }))
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
    for (const stub of [otherServer, outdatedServer, redirectingServer, htmlServer]) await stub.close()
    await setServers([createJellyfinSettings(), { kind: 'plex', address: plex.url, token: PLEX_TOKEN }])
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

describe('matching items to titles', () => {
  it('each movie and episode of a media server has a title, or the reason why no title matches', async () => {
    const items = await listItems()
    const outcomesByName = Object.fromEntries(
      items.map(
        ({ name, title, reason }: { name: string; title: { title: string } | null; reason: string }) => [
          name,
          title?.title ?? reason,
        ],
      ),
    )
    expect(outcomesByName).toEqual({
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
    const movies = (await get('/api/movies?available=true&sort=title.asc')).results
    expect(movies.map(({ title }: { title: string }) => title)).toEqual(['Alien', 'Brazil', 'Heat', 'Matrix'])
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
  it('without a media folder, titles that a media server can play come first in the rows of the home page', async () => {
    const listAvailableFlags = async (path: string) =>
      (await get(path)).results.map(({ available }: { available: boolean }) => available)
    expect(await listAvailableFlags('/api/movies/featured?limit=5')).toEqual([true, true, true, true, false])
    expect(
      await listAvailableFlags(`/api/profile/${mediaServer.adultId}/recommend?type=movie&limit=5`),
    ).toEqual([true, true, true, true, false])
  })
  it('every synchronisation after the first one requests only changed items, and detects a removed item even if another item was added at the same time', async () => {
    jellyfin.requestLines = []
    expect(await syncServers()).toMatchObject({
      status: 'done',
      report: { added: 0, changed: 0, removed: 0 },
    })
    expect(
      jellyfin.requestLines.filter((line) => line.includes('Movie,Episode') && line.includes('fields=')),
    ).toEqual([expect.stringContaining('minDateLastSaved=')])
    const addedEpisode: JellyfinItem = { ...createEpisode('e4', 4), savedAtMs: Date.now() }
    const [removedItem] = jellyfinItems.splice(
      jellyfinItems.findIndex(({ Id }) => Id === 'gone'),
      1,
      addedEpisode,
    )
    expect(await syncServers()).toMatchObject({ report: { added: 1, removed: 1 } })
    jellyfinItems.splice(jellyfinItems.indexOf(addedEpisode), 1, {
      ...(removedItem as JellyfinItem),
      savedAtMs: Date.now(),
    })
    expect(await syncServers()).toMatchObject({ report: { added: 1, removed: 1 } })
  })
  it('a media server episode with an IMDb ID is matched to the catalogue episode with the same ID, even if the episode numbers differ', async () => {
    const { primary } = mediaServer.server.database
    await primary
      .updateTable('episode')
      .set({ imdb_id: 'tt5555555' })
      .where('episode_number', '=', 4)
      .execute()
    const episode = jellyfinItems.find(({ Id }) => Id === 'e9') as JellyfinItem
    Object.assign(episode, { ProviderIds: { Imdb: 'tt5555555' }, savedAtMs: Date.now() })
    await syncServers()
    expect((await listItems('&search=e9'))[0]).toMatchObject({ state: 'matched', episodes: [9] })
    expect((await mediaServer.lookUpStream('tv/tt2802850/1/4')).status).toBe(200)
  })
  it('a synchronisation is due after half an hour, and a cancelled synchronisation reports neither items nor removals', async () => {
    const { deps } = mediaServer.server
    expect(await isMediaServerSyncDue(deps)).toBe(false)
    const laterDeps = { ...deps, now: () => Date.now() + 31 * 60_000 }
    expect(await isMediaServerSyncDue(laterDeps)).toBe(true)
    const noopCallbacks = { reportProgress: async () => {}, saveCheckpoint: async () => {} }
    const signal = AbortSignal.abort('cancelled')
    const outcome = await runMediaServerSync({ deps, input: {}, checkpoint: null, signal, ...noopCallbacks })
    expect(outcome.report).toMatchObject({ items: 0, removed: 0 })
  })
  it('a synchronisation is due immediately while the items of a new server have not been read, unless the last synchronisation was cancelled', async () => {
    const { deps, database } = mediaServer.server
    const [serverState] = await database.primary.selectFrom('media_server_state').selectAll().execute()
    // Simulates a media server that was just added: its connection test has stored a state, but no items were listed
    // yet.
    await database.primary
      .updateTable('media_server_state')
      .set({ listed_at: null, fully_listed_at: null })
      .where('server_id', '=', serverState?.server_id ?? '')
      .execute()
    expect(await isMediaServerSyncDue(deps)).toBe(true)
    const setJobStatus = (status: string) =>
      database.primary.updateTable('job').set({ status }).where('kind', '=', 'media_server_sync').execute()
    await setJobStatus('cancelled')
    expect(await isMediaServerSyncDue(deps)).toBe(false)
    await setJobStatus('done')
    await syncServers()
    expect(await isMediaServerSyncDue(deps)).toBe(false)
  })
})

describe('playback from Jellyfin', () => {
  it('returns a direct source with subtitles, tracks and chapters, and reveals neither server address nor API key', async () => {
    const { status, body } = await mediaServer.lookUpStream('movie/tt0113277', DECODERS_QUERY)
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
    const rangeResponse = await mediaServer.fetchMedia(url, { headers: { Range: 'bytes=100-199' } })
    expect([rangeResponse.status, rangeResponse.headers.get('content-range')]).toEqual([
      206,
      `bytes 100-199/${FILE_BYTES.length}`,
    ])
    expect(Buffer.from(await rangeResponse.arrayBuffer()).equals(FILE_BYTES.subarray(100, 200))).toBe(true)
    expect(await fetchText(body.subtitles[0]?.url ?? '')).toContain('Hi')
    expect(jellyfin.lastRequestHeaders.authorization).toContain(JELLYFIN_KEY)
    expect(jellyfin.requestLines.join()).not.toContain(JELLYFIN_KEY)
  })
  it('Jellyfin converts a video whose codec the browser cannot play, and a video that is requested with another audio track', async () => {
    const { body } = await mediaServer.lookUpStream('movie/tt0078748', DECODERS_QUERY)
    expect(body.sources[0]).toMatchObject({ delivery: 'transcode', reason: 'video_codec', quality: '1080p' })
    const masterPlaylist = await fetchText(body.sources[0]?.url ?? '')
    expect(jellyfin.requestLines.at(-1)).toMatch(
      /\/Videos\/alien\/master\.m3u8\?.*videoCodec=h264.*audioCodec=aac/,
    )
    const playlist = await fetchText(masterPlaylist.split('\n')[2] ?? '')
    const segment = await mediaServer.fetchMedia(playlist.split('\n')[2] ?? '')
    expect((await segment.arrayBuffer()).byteLength).toBe(FILE_BYTES.length)
    const audioTrackReply = await mediaServer.lookUpStream('movie/tt0113277', `${DECODERS_QUERY}&audio=2`)
    expect(audioTrackReply.body.sources[0]).toMatchObject({ delivery: 'remux', reason: 'audio_track' })
    await fetchText(audioTrackReply.body.sources[0]?.url ?? '')
    expect(jellyfin.requestLines.at(-1)).toContain('audioStreamIndex=2')
  })
  it('a second lookup of a title returns media URLs with the same paths, so that playback continues with a renewed URL', async () => {
    const lookUpPaths = async () =>
      (await mediaServer.lookUpStream('movie/tt0078748', DECODERS_QUERY)).body.sources.map(
        ({ url }) => url.split('?')[0],
      )
    expect(await lookUpPaths()).toEqual(await lookUpPaths())
  })
  it('plays only safe titles for a kids profile', async () => {
    expect((await mediaServer.lookUpStream('movie/tt0113277', '', mediaServer.kid)).status).toBe(200)
    expect((await mediaServer.lookUpStream('movie/tt0078748', '', mediaServer.kid)).status).toBe(404)
  })
  it('rejects a redirect to another origin, and follows a redirect to the origin of the server', async () => {
    const { body } = await mediaServer.lookUpStream('movie/tt0113277', DECODERS_QUERY)
    const url = body.sources[0]?.url ?? ''
    const setRedirect = (location: string) => {
      jellyfin.intercept = (request, response) => {
        if (request.url?.startsWith('/moved')) return void response.end('moved') === undefined
        response.writeHead(302, { Location: location }).end()
        return true
      }
    }
    setRedirect('/moved')
    expect(await fetchText(url)).toBe('moved')
    setRedirect(`${plex.url}/library/parts/9`)
    expect((await mediaServer.fetchMedia(url)).status).toBe(502)
    expect(plex.requestLines).toEqual([])
    setRedirect('/loop')
    expect((await mediaServer.fetchMedia(url)).status).toBe(502)
  })
  it('media URLs of a removed server return 404, and its titles become unavailable', async () => {
    const { body } = await mediaServer.lookUpStream('movie/tt0113277', DECODERS_QUERY)
    const [, plexServer] = await listServers()
    await setServers([{ id: plexServer.id }])
    expect((await mediaServer.fetchMedia(body.sources[0]?.url ?? '')).status).toBe(404)
    expect((await get('/api/movies?available=true')).results).toHaveLength(2)
    await setServers([
      createJellyfinSettings({ report_progress: true }),
      { id: plexServer.id, report_progress: true },
    ])
    await waitForJobs()
  })
})

describe('playback from Plex', () => {
  it('returns the file as a direct source, its conversion by Plex as a second source, and only subtitles that have a URL', async () => {
    const { body } = await mediaServer.lookUpStream('movie/tt0088846', DECODERS_QUERY)
    expect(body.sources.map(({ delivery, quality }) => [delivery, quality])).toEqual([
      ['direct', '720p'],
      ['transcode', '480p'],
    ])
    expect(body).toMatchObject({ credits_at: 580, subtitles: [{ lang: 'fr' }] })
    expect((await mediaServer.fetchMedia(body.sources[0]?.url ?? '')).status).toBe(200)
    expect(plex.lastRequestHeaders['x-plex-token']).toBe(PLEX_TOKEN)
    expect(await fetchText(body.subtitles[0]?.url ?? '')).toContain('Salut')
    const convertedSource = (await mediaServer.lookUpStream('movie/tt0133093', DECODERS_QUERY)).body
      .sources[0]
    expect(convertedSource).toMatchObject({ delivery: 'transcode', reason: 'video_codec' })
    expect(await fetchText(convertedSource?.url ?? '')).toContain('/proxy/m/')
    expect(plex.requestLines.at(-1)).toContain('path=/library/metadata/8')
    expect((await mediaServer.lookUpStream('tv/tt0411008/1/1')).status).toBe(404)
  })
  it('decodes a subtitle in the legacy code page of its language', async () => {
    const { body } = await mediaServer.lookUpStream('movie/tt0088846', DECODERS_QUERY)
    plex.intercept = (request, response) => {
      if (!request.url?.startsWith('/library/streams/')) return false
      response.end(Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nÉÈÀ\n', 'latin1'))
      return true
    }
    const subtitleText = await fetchText(body.subtitles[0]?.url ?? '')
    plex.intercept = () => false
    expect(subtitleText).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nÉÈÀ\n')
  })
})

describe('progress reports to media servers', () => {
  const savePosition = async (title: string, positionSeconds: number) => {
    const [card] = (await get(`/api/search?q=${title}`)).results
    return mediaServer.adult.post(`/api/profile/${mediaServer.adultId}/history`, {
      type: 'movie',
      media_id: card.media.id,
      progress: positionSeconds,
      data: { video_duration: 600 },
    })
  }
  it('the start, progress and stop of playback are sent to the media server of the title if the operator has turned on reports', async () => {
    expect((await savePosition('Heat', 20)).status).toBe(200)
    await waitUntil(async () => jellyfin.postedBodies.length === 1)
    expect((await savePosition('Heat', 40)).status).toBe(200)
    await waitUntil(async () => jellyfin.postedBodies.length === 2)
    expect((await savePosition('Heat', 590)).status).toBe(200)
    await waitUntil(async () => jellyfin.postedBodies.length === 3)
    expect(jellyfin.requestLines.map((line) => line.replace('POST ', ''))).toEqual([
      '/Sessions/Playing',
      '/Sessions/Playing/Progress',
      '/Sessions/Playing/Stopped',
    ])
    expect(jellyfin.postedBodies).toMatchObject([
      { ItemId: 'heat', PositionTicks: 200_000_000 },
      { ItemId: 'heat', PositionTicks: 400_000_000 },
      { ItemId: 'heat', PositionTicks: 5_900_000_000 },
    ])
    await savePosition('Brazil', 30)
    await waitUntil(async () => plex.requestLines.length === 1)
    expect(plex.requestLines[0]).toMatch(
      /POST \/:\/timeline\?ratingKey=7&.*state=playing&time=30000&duration=600000/,
    )
  })
  it('progress reports wait for the response to the start report, and after the response only the latest progress report and one stop report are sent', async () => {
    let sendStartResponse = () => {}
    jellyfin.intercept = (request, response) => {
      if (request.url !== '/Sessions/Playing') return false
      sendStartResponse = () => response.writeHead(204).end()
      return true
    }
    await savePosition('Heat', 20)
    await waitUntil(async () => jellyfin.postedBodies.length === 1)
    await savePosition('Heat', 30)
    await savePosition('Heat', 40)
    await savePosition('Heat', 590)
    await listItems()
    sendStartResponse()
    await waitUntil(async () => jellyfin.postedBodies.length === 3)
    expect(jellyfin.requestLines).toEqual([
      'POST /Sessions/Playing',
      'POST /Sessions/Playing/Progress',
      'POST /Sessions/Playing/Stopped',
    ])
    expect(jellyfin.postedBodies).toMatchObject([
      { PositionTicks: 200_000_000 },
      { PositionTicks: 400_000_000 },
      { PositionTicks: 5_900_000_000 },
    ])
  })
  it('no progress is sent to a media server if the operator has not turned on reports', async () => {
    const [jellyfinServer, plexServer] = await listServers()
    await setServers([{ id: jellyfinServer.id }, { id: plexServer.id }])
    await savePosition('Heat', 10)
    await savePosition('Brazil', 60)
    expect([jellyfin.postedBodies, plex.requestLines]).toEqual([[], []])
  })
})

describe('a server that is down', () => {
  it('makes a lookup return 502 for its titles until it recovers, while titles of other servers play', async () => {
    jellyfin.intercept = (_, response) => {
      response.writeHead(500).end()
      return true
    }
    const failedReply = await mediaServer.lookUpStream('movie/tt0113277')
    expect([failedReply.status, failedReply.body]).toMatchObject([
      502,
      { errors: { media_server: ['unreachable'] } },
    ])
    expect((await mediaServer.lookUpStream('movie/tt0088846')).status).toBe(200)
    expect((await listServers())[0]).toMatchObject({ problem: 'refused' })
    jellyfin.requestLines = []
    expect((await mediaServer.lookUpStream('movie/tt0113277')).status).toBe(502)
    expect(jellyfin.requestLines).toEqual([])
    mediaServer.server.advanceClock(31_000)
    jellyfin.intercept = () => false
    expect((await mediaServer.lookUpStream('movie/tt0113277')).status).toBe(200)
    expect((await listServers())[0]).toMatchObject({ problem: null })
  })
  it('gets no request for 30 s after a failure, and none for another 30 s when the next attempt also fails', async () => {
    jellyfin.intercept = (_, response) => {
      response.writeHead(500).end()
      return true
    }
    for (const attempt of [1, 2]) {
      jellyfin.requestLines = []
      expect([attempt, (await mediaServer.lookUpStream('movie/tt0113277')).status]).toEqual([attempt, 502])
      expect(jellyfin.requestLines).not.toEqual([])
      jellyfin.requestLines = []
      mediaServer.server.advanceClock(29_000)
      expect((await mediaServer.lookUpStream('movie/tt0113277')).status).toBe(502)
      expect(jellyfin.requestLines).toEqual([])
      mediaServer.server.advanceClock(2_000)
    }
  })
  it('a synchronisation fails only when every media server is down, and the stored items of all servers are kept', async () => {
    const failWith503: StubServer['intercept'] = (_, response) => {
      response.writeHead(503).end()
      return true
    }
    jellyfin.intercept = failWith503
    expect(await syncServers()).toMatchObject({ status: 'done', report: { failed_servers: 1 } })
    plex.intercept = failWith503
    expect(await syncServers()).toMatchObject({ status: 'failed', message: 'media_servers_failed' })
    expect(await listItems()).toHaveLength(12)
  })
})
