/**
 * Starts three servers: a stream resolver, the tested server that uses the resolver, and a canary server.
 * The canary server must never receive a request.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPatternBytes } from './make-media.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

export const RESOLVER_MEDIA_CONTENT = createPatternBytes(300_000)
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

export const createJsonHandler =
  (responseBody: unknown): RequestHandler =>
  (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(responseBody))
  }

const startHttpServer = (handler: RequestHandler) =>
  new Promise<Server>((resolve) => {
    const server = createServer(handler)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
const getBaseUrl = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/**
 * Sends `RESOLVER_MEDIA_CONTENT`, or the requested range of them. The response has a wrong media type and a cookie.
 * The tested server must not pass the media type or the cookie on.
 */
function sendMedia(request: IncomingMessage, response: ServerResponse): void {
  const rangeMatch = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const startByte = Number(rangeMatch?.[1] ?? 0)
  const endByte = rangeMatch?.[2] ? Number(rangeMatch[2]) : RESOLVER_MEDIA_CONTENT.length - 1
  response.writeHead(rangeMatch ? 206 : 200, {
    'Content-Type': 'text/html',
    'Content-Length': endByte - startByte + 1,
    'Accept-Ranges': 'bytes',
    'Set-Cookie': 'a=b',
    ...(rangeMatch && { 'Content-Range': `bytes ${startByte}-${endByte}/${RESOLVER_MEDIA_CONTENT.length}` }),
  })
  response.end(
    request.method === 'HEAD' ? undefined : RESOLVER_MEDIA_CONTENT.subarray(startByte, endByte + 1),
  )
}

export interface ResolverFixture {
  mediaServer: MediaTestServer
  baseUrl: string
  canaryUrl: string
  /** Paths of all requests to the resolver. */
  requestedPaths: string[]
  /** Headers of the last request to the resolver. */
  lastRequestHeaders: IncomingMessage['headers']
  /** Number of requests that the canary received. */
  canaryRequestCount: number
  /** Handles requests to the resolver, except requests for media and for fixed files. */
  handler: RequestHandler
  /**
   * Sets the response of the resolver, and then requests a stream lookup from the tested server.
   * `resolverReply` is a JSON value or a request handler.
   */
  lookUpStream: (
    resolverReply: unknown,
    path?: string,
    query?: string,
  ) => ReturnType<MediaTestServer['lookUpStream']>
  close: () => Promise<void>
}

export async function startResolverFixture(): Promise<ResolverFixture> {
  const upstream = await startHttpServer((request, response) => {
    const path = request.url ?? ''
    fixture.requestedPaths.push(path)
    fixture.lastRequestHeaders = request.headers
    if (path.startsWith('/media/')) return sendMedia(request, response)
    const fileText = FILE_TEXTS_BY_PATH[path]?.(fixture)
    if (fileText !== undefined) response.end(fileText)
    else fixture.handler(request, response)
  })
  const canary = await startHttpServer((_, response) => {
    fixture.canaryRequestCount += 1
    response.end('secret')
  })
  const libraryFolder = createTempFolder({ 'Mine (2000) 1080p.mp4': 'mine' })
  const baseUrl = getBaseUrl(upstream)
  const mediaServer = await startMediaTestServer(
    { MEDIA_DIR: libraryFolder.path, STREAM_UPSTREAM_URL: `${baseUrl}/api/` },
    [
      { title: 'Heat', year: 1995, imdb: 'tt0000001' },
      { title: 'Mine', year: 2000, imdb: 'tt0000002' },
      { title: 'Fargo', year: 2014, imdb: 'tt0000003', episodes: [0, 3] },
    ],
  )
  const fixture: ResolverFixture = {
    mediaServer,
    baseUrl,
    canaryUrl: getBaseUrl(canary),
    requestedPaths: [],
    lastRequestHeaders: {},
    canaryRequestCount: 0,
    handler: createJsonHandler({ sources: [] }),
    lookUpStream(resolverReply, path = 'movie/tt0000001', query = '') {
      fixture.handler =
        typeof resolverReply === 'function'
          ? (resolverReply as RequestHandler)
          : createJsonHandler(resolverReply)
      return mediaServer.lookUpStream(path, query)
    },
    async close() {
      await mediaServer.close()
      upstream.closeAllConnections()
      upstream.close()
      canary.close()
      libraryFolder.remove()
    },
  }
  return fixture
}

const FILE_TEXTS_BY_PATH: Record<string, (fixture: ResolverFixture) => string> = {
  '/hls/master.m3u8': () => '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow\n',
  '/hls/low': () => '#EXTM3U\n#EXTINF:6,\nseg.ts\n#EXTINF:6,\n/media/x.ts\n',
  '/hls/evil.m3u8': (resolver) => `#EXTM3U\n#EXTINF:6,\n${resolver.canaryUrl}/a.ts\n`,
  '/subs/en.srt': () => '1\n00:00:01,000 --> 00:00:02,000\nHi\n',
}
