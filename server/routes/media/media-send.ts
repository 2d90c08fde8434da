/**
 * Sends media responses. They are written directly to the response of Node's HTTP server. The next chunk is read only
 * when the socket has accepted the previous chunk, so memory does not depend on the speed of the client. In tests
 * without a socket, the body is a web stream.
 */
import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { buildSecurityHeaders } from '../../http/response-headers.ts'
import type { Deps } from '../../services/deps.ts'
import {
  canStillWatch,
  getWatchIdentityKey,
  type WatchIdentity,
} from '../../services/playback/watch-access.ts'
import type { MediaBody } from './media-body.ts'

export interface MediaResponse {
  status: number
  headers: Record<string, string>
  body: MediaBody | null
}

export async function sendMedia(
  c: Context,
  deps: Deps,
  watchIdentity: WatchIdentity,
  mediaResponse: MediaResponse,
): Promise<Response> {
  const { status, headers, body } = mediaResponse
  const outgoing = (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing
  if (!body) return c.body(null, status as 200, headers)
  if (!outgoing) return new Response(createWebStream(body), { status, headers })
  const abortStream = () => {
    body.close()
    outgoing.destroy()
  }
  const stream: ActiveStream = {
    watchIdentity,
    abort: abortStream,
    getSentBytes: () => outgoing.socket?.bytesWritten ?? 0,
    sentBytesAtLastCheck: 0,
    lastProgressAtMs: 0,
  }
  const unregisterStream = registerStream(deps, stream)
  outgoing.once('close', body.close)
  try {
    outgoing.writeHead(status, { ...buildSecurityHeaders(deps.config), ...headers })
    await writeChunks(outgoing, body)
  } catch {
    // The headers may have been sent already, so the error is reported by closing the connection early.
    outgoing.destroy()
  } finally {
    unregisterStream()
    body.close()
  }
  return RESPONSE_ALREADY_SENT
}

async function writeChunks(outgoing: ServerResponse, { chunks }: MediaBody): Promise<void> {
  for (;;) {
    const { value, done } = await chunks.next()
    if (outgoing.destroyed) return
    if (done) break
    await new Promise<void>((resolve, reject) => {
      outgoing.write(value, (error) => (error ? reject(error) : resolve()))
    })
  }
  outgoing.end()
}

function createWebStream({ chunks, close }: MediaBody): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
    cancel: close,
  })
}

interface ActiveStream {
  watchIdentity: WatchIdentity
  abort: () => void
  /** Returns the number of bytes sent on this connection. */
  getSentBytes: () => number
  sentBytesAtLastCheck: number
  /** Time at which the number of sent bytes last changed, in milliseconds of `performance.now()`. */
  lastProgressAtMs: number
}

/** Interval at which the server checks whether active streams may continue. */
const STREAM_CHECK_INTERVAL_MS = 2_000
/**
 * A stream ends when its client has accepted no data for this long, because the client has probably disconnected or
 * paused. A player requests the rest when it resumes.
 */
const STALL_TIMEOUT_MS = 10 * 60_000
const activeStreamsByDeps = new WeakMap<Deps, Set<ActiveStream>>()
/** Sets of active streams for which the next check is scheduled. */
const streamSetsWithScheduledCheck = new WeakSet<Set<ActiveStream>>()

function registerStream(deps: Deps, stream: ActiveStream): () => void {
  const streams = activeStreamsByDeps.get(deps) ?? new Set()
  activeStreamsByDeps.set(deps, streams)
  stream.lastProgressAtMs = performance.now()
  streams.add(stream)
  if (!streamSetsWithScheduledCheck.has(streams)) scheduleStreamCheck(deps, streams)
  return () => streams.delete(stream)
}

function scheduleStreamCheck(deps: Deps, streams: Set<ActiveStream>): void {
  streamSetsWithScheduledCheck.add(streams)
  setTimeout(async () => {
    const streamsByIdentity = Map.groupBy(streams, ({ watchIdentity }) => getWatchIdentityKey(watchIdentity))
    for (const [, identityStreams] of streamsByIdentity) {
      const [firstStream] = identityStreams
      const isAllowed =
        firstStream && (await canStillWatch(deps, firstStream.watchIdentity).catch(() => true))
      for (const stream of identityStreams) if (!isAllowed || isStalled(stream)) stream.abort()
    }
    if (streams.size > 0) scheduleStreamCheck(deps, streams)
    else streamSetsWithScheduledCheck.delete(streams)
  }, STREAM_CHECK_INTERVAL_MS).unref()
}

function isStalled(stream: ActiveStream): boolean {
  const sentBytes = stream.getSentBytes()
  if (sentBytes !== stream.sentBytesAtLastCheck) stream.lastProgressAtMs = performance.now()
  stream.sentBytesAtLastCheck = sentBytes
  return performance.now() - stream.lastProgressAtMs > STALL_TIMEOUT_MS
}
