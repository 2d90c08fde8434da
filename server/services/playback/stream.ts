/** Finds where a title can be played from: the operator's media folder, then the operator's stream resolver, then the demo clips. */

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
import {
  getSignedUrlLifeMs,
  type MediaClaim,
  type MediaLocation,
  signMediaUrl,
  signStreamFolder,
} from './media-url.ts'
import type { StreamLookup, StreamQuery } from './stream-lookup.ts'
import { findUpstreamStream } from './upstream-stream.ts'

type SourceFinder = (lookup: StreamLookup) => Promise<StreamInfo | null>

const FINDERS: SourceFinder[] = [findLibraryStream, findUpstreamStream, findDemoStream]

/** Finds the sources of a title. Throws 404 when the caller may not see it or there is no source, 502 when the upstream fails, 429 above the rate limit. */
export async function lookUpStream(deps: Deps, caller: Viewer, query: StreamQuery): Promise<StreamInfo> {
  limitLookupRate(deps, caller.account.account_id)
  const stream = await findStream(FINDERS, deps, caller, query)
  if (!stream) throw new Problem('not_found')
  return stream
}

/** Like `lookUpStream`, but without the stream resolver and the rate limit: it returns null when only the stream resolver could have the title. Throws 404. */
export function lookUpLocalStream(
  deps: Deps,
  caller: Viewer,
  query: StreamQuery,
): Promise<StreamInfo | null> {
  return findStream(deps.streamSources.upstream ? [findLibraryStream] : FINDERS, deps, caller, query)
}

async function findStream(
  finders: SourceFinder[],
  deps: Deps,
  caller: Viewer,
  query: StreamQuery,
): Promise<StreamInfo | null> {
  await requireViewingTime({ deps, caller })
  const identifier = query.imdbId.startsWith('tt') ? { imdbId: query.imdbId } : { id: Number(query.imdbId) }
  const title = await selectTitle(deps.database.reader, caller.audience, query.type, identifier)
  if (!title) throw new Problem('not_found')
  if (query.type === 'tv') {
    const episode = { titleId: title.title_id, season: query.season ?? 0, episode: query.episode ?? 0 }
    if (!(await hasEpisode(deps.database.reader, episode))) throw new Problem('not_found')
  }
  const expiresAtMs = deps.now() + getSignedUrlLifeMs(title.runtime)
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
  for (const findSources of finders) {
    const stream = await findSources({ deps, caller, title, query, signUrl, signFolderUrl, signPlaylistUrl })
    if (stream) return { ...stream, sources: sortSources(stream.sources, query.quality) }
  }
  return null
}

const PREFERRED_CONTAINERS = ['video/mp4', PLAYLIST_TYPE, 'video/webm']

/** Sorts sources, best first; for quality `auto` an adaptive stream comes first. Sources above the requested quality are omitted, unless there are no others. */
function sortSources(sources: StreamInfo['sources'], quality: string): StreamInfo['sources'] {
  const maxHeight = parseQualityHeight(quality) || Number.POSITIVE_INFINITY
  const getContainerRank = (type: string) =>
    PREFERRED_CONTAINERS.indexOf(type) + 1 || PREFERRED_CONTAINERS.length + 1
  const getHeight = (source: StreamInfo['sources'][number]) =>
    source.mime_type === PLAYLIST_TYPE && source.quality === 'auto' && quality === 'auto'
      ? Number.MAX_SAFE_INTEGER
      : parseQualityHeight(source.quality)
  const sortedSources = sources.toSorted(
    (a, b) =>
      getHeight(b) - getHeight(a) ||
      getContainerRank(a.mime_type) - getContainerRank(b.mime_type) ||
      (b.size ?? 0) - (a.size ?? 0),
  )
  const fittingSources = sortedSources.filter((source) => parseQualityHeight(source.quality) <= maxHeight)
  return fittingSources.length > 0 ? fittingSources : sortedSources.reverse()
}
