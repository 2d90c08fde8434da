/** Where the server never goes, whatever a resolver answers or its name leads to (security.md: SSRF). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../../server/core/config.ts'
import { createUpstream, UpstreamError } from '../../../server/providers/upstream.ts'
import { canConnect } from '../../../server/providers/upstream-guard.ts'
import { openResolver, type Resolver } from './resolver.ts'

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

describe('where the server never goes', () => {
  const knocked = async (value: unknown) => {
    const before = resolver.knocks
    const found = await resolver.lookup(value)
    const url = found.body.sources?.[0]?.url
    if (url) await (await resolver.cinema.fetch(url)).arrayBuffer()
    await resolver.lookup({ sources: [] })
    return [found.status, resolver.knocks - before]
  }
  test('media on an origin that the operator did not name', async () => {
    for (const url of [
      `${resolver.canaryBase}/a.mp4`,
      resolver.canaryBase.replace('127.0.0.1', 'localhost'),
      resolver.canaryBase.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      resolver.canaryBase.replace('127.0.0.1', '2130706433'),
      `//127.0.0.1:${new URL(resolver.canaryBase).port}/a.mp4`,
      resolver.base.replace('http://', 'http://user:pass@'),
      `${resolver.base}@127.0.0.1:${new URL(resolver.canaryBase).port}/`,
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      'data:text/plain,x',
    ])
      expect(await knocked({ sources: [{ url }] }), url).toEqual([502, 0])
  })
  test('redirects, of lookups, media and loops', async () => {
    const to = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(302, { Location: location }).end()
    expect(await knocked(to(`${resolver.canaryBase}/stream`))).toEqual([502, 0])
    expect(await knocked(to('/api/stream/movie/tt0000001'))).toEqual([502, 0])
  })
  test('playlists that name somebody else', async () => {
    const { body } = await resolver.lookup({ sources: [{ url: '/hls/evil.m3u8' }] })
    const before = resolver.knocks
    expect((await resolver.cinema.fetch(body.sources[0]?.url ?? '')).status).toBe(502)
    expect(resolver.knocks).toBe(before)
  })
  test('names of the open internet that lead home, even when they change their mind', async () => {
    const port = new URL(resolver.canaryBase).port
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
      const before = resolver.knocks
      await expect(one.lookupStreams(question, 'a')).rejects.toThrow(UpstreamError)
      await expect(one.fetchMedia(`http://resolver.example.com:${port}/a.mp4`, {})).rejects.toThrow(
        UpstreamError,
      )
      expect(resolver.knocks, address).toBe(before)
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
    expect(canConnect(host, address)).toBe(allowed)
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
