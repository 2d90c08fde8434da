/**
 * `/proxy/hls/…`: playlists and segments of converted streams, thumbnails of the seek bar, and embedded subtitles in
 * their original format. The URLs are signed and checked like those of other media (media.ts).
 */
import { open } from 'node:fs/promises'
import type { Context, Hono } from 'hono'
import { Problem } from '../../core/problem.ts'
import { getRawPath } from '../../http/raw-path.ts'
import { PLAYLIST_TYPE } from '../../providers/library/media-types.ts'
import type { Deps } from '../../services/deps.ts'
import { ConversionFailure } from '../../services/playback/conversion/conversion-failure.ts'
import { openConversionSession } from '../../services/playback/conversion/conversions.ts'
import { findSegmentIndex, formatPlaylist } from '../../services/playback/conversion/segments.ts'
import { isFileMissing } from '../../services/playback/ffmpeg-failure.ts'
import { type MediaClaim, verifyStreamUrl } from '../../services/playback/media-url.ts'
import { getThumbnailSheetPath } from '../../services/playback/seek-thumbnails.ts'
import { findOriginalFormatFile } from '../../services/playback/subtitles/embedded-subtitles.ts'
import { canStillWatch } from '../../services/playback/watch-access.ts'
import { createFileBody } from './media-body.ts'
import { createMediaErrorResponse } from './media-error.ts'
import { createMediaHeaders, createTextMediaResponse } from './media-headers.ts'
import { type MediaResponse, sendMedia } from './media-send.ts'

const SEGMENT_TYPE = 'video/mp4'

export function mountConversions(app: Hono, deps: Deps): void {
  app.on(['GET', 'HEAD'], '/proxy/hls/*', async (c) => {
    const verifiedUrl = verifyStreamUrl(deps, getRawPath(c))
    try {
      if (!verifiedUrl) throw new Problem('not_found')
      const { claim, file } = verifiedUrl
      if (!(await canStillWatch(deps, claim))) throw new Problem('not_found')
      const mediaResponse = await findStreamResponse(c, deps, claim, file)
      if (!mediaResponse) throw new Problem('not_found')
      return await sendMedia(c, deps, claim, mediaResponse)
    } catch (error) {
      return createMediaErrorResponse(c, deps, await toConversionProblem(deps, verifiedUrl?.claim, error))
    }
  })
}

/**
 * Converts a `ConversionFailure` to a problem, and returns any other error unchanged. A conversion that failed becomes
 * `not_found` when its file was renamed or deleted, or its disk was removed, so that the player requests the sources of
 * the title again. Otherwise it becomes `unsupported_media_type`. A conversion that timed out, was interrupted or ended
 * becomes `overloaded` with a retry after one second, because the next request starts the conversion again.
 */
async function toConversionProblem(
  deps: Deps,
  claim: MediaClaim | undefined,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ConversionFailure)) return error
  if (error.code !== 'failed') return new Problem('overloaded', { retryAfterSeconds: 1, cause: error })
  const isSourceFileMissing = claim !== undefined && (await isFileMissing(deps, claim.location.name))
  return new Problem(isSourceFileMissing ? 'not_found' : 'unsupported_media_type', { cause: error })
}

async function findStreamResponse(
  c: Context,
  deps: Deps,
  claim: MediaClaim,
  file: string,
): Promise<MediaResponse | null> {
  const { source, name } = claim.location
  if (source === 'thumbnails') {
    const sheetPath = getThumbnailSheetPath(deps, name, file)
    return sheetPath === null ? null : createFileResponse(c, sheetPath, 'image/jpeg')
  }
  if (source === 'embedded-subtitle') {
    const originalFile = await findOriginalFormatFile(deps, name, Number(claim.location.hint), file)
    if (!originalFile) return null
    return 'json' in originalFile
      ? createTextMediaResponse(c, originalFile.json, 'application/json')
      : createFileResponse(
          c,
          originalFile.path,
          file === 'track.ass' ? 'text/x-ssa' : 'application/octet-stream',
        )
  }
  if (source !== 'conversion') return null
  if (file === 'index.m3u8') {
    // The session is opened here, so that the viewer gets the error "all conversions are in use" before the player
    // loads segments.
    const session = await openConversionSession(deps, claim, { isPlaylistRequest: true })
    if (!session) return null
    const startSegmentIndex = findSegmentIndex(session.segmentTimes, Number(c.req.query('start')) || 0)
    session.prepare(startSegmentIndex)
    const playlist = formatPlaylist(session.segmentTimes, startSegmentIndex)
    return createTextMediaResponse(c, playlist, PLAYLIST_TYPE)
  }
  const [, initIndex, segmentIndex] = /^(?:init-(\d{1,6})\.mp4|(\d{1,6})\.m4s)$/.exec(file) ?? []
  const requestedSegmentIndex = Number(initIndex ?? segmentIndex ?? Number.NaN)
  if (Number.isNaN(requestedSegmentIndex)) return null
  const session = await openConversionSession(deps, claim)
  const segmentPath =
    initIndex === undefined
      ? await session?.getSegment(requestedSegmentIndex)
      : await session?.getInitialization(requestedSegmentIndex)
  return segmentPath ? createFileResponse(c, segmentPath, SEGMENT_TYPE) : null
}

/** Returns the response with a file; null when the file cannot be opened, for example because it no longer exists. */
async function createFileResponse(
  c: Context,
  filePath: string,
  contentType: string,
): Promise<MediaResponse | null> {
  const file = await open(filePath, 'r').catch(() => null)
  if (!file) return null
  const { size: sizeBytes } = await file.stat()
  const headers = {
    ...createMediaHeaders(),
    'Content-Type': contentType,
    'Content-Length': String(sizeBytes),
  }
  if (c.req.method === 'HEAD' || sizeBytes === 0) {
    await file.close()
    return { status: 200, headers, body: null }
  }
  return { status: 200, headers, body: createFileBody(file, { start: 0, end: sizeBytes - 1 }) }
}
