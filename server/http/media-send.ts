/**
 * Writes media to the client. Under Node's own server straight to its response, one piece at a time: the next is asked
 * for when the socket has taken the last, so memory does not depend on how slow a reader is. In tests without a socket,
 * as a web stream.
 */
import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import { mayStillWatch, type Watching, watchingKey } from '../services/watching.ts'
import type { Body } from './media-body.ts'

export interface Media {
  status: number
  headers: Record<string, string>
  body: Body | null
}

export async function sendMedia(c: Context, deps: Deps, watching: Watching, media: Media): Promise<Response> {
  const { status, headers, body } = media
  const outgoing = (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing
  if (!body) return c.body(null, status as 200, headers)
  if (!outgoing) return new Response(webStream(body), { status, headers })
  const cut = () => {
    body.close()
    outgoing.destroy()
  }
  const running: Running = {
    watching,
    cut,
    taken: () => outgoing.socket?.bytesWritten ?? 0,
    last: 0,
    since: 0,
  }
  const leave = join(deps, running)
  outgoing.once('close', body.close)
  try {
    outgoing.writeHead(status, headers)
    await pump(outgoing, body)
  } catch {
    // The length was promised: a connection that ends early is the only way left to say so.
    outgoing.destroy()
  } finally {
    leave()
    body.close()
  }
  return RESPONSE_ALREADY_SENT
}

async function pump(outgoing: ServerResponse, { pieces }: Body): Promise<void> {
  for (;;) {
    const { value, done } = await pieces.next()
    if (outgoing.destroyed) return
    if (done) break
    await new Promise<void>((taken, failed) => {
      outgoing.write(value, (error) => (error ? failed(error) : taken()))
    })
  }
  outgoing.end()
}

function webStream({ pieces, close }: Body): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
    cancel: close,
  })
}

interface Running {
  watching: Watching
  cut: () => void
  /** Bytes that the connection has passed on so far. */
  taken: () => number
  last: number
  /** When it last passed on any. */
  since: number
}

/** How often running streams are asked whether they may go on. */
const LOOK_MS = 2_000
/** A reader that takes nothing for so long has gone, or paused: a player asks again when it goes on. */
const STALLED_MS = 10 * 60_000
const running = new WeakMap<Deps, Set<Running>>()

function join(deps: Deps, one: Running): () => void {
  const all = running.get(deps) ?? new Set()
  running.set(deps, all)
  one.since = performance.now()
  all.add(one)
  if (all.size === 1) look(deps, all)
  return () => all.delete(one)
}

function look(deps: Deps, all: Set<Running>): void {
  setTimeout(async () => {
    const asked = Map.groupBy(all, ({ watching }) => watchingKey(watching))
    for (const [, same] of asked) {
      const [first] = same
      const may = first && (await mayStillWatch(deps, first.watching).catch(() => true))
      for (const one of same) if (!may || isStalled(one)) one.cut()
    }
    if (all.size > 0) look(deps, all)
  }, LOOK_MS).unref()
}

function isStalled(one: Running): boolean {
  const taken = one.taken()
  if (taken !== one.last) one.since = performance.now()
  one.last = taken
  return performance.now() - one.since > STALLED_MS
}
