/** Stremio add-ons as stream resolvers, several resolvers in order, and their administration. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUpstream } from '../../../server/providers/upstream.ts'
import { type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

interface AddOn {
  url: string
  requestedPaths: string[]
  lastHeaders: IncomingMessage['headers']
  /** JSON replies by path. */
  replies: Record<string, unknown>
  /** Target of the redirect of `/moved`. */
  movedTo: string
  server: Server
}

async function startAddOn(): Promise<AddOn> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    addOn.requestedPaths.push(path)
    addOn.lastHeaders = request.headers
    if (path === '/moved') return void response.writeHead(302, { Location: addOn.movedTo }).end()
    if (path.startsWith('/media/')) return void response.end(path.endsWith('.m3u8') ? PLAYLIST : 'bytes')
    const reply = addOn.replies[path]
    response.writeHead(reply === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(reply ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const addOn: AddOn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestedPaths: [],
    lastHeaders: {},
    replies: {},
    movedTo: '',
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

let first: AddOn
let second: AddOn
let media: MediaTestServer
const setResolvers = (resolvers: object[]) => media.adult.put('/api/admin/resolvers', { resolvers })
const getSourcePath = async (url: string) => (await media.fetchMedia(url)).text()

beforeAll(async () => {
  first = await startAddOn()
  second = await startAddOn()
  media = await startMediaTestServer({}, [
    { title: 'Heat', year: 1995, imdb: 'tt0113277' },
    { title: 'Fargo', year: 2014, imdb: 'tt2802850', episodes: [0, 3] },
  ])
})
afterAll(async () => {
  await media.close()
  for (const { server } of [first, second]) {
    server.closeAllConnections()
    server.close()
  }
})
beforeEach(async () => {
  for (const addOn of [first, second]) {
    addOn.requestedPaths = []
    addOn.replies = { '/abc/manifest.json': MANIFEST }
  }
  await setResolvers([{ address: `${first.url}/abc/manifest.json` }])
})

describe('a Stremio add-on', () => {
  it('is asked for movies and episodes at the documented paths beside its manifest', async () => {
    await media.lookupStream('movie/tt0113277')
    await media.lookupStream('tv/tt2802850/1/2')
    expect(first.requestedPaths).toEqual([
      '/abc/manifest.json',
      '/abc/stream/movie/tt0113277.json',
      '/abc/stream/series/tt2802850:1:2.json',
    ])
  })

  it('supplies streams that have a `url`, with quality and size, and no torrents', async () => {
    first.replies['/abc/stream/movie/tt0113277.json'] = {
      streams: [
        { infoHash: 'a'.repeat(40), title: '2160p' },
        { ytId: 'abcdefghijk' },
        { externalUrl: 'https://example.com' },
        { url: 'magnet:?xt=urn:btih:x' },
        { url: `${first.url}/media/720.mp4`, name: 'Add-on\n720p', behaviorHints: { videoSize: 700 } },
        { url: '/media/full', title: 'Heat 1080p', behaviorHints: { filename: 'Heat.1080p.mkv' } },
        'not a stream',
      ],
    }
    const { status, body } = await media.lookupStream('movie/tt0113277')
    expect(status).toBe(200)
    expect(body.sources.map(({ quality, mime_type, size }) => [quality, mime_type, size])).toEqual([
      ['1080p', 'video/x-matroska', null],
      ['720p', 'video/mp4', 700],
    ])
    expect(JSON.stringify(body)).not.toContain(first.url)
    expect(await getSourcePath(body.sources[1]?.url ?? '')).toBe('bytes')
  })

  it('has its proxy headers sent with the file and with every part of a playlist, but no other headers', async () => {
    const proxyHeaders = {
      request: {
        Referer: 'https://site.example/',
        'X-Token': 'abc',
        Host: 'evil',
        'Content-Length': '5',
        'User-Agent': 'TV\r\nX: y',
      },
    }
    first.replies['/abc/stream/movie/tt0113277.json'] = {
      streams: [{ url: '/media/list.m3u8', behaviorHints: { proxyHeaders } }],
    }
    const { body } = await media.lookupStream('movie/tt0113277')
    const playlist = await getSourcePath(body.sources[0]?.url ?? '')
    expect(first.lastHeaders).toMatchObject({ referer: 'https://site.example/', 'x-token': 'abc' })
    expect(first.lastHeaders.host).not.toBe('evil')
    expect(first.lastHeaders['user-agent']).toBe('Marquee')
    const part = playlist.split('\n')[2] ?? ''
    expect(await getSourcePath(part)).toBe('bytes')
    expect(first.requestedPaths.at(-1)).toBe('/media/segment.ts')
    expect(first.lastHeaders).toMatchObject({ referer: 'https://site.example/', 'x-token': 'abc' })
  })

  it('may redirect a playlist to an allowed host, whose parts are fetched there without the proxy headers', async () => {
    await setResolvers([{ address: `${first.url}/abc/manifest.json`, media_origins: [second.url] }])
    first.movedTo = `${second.url}/media/list.m3u8`
    const proxyHeaders = { request: { 'X-Token': 'abc', 'User-Agent': 'TV' } }
    first.replies['/abc/stream/movie/tt0113277.json'] = {
      streams: [{ url: '/moved', behaviorHints: { filename: 'Heat.m3u8', proxyHeaders } }],
    }
    const { body } = await media.lookupStream('movie/tt0113277')
    const playlist = await getSourcePath(body.sources[0]?.url ?? '')
    expect(await getSourcePath(playlist.split('\n')[2] ?? '')).toBe('bytes')
    expect(second.requestedPaths).toEqual(['/media/list.m3u8', '/media/segment.ts'])
    expect([second.lastHeaders['x-token'], second.lastHeaders['user-agent']]).toEqual([undefined, 'TV'])
    await setResolvers([{ address: `${first.url}/abc/manifest.json` }])
    const refusedReply = await media.lookupStream('movie/tt0113277')
    expect((await media.fetchMedia(refusedReply.body.sources[0]?.url ?? '')).status).toBe(502)
  })

  it('supplies subtitles of its streams and of its `subtitles` resource, by language', async () => {
    first.replies['/abc/stream/movie/tt0113277.json'] = {
      streams: [{ url: '/media/a.mp4', subtitles: [{ id: '1', url: '/media/en.vtt', lang: 'eng' }] }],
    }
    first.replies['/abc/subtitles/movie/tt0113277.json'] = {
      subtitles: [
        { id: '2', url: '/media/fr.vtt', lang: 'fre' },
        { id: '3', url: '/media/x.vtt', lang: 'no such language' },
      ],
    }
    const { body } = await media.lookupStream('movie/tt0113277')
    expect(body.subtitles.map(({ lang, label }) => [lang, label])).toEqual([
      ['en', 'English'],
      ['fr', 'Français'],
    ])
  })

  it('is not asked for resources that its manifest does not offer', async () => {
    first.replies['/abc/manifest.json'] = { ...MANIFEST, resources: ['catalog'] }
    expect((await media.lookupStream('movie/tt0113277')).status).toBe(404)
    expect(first.requestedPaths).toEqual(['/abc/manifest.json'])
  })

  it('is refused when it returns media on other hosts, unless public hosts are allowed', async () => {
    const streams = [{ url: `${second.url}/media/a.mp4` }]
    first.replies['/abc/stream/movie/tt0113277.json'] = { streams }
    expect((await media.lookupStream('movie/tt0113277')).status).toBe(502)
    const base = new URL(`${first.url}/abc/manifest.json`)
    const upstream = createUpstream({ base, mediaOrigins: [], allowsPublicHosts: true })
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

  it('causes 502 when its manifest or its streams are damaged', async () => {
    first.replies['/abc/manifest.json'] = { name: 'no resources' }
    expect((await media.lookupStream('movie/tt0113277')).status).toBe(502)
  })
})

describe('several resolvers', () => {
  const streams = [{ url: '/media/a.mp4' }]
  beforeEach(() =>
    setResolvers([
      { address: `${first.url}/abc/manifest.json` },
      { address: `${second.url}/abc/manifest.json` },
    ]),
  )

  it('are asked in order until one has the title', async () => {
    second.replies['/abc/stream/movie/tt0113277.json'] = { streams }
    const { body } = await media.lookupStream('movie/tt0113277')
    expect(await getSourcePath(body.sources[0]?.url ?? '')).toBe('bytes')
    expect(second.requestedPaths.at(-1)).toBe('/media/a.mp4')
    first.replies['/abc/stream/movie/tt0113277.json'] = { streams }
    second.requestedPaths = []
    await media.lookupStream('movie/tt0113277')
    expect(second.requestedPaths).toEqual([])
  })

  it('are asked further after one fails, and report the failure when no other resolver has the title', async () => {
    first.replies['/abc/manifest.json'] = 'damaged'
    expect((await media.lookupStream('movie/tt0113277')).status).toBe(502)
    second.replies['/abc/stream/movie/tt0113277.json'] = { streams }
    expect((await media.lookupStream('movie/tt0113277')).status).toBe(200)
  })

  it('keep their addresses when they are reordered, and stop serving when removed', async () => {
    second.replies['/abc/stream/movie/tt0113277.json'] = { streams }
    const { body: stream } = await media.lookupStream('movie/tt0113277')
    const { results } = (await media.adult.get('/api/admin/resolvers')).body
    await setResolvers([{ id: results[1].id }, { id: results[0].id }])
    const reordered = (await media.adult.get('/api/admin/resolvers')).body.results
    expect(reordered.map(({ origin }: { origin: string }) => origin)).toEqual([second.url, first.url])
    await setResolvers([])
    expect((await media.fetchMedia(stream.sources[0]?.url ?? '')).status).toBe(404)
    expect((await media.lookupStream('movie/tt0113277')).status).toBe(404)
  })
})

describe('the administration', () => {
  it('never returns or logs an address, and stores it encrypted', async () => {
    const address = `${first.url.replace('http://', 'http://user:secret-word@')}/secret-token/manifest.json`
    const reply = await setResolvers([{ address }])
    expect(reply.body.results).toMatchObject([{ origin: first.url, protocol: 'stremio', variable: null }])
    await media.adult.post(`/api/admin/resolvers/${reply.body.results[0].id}/test`)
    const rows = await media.server.database.primary.selectFrom('setting').selectAll().execute()
    const everything = JSON.stringify([reply.body, rows, media.server.logLines])
    expect(everything).not.toMatch(/secret-(?:word|token)/)
  })

  it('sends user and password with relative URLs, only to the origin of the resolver', async () => {
    first.replies['/abc/stream/movie/tt0113277.json'] = { streams: [{ url: '/media/a.mp4' }] }
    const address = `${first.url.replace('http://', 'http://me:pass%40word@')}/abc/manifest.json`
    await setResolvers([{ address }])
    const { status, body } = await media.lookupStream('movie/tt0113277')
    expect(status).toBe(200)
    expect(await getSourcePath(body.sources[0]?.url ?? '')).toBe('bytes')
    expect(first.lastHeaders.authorization).toBe(`Basic ${Buffer.from('me:pass@word').toString('base64')}`)
  })

  it('reports the result of a resolver test: ok, refused or unreachable', async () => {
    const testResolver = async () => {
      const { results } = (await media.adult.get('/api/admin/resolvers')).body
      return (await media.adult.post(`/api/admin/resolvers/${results[0].id}/test`)).body.result
    }
    expect(await testResolver()).toBe('ok')
    first.replies['/abc/manifest.json'] = { wrong: true }
    expect(await testResolver()).toBe('refused')
    await setResolvers([{ address: 'http://127.0.0.1:1/manifest.json' }])
    expect(await testResolver()).toBe('unreachable')
    expect((await media.adult.post('/api/admin/resolvers/none/test')).status).toBe(404)
  })

  it.each([
    [{ address: 'ftp://example.com/' }, 'address'],
    [{ id: 'unknown' }, 'address'],
    [{ address: 'https://example.com/', media_origins: ['https://example.com/path'] }, 'media_origins'],
  ])('rejects %j', async (resolver, field) => {
    const { status, body } = await setResolvers([resolver])
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  it('lists the resolver of the environment first, and does not allow a change of it', async () => {
    const otherServer = await startMediaTestServer({ STREAM_UPSTREAM_URL: `${second.url}/api` }, [])
    const { results } = (
      await otherServer.adult.put('/api/admin/resolvers', {
        resolvers: [{ address: `${first.url.replace('http:', 'stremio:')}/abc/manifest.json` }],
      })
    ).body
    expect(results).toMatchObject([
      { id: 'environment', origin: second.url, protocol: 'marquee', variable: 'STREAM_UPSTREAM_URL' },
      { protocol: 'stremio', variable: null },
    ])
    await otherServer.close()
  })
})
