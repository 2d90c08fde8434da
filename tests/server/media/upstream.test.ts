/** An operator's own resolver: what is asked, what is believed, what is fetched, and where the server never goes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../../server/config.ts'
import { createUpstream, UpstreamError } from '../../../server/providers/upstream.ts'
import { mayConnect } from '../../../server/providers/upstream-guard.ts'
import { pattern } from './make-media.ts'
import { type Cinema, makeFolder, openCinema } from './support.ts'

const BYTES = pattern(300_000)
type Answer = (request: IncomingMessage, response: ServerResponse) => void

let upstream: Server
let canary: Server
let cinema: Cinema
let base = ''
let canaryBase = ''
let asked: string[] = []
let seen: IncomingMessage['headers'] = {}
let knocks = 0
let answer: Answer = () => {}

const listen = (handler: Answer) =>
  new Promise<Server>((done) => {
    const server = createServer(handler)
    server.listen(0, '127.0.0.1', () => done(server))
  })
const baseOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const json =
  (value: unknown): Answer =>
  (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(value))
  }

function media(request: IncomingMessage, response: ServerResponse): void {
  const found = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const start = Number(found?.[1] ?? 0)
  const end = found?.[2] ? Number(found[2]) : BYTES.length - 1
  response.writeHead(found ? 206 : 200, {
    'Content-Type': 'text/html',
    'Content-Length': end - start + 1,
    'Accept-Ranges': 'bytes',
    'Set-Cookie': 'a=b',
    ...(found && { 'Content-Range': `bytes ${start}-${end}/${BYTES.length}` }),
  })
  response.end(request.method === 'HEAD' ? undefined : BYTES.subarray(start, end + 1))
}

const library = makeFolder({ 'Mine (2000) 1080p.mp4': 'mine' })
beforeAll(async () => {
  upstream = await listen((request, response) => {
    asked.push(request.url ?? '')
    seen = request.headers
    const path = request.url ?? ''
    if (path.startsWith('/media/')) return media(request, response)
    if (path === '/hls/master.m3u8') return void response.end('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow\n')
    if (path === '/hls/low')
      return void response.end('#EXTM3U\n#EXTINF:6,\nseg.ts\n#EXTINF:6,\n/media/x.ts\n')
    if (path === '/hls/evil.m3u8') return void response.end(`#EXTM3U\n#EXTINF:6,\n${canaryBase}/a.ts\n`)
    if (path === '/subs/en.srt') return void response.end('1\n00:00:01,000 --> 00:00:02,000\nHi\n')
    answer(request, response)
  })
  canary = await listen((_, response) => {
    knocks += 1
    response.end('secret')
  })
  base = baseOf(upstream)
  canaryBase = baseOf(canary)
  cinema = await openCinema({ MEDIA_DIR: library.path, STREAM_UPSTREAM_URL: `${base}/api/` }, [
    { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    { title: 'Mine', year: 2000, imdb: 'tt0000002' },
    { title: 'Fargo', year: 2014, imdb: 'tt0000003', episodes: [0, 3] },
  ])
})
afterAll(async () => {
  await cinema.close()
  upstream.closeAllConnections()
  upstream.close()
  canary.close()
  library.remove()
})
beforeEach(async () => {
  asked = []
  cinema.server.advance(61_000)
  await cinema.adult.login('alice@example.com')
})

const lookup = async (value: unknown, place = 'movie/tt0000001', query = '') => {
  answer = typeof value === 'function' ? (value as Answer) : json(value)
  return cinema.lookup(place, query)
}

describe('the question', () => {
  test('names the title, in the way that is written down', async () => {
    await lookup({ sources: [{ url: '/media/a.mp4' }] }, 'movie/tt0000001', '?quality=1080p')
    await lookup({ sources: [{ url: '/media/a.mp4' }] }, 'tv/tt0000003/1/2')
    expect(asked).toEqual([
      '/api/stream/movie/tt0000001?quality=1080p&title=Heat&year=1995',
      '/api/stream/tv/tt0000003/1/2?quality=auto&title=Fargo&year=2014',
    ])
    expect(seen.authorization).toBeUndefined()
    expect(seen.cookie).toBeUndefined()
  })
  test('is not asked for what the operator has, nor for what is not in the catalogue', async () => {
    expect((await lookup({ sources: [] }, 'movie/tt0000002')).body.sources[0]?.size).toBe(4)
    expect((await lookup({ sources: [] }, 'movie/tt7777777')).status).toBe(404)
    expect(asked).toEqual([])
  })
})

describe('the answer', () => {
  test('is signed anew: its addresses never reach the viewer, nor do its types and headers', async () => {
    const { body } = await lookup({
      sources: [
        { url: '/media/a.mp4', quality: '720p', size: 300_000 },
        { url: `${base}/media/b.webm`, quality: '1080p', mime_type: 'text/html' },
      ],
      subtitles: [{ lang: 'en', label: 'English', url: '/subs/en.srt' }],
      intro: { start: 10, end: 40 },
      credits_at: 5000,
    })
    expect(JSON.stringify(body)).not.toContain(base)
    expect(body).toMatchObject({
      sources: [
        { mime_type: 'video/webm', quality: '1080p', size: null },
        { mime_type: 'video/mp4', quality: '720p', size: 300_000 },
      ],
      intro: { start: 10, end: 40 },
      credits_at: 5000,
    })
    const whole = await cinema.fetch(body.sources[1]?.url ?? '')
    expect([whole.status, whole.headers.get('content-type'), whole.headers.get('set-cookie')]).toEqual([
      200,
      'video/mp4',
      null,
    ])
    expect(Buffer.from(await whole.arrayBuffer()).equals(BYTES)).toBe(true)
    const part = await cinema.fetch(body.sources[1]?.url ?? '', { headers: { Range: 'bytes=1000-1999' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/300000'])
    expect(Buffer.from(await part.arrayBuffer()).equals(BYTES.subarray(1000, 2000))).toBe(true)
    const several = await cinema.fetch(body.sources[1]?.url ?? '', { headers: { Range: 'bytes=0-1,5-6' } })
    expect(several.status).toBe(200)
    await several.body?.cancel()
    const head = await cinema.fetch(body.sources[1]?.url ?? '', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000'])
    expect(await (await cinema.fetch(body.subtitles[0]?.url ?? '')).text()).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHi\n',
    )
  })
  test('may be HLS, signed all the way down', async () => {
    const { body } = await lookup({ sources: [{ url: '/hls/master.m3u8' }] })
    const master = await (await cinema.fetch(body.sources[0]?.url ?? '')).text()
    const low = await (await cinema.fetch(master.split('\n')[2] ?? '')).text()
    const segment = await cinema.fetch(low.split('\n')[4] ?? '')
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
    const found = await lookup(value)
    expect([found.status, found.body.type]).toEqual([status, type])
    expect(JSON.stringify(found.body)).not.toContain('127.0.0.1')
    await lookup({ sources: [] })
  })
  test('that never ends is not waited for longer than ten seconds', async () => {
    const started = performance.now()
    const found = await lookup((_: IncomingMessage, response: ServerResponse) => {
      const drip = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(drip))
    })
    expect(found.status).toBe(502)
    expect(performance.now() - started).toBeLessThan(12_000)
    await lookup({ sources: [] })
  }, 20_000)
})

describe('where the server never goes', () => {
  const knocked = async (value: unknown) => {
    const before = knocks
    const found = await lookup(value)
    const url = found.body.sources?.[0]?.url
    if (url) await (await cinema.fetch(url)).arrayBuffer()
    await lookup({ sources: [] })
    return [found.status, knocks - before]
  }
  test('media on an origin that the operator did not name', async () => {
    for (const url of [
      `${canaryBase}/a.mp4`,
      canaryBase.replace('127.0.0.1', 'localhost'),
      canaryBase.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      canaryBase.replace('127.0.0.1', '2130706433'),
      `//127.0.0.1:${new URL(canaryBase).port}/a.mp4`,
      base.replace('http://', 'http://user:pass@'),
      `${base}@127.0.0.1:${new URL(canaryBase).port}/`,
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      'data:text/plain,x',
    ])
      expect(await knocked({ sources: [{ url }] }), url).toEqual([502, 0])
  })
  test('redirects, of lookups, media and loops', async () => {
    const to = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(302, { Location: location }).end()
    expect(await knocked(to(`${canaryBase}/stream`))).toEqual([502, 0])
    expect(await knocked(to('/api/stream/movie/tt0000001'))).toEqual([502, 0])
  })
  test('playlists that name somebody else', async () => {
    const { body } = await lookup({ sources: [{ url: '/hls/evil.m3u8' }] })
    const before = knocks
    expect((await cinema.fetch(body.sources[0]?.url ?? '')).status).toBe(502)
    expect(knocks).toBe(before)
  })
  test('names of the open internet that lead home, even when they change their mind', async () => {
    const port = new URL(canaryBase).port
    for (const address of [
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '0.0.0.0',
      'fc00::1',
    ]) {
      let turn = 0
      const resolve = async () => {
        turn += 1
        return [{ address: turn === 1 ? address : '127.0.0.1', family: address.includes(':') ? 6 : 4 }]
      }
      const one = createUpstream({
        base: new URL(`http://resolver.example.com:${port}/`),
        mediaOrigins: [],
        resolve,
      })
      const question = {
        type: 'movie',
        imdbId: 'tt0000001',
        quality: 'auto',
        title: 'x',
        year: null,
      } as const
      const before = knocks
      await expect(one.lookup(question, 'a')).rejects.toThrow(UpstreamError)
      await expect(one.fetch(`http://resolver.example.com:${port}/a.mp4`, {})).rejects.toThrow(UpstreamError)
      expect(knocks, address).toBe(before)
    }
  })
  test.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['localhost', '127.0.0.1', true],
    ['localhost', '10.0.0.1', false],
    ['resolver', '172.18.0.4', true],
    ['nas.local', '192.168.1.5', true],
    ['example.com', '93.184.215.14', true],
    ['example.com', '192.168.1.5', false],
    ['127.0.0.1.nip.io', '127.0.0.1', false],
    ['example.com', '::ffff:10.0.0.1', false],
    ['example.com', '::ffff:a00:1', false],
    ['example.com', '64:ff9b::a00:1', false],
    ['example.com', '2002:a00:1::', false],
    ['example.com', '::127.0.0.1', false],
    ['example.com', 'fd12::1', false],
    ['example.com', '2606:2800:21f:cb07::1', true],
    ['169.254.169.254', '169.254.169.254', false],
    ['metadata.internal', '169.254.169.254', false],
    ['0.0.0.0', '0.0.0.0', false],
    ['224.0.0.1', '224.0.0.1', false],
    ['resolver', 'fe80::1', false],
    ['resolver', '::', false],
    ['resolver', 'nonsense', false],
  ])('%s at %s: %s', (host, address, allowed) => {
    expect(mayConnect(host, address)).toBe(allowed)
  })
  test('settings that are no web addresses stop the start', () => {
    for (const STREAM_UPSTREAM_URL of ['file:///etc/passwd', 'gopher://x', 'unix:/run/x.sock', 'nonsense'])
      expect(() => readConfig({ STREAM_UPSTREAM_URL })).toThrow(/STREAM_UPSTREAM_URL/)
    for (const STREAM_MEDIA_ORIGINS of ['https://a.example/path', 'ftp://a', 'a.example'])
      expect(() => readConfig({ STREAM_MEDIA_ORIGINS })).toThrow(/STREAM_MEDIA_ORIGINS/)
    expect(readConfig({ STREAM_MEDIA_ORIGINS: 'https://a.example, http://b:81' }).streamMediaOrigins).toEqual(
      ['https://a.example', 'http://b:81'],
    )
  })
})

test('media may come from the origins that the operator names', async () => {
  const one = createUpstream({ base: new URL(base), mediaOrigins: [canaryBase] })
  expect(one.allowed(`${canaryBase}/a.mp4`)?.href).toBe(`${canaryBase}/a.mp4`)
  expect(one.allowed('http://elsewhere.example/a.mp4')).toBeNull()
})

test('four questions of one account at once; after five failures nobody waits for half a minute', async () => {
  let time = 0
  const one = createUpstream({ base: new URL(base), mediaOrigins: [], now: () => time })
  const question = { type: 'movie', imdbId: 'tt0000001', quality: 'auto', title: 'x', year: null } as const
  answer = (_, response) => void setTimeout(() => response.writeHead(404).end(), 100)
  const several = await Promise.allSettled(Array.from({ length: 6 }, () => one.lookup(question, 'a')))
  expect(several.map((result) => result.status).sort()).toEqual([
    ...Array(4).fill('fulfilled'),
    'rejected',
    'rejected',
  ])
  answer = (_, response) => void response.writeHead(500).end()
  for (let at = 0; at < 5; at++) await expect(one.lookup(question, 'a')).rejects.toThrow(UpstreamError)
  asked = []
  await expect(one.lookup(question, 'a')).rejects.toThrow('paused')
  expect(asked).toEqual([])
  time += 31_000
  answer = json({ sources: [] })
  expect(await one.lookup(question, 'a')).toBeNull()
})

test('a viewer who leaves lets the upstream go', async () => {
  let closed = false
  const { body } = await lookup({ sources: [{ url: '/endless.mp4' }] })
  answer = (_, response) => {
    response.writeHead(200)
    const flood = setInterval(() => response.write(Buffer.alloc(100_000)), 5)
    response.on('close', () => {
      closed = true
      clearInterval(flood)
    })
  }
  const reading = await cinema.fetch(body.sources[0]?.url ?? '')
  const reader = reading.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  for (let tries = 0; !closed && tries < 100; tries++) await pause(50)
  expect(closed).toBe(true)
})
