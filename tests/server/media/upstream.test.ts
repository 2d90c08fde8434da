/**
 * The stream resolver that the operator has configured. The tests check the lookup requests of the server,
 * the validation of the lookup responses, and the media that the server fetches from the resolver.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createUpstream, UpstreamError } from '../../../server/providers/upstream.ts'
import {
  createJsonHandler,
  RESOLVER_MEDIA_CONTENT,
  type ResolverFixture,
  startResolverFixture,
} from './resolver-fixture.ts'

let resolver: ResolverFixture
beforeAll(async () => {
  resolver = await startResolverFixture()
})
afterAll(() => resolver.close())
beforeEach(async () => {
  resolver.requestedPaths = []
  resolver.mediaServer.server.advanceClock(61_000)
  await resolver.mediaServer.adult.login('alice@example.com')
})

describe('the lookup request', () => {
  test('the lookup request has the documented path and query and no credentials', async () => {
    await resolver.lookUpStream({ sources: [{ url: '/media/a.mp4' }] }, 'movie/tt0000001', '?quality=1080p')
    await resolver.lookUpStream({ sources: [{ url: '/media/a.mp4' }] }, 'tv/tt0000003/1/2')
    expect(resolver.requestedPaths).toEqual([
      '/api/stream/movie/tt0000001?quality=1080p&title=Heat&year=1995',
      '/api/stream/tv/tt0000003/1/2?quality=auto&title=Fargo&year=2014',
    ])
    expect(resolver.lastRequestHeaders.authorization).toBeUndefined()
    expect(resolver.lastRequestHeaders.cookie).toBeUndefined()
  })
  test('the lookup request is not sent for titles with a media file or titles outside the catalogue', async () => {
    expect((await resolver.lookUpStream({ sources: [] }, 'movie/tt0000002')).body.sources[0]?.size).toBe(4)
    expect((await resolver.lookUpStream({ sources: [] }, 'movie/tt7777777')).status).toBe(404)
    expect(resolver.requestedPaths).toEqual([])
  })
  test('the lookup request is not sent during a session refresh', async () => {
    const { adult } = resolver.mediaServer
    const { results } = (await adult.get('/api/movies?limit=50')).body
    const { slug } = results.find((media: { title: string }) => media.title === 'Heat')
    await adult.get('/api/movies')
    const { body } = await adult.post('/api/auth/refresh', { watch: { type: 'movie', slug } })
    expect(body.watch.media.slug).toBe(slug)
    expect(body.watch).not.toHaveProperty('stream')
    expect(resolver.requestedPaths).toEqual([])
  })
})

describe('availability of titles after a lookup', () => {
  const loadHeatCard = async () =>
    (await resolver.mediaServer.adult.get('/api/movies?limit=50')).body.results.find(
      ({ title }: { title: string }) => title === 'Heat',
    )
  test('a title is available after a reply with sources and not available after 404, and its availability is unknown a day later', async () => {
    const sendNotFound = (_: IncomingMessage, response: ServerResponse) => void response.writeHead(404).end()
    await resolver.lookUpStream({ sources: [{ url: '/media/a.mp4' }] }, 'movie/tt0000001')
    expect((await loadHeatCard()).available).toBe(true)
    await resolver.lookUpStream(sendNotFound, 'movie/tt0000001')
    expect((await loadHeatCard()).available).toBe(false)
    resolver.mediaServer.server.advanceClock(25 * 3_600_000)
    await resolver.mediaServer.adult.login('alice@example.com')
    expect(await loadHeatCard()).not.toHaveProperty('available')
  })
})

describe('the lookup response', () => {
  test('the lookup response contains media URLs of this server, but no URLs, media types or headers of the resolver', async () => {
    const { body } = await resolver.lookUpStream({
      sources: [
        { url: '/media/a.mp4', quality: '720p', size: 300_000 },
        { url: `${resolver.baseUrl}/media/b.webm`, quality: '1080p', mime_type: 'text/html' },
      ],
      subtitles: [{ lang: 'en', label: 'English', url: '/subs/en.srt' }],
      intro: { start: 10, end: 40 },
      credits_at: 5000,
    })
    expect(JSON.stringify(body)).not.toContain(resolver.baseUrl)
    expect(body).toMatchObject({
      sources: [
        { mime_type: 'video/webm', quality: '1080p', size: null },
        { mime_type: 'video/mp4', quality: '720p', size: 300_000 },
      ],
      intro: { start: 10, end: 40 },
      credits_at: 5000,
    })
    const fullResponse = await resolver.mediaServer.fetchMedia(body.sources[1]?.url ?? '')
    expect([
      fullResponse.status,
      fullResponse.headers.get('content-type'),
      fullResponse.headers.get('set-cookie'),
    ]).toEqual([200, 'video/mp4', null])
    expect(Buffer.from(await fullResponse.arrayBuffer()).equals(RESOLVER_MEDIA_CONTENT)).toBe(true)
    const rangeResponse = await resolver.mediaServer.fetchMedia(body.sources[1]?.url ?? '', {
      headers: { Range: 'bytes=1000-1999' },
    })
    expect([rangeResponse.status, rangeResponse.headers.get('content-range')]).toEqual([
      206,
      'bytes 1000-1999/300000',
    ])
    expect(
      Buffer.from(await rangeResponse.arrayBuffer()).equals(RESOLVER_MEDIA_CONTENT.subarray(1000, 2000)),
    ).toBe(true)
    const multiRangeResponse = await resolver.mediaServer.fetchMedia(body.sources[1]?.url ?? '', {
      headers: { Range: 'bytes=0-1,5-6' },
    })
    expect(multiRangeResponse.status).toBe(200)
    await multiRangeResponse.body?.cancel()
    const headResponse = await resolver.mediaServer.fetchMedia(body.sources[1]?.url ?? '', { method: 'HEAD' })
    expect([headResponse.status, headResponse.headers.get('content-length')]).toEqual([200, '300000'])
    expect(await (await resolver.mediaServer.fetchMedia(body.subtitles[0]?.url ?? '')).text()).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHi\n',
    )
  })
  test.each(['pl', 'pol'])(
    'a subtitle of a resolver is decoded in the legacy code page of its language "%s"',
    async (lang) => {
      const sendReply = createJsonHandler({
        sources: [{ url: '/media/a.mp4' }],
        subtitles: [{ lang, url: '/subs/windows-1250.srt' }],
      })
      const { body } = await resolver.lookUpStream((request: IncomingMessage, response: ServerResponse) =>
        request.url === '/subs/windows-1250.srt'
          ? void response.end(Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nZa\xbf\xf3\xb3\xe6\n', 'latin1'))
          : sendReply(request, response),
      )
      expect(await (await resolver.mediaServer.fetchMedia(body.subtitles[0]?.url ?? '')).text()).toBe(
        'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nZażółć\n',
      )
    },
  )
  test('an HLS stream in the lookup response has media URLs in every playlist', async () => {
    const { body } = await resolver.lookUpStream({ sources: [{ url: '/hls/master.m3u8' }] })
    const masterPlaylist = await (await resolver.mediaServer.fetchMedia(body.sources[0]?.url ?? '')).text()
    const lowQualityPlaylist = await (
      await resolver.mediaServer.fetchMedia(masterPlaylist.split('\n')[2] ?? '')
    ).text()
    const segmentResponse = await resolver.mediaServer.fetchMedia(lowQualityPlaylist.split('\n')[4] ?? '')
    expect([segmentResponse.status, segmentResponse.headers.get('content-type')]).toEqual([200, 'video/mp2t'])
    expect((await segmentResponse.arrayBuffer()).byteLength).toBe(RESOLVER_MEDIA_CONTENT.length)
  })
  test.each([
    [
      'a 404 response',
      404,
      'not_found',
      (_: IncomingMessage, response: ServerResponse) => void response.writeHead(404).end(),
    ],
    ['a response without sources', 404, 'not_found', { sources: [] }],
    ['a response of another format', 502, 'upstream_error', { streams: [] }],
    [
      'a response that is not JSON',
      502,
      'upstream_error',
      (_: IncomingMessage, response: ServerResponse) => void response.end('<html>'),
    ],
    [
      'a 500 response',
      502,
      'upstream_error',
      (_: IncomingMessage, response: ServerResponse) => void response.writeHead(500).end(),
    ],
    [
      'a truncated response',
      502,
      'upstream_error',
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'Content-Length': 1000 })
        response.write('{')
        setTimeout(() => response.destroy(), 50)
      },
    ],
    [
      'a compressed response',
      502,
      'upstream_error',
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('x'),
    ],
    [
      'a response of 3 MB',
      502,
      'upstream_error',
      (_: IncomingMessage, response: ServerResponse) =>
        void response.end(JSON.stringify({ sources: [], more: 'x'.repeat(3_000_000) })),
    ],
  ])('if the resolver sends %s, a lookup returns %i %s', async (_name, status, errorType, resolverReply) => {
    const lookupReply = await resolver.lookUpStream(resolverReply)
    expect([lookupReply.status, lookupReply.body.type]).toEqual([status, errorType])
    expect(JSON.stringify(lookupReply.body)).not.toContain('127.0.0.1')
    await resolver.lookUpStream({ sources: [] })
  })
  test('a lookup returns 502 after ten seconds if the response of the resolver never ends', async () => {
    const startedAtMs = performance.now()
    const lookupReply = await resolver.lookUpStream((_: IncomingMessage, response: ServerResponse) => {
      const writeTimer = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(writeTimer))
    })
    expect(lookupReply.status).toBe(502)
    expect(performance.now() - startedAtMs).toBeLessThan(12_000)
    await resolver.lookUpStream({ sources: [] })
  })
})

test('a stream resolver may return media only from the configured origins', async () => {
  const upstream = createUpstream({ baseUrl: new URL(resolver.baseUrl), mediaOrigins: [resolver.canaryUrl] })
  expect(upstream.resolveAllowedUrl(`${resolver.canaryUrl}/a.mp4`)?.href).toBe(`${resolver.canaryUrl}/a.mp4`)
  expect(upstream.resolveAllowedUrl('http://elsewhere.example/a.mp4')).toBeNull()
})

test('a stream resolver gets at most four concurrent lookups per account, and none for 30 seconds after five failures', async () => {
  let nowMs = 0
  const upstream = createUpstream({ baseUrl: new URL(resolver.baseUrl), mediaOrigins: [], now: () => nowMs })
  const query = { type: 'movie', imdbId: 'tt0000001', quality: 'auto', title: 'x', year: null } as const
  resolver.handler = (_, response) => void setTimeout(() => response.writeHead(404).end(), 100)
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, () => upstream.lookupStreams(query, 'a')),
  )
  expect(results.map((result) => result.status).sort()).toEqual([
    ...Array(4).fill('fulfilled'),
    'rejected',
    'rejected',
  ])
  resolver.handler = (_, response) => void response.writeHead(500).end()
  for (let failureIndex = 0; failureIndex < 5; failureIndex++)
    await expect(upstream.lookupStreams(query, 'a')).rejects.toThrow(UpstreamError)
  resolver.requestedPaths = []
  await expect(upstream.lookupStreams(query, 'a')).rejects.toThrow('paused')
  expect(resolver.requestedPaths).toEqual([])
  nowMs += 31_000
  resolver.handler = createJsonHandler({ sources: [] })
  expect(await upstream.lookupStreams(query, 'a')).toBeNull()
})

test('the connection to the resolver is closed when the viewer disconnects', async () => {
  let isClosed = false
  const { body } = await resolver.lookUpStream({ sources: [{ url: '/endless.mp4' }] })
  resolver.handler = (_, response) => {
    response.writeHead(200)
    const writeTimer = setInterval(() => response.write(Buffer.alloc(100_000)), 5)
    response.on('close', () => {
      isClosed = true
      clearInterval(writeTimer)
    })
  }
  const response = await resolver.mediaServer.fetchMedia(body.sources[0]?.url ?? '')
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  for (let attempt = 0; !isClosed && attempt < 100; attempt++) await pause(50)
  expect(isClosed).toBe(true)
})
