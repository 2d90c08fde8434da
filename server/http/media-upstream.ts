/**
 * Passes media from the operator's upstream resolver to the client. Its addresses are never revealed, and types and
 * headers are set by this server.
 */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { PLAYLIST_TYPE } from '../providers/library/media-types.ts'
import { SUBTITLE_MOST_BYTES, toWebVtt } from '../providers/library/webvtt.ts'
import { readAll, UpstreamError } from '../providers/upstream.ts'
import type { MediaClaim } from '../services/stream-claim.ts'
import { signedPlaylist } from '../services/stream-parts.ts'
import { PLAYLIST_MOST_BYTES } from '../services/stream-playlist.ts'
import { upstreamBody } from './media-body.ts'
import { baseHeaders, text } from './media-headers.ts'
import type { Media } from './media-send.ts'

/**
 * Returns null when the upstream does not have the file.
 * @throws Problem `upstream_error`.
 */
export async function fromUpstream(c: Context, deps: Deps, claim: MediaClaim): Promise<Media | null> {
  const { upstream } = deps.streams
  const { name, hint = 'application/octet-stream' } = claim.place
  if (!upstream) return null
  const isHead = c.req.method === 'HEAD'
  const range = isHead ? undefined : /^bytes=(?:\d+-\d*|-\d+)$/.exec(c.req.header('range') ?? '')?.[0]
  try {
    const isText = hint === PLAYLIST_TYPE || hint.startsWith('text/vtt')
    const response = await upstream.fetch(
      name,
      range && !isText ? { Range: range } : {},
      isHead && !isText ? 'HEAD' : 'GET',
    )
    if (response.statusCode === 404 || response.statusCode === 410) return discard(response)
    if (isText) return await createTextResponse(c, deps, claim, response)
    return passThrough(response, hint, isHead)
  } catch (error) {
    throw error instanceof UpstreamError ? new Problem('upstream_error', { cause: error }) : error
  }
}

async function createTextResponse(c: Context, deps: Deps, claim: MediaClaim, response: IncomingMessage) {
  if (response.statusCode !== 200) {
    response.destroy()
    throw new UpstreamError(`status ${response.statusCode}`)
  }
  const { hint = '' } = claim.place
  if (hint !== PLAYLIST_TYPE) return text(c, toWebVtt(await readAll(response, SUBTITLE_MOST_BYTES)), hint)
  const source = (await readAll(response, PLAYLIST_MOST_BYTES)).toString('utf8')
  const playlist = signedPlaylist(deps, claim, source)
  if (playlist === null) throw new UpstreamError('playlist refers to a disallowed address')
  return text(c, playlist, PLAYLIST_TYPE)
}

function passThrough(response: IncomingMessage, type: string, isHead: boolean): Media {
  const { statusCode = 0, headers } = response
  const contentRange = /^bytes (?:\d+-\d+|\*)\/(?:\d+|\*)$/.exec(headers['content-range'] ?? '')?.[0]
  const contentLength = /^\d{1,15}$/.exec(headers['content-length'] ?? '')?.[0]
  const isAcceptable = statusCode === 200 || (statusCode === 206 && contentRange) || statusCode === 416
  if (!isAcceptable) {
    response.destroy()
    throw new UpstreamError(`status ${statusCode}`)
  }
  const passedHeaders: Record<string, string> = {
    ...baseHeaders(),
    'Content-Type': type,
    ...(statusCode === 206 || headers['accept-ranges'] === 'bytes' ? { 'Accept-Ranges': 'bytes' } : {}),
    ...(contentRange && statusCode !== 200 ? { 'Content-Range': contentRange } : {}),
    ...(contentLength && statusCode !== 416 ? { 'Content-Length': contentLength } : {}),
  }
  if (!isHead && statusCode !== 416)
    return { status: statusCode, headers: passedHeaders, body: upstreamBody(response) }
  response.destroy()
  return { status: statusCode, headers: passedHeaders, body: null }
}

function discard(response: IncomingMessage): null {
  response.destroy()
  return null
}
