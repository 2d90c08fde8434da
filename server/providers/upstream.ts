/** An operator's own resolver (`STREAM_UPSTREAM_URL`): asked where a title plays, and fetched from. Never followed elsewhere. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { type UpstreamAnswer, upstreamAnswer } from './upstream-answer.ts'
import { guardedLookup, mayConnect, type Resolve, systemResolve } from './upstream-guard.ts'

/** Any way in which the upstream did not answer as it should; for the log, not for viewers. */
export class UpstreamError extends Error {}
/** One account asks too much at once. */
export class UpstreamBusy extends Error {}

export interface UpstreamAsked {
  type: 'movie' | 'tv'
  imdbId: string
  season?: number
  episode?: number
  quality: string
  title: string
  year: number | null
}
export interface Upstream {
  /** Null when it knows nothing. Throws `UpstreamError` or `UpstreamBusy`. `account` is whose calls are counted. */
  lookup: (asked: UpstreamAsked, account: string) => Promise<UpstreamAnswer | null>
  /** An address of its answers, made absolute; null when it leads elsewhere than the operator allowed. */
  allowed: (address: string, from?: URL) => URL | null
  /** Bytes of an allowed address, as they come. Throws `UpstreamError`. The caller reads or destroys them. */
  fetch: (
    address: string,
    headers: Record<string, string>,
    method?: 'GET' | 'HEAD',
  ) => Promise<IncomingMessage>
}
interface Options {
  base: URL
  /** Origins beside the base's own that media may come from. */
  mediaOrigins: string[]
  now?: () => number
  /** Tests answer for the name service. */
  resolve?: Resolve
}

const CONNECT_MS = 5_000
const TOTAL_MS = 10_000
const IDLE_MS = 60_000
const MOST_BYTES = 2 * 1024 * 1024
const AT_ONCE = 4
/** After so many failures in a row, nobody is kept waiting for a while. */
const FAILURES = 5
const PAUSE_MS = 30_000

export function createUpstream({
  base,
  mediaOrigins,
  now = Date.now,
  resolve = systemResolve,
}: Options): Upstream {
  const origins = new Set([base.origin, ...mediaOrigins])
  const fetch = createFetch(base, resolve)
  const running = new Map<string, number>()
  let failures = 0
  let pausedUntil = 0

  async function ask(asked: UpstreamAsked): Promise<UpstreamAnswer | null> {
    const answer = await fetch(lookupAddress(base, asked), { Accept: 'application/json' })
    const cut = setTimeout(() => answer.destroy(new UpstreamError('too slow')), TOTAL_MS)
    try {
      if (answer.statusCode === 404) return null
      if (answer.statusCode !== 200) throw new UpstreamError(`answered ${answer.statusCode}`)
      return readAnswer(await readAll(answer))
    } finally {
      clearTimeout(cut)
      answer.destroy()
    }
  }
  return {
    async lookup(asked, account) {
      if (now() < pausedUntil) throw new UpstreamError('paused after failures')
      const mine = running.get(account) ?? 0
      if (mine >= AT_ONCE) throw new UpstreamBusy('too many at once')
      running.set(account, mine + 1)
      try {
        const answer = await ask(asked)
        failures = 0
        return answer
      } catch (error) {
        failures += 1
        if (failures >= FAILURES) pausedUntil = now() + PAUSE_MS
        throw error instanceof UpstreamError ? error : new UpstreamError('no answer', { cause: error })
      } finally {
        const left = (running.get(account) ?? 1) - 1
        if (left > 0) running.set(account, left)
        else running.delete(account)
      }
    },
    allowed(address, from = base) {
      const url = URL.parse(address, from)
      if (!url || !origins.has(url.origin) || url.username || url.password) return null
      url.hash = ''
      return url
    },
    fetch: (address, headers, method) => {
      const url = URL.parse(address)
      if (!url || !origins.has(url.origin)) return Promise.reject(new UpstreamError('not an allowed address'))
      return fetch(url, headers, method)
    },
  }
}

function lookupAddress(base: URL, asked: UpstreamAsked): URL {
  const place =
    asked.type === 'tv' ? `tv/${asked.imdbId}/${asked.season}/${asked.episode}` : `movie/${asked.imdbId}`
  const url = new URL(base.origin)
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/stream/${place}`
  url.searchParams.set('quality', asked.quality)
  url.searchParams.set('title', asked.title)
  if (asked.year !== null) url.searchParams.set('year', String(asked.year))
  return url
}

function createFetch(base: URL, resolve: Resolve) {
  const lookup = guardedLookup(resolve)
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  }
  const credentials = base.username
    ? `Basic ${Buffer.from(`${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`).toString('base64')}`
    : null
  return (url: URL, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
    new Promise<IncomingMessage>((done, fail) => {
      const host = url.hostname.replace(/^\[|\]$/g, '')
      // A literal address is not looked up, so it is judged here.
      if (isIP(host) !== 0 && !mayConnect(host, host))
        throw new UpstreamError('an address that is never used')
      const secure = url.protocol === 'https:'
      const ask = (secure ? httpsRequest : httpRequest)(url, {
        agent: agents[secure ? 'https:' : 'http:'],
        lookup,
        method,
        timeout: IDLE_MS,
        headers: {
          'Accept-Encoding': 'identity',
          'User-Agent': 'Marquee',
          ...headers,
          ...(credentials && url.origin === base.origin ? { Authorization: credentials } : {}),
        },
      })
      const giveUp = (why: string) => ask.destroy(new UpstreamError(why))
      const connecting = setTimeout(giveUp, CONNECT_MS, 'no connection')
      const answering = setTimeout(giveUp, TOTAL_MS, 'no answer')
      ask.on('socket', (socket) => {
        if (!socket.connecting) clearTimeout(connecting)
        else socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(connecting))
      })
      ask.on('timeout', () => giveUp('silence'))
      ask.on('close', () => {
        clearTimeout(connecting)
        clearTimeout(answering)
      })
      ask.on('error', (error) =>
        fail(error instanceof UpstreamError ? error : new UpstreamError('failed', { cause: error })),
      )
      ask.on('response', (answer) => {
        clearTimeout(answering)
        const why = refusal(answer)
        if (!why) return done(answer)
        answer.destroy()
        fail(new UpstreamError(why))
      })
      ask.end()
    })
}

/** Redirects are not followed, compressed bodies not unpacked. */
function refusal({ statusCode = 0, headers }: IncomingMessage): string | null {
  if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) return 'redirected'
  return (headers['content-encoding'] ?? 'identity') === 'identity' ? null : 'compressed'
}

/** A whole body, up to `most` bytes. Throws `UpstreamError` beyond. */
export async function readAll(answer: IncomingMessage, most = MOST_BYTES): Promise<Buffer> {
  if (Number(answer.headers['content-length'] ?? 0) > most) throw new UpstreamError('too large')
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length
    if (size > most) throw new UpstreamError('too large')
    parts.push(part)
  }
  if (!answer.complete) throw new UpstreamError('cut off')
  return Buffer.concat(parts)
}

function readAnswer(bytes: Buffer): UpstreamAnswer | null {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new UpstreamError('no JSON', { cause: error })
  }
  const read = upstreamAnswer.safeParse(value)
  if (!read.success) throw new UpstreamError('another shape', { cause: read.error })
  return read.data.sources.length > 0 ? read.data : null
}
