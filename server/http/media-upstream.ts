/** Bytes of an operator's resolver, passed through: its addresses stay ours, and so do types and headers. */
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

/** Null when it is not there (any more). Throws `upstream_error`. */
export async function fromUpstream(c: Context, deps: Deps, claim: MediaClaim): Promise<Media | null> {
  const { upstream } = deps.streams
  const { name, hint = 'application/octet-stream' } = claim.place
  if (!upstream) return null
  const head = c.req.method === 'HEAD'
  const range = head ? undefined : /^bytes=(?:\d+-\d*|-\d+)$/.exec(c.req.header('range') ?? '')?.[0]
  try {
    const small = hint === PLAYLIST_TYPE || hint.startsWith('text/vtt')
    const answer = await upstream.fetch(
      name,
      range && !small ? { Range: range } : {},
      head && !small ? 'HEAD' : 'GET',
    )
    if (answer.statusCode === 404 || answer.statusCode === 410) return drop(answer)
    if (small) return await smallMedia(c, deps, claim, answer)
    return passThrough(answer, hint, head)
  } catch (error) {
    throw error instanceof UpstreamError ? new Problem('upstream_error', { cause: error }) : error
  }
}

async function smallMedia(c: Context, deps: Deps, claim: MediaClaim, answer: IncomingMessage) {
  if (answer.statusCode !== 200) {
    answer.destroy()
    throw new UpstreamError(`answered ${answer.statusCode}`)
  }
  const { hint = '' } = claim.place
  if (hint !== PLAYLIST_TYPE) return text(c, toWebVtt(await readAll(answer, SUBTITLE_MOST_BYTES)), hint)
  const words = (await readAll(answer, PLAYLIST_MOST_BYTES)).toString('utf8')
  const playlist = signedPlaylist(deps, claim, words)
  if (playlist === null) throw new UpstreamError('a playlist that names what may not be had')
  return text(c, playlist, PLAYLIST_TYPE)
}

function passThrough(answer: IncomingMessage, type: string, head: boolean): Media {
  const { statusCode = 0, headers } = answer
  const range = /^bytes (?:\d+-\d+|\*)\/(?:\d+|\*)$/.exec(headers['content-range'] ?? '')?.[0]
  const length = /^\d{1,15}$/.exec(headers['content-length'] ?? '')?.[0]
  const fits = statusCode === 200 || (statusCode === 206 && range) || statusCode === 416
  if (!fits) {
    answer.destroy()
    throw new UpstreamError(`answered ${statusCode}`)
  }
  const given: Record<string, string> = {
    ...baseHeaders(),
    'Content-Type': type,
    ...(statusCode === 206 || headers['accept-ranges'] === 'bytes' ? { 'Accept-Ranges': 'bytes' } : {}),
    ...(range && statusCode !== 200 ? { 'Content-Range': range } : {}),
    ...(length && statusCode !== 416 ? { 'Content-Length': length } : {}),
  }
  if (!head && statusCode !== 416) return { status: statusCode, headers: given, body: upstreamBody(answer) }
  answer.destroy()
  return { status: statusCode, headers: given, body: null }
}

function drop(answer: IncomingMessage): null {
  answer.destroy()
  return null
}
