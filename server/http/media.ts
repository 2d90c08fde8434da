/**
 * `/proxy/m/…`: media behind signed URLs, with support for a single range and back-pressure. Responses are never
 * cached by intermediaries.
 */
import type { IncomingMessage } from 'node:http'
import { type Context, Hono } from 'hono'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { openClip } from '../providers/demo-clips.ts'
import type { OpenFile } from '../providers/library/confine.ts'
import { PLAYLIST_TYPE, typeOf } from '../providers/library/media-types.ts'
import { SUBTITLE_MOST_BYTES, toWebVtt } from '../providers/library/webvtt.ts'
import { type MediaClaim, readClaim } from '../services/stream-claim.ts'
import { signedPlaylist } from '../services/stream-parts.ts'
import { PLAYLIST_MOST_BYTES } from '../services/stream-playlist.ts'
import { mayStillWatch } from '../services/watching.ts'
import { errorFields } from './log.ts'
import { fileBody } from './media-body.ts'
import { baseHeaders, text } from './media-headers.ts'
import { etagOf, isKnown, rangeStands, readRange } from './media-range.ts'
import { type Media, sendMedia } from './media-send.ts'
import { fromUpstream } from './media-upstream.ts'

const SUBTITLE_TYPE = 'text/vtt; charset=utf-8'

export function mediaApp(deps: Deps): Hono {
  const app = new Hono()
  app.on(['GET', 'HEAD'], '/proxy/m/*', async (c) => {
    try {
      const claim = readClaim(deps, rawPath(c), c.req.query())
      if (!claim || !(await mayStillWatch(deps, claim))) return createErrorResponse(c, 'not_found')
      const media = await findMedia(c, deps, claim)
      return media ? await sendMedia(c, deps, claim, media) : createErrorResponse(c, 'not_found')
    } catch (error) {
      const type = error instanceof Problem ? error.type : 'server_error'
      deps.log[type === 'server_error' ? 'error' : 'warn']('media_failed', errorFields(error))
      return createErrorResponse(c, type)
    }
  })
  return app
}

/** Returns the path as it was sent, because the signature covers exactly this text. */
function rawPath(c: Context): string {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage }
  return (incoming?.url ?? new URL(c.req.url).pathname).split('?')[0] ?? ''
}

function createErrorResponse(c: Context, type: Problem['type']): Response {
  const problem = new Problem(type)
  return c.json(problem.body(), problem.status as 404, baseHeaders())
}

async function findMedia(c: Context, deps: Deps, claim: MediaClaim): Promise<Media | null> {
  const { place } = claim
  if (place.from === 'upstream') return fromUpstream(c, deps, claim)
  const openFile =
    place.from === 'demo' ? await openClip(place.name) : await deps.streams.library?.open(place.name)
  const type = typeOf(place.name)
  if (!openFile) return null
  if (type === SUBTITLE_TYPE) {
    const bytes = await readSmallFile(openFile, SUBTITLE_MOST_BYTES)
    return bytes && text(c, toWebVtt(bytes, place.hint), SUBTITLE_TYPE)
  }
  if (type === PLAYLIST_TYPE) {
    const bytes = await readSmallFile(openFile, PLAYLIST_MOST_BYTES)
    const playlist = bytes && signedPlaylist(deps, claim, bytes.toString('utf8'))
    return playlist ? text(c, playlist, PLAYLIST_TYPE) : null
  }
  return createFileResponse(c, openFile, type ?? 'application/octet-stream')
}

/** Returns the content of a small file, or null for a larger one. The file is closed in both cases. */
async function readSmallFile({ file, stats }: OpenFile, maxBytes: number): Promise<Buffer | null> {
  try {
    return stats.size <= maxBytes ? await file.readFile() : null
  } finally {
    await file.close()
  }
}

/**
 * Returns the response for a file. It closes the file, or the body closes it at its end. `Range` applies to GET only
 * (RFC 9110, §14.2).
 */
async function createFileResponse(c: Context, { file, stats }: OpenFile, type: string): Promise<Media> {
  const { size } = stats
  const etag = etagOf(stats)
  const lastModified = new Date(Math.floor(stats.mtimeMs / 1000) * 1000).toUTCString()
  const isHead = c.req.method === 'HEAD'
  const rangeHeader =
    !isHead && rangeStands(c.req.header('if-range'), etag, lastModified) ? c.req.header('range') : undefined
  const range = readRange(rangeHeader, size)
  const headers = {
    ...baseHeaders(),
    'Content-Type': type,
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Last-Modified': lastModified,
  }
  const isNotModified = isKnown(c.req.header('if-none-match'), etag)
  if (isNotModified || range === 'unsatisfiable' || isHead || size === 0) {
    await file.close()
    if (isNotModified) return { status: 304, headers, body: null }
    if (range === 'unsatisfiable')
      return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` }, body: null }
    return { status: 200, headers: { ...headers, 'Content-Length': String(size) }, body: null }
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const rangeHeaders: Record<string, string> = range
    ? { 'Content-Range': `bytes ${start}-${end}/${size}` }
    : {}
  return {
    status: range ? 206 : 200,
    headers: { ...headers, ...rangeHeaders, 'Content-Length': String(end - start + 1) },
    body: fileBody(file, { start, end }),
  }
}
