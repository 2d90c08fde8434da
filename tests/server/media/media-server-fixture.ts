/** Stub servers for tests. They answer like the documented APIs of Jellyfin and Plex. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPatternBytes } from './make-media.ts'

export const FILE_BYTES = createPatternBytes(50_000)
const TICKS_PER_SECOND = 10_000_000

export interface StubServer {
  url: string
  /** Method, path and query of each request. */
  requestLines: string[]
  /** Bodies of POST requests. */
  postedBodies: unknown[]
  lastRequestHeaders: IncomingMessage['headers']
  /** Handles a request before the API of the stub; returns true when it has sent the response. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  close: () => Promise<void>
}

type StubRequest = { url: URL; method: string; headers: IncomingMessage['headers'] }
/**
 * Returns the reply to a request: an object is sent as JSON, a string as text, `FILE_BYTES` as a media file, and a
 * number as the status of an empty response.
 */
type StubApi = (request: StubRequest) => object | string | typeof FILE_BYTES | number

export async function startStubServer(api: StubApi): Promise<StubServer> {
  const server = createServer((request, response) => {
    stub.requestLines.push(`${request.method} ${decodeURIComponent(request.url ?? '')}`)
    stub.lastRequestHeaders = request.headers
    let bodyText = ''
    request.on('data', (chunk) => {
      bodyText += chunk
    })
    request.on('end', () => {
      if (bodyText) stub.postedBodies.push(JSON.parse(bodyText))
      if (stub.intercept(request, response)) return
      const url = new URL(request.url ?? '/', 'http://stub')
      sendReply(request, response, api({ url, method: request.method ?? 'GET', headers: request.headers }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stub: StubServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestLines: [],
    postedBodies: [],
    lastRequestHeaders: {},
    intercept: () => false,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return stub
}

function sendReply(request: IncomingMessage, response: ServerResponse, reply: ReturnType<StubApi>): void {
  if (typeof reply === 'number') return void response.writeHead(reply).end()
  if (typeof reply === 'string') return void response.end(reply)
  if (!Buffer.isBuffer(reply)) {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply))
    return
  }
  const rangeMatch = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const startByte = Number(rangeMatch?.[1] ?? 0)
  const endByte = rangeMatch?.[2] ? Number(rangeMatch[2]) : reply.length - 1
  response.writeHead(rangeMatch ? 206 : 200, {
    'Content-Length': endByte - startByte + 1,
    'Accept-Ranges': 'bytes',
    ...(rangeMatch && { 'Content-Range': `bytes ${startByte}-${endByte}/${reply.length}` }),
  })
  response.end(request.method === 'HEAD' ? undefined : reply.subarray(startByte, endByte + 1))
}

export const JELLYFIN_KEY = 'jellyfin-key'
export interface JellyfinItem {
  Id: string
  Type: 'Movie' | 'Episode' | 'Series'
  Name: string
  ProviderIds: Record<string, string>
  SeriesId?: string
  SeriesName?: string
  ParentIndexNumber?: number
  IndexNumber?: number
  IndexNumberEnd?: number
  ProductionYear?: number
  /** Time at which the item was changed, in milliseconds since 1970. */
  savedAtMs?: number
}

const PLAYLIST = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmain.m3u8?playSessionId=1\n'

/**
 * Returns a stub of the Jellyfin API with these items. Tests may change `items` after the call.
 * `createStreams` returns the media streams of the item with the given id.
 */
export function createJellyfinApi(items: JellyfinItem[], createStreams: (id: string) => object[]): StubApi {
  return ({ url, headers, method }) => {
    if (url.pathname === '/System/Info/Public')
      return { ProductName: 'Jellyfin Server', ServerName: 'Attic', Version: '10.8.13' }
    if (!headers.authorization?.includes(`Token="${JELLYFIN_KEY}"`)) return 401
    if (url.pathname === '/Users/Me') return 400
    if (method === 'POST') return url.pathname.startsWith('/Sessions/Playing') ? 204 : 404
    if (/^\/Videos\/[^/]+\/stream\./.test(url.pathname)) return FILE_BYTES
    if (url.pathname.endsWith('/Stream.vtt')) return 'WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n'
    if (url.pathname.endsWith('/master.m3u8')) return PLAYLIST
    if (url.pathname.endsWith('/main.m3u8')) return '#EXTM3U\n#EXTINF:4,\nhls1/main/0.ts?x=1\n'
    if (url.pathname.endsWith('/0.ts')) return FILE_BYTES
    if (url.pathname !== '/Items') return 404
    return listJellyfinItems(items, url.searchParams, createStreams)
  }
}

function listJellyfinItems(
  items: readonly JellyfinItem[],
  query: URLSearchParams,
  createStreams: (id: string) => object[],
): object {
  const id = query.get('ids')
  if (id)
    return {
      Items: items
        .filter((item) => item.Id === id)
        .map((item) => ({ ...item, ...createSources(id, createStreams) })),
      TotalRecordCount: 1,
    }
  const types = query.get('includeItemTypes')?.split(',') ?? []
  const savedSinceMs = Date.parse(query.get('minDateLastSaved') ?? '') || 0
  const foundItems = items.filter(
    ({ Type, savedAtMs = 0 }) => types.includes(Type) && savedAtMs >= savedSinceMs,
  )
  const startIndex = Number(query.get('startIndex') ?? 0)
  return {
    Items: foundItems.slice(startIndex, startIndex + Number(query.get('limit'))),
    TotalRecordCount: foundItems.length,
    StartIndex: startIndex,
  }
}

const createSources = (id: string, createStreams: (id: string) => object[]) => ({
  MediaSources: [
    {
      Id: `source-${id}`,
      Container: id === 'heat' ? 'mov,mp4,m4a,3gp,3g2,mj2' : 'mkv',
      Path: `/films/${id}.${id === 'heat' ? 'mp4' : 'mkv'}`,
      Size: FILE_BYTES.length,
      Bitrate: 5_000_000,
      RunTimeTicks: 600 * TICKS_PER_SECOND,
      MediaStreams: createStreams(id),
    },
  ],
  Chapters: [
    { StartPositionTicks: 0, Name: 'Intro' },
    { StartPositionTicks: 60 * TICKS_PER_SECOND, Name: 'Story' },
    { StartPositionTicks: 550 * TICKS_PER_SECOND, Name: 'Credits' },
  ],
})

export const VIDEO_STREAM = {
  Type: 'Video',
  Index: 0,
  Codec: 'h264',
  Level: 40,
  Width: 1920,
  Height: 1080,
  PixelFormat: 'yuv420p',
}
export const HEVC_STREAM = { ...VIDEO_STREAM, Codec: 'hevc', Level: 120 }
export const createAudioStream = (index: number, language: string, codec = 'aac') => ({
  Type: 'Audio',
  Index: index,
  Codec: codec,
  Profile: 'LC',
  Channels: 2,
  Language: language,
  IsDefault: index === 1,
})
export const SUBTITLE_STREAMS = [
  {
    Type: 'Subtitle',
    Index: 4,
    Codec: 'subrip',
    Language: 'fre',
    IsTextSubtitleStream: true,
    IsForced: true,
  },
  { Type: 'Subtitle', Index: 5, Codec: 'PGSSUB', Language: 'eng', IsTextSubtitleStream: false },
]

export const PLEX_TOKEN = 'plex-token'
interface PlexMetadata {
  ratingKey: string
  type: 'movie' | 'show' | 'episode'
  title: string
  [field: string]: unknown
}
const TYPE_NUMBERS_BY_TYPE: Record<string, string> = { movie: '1', show: '2', episode: '4' }

export function createPlexApi(metadata: PlexMetadata[]): StubApi {
  return ({ url, headers, method }) => {
    if (url.pathname === '/identity')
      return { MediaContainer: { version: '1.40.0', machineIdentifier: 'abc' } }
    if (headers['x-plex-token'] !== PLEX_TOKEN) return 401
    if (method === 'POST') return url.pathname === '/:/timeline' ? { MediaContainer: {} } : 404
    if (url.pathname === '/')
      return { MediaContainer: { version: '1.40.0', machineIdentifier: 'abc', friendlyName: 'Cellar' } }
    if (url.pathname === '/library/sections')
      return {
        MediaContainer: {
          Directory: [
            { key: '1', type: 'movie' },
            { key: '2', type: 'show' },
            { key: '3', type: 'artist' },
          ],
        },
      }
    const section = /^\/library\/sections\/(\d)\/all$/.exec(url.pathname)?.[1]
    if (section) {
      const type = url.searchParams.get('type')
      const foundItems = metadata.filter(
        (item) => TYPE_NUMBERS_BY_TYPE[item.type] === type && (type === '1') === (section === '1'),
      )
      const startIndex = Number(headers['x-plex-container-start'] ?? 0)
      const pageItems = foundItems.slice(startIndex, startIndex + Number(headers['x-plex-container-size']))
      return {
        MediaContainer: {
          size: pageItems.length,
          totalSize: foundItems.length,
          offset: startIndex,
          Metadata: pageItems,
        },
      }
    }
    const requestedKey = /^\/library\/metadata\/(\w+)$/.exec(url.pathname)?.[1]
    const requestedItem = metadata.find(({ ratingKey }) => ratingKey === requestedKey)
    if (requestedKey) return requestedItem ? { MediaContainer: { Metadata: [requestedItem] } } : 404
    if (url.pathname.startsWith('/library/parts/')) return FILE_BYTES
    if (url.pathname.startsWith('/library/streams/')) return '1\n00:00:01,000 --> 00:00:02,000\nSalut\n'
    if (url.pathname.endsWith('/start.m3u8'))
      return '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nsession/abc/base/index.m3u8\n'
    return 404
  }
}

export const createPlexMedia = (videoCodec: string) => [
  {
    id: 1,
    container: videoCodec === 'h264' ? 'mp4' : 'mkv',
    bitrate: 4_000,
    duration: 600_000,
    Part: [
      {
        id: 9,
        key: `/library/parts/9/1/file.${videoCodec === 'h264' ? 'mp4' : 'mkv'}`,
        size: FILE_BYTES.length,
        Stream: [
          {
            id: 1,
            streamType: 1,
            codec: videoCodec,
            index: 0,
            level: 40,
            width: 1280,
            height: 720,
            bitDepth: 8,
            chromaSubsampling: '4:2:0',
          },
          {
            id: 2,
            streamType: 2,
            codec: 'aac',
            index: 1,
            channels: 2,
            languageCode: 'eng',
            profile: 'lc',
            default: true,
          },
          { id: 3, streamType: 3, codec: 'srt', key: '/library/streams/3', languageCode: 'fra' },
          { id: 4, streamType: 3, codec: 'srt', index: 3, languageCode: 'eng' },
        ],
      },
    ],
  },
]
