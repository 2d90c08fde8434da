/**
 * IP addresses to which the server never connects, even if the stream resolver or DNS returns such an address.
 * See security.md, server-side request forgery (SSRF).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../../server/core/config.ts'
import { createUpstream, UpstreamError } from '../../../server/providers/upstream.ts'
import { canConnect, isLocalHost } from '../../../server/providers/upstream-guard.ts'
import { type ResolverFixture, startResolverFixture } from './resolver-fixture.ts'

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

describe('upstream guard', () => {
  const lookUpAndCountCanaryRequests = async (resolverReply: unknown) => {
    const canaryRequestCountBefore = resolver.canaryRequestCount
    const lookupReply = await resolver.lookUpStream(resolverReply)
    const url = lookupReply.body.sources?.[0]?.url
    if (url) await (await resolver.mediaServer.fetchMedia(url)).arrayBuffer()
    await resolver.lookUpStream({ sources: [] })
    return [lookupReply.status, resolver.canaryRequestCount - canaryRequestCountBefore]
  }
  test('rejects media on origins that the operator has not allowed', async () => {
    for (const url of [
      `${resolver.canaryUrl}/a.mp4`,
      resolver.canaryUrl.replace('127.0.0.1', 'localhost'),
      resolver.canaryUrl.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      resolver.canaryUrl.replace('127.0.0.1', '2130706433'),
      `//127.0.0.1:${new URL(resolver.canaryUrl).port}/a.mp4`,
      resolver.baseUrl.replace('http://', 'http://user:pass@'),
      `${resolver.baseUrl}@127.0.0.1:${new URL(resolver.canaryUrl).port}/`,
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      'data:text/plain,x',
    ])
      expect(await lookUpAndCountCanaryRequests({ sources: [{ url }] }), url).toEqual([502, 0])
  })
  test('does not follow redirects of lookups', async () => {
    const createRedirectHandler = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(302, { Location: location }).end()
    expect(await lookUpAndCountCanaryRequests(createRedirectHandler(`${resolver.canaryUrl}/stream`))).toEqual(
      [502, 0],
    )
    expect(await lookUpAndCountCanaryRequests(createRedirectHandler('/api/stream/movie/tt0000001'))).toEqual([
      502, 0,
    ])
  })
  test('rejects playlists that refer to another origin', async () => {
    const { body } = await resolver.lookUpStream({ sources: [{ url: '/hls/evil.m3u8' }] })
    const canaryRequestCountBefore = resolver.canaryRequestCount
    expect((await resolver.mediaServer.fetchMedia(body.sources[0]?.url ?? '')).status).toBe(502)
    expect(resolver.canaryRequestCount).toBe(canaryRequestCountBefore)
  })
  test('rejects public host names that resolve to private IP addresses, as in DNS rebinding', async () => {
    const port = new URL(resolver.canaryUrl).port
    for (const address of [
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '0.0.0.0',
      'fc00::1',
    ]) {
      let lookupCount = 0
      const resolveHost = async () => {
        lookupCount += 1
        return [{ address: lookupCount === 1 ? address : '127.0.0.1', family: address.includes(':') ? 6 : 4 }]
      }
      const upstream = createUpstream({
        baseUrl: new URL(`http://resolver.example.com:${port}/`),
        mediaOrigins: [],
        resolve: resolveHost,
      })
      const query = {
        type: 'movie',
        imdbId: 'tt0000001',
        quality: 'auto',
        title: 'x',
        year: null,
      } as const
      const canaryRequestCountBefore = resolver.canaryRequestCount
      await expect(upstream.lookupStreams(query, 'a')).rejects.toThrow(UpstreamError)
      await expect(upstream.fetchMedia(`http://resolver.example.com:${port}/a.mp4`, {})).rejects.toThrow(
        UpstreamError,
      )
      expect(resolver.canaryRequestCount, address).toBe(canaryRequestCountBefore)
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
  ])('for the host %s at the IP address %s, canConnect returns %s', (host, address, isAllowed) => {
    expect(canConnect(host, address)).toBe(isAllowed)
  })
  test('readConfig rejects resolver settings that are not HTTP URLs', () => {
    for (const STREAM_UPSTREAM_URL of ['file:///etc/passwd', 'gopher://x', 'unix:/run/x.sock', 'nonsense'])
      expect(() => readConfig({ STREAM_UPSTREAM_URL })).toThrow(/STREAM_UPSTREAM_URL/)
    for (const STREAM_MEDIA_ORIGINS of ['https://a.example/path', 'ftp://a', 'a.example'])
      expect(() => readConfig({ STREAM_MEDIA_ORIGINS })).toThrow(/STREAM_MEDIA_ORIGINS/)
    expect(readConfig({ STREAM_MEDIA_ORIGINS: 'https://a.example, http://b:81' }).streamMediaOrigins).toEqual(
      ['https://a.example', 'http://b:81'],
    )
  })
})

describe('hosts of the local network', () => {
  test.each([
    ['localhost', true],
    ['auth.lan', true],
    ['authentik', true],
    ['192.168.1.5', true],
    ['[fd12::1]', true],
    ['[::ffff:10.0.0.1]', true],
    ['8.8.8.8', false],
    ['login.example.com', false],
  ])('for the host %s, isLocalHost returns %s', (host, isLocal) => expect(isLocalHost(host)).toBe(isLocal))
  test('the server connects to a public host name with a private IP address only if private addresses are allowed, and never to a link-local address', () => {
    expect(canConnect('login.example.com', '192.168.1.5')).toBe(false)
    expect(canConnect('login.example.com', '192.168.1.5', true)).toBe(true)
    expect(canConnect('login.example.com', '169.254.169.254', true)).toBe(false)
  })
})
