/** An operator's own resolver: what is asked, what is believed, what is fetched. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createUpstream, UpstreamError } from '../../../server/providers/upstream.ts'
import { BYTES, json, openResolver, type Resolver } from './resolver.ts'

let resolver: Resolver
beforeAll(async () => {
  resolver = await openResolver()
})
afterAll(() => resolver.close())
beforeEach(async () => {
  resolver.asked = []
  resolver.cinema.server.advance(61_000)
  await resolver.cinema.adult.login('alice@example.com')
})

describe('the question', () => {
  test('names the title, in the way that is written down', async () => {
    await resolver.lookup({ sources: [{ url: '/media/a.mp4' }] }, 'movie/tt0000001', '?quality=1080p')
    await resolver.lookup({ sources: [{ url: '/media/a.mp4' }] }, 'tv/tt0000003/1/2')
    expect(resolver.asked).toEqual([
      '/api/stream/movie/tt0000001?quality=1080p&title=Heat&year=1995',
      '/api/stream/tv/tt0000003/1/2?quality=auto&title=Fargo&year=2014',
    ])
    expect(resolver.seen.authorization).toBeUndefined()
    expect(resolver.seen.cookie).toBeUndefined()
  })
  test('is not resolver.asked for what the operator has, nor for what is not in the catalogue', async () => {
    expect((await resolver.lookup({ sources: [] }, 'movie/tt0000002')).body.sources[0]?.size).toBe(4)
    expect((await resolver.lookup({ sources: [] }, 'movie/tt7777777')).status).toBe(404)
    expect(resolver.asked).toEqual([])
  })
  test('is not asked together with a session, which would wait for it', async () => {
    const { adult } = resolver.cinema
    const { results } = (await adult.get('/api/movies?limit=50')).body
    const { slug } = results.find((one: { title: string }) => one.title === 'Heat')
    await adult.get('/api/movies')
    const { body } = await adult.post('/api/auth/refresh', { watch: { type: 'movie', slug } })
    expect(body.watch.media.slug).toBe(slug)
    expect(body.watch).not.toHaveProperty('stream')
    expect(resolver.asked).toEqual([])
  })
})

describe('the answer', () => {
  test('is signed anew: its addresses never reach the viewer, nor do its types and headers', async () => {
    const { body } = await resolver.lookup({
      sources: [
        { url: '/media/a.mp4', quality: '720p', size: 300_000 },
        { url: `${resolver.base}/media/b.webm`, quality: '1080p', mime_type: 'text/html' },
      ],
      subtitles: [{ lang: 'en', label: 'English', url: '/subs/en.srt' }],
      intro: { start: 10, end: 40 },
      credits_at: 5000,
    })
    expect(JSON.stringify(body)).not.toContain(resolver.base)
    expect(body).toMatchObject({
      sources: [
        { mime_type: 'video/webm', quality: '1080p', size: null },
        { mime_type: 'video/mp4', quality: '720p', size: 300_000 },
      ],
      intro: { start: 10, end: 40 },
      credits_at: 5000,
    })
    const whole = await resolver.cinema.fetch(body.sources[1]?.url ?? '')
    expect([whole.status, whole.headers.get('content-type'), whole.headers.get('set-cookie')]).toEqual([
      200,
      'video/mp4',
      null,
    ])
    expect(Buffer.from(await whole.arrayBuffer()).equals(BYTES)).toBe(true)
    const part = await resolver.cinema.fetch(body.sources[1]?.url ?? '', {
      headers: { Range: 'bytes=1000-1999' },
    })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/300000'])
    expect(Buffer.from(await part.arrayBuffer()).equals(BYTES.subarray(1000, 2000))).toBe(true)
    const several = await resolver.cinema.fetch(body.sources[1]?.url ?? '', {
      headers: { Range: 'bytes=0-1,5-6' },
    })
    expect(several.status).toBe(200)
    await several.body?.cancel()
    const head = await resolver.cinema.fetch(body.sources[1]?.url ?? '', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000'])
    expect(await (await resolver.cinema.fetch(body.subtitles[0]?.url ?? '')).text()).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHi\n',
    )
  })
  test('may be HLS, signed all the way down', async () => {
    const { body } = await resolver.lookup({ sources: [{ url: '/hls/master.m3u8' }] })
    const master = await (await resolver.cinema.fetch(body.sources[0]?.url ?? '')).text()
    const low = await (await resolver.cinema.fetch(master.split('\n')[2] ?? '')).text()
    const segment = await resolver.cinema.fetch(low.split('\n')[4] ?? '')
    expect([segment.status, segment.headers.get('content-type')]).toEqual([200, 'video/mp2t'])
    expect((await segment.arrayBuffer()).byteLength).toBe(BYTES.length)
  })
  test.each([
    [
      'nothing found',
      (_: IncomingMessage, response: ServerResponse) => void response.writeHead(404).end(),
      404,
      'not_found',
    ],
    ['no sources', { sources: [] }, 404, 'not_found'],
    ['another shape', { streams: [] }, 502, 'upstream_error'],
    [
      'no JSON',
      (_: IncomingMessage, response: ServerResponse) => void response.end('<html>'),
      502,
      'upstream_error',
    ],
    [
      'a failure',
      (_: IncomingMessage, response: ServerResponse) => void response.writeHead(500).end(),
      502,
      'upstream_error',
    ],
    [
      'cut off',
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'Content-Length': 1000 })
        response.write('{')
        setTimeout(() => response.destroy(), 50)
      },
      502,
      'upstream_error',
    ],
    [
      'compressed',
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('x'),
      502,
      'upstream_error',
    ],
    [
      'three megabytes',
      (_: IncomingMessage, response: ServerResponse) =>
        void response.end(JSON.stringify({ sources: [], more: 'x'.repeat(3_000_000) })),
      502,
      'upstream_error',
    ],
  ])('%s: %s', async (_name, value, status, type) => {
    const found = await resolver.lookup(value)
    expect([found.status, found.body.type]).toEqual([status, type])
    expect(JSON.stringify(found.body)).not.toContain('127.0.0.1')
    await resolver.lookup({ sources: [] })
  })
  test('that never ends is not waited for longer than ten seconds', async () => {
    const started = performance.now()
    const found = await resolver.lookup((_: IncomingMessage, response: ServerResponse) => {
      const drip = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(drip))
    })
    expect(found.status).toBe(502)
    expect(performance.now() - started).toBeLessThan(12_000)
    await resolver.lookup({ sources: [] })
  }, 20_000)
})

test('media may come from the origins that the operator names', async () => {
  const one = createUpstream({ base: new URL(resolver.base), mediaOrigins: [resolver.canaryBase] })
  expect(one.resolveAllowedUrl(`${resolver.canaryBase}/a.mp4`)?.href).toBe(`${resolver.canaryBase}/a.mp4`)
  expect(one.resolveAllowedUrl('http://elsewhere.example/a.mp4')).toBeNull()
})

test('four questions of one account at once; after five failures nobody waits for half a minute', async () => {
  let time = 0
  const one = createUpstream({ base: new URL(resolver.base), mediaOrigins: [], now: () => time })
  const question = { type: 'movie', imdbId: 'tt0000001', quality: 'auto', title: 'x', year: null } as const
  resolver.answer = (_, response) => void setTimeout(() => response.writeHead(404).end(), 100)
  const several = await Promise.allSettled(Array.from({ length: 6 }, () => one.lookupStreams(question, 'a')))
  expect(several.map((result) => result.status).sort()).toEqual([
    ...Array(4).fill('fulfilled'),
    'rejected',
    'rejected',
  ])
  resolver.answer = (_, response) => void response.writeHead(500).end()
  for (let at = 0; at < 5; at++) await expect(one.lookupStreams(question, 'a')).rejects.toThrow(UpstreamError)
  resolver.asked = []
  await expect(one.lookupStreams(question, 'a')).rejects.toThrow('paused')
  expect(resolver.asked).toEqual([])
  time += 31_000
  resolver.answer = json({ sources: [] })
  expect(await one.lookupStreams(question, 'a')).toBeNull()
})

test('a viewer who leaves lets the upstream go', async () => {
  let closed = false
  const { body } = await resolver.lookup({ sources: [{ url: '/endless.mp4' }] })
  resolver.answer = (_, response) => {
    response.writeHead(200)
    const flood = setInterval(() => response.write(Buffer.alloc(100_000)), 5)
    response.on('close', () => {
      closed = true
      clearInterval(flood)
    })
  }
  const reading = await resolver.cinema.fetch(body.sources[0]?.url ?? '')
  const reader = reading.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  for (let tries = 0; !closed && tries < 100; tries++) await pause(50)
  expect(closed).toBe(true)
})
