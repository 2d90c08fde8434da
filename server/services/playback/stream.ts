/**
 * Finds the sources of a title. Asks the media folder, the media servers, the stream resolvers and the demo
 * clips, in this order.
 */

import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import { parseQualityHeight } from '../../../src/lib/rules/player-quality.ts'
import { Problem } from '../../core/problem.ts'
import { PLAYLIST_TYPE } from '../../providers/library/media-types.ts'
import { selectTitle } from '../../queries/title.ts'
import { hasEpisode } from '../../queries/title-details.ts'
import type { Viewer } from '../auth/caller.ts'
import type { Deps } from '../deps.ts'
import { requireViewingTime } from '../family/viewing-time.ts'
import { findDemoStream } from './demo-stream.ts'
import { findLibraryStream } from './library-stream.ts'
import { limitLookupRate } from './lookup-rate.ts'
import { findMediaServerStream } from './media-server-stream.ts'
import {
  getSignedUrlLifetimeMs,
  type MediaClaim,
  type MediaLocation,
  signMediaUrl,
  signStreamFolder,
} from './media-url.ts'
import type { StreamLookup, StreamQuery } from './stream-lookup.ts'
import { findUpstreamStream } from './upstream-stream.ts'

type SourceFinder = (lookup: StreamLookup) => Promise<StreamInfo | null>

const SOURCE_FINDERS: SourceFinder[] = [
  findLibraryStream,
  findMediaServerStream,
  findUpstreamStream,
  findDemoStream,
]

/**
 * Finds the sources of a title. Throws 403 when the viewing time is used up, 404 when the caller may not see the title
 * or there is no source, 429 above the rate limit, 502 when a stream resolver or media server fails, and 503 when the
 * media folder cannot be read now.
 */
export async function lookUpStream(deps: Deps, caller: Viewer, query: StreamQuery): Promise<StreamInfo> {
  limitLookupRate(deps, caller.account.account_id)
  const stream = await findStreamOfTitle(SOURCE_FINDERS, deps, caller, query)
  if (!stream) throw new Problem('not_found')
  return stream
}

/**
 * Like `lookUpStream`, but asks no other server and is not counted by the rate limit. Returns null instead of throwing
 * 404 or 503 when there is no local source now, because another server may have a source.
 */
export async function lookUpLocalStream(
  deps: Deps,
  caller: Viewer,
  query: StreamQuery,
): Promise<StreamInfo | null> {
  const { upstream, mediaServers } = deps.streamSources
  const hasRemoteSources = upstream !== null || mediaServers.length > 0
  const sourceFinders = hasRemoteSources ? [findLibraryStream] : SOURCE_FINDERS
  return findStreamOfTitle(sourceFinders, deps, caller, query).catch((error: unknown) => {
    if (error instanceof Problem && error.type === 'overloaded') return null
    throw error
  })
}

async function findStreamOfTitle(
  sourceFinders: SourceFinder[],
  deps: Deps,
  caller: Viewer,
  query: StreamQuery,
): Promise<StreamInfo | null> {
  await requireViewingTime({ deps, caller })
  const identifier = query.titleIdentifier.startsWith('tt')
    ? { imdbId: query.titleIdentifier }
    : { id: Number(query.titleIdentifier) }
  const title = await selectTitle(deps.database.reader, caller.audience, query.type, identifier)
  if (!title) throw new Problem('not_found')
  if (query.type === 'tv') {
    const episodeRef = { titleId: title.title_id, season: query.season ?? 0, episode: query.episode ?? 0 }
    if (!(await hasEpisode(deps.database.reader, episodeRef))) throw new Problem('not_found')
  }
  const expiresAtMs = deps.now() + getSignedUrlLifetimeMs(title.runtime)
  const createClaim = (location: MediaLocation): MediaClaim => ({
    location,
    titleId: title.title_id,
    expiresAtMs,
    sid: caller.login.sid,
    profileId: caller.acting?.profile_id ?? null,
    pinGeneration: caller.acting?.pin_generation ?? 0,
  })
  const signUrl: StreamLookup['signUrl'] = (location, extension) =>
    signMediaUrl(deps, createClaim(location), extension)
  const signFolderUrl: StreamLookup['signFolderUrl'] = (location) =>
    signStreamFolder(deps, createClaim(location))
  const signPlaylistUrl: StreamLookup['signPlaylistUrl'] = (location) =>
    `${signFolderUrl(location)}index.m3u8`
  const lookup = { deps, caller, title, query, signUrl, signFolderUrl, signPlaylistUrl }
  const stream = await findFirstStream(sourceFinders, lookup)
  if (!stream) return null
  const sources = sortSources(stream.sources, query.quality)
  return { ...stream, sources, subtitles: numberEqualSubtitles(stream.subtitles) }
}

/**
 * Adds a number to the label of a subtitle that equals an earlier one in language, kind and label: "English", "English
 * 2". The player stores the choice of the viewer by these fields, so they must differ.
 */
function numberEqualSubtitles(subtitles: StreamInfo['subtitles']): StreamInfo['subtitles'] {
  const usedSubtitleKeys = new Set<string>()
  return subtitles.map((subtitle) => {
    const { lang, forced = false, sdh = false } = subtitle
    let label = subtitle.label
    for (let count = 2; usedSubtitleKeys.has(`${lang} ${forced} ${sdh} ${label}`); count += 1)
      label = `${subtitle.label} ${count}`
    usedSubtitleKeys.add(`${lang} ${forced} ${sdh} ${label}`)
    return { ...subtitle, label }
  })
}

/**
 * Calls the finders in order, and returns the first stream that is found. When the media folder cannot be read or a
 * media server fails, the remaining finders are still called. If none of them finds a stream, throws the failure.
 */
async function findFirstStream(
  sourceFinders: SourceFinder[],
  lookup: StreamLookup,
): Promise<StreamInfo | null> {
  let failure: unknown = null
  for (const findSources of sourceFinders) {
    try {
      const stream = await findSources(lookup)
      if (stream) return stream
    } catch (error) {
      const isFolderUnreadable = error instanceof Problem && error.type === 'overloaded'
      if (findSources !== findMediaServerStream && !isFolderUnreadable) throw error
      failure ??= error
    }
  }
  if (failure !== null) throw failure
  return null
}

const PREFERRED_CONTENT_TYPES = ['video/mp4', PLAYLIST_TYPE, 'video/webm']

/**
 * Sorts sources, best first. For quality `auto`, an adaptive stream comes first. An encoded source comes after the
 * other sources of its quality. Omits sources above the requested quality. If all sources are above it, returns all of
 * them, the lowest quality first.
 */
function sortSources(sources: StreamInfo['sources'], quality: string): StreamInfo['sources'] {
  const maxHeightPixels = parseQualityHeight(quality) || Number.POSITIVE_INFINITY
  const getContentTypeRank = (type: string) =>
    PREFERRED_CONTENT_TYPES.indexOf(type) + 1 || PREFERRED_CONTENT_TYPES.length + 1
  const getSourceHeightPixels = (source: StreamInfo['sources'][number]) =>
    source.mime_type === PLAYLIST_TYPE && source.quality === 'auto' && quality === 'auto'
      ? Number.MAX_SAFE_INTEGER
      : parseQualityHeight(source.quality)
  const sortedSources = sources.toSorted(
    (a, b) =>
      getSourceHeightPixels(b) - getSourceHeightPixels(a) ||
      Number(a.delivery === 'transcode') - Number(b.delivery === 'transcode') ||
      getContentTypeRank(a.mime_type) - getContentTypeRank(b.mime_type) ||
      (b.size ?? 0) - (a.size ?? 0),
  )
  const fittingSources = sortedSources.filter(
    (source) => parseQualityHeight(source.quality) <= maxHeightPixels,
  )
  return fittingSources.length > 0
    ? fittingSources
    : sortedSources.toSorted((a, b) => getSourceHeightPixels(a) - getSourceHeightPixels(b))
}
