/**
 * `/proxy/m/…`: media behind signed URLs, with support for a single range and back-pressure. Responses are never
 * cached by intermediaries.
 */
import { type Context, Hono } from 'hono'
import { convertToWebVtt, MAX_SUBTITLE_BYTES } from '../../../src/lib/rules/webvtt.ts'
import { Problem } from '../../core/problem.ts'
import { matchesIfNoneMatch } from '../../http/if-none-match.ts'
import { getRawPath } from '../../http/raw-path.ts'
import { openDemoClip } from '../../providers/demo-clips.ts'
import { getContentType, PLAYLIST_TYPE, WEBVTT_TYPE } from '../../providers/library/media-types.ts'
import type { OpenedFile } from '../../providers/library/safe-open.ts'
import type { Deps } from '../../services/deps.ts'
import { recordDirectRequest } from '../../services/playback/direct-streams.ts'
import { type MediaClaim, verifyMediaUrl } from '../../services/playback/media-url.ts'
import { MAX_PLAYLIST_BYTES } from '../../services/playback/playlist.ts'
import { signPlaylistParts } from '../../services/playback/playlist-parts.ts'
import { loadEmbeddedSubtitle } from '../../services/playback/subtitles/embedded-subtitles.ts'
import { canStillWatch } from '../../services/playback/watch-access.ts'
import { createFileBody } from './media-body.ts'
import { mountConversions } from './media-conversion.ts'
import { createMediaErrorResponse } from './media-error.ts'
import { createMediaHeaders, createTextMediaResponse } from './media-headers.ts'
import { createFileEtag, matchesIfRange, parseRangeHeader } from './media-range.ts'
import { type MediaResponse, sendMedia } from './media-send.ts'
import { fetchUpstreamMedia } from './media-upstream.ts'

export function createMediaApp(deps: Deps): Hono {
  const app = new Hono()
  app.on(['GET', 'HEAD'], '/proxy/m/*', async (c) => {
    try {
      const claim = verifyMediaUrl(deps, getRawPath(c), c.req.query())
      if (!claim || !(await canStillWatch(deps, claim))) throw new Problem('not_found')
      const mediaResponse = await findMediaResponse(c, deps, claim)
      if (!mediaResponse) throw new Problem('not_found')
      const endRequest = isVideo(mediaResponse) ? recordDirectRequest(deps, claim) : null
      return await sendMedia(c, deps, claim, mediaResponse).finally(() => endRequest?.())
    } catch (error) {
      return createMediaErrorResponse(c, deps, error)
    }
  })
  mountConversions(app, deps)
  return app
}

const isVideo = ({ headers, body }: MediaResponse) =>
  body !== null && headers['Content-Type']?.startsWith('video/') === true

async function findMediaResponse(c: Context, deps: Deps, claim: MediaClaim): Promise<MediaResponse | null> {
  const { location } = claim
  if (location.source === 'upstream') return fetchUpstreamMedia(c, deps, claim)
  if (location.source === 'embedded-subtitle') {
    const subtitle = await loadEmbeddedSubtitle(deps, location.name, Number(location.hint))
    return subtitle && createTextMediaResponse(c, subtitle.toString('utf8'), WEBVTT_TYPE)
  }
  const openFile =
    location.source === 'demo'
      ? await openDemoClip(location.name)
      : await deps.streamSources.library?.openFile(location.name)
  const contentType = getContentType(location.name)
  if (!openFile) return null
  if (contentType === WEBVTT_TYPE) {
    const subtitleBytes = await readSmallFile(openFile, MAX_SUBTITLE_BYTES)
    const [lang, framesPerSecond = ''] = location.hint?.split(' ') ?? []
    return (
      subtitleBytes &&
      createTextMediaResponse(
        c,
        convertToWebVtt(subtitleBytes, lang, Number(framesPerSecond) || undefined),
        WEBVTT_TYPE,
      )
    )
  }
  if (contentType === PLAYLIST_TYPE) {
    const playlistBytes = await readSmallFile(openFile, MAX_PLAYLIST_BYTES)
    const playlist = playlistBytes && (await signPlaylistParts(deps, claim, playlistBytes.toString('utf8')))
    return playlist ? createTextMediaResponse(c, playlist, PLAYLIST_TYPE) : null
  }
  return createFileResponse(c, openFile, contentType ?? 'application/octet-stream')
}

/**
 * Returns the content of a small file; null when the file is larger than `maxBytes`. The file is closed in both cases.
 */
async function readSmallFile({ file, stats }: OpenedFile, maxBytes: number): Promise<Buffer | null> {
  try {
    return stats.size <= maxBytes ? await file.readFile() : null
  } finally {
    await file.close()
  }
}

/**
 * Returns the response for a file. If the response has a body, the file is closed at the end of the body. Otherwise the
 * file is closed before this function returns. `Range` applies to GET only (RFC 9110, §14.2).
 */
async function createFileResponse(
  c: Context,
  { file, stats }: OpenedFile,
  contentType: string,
): Promise<MediaResponse> {
  const { size: sizeBytes } = stats
  const etag = createFileEtag(stats)
  const lastModified = new Date(Math.floor(stats.mtimeMs / 1000) * 1000).toUTCString()
  const isHeadRequest = c.req.method === 'HEAD'
  const rangeHeader =
    !isHeadRequest && matchesIfRange(c.req.header('if-range'), etag, lastModified)
      ? c.req.header('range')
      : undefined
  const range = parseRangeHeader(rangeHeader, sizeBytes)
  const headers = {
    ...createMediaHeaders(),
    'Content-Type': contentType,
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Last-Modified': lastModified,
  }
  const isNotModified = matchesIfNoneMatch(c.req.header('if-none-match'), etag)
  if (isNotModified || range === 'unsatisfiable' || isHeadRequest || sizeBytes === 0) {
    await file.close()
    if (isNotModified) return { status: 304, headers, body: null }
    if (range === 'unsatisfiable')
      return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${sizeBytes}` }, body: null }
    return { status: 200, headers: { ...headers, 'Content-Length': String(sizeBytes) }, body: null }
  }
  const { start: startByte, end: endByte } = range ?? { start: 0, end: sizeBytes - 1 }
  const rangeHeaders: Record<string, string> = range
    ? { 'Content-Range': `bytes ${startByte}-${endByte}/${sizeBytes}` }
    : {}
  return {
    status: range ? 206 : 200,
    headers: { ...headers, ...rangeHeaders, 'Content-Length': String(endByte - startByte + 1) },
    body: createFileBody(file, { start: startByte, end: endByte }),
  }
}
