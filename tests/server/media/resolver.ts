/** A resolver as an operator may run one, a canary that nobody may call, and a server between them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pattern } from './make-media.ts'
import { type Cinema, makeFolder, openCinema } from './support.ts'

export const BYTES = pattern(300_000)
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export const json =
  (value: unknown): Answer =>
  (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(value))
  }

const listen = (handler: Answer) =>
  new Promise<Server>((done) => {
    const server = createServer(handler)
    server.listen(0, '127.0.0.1', () => done(server))
  })
const baseOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

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

export interface Resolver {
  cinema: Cinema
  base: string
  canaryBase: string
  /** Addresses that the resolver was asked for, and the headers of the last one. */
  asked: string[]
  seen: IncomingMessage['headers']
  /** How often the canary was called. */
  knocks: number
  /** What lookups are answered with. */
  answer: Answer
  /** Looks up with an answer to give: a value as JSON, or a handler. */
  lookup: (value: unknown, place?: string, query?: string) => ReturnType<Cinema['lookup']>
  close: () => Promise<void>
}

export async function openResolver(): Promise<Resolver> {
  const upstream = await listen((request, response) => {
    const path = request.url ?? ''
    self.asked.push(path)
    self.seen = request.headers
    if (path.startsWith('/media/')) return media(request, response)
    const fixed = FIXED[path]?.(self)
    if (fixed !== undefined) response.end(fixed)
    else self.answer(request, response)
  })
  const canary = await listen((_, response) => {
    self.knocks += 1
    response.end('secret')
  })
  const library = makeFolder({ 'Mine (2000) 1080p.mp4': 'mine' })
  const base = baseOf(upstream)
  const cinema = await openCinema({ MEDIA_DIR: library.path, STREAM_UPSTREAM_URL: `${base}/api/` }, [
    { title: 'Heat', year: 1995, imdb: 'tt0000001' },
    { title: 'Mine', year: 2000, imdb: 'tt0000002' },
    { title: 'Fargo', year: 2014, imdb: 'tt0000003', episodes: [0, 3] },
  ])
  const self: Resolver = {
    cinema,
    base,
    canaryBase: baseOf(canary),
    asked: [],
    seen: {},
    knocks: 0,
    answer: json({ sources: [] }),
    lookup(value, place = 'movie/tt0000001', query = '') {
      self.answer = typeof value === 'function' ? (value as Answer) : json(value)
      return cinema.lookup(place, query)
    },
    async close() {
      await cinema.close()
      upstream.closeAllConnections()
      upstream.close()
      canary.close()
      library.remove()
    },
  }
  return self
}

const FIXED: Record<string, (self: Resolver) => string> = {
  '/hls/master.m3u8': () => '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow\n',
  '/hls/low': () => '#EXTM3U\n#EXTINF:6,\nseg.ts\n#EXTINF:6,\n/media/x.ts\n',
  '/hls/evil.m3u8': ({ canaryBase }) => `#EXTM3U\n#EXTINF:6,\n${canaryBase}/a.ts\n`,
  '/subs/en.srt': () => '1\n00:00:01,000 --> 00:00:02,000\nHi\n',
}
