/**
 * Stremio add-ons as stream resolvers. The tests also use several resolvers in a fixed order,
 * and change the list of resolvers as an administrator.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUpstream } from '../../../server/providers/upstream.ts'
import { type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

interface AddOn {
  url: string
  requestedPaths: string[]
  lastRequestHeaders: IncomingMessage['headers']
  /** JSON replies by path. */
  repliesByPath: Record<string, unknown>
  /** URL to which the add-on redirects requests of `/moved`. */
  redirectTarget: string
  server: Server
}

async function startAddOn(): Promise<AddOn> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    addOn.requestedPaths.push(path)
    addOn.lastRequestHeaders = request.headers
    if (path === '/moved') return void response.writeHead(302, { Location: addOn.redirectTarget }).end()
    if (path.startsWith('/media/')) return void response.end(path.endsWith('.m3u8') ? PLAYLIST : 'bytes')
    const reply = addOn.repliesByPath[path]
    response.writeHead(reply === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(reply ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const addOn: AddOn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestedPaths: [],
    lastRequestHeaders: {},
    repliesByPath: {},
    redirectTarget: '',
    server,
  }
  return addOn
}
const PLAYLIST = '#EXTM3U\n#EXTINF:6,\nsegment.ts\n'
const MANIFEST = {
  id: 'test',
  types: ['movie', 'series'],
  resources: ['stream', { name: 'subtitles', types: ['movie'], idPrefixes: ['tt'] }],
  catalogs: [],
}

let firstAddOn: AddOn
let secondAddOn: AddOn
let mediaServer: MediaTestServer
const setResolvers = (resolvers: object[]) => mediaServer.adult.put('/api/admin/resolvers', { resolvers })
const fetchSourceText = async (url: string) => (await mediaServer.fetchMedia(url)).text()

beforeAll(async () => {
  firstAddOn = await startAddOn()
  secondAddOn = await startAddOn()
  mediaServer = await startMediaTestServer({}, [
    { title: 'Heat', year: 1995, imdb: 'tt0113277' },
    { title: 'Fargo', year: 2014, imdb: 'tt2802850', episodes: [0, 3] },
  ])
})
afterAll(async () => {
  await mediaServer.close()
  for (const { server } of [firstAddOn, secondAddOn]) {
    server.closeAllConnections()
    server.close()
  }
})
beforeEach(async () => {
  for (const addOn of [firstAddOn, secondAddOn]) {
    addOn.requestedPaths = []
    addOn.repliesByPath = { '/abc/manifest.json': MANIFEST }
  }
  await setResolvers([{ address: `${firstAddOn.url}/abc/manifest.json` }])
})

describe('a Stremio add-on', () => {
  it('receives requests for movies and episodes at the documented paths next to its manifest', async () => {
    await mediaServer.lookUpStream('movie/tt0113277')
    await mediaServer.lookUpStream('tv/tt2802850/1/2')
    expect(firstAddOn.requestedPaths).toEqual([
      '/abc/manifest.json',
      '/abc/stream/movie/tt0113277.json',
      '/abc/stream/series/tt2802850:1:2.json',
    ])
  })

  it('supplies only the streams that have an HTTP `url`, with their quality and size, and omits torrents', async () => {
    firstAddOn.repliesByPath['/abc/stream/movie/tt0113277.json'] = {
      streams: [
        { infoHash: 'a'.repeat(40), title: '2160p' },
        { ytId: 'abcdefghijk' },
        { externalUrl: 'https://example.com' },
        { url: 'magnet:?xt=urn:btih:x' },
        { url: `${firstAddOn.url}/media/720.mp4`, name: 'Add-on\n720p', behaviorHints: { videoSize: 700 } },
        { url: '/media/full', title: 'Heat 1080p', behaviorHints: { filename: 'Heat.1080p.mkv' } },
        'not a stream',
      ],
    }
    const { status, body } = await mediaServer.lookUpStream('movie/tt0113277')
    expect(status).toBe(200)
    expect(body.sources.map(({ quality, mime_type, size }) => [quality, mime_type, size])).toEqual([
      ['1080p', 'video/x-matroska', null],
      ['720p', 'video/mp4', 700],
    ])
    expect(JSON.stringify(body)).not.toContain(firstAddOn.url)
    expect(await fetchSourceText(body.sources[1]?.url ?? '')).toBe('bytes')
  })

  it('receives requests for playlists and segments with the allowed headers of its `proxyHeaders`, but without forbidden or malformed headers', async () => {
    const proxyHeaders = {
      request: {
        Referer: 'https://site.example/',
        'X-Token': 'abc',
        Host: 'evil',
        'Content-Length': '5',
        'User-Agent': 'TV\r\nX: y',
      },
    }
    firstAddOn.repliesByPath['/abc/stream/movie/tt0113277.json'] = {
      streams: [{ url: '/media/list.m3u8', behaviorHints: { proxyHeaders } }],
    }
    const { body } = await mediaServer.lookUpStream('movie/tt0113277')
    const playlist = await fetchSourceText(body.sources[0]?.url ?? '')
    expect(firstAddOn.lastRequestHeaders).toMatchObject({
      referer: 'https://site.example/',
      'x-token': 'abc',
    })
    expect(firstAddOn.lastRequestHeaders.host).not.toBe('evil')
    expect(firstAddOn.lastRequestHeaders['user-agent']).toBe('Marquee')
    const segmentUrl = playlist.split('\n')[2] ?? ''
    expect(await fetchSourceText(segmentUrl)).toBe('bytes')
    expect(firstAddOn.requestedPaths.at(-1)).toBe('/media/segment.ts')
    expect(firstAddOn.lastRequestHeaders).toMatchObject({
      referer: 'https://site.example/',
      'x-token': 'abc',
    })
  })

  it('a Stremio add-on may redirect a playlist to an allowed host, which receives no secret proxy headers', async () => {
    await setResolvers([{ address: `${firstAddOn.url}/abc/manifest.json`, media_origins: [secondAddOn.url] }])
    firstAddOn.redirectTarget = `${secondAddOn.url}/media/list.m3u8`
    const proxyHeaders = { request: { 'X-Token': 'abc', 'User-Agent': 'TV' } }
    firstAddOn.repliesByPath['/abc/stream/movie/tt0113277.json'] = {
      streams: [{ url: '/moved', behaviorHints: { filename: 'Heat.m3u8', proxyHeaders } }],
    }
    const { body } = await mediaServer.lookUpStream('movie/tt0113277')
    const playlist = await fetchSourceText(body.sources[0]?.url ?? '')
    expect(await fetchSourceText(playlist.split('\n')[2] ?? '')).toBe('bytes')
    expect(secondAddOn.requestedPaths).toEqual(['/media/list.m3u8', '/media/segment.ts'])
    expect([secondAddOn.lastRequestHeaders['x-token'], secondAddOn.lastRequestHeaders['user-agent']]).toEqual(
      [undefined, 'TV'],
    )
    await setResolvers([{ address: `${firstAddOn.url}/abc/manifest.json` }])
    const rejectedReply = await mediaServer.lookUpStream('movie/tt0113277')
    expect((await mediaServer.fetchMedia(rejectedReply.body.sources[0]?.url ?? '')).status).toBe(502)
  })

  it('supplies the subtitles of its streams and of its `subtitles` resource, and numbers the labels when a language has several subtitles', async () => {
    firstAddOn.repliesByPath['/abc/stream/movie/tt0113277.json'] = {
      streams: [{ url: '/media/a.mp4', subtitles: [{ id: '1', url: '/media/en.vtt', lang: 'eng' }] }],
    }
    firstAddOn.repliesByPath['/abc/subtitles/movie/tt0113277.json'] = {
      subtitles: [
        { id: '2', url: '/media/fr.vtt', lang: 'fre' },
        { id: '3', url: '/media/x.vtt', lang: 'no such language' },
        { id: '4', url: '/media/en-2.vtt', lang: 'eng' },
        { id: '5', url: '/media/en-3.vtt', lang: 'eng' },
      ],
    }
    const { body } = await mediaServer.lookUpStream('movie/tt0113277')
    expect(body.subtitles.map(({ lang, label }) => [lang, label])).toEqual([
      ['en', 'English'],
      ['fr', 'Français'],
      ['en', 'English 2'],
      ['en', 'English 3'],
    ])
  })

  it('a Stremio add-on is not asked for resources that its manifest does not offer', async () => {
    firstAddOn.repliesByPath['/abc/manifest.json'] = { ...MANIFEST, resources: ['catalog'] }
    expect((await mediaServer.lookUpStream('movie/tt0113277')).status).toBe(404)
    expect(firstAddOn.requestedPaths).toEqual(['/abc/manifest.json'])
  })

  it('a Stremio add-on may not return media URLs of another host, except HTTPS URLs of public hosts when public hosts are allowed', async () => {
    const streams = [{ url: `${secondAddOn.url}/media/a.mp4` }]
    firstAddOn.repliesByPath['/abc/stream/movie/tt0113277.json'] = { streams }
    expect((await mediaServer.lookUpStream('movie/tt0113277')).status).toBe(502)
    const baseUrl = new URL(`${firstAddOn.url}/abc/manifest.json`)
    const upstream = createUpstream({ baseUrl, mediaOrigins: [], allowsPublicHosts: true })
    expect(upstream.resolveAllowedUrl('https://cdn.example.com/a.mp4')?.href).toBe(
      'https://cdn.example.com/a.mp4',
    )
    for (const url of [
      'http://cdn.example.com/a.mp4',
      'https://10.0.0.5/a.mp4',
      'https://[::1]/a.mp4',
      'https://localhost/a.mp4',
      'https://nas.lan/a.mp4',
      'https://router/a.mp4',
    ])
      expect([url, upstream.resolveAllowedUrl(url)]).toEqual([url, null])
  })

  it('makes a lookup return 502 when its manifest is invalid', async () => {
    firstAddOn.repliesByPath['/abc/manifest.json'] = { name: 'no resources' }
    expect((await mediaServer.lookUpStream('movie/tt0113277')).status).toBe(502)
  })
})

describe('several stream resolvers', () => {
  const streams = [{ url: '/media/a.mp4' }]
  beforeEach(() =>
    setResolvers([
      { address: `${firstAddOn.url}/abc/manifest.json` },
      { address: `${secondAddOn.url}/abc/manifest.json` },
    ]),
  )

  it('several stream resolvers are queried in order until one has the title', async () => {
    secondAddOn.repliesByPath['/abc/stream/movie/tt0113277.json'] = { streams }
    const { body } = await mediaServer.lookUpStream('movie/tt0113277')
    expect(await fetchSourceText(body.sources[0]?.url ?? '')).toBe('bytes')
    expect(secondAddOn.requestedPaths.at(-1)).toBe('/media/a.mp4')
    firstAddOn.repliesByPath['/abc/stream/movie/tt0113277.json'] = { streams }
    secondAddOn.requestedPaths = []
    await mediaServer.lookUpStream('movie/tt0113277')
    expect(secondAddOn.requestedPaths).toEqual([])
  })

  it('several stream resolvers return a stream of the second resolver when the first resolver fails, and 502 when the second resolver has no stream either', async () => {
    firstAddOn.repliesByPath['/abc/manifest.json'] = 'damaged'
    expect((await mediaServer.lookUpStream('movie/tt0113277')).status).toBe(502)
    secondAddOn.repliesByPath['/abc/stream/movie/tt0113277.json'] = { streams }
    expect((await mediaServer.lookUpStream('movie/tt0113277')).status).toBe(200)
  })

  it('several stream resolvers keep their addresses when reordered, and serve no media after they were removed', async () => {
    secondAddOn.repliesByPath['/abc/stream/movie/tt0113277.json'] = { streams }
    const { body: stream } = await mediaServer.lookUpStream('movie/tt0113277')
    const { results } = (await mediaServer.adult.get('/api/admin/resolvers')).body
    await setResolvers([{ id: results[1].id }, { id: results[0].id }])
    const reorderedResolvers = (await mediaServer.adult.get('/api/admin/resolvers')).body.results
    expect(reorderedResolvers.map(({ origin }: { origin: string }) => origin)).toEqual([
      secondAddOn.url,
      firstAddOn.url,
    ])
    await setResolvers([])
    expect((await mediaServer.fetchMedia(stream.sources[0]?.url ?? '')).status).toBe(404)
    expect((await mediaServer.lookUpStream('movie/tt0113277')).status).toBe(404)
  })
})

describe('the administration of stream resolvers', () => {
  it('rejects a change based on an outdated list with 409, and changes nothing', async () => {
    const { version: oldVersion } = (await mediaServer.adult.get('/api/admin/resolvers')).body
    await setResolvers([{ address: firstAddOn.url }])
    const { body: resolversBefore } = await mediaServer.adult.get('/api/admin/resolvers')
    const { status, body } = await mediaServer.adult.put('/api/admin/resolvers', {
      version: oldVersion,
      resolvers: [],
    })
    expect([status, body.errors]).toEqual([409, { list: ['changed'] }])
    expect((await mediaServer.adult.get('/api/admin/resolvers')).body).toEqual(resolversBefore)
  })

  it('never returns or logs an address, and stores addresses encrypted', async () => {
    const address = `${firstAddOn.url.replace('http://', 'http://user:secret-word@')}/secret-token/manifest.json`
    const resolversReply = await setResolvers([{ address }])
    expect(resolversReply.body.results).toMatchObject([
      { origin: firstAddOn.url, protocol: 'stremio', variable: null },
    ])
    await mediaServer.adult.post(`/api/admin/resolvers/${resolversReply.body.results[0].id}/test`)
    const rows = await mediaServer.server.database.primary.selectFrom('setting').selectAll().execute()
    const exposedText = JSON.stringify([resolversReply.body, rows, mediaServer.server.logLines])
    expect(exposedText).not.toMatch(/secret-(?:word|token)/)
  })

  it('a media request to the origin of a resolver contains the user name and the password of the resolver address', async () => {
    firstAddOn.repliesByPath['/abc/stream/movie/tt0113277.json'] = { streams: [{ url: '/media/a.mp4' }] }
    const address = `${firstAddOn.url.replace('http://', 'http://me:pass%40word@')}/abc/manifest.json`
    await setResolvers([{ address }])
    const { status, body } = await mediaServer.lookUpStream('movie/tt0113277')
    expect(status).toBe(200)
    expect(await fetchSourceText(body.sources[0]?.url ?? '')).toBe('bytes')
    expect(firstAddOn.lastRequestHeaders.authorization).toBe(
      `Basic ${Buffer.from('me:pass@word').toString('base64')}`,
    )
  })

  it('reports the result of a resolver test: ok, refused or unreachable', async () => {
    const testResolver = async () => {
      const { results } = (await mediaServer.adult.get('/api/admin/resolvers')).body
      return (await mediaServer.adult.post(`/api/admin/resolvers/${results[0].id}/test`)).body.result
    }
    expect(await testResolver()).toBe('ok')
    firstAddOn.repliesByPath['/abc/manifest.json'] = { wrong: true }
    expect(await testResolver()).toBe('refused')
    await setResolvers([{ address: 'http://127.0.0.1:1/manifest.json' }])
    expect(await testResolver()).toBe('unreachable')
    expect((await mediaServer.adult.post('/api/admin/resolvers/none/test')).status).toBe(404)
  })

  it.each([
    [{ address: 'ftp://example.com/' }, 'address'],
    [{ id: 'unknown' }, 'address'],
    [{ address: 'https://example.com/', media_origins: ['https://example.com/path'] }, 'media_origins'],
  ])('rejects the resolver %j with 422', async (resolver, field) => {
    const { status, body } = await setResolvers([resolver])
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  it('keeps the resolver of STREAM_UPSTREAM_URL first when other resolvers are saved', async () => {
    const otherServer = await startMediaTestServer({ STREAM_UPSTREAM_URL: `${secondAddOn.url}/api` }, [])
    const { results } = (
      await otherServer.adult.put('/api/admin/resolvers', {
        resolvers: [{ address: `${firstAddOn.url.replace('http:', 'stremio:')}/abc/manifest.json` }],
      })
    ).body
    expect(results).toMatchObject([
      { id: 'environment', origin: secondAddOn.url, protocol: 'marquee', variable: 'STREAM_UPSTREAM_URL' },
      { protocol: 'stremio', variable: null },
    ])
    await otherServer.close()
  })
})
