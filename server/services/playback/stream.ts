/** Finds where a title can be played from: the operator's media folder, their upstream resolver, then the demo clips. */
import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import type { Deps } from '../../deps.ts'
import type { Viewer } from '../../http/caller.ts'
import { Problem } from '../../problem.ts'
import { findDemoClip } from '../../providers/demo-clips.ts'
import type { LibraryVideo } from '../../providers/library/library.ts'
import { extensionOf, PLAYLIST_TYPE } from '../../providers/library/media-types.ts'
import { parseQualityLines } from '../../providers/library/quality.ts'
import { selectTitle, type TitleRow } from '../../queries/title.ts'
import { hasEpisode } from '../../queries/title-details.ts'
import { findInLibrary } from './library-match.ts'
import { limitLookupRate } from './lookup-rate.ts'
import { type MediaClaim, type MediaLocation, SIGNED_URL_LIFE_MS, signMediaUrl } from './media-url.ts'
import { findUpstreamStream } from './upstream-stream.ts'

export interface StreamQuery {
  type: 'movie' | 'tv'
  imdbId: string
  season?: number
  episode?: number
  quality: string
}
/** A stream query with its context. */
export interface StreamLookup {
  deps: Deps
  caller: Viewer
  title: TitleRow
  query: StreamQuery
  /** Returns the signed URL of a location, for this caller and title. */
  signUrl: (location: MediaLocation, extension: string) => string
}
type SourceFinder = (lookup: StreamLookup) => Promise<StreamInfo | null>

const FINDERS: SourceFinder[] = [findLibraryStream, findUpstreamStream, findDemoStream]

/** Finds the sources of a title. Throws 404 when the caller may not see it or there is no source, 502 when the upstream fails, 429 above the rate limit. */
export async function lookUpStream(deps: Deps, caller: Viewer, query: StreamQuery): Promise<StreamInfo> {
  limitLookupRate(deps, caller.account.account_id)
  const stream = await findStream(FINDERS, deps, caller, query)
  if (!stream) throw new Problem('not_found')
  return stream
}

/** Like `lookUpStream`, but without the upstream resolver and the rate limit: null when only the upstream could answer. Throws 404. */
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
  const title = await selectTitle(deps.database.reader, caller.audience, query.type, { imdbId: query.imdbId })
  if (!title) throw new Problem('not_found')
  if (query.type === 'tv') {
    const episode = { titleId: title.title_id, season: query.season ?? 0, episode: query.episode ?? 0 }
    if (!(await hasEpisode(deps.database.reader, episode))) throw new Problem('not_found')
  }
  const expiresAtMs = deps.now() + SIGNED_URL_LIFE_MS
  const signUrl: StreamLookup['signUrl'] = (location, extension) => {
    const claim: MediaClaim = {
      location,
      titleId: title.title_id,
      expiresAtMs,
      sid: caller.login.sid,
      profileId: caller.acting?.profile_id ?? null,
    }
    return signMediaUrl(deps, claim, extension)
  }
  for (const findSources of finders) {
    const stream = await findSources({ deps, caller, title, query, signUrl })
    if (stream) return { ...stream, sources: sortSources(stream.sources, query.quality) }
  }
  return null
}

const PREFERRED_CONTAINERS = ['video/mp4', PLAYLIST_TYPE, 'video/webm']

/** Sorts sources, best first; for quality `auto` an adaptive stream comes first. Sources above the requested quality are left out, unless there are no others. */
function sortSources(sources: StreamInfo['sources'], quality: string): StreamInfo['sources'] {
  const maxLines = parseQualityLines(quality) || Number.POSITIVE_INFINITY
  const containerRank = (type: string) =>
    PREFERRED_CONTAINERS.indexOf(type) + 1 || PREFERRED_CONTAINERS.length + 1
  const sortLines = (source: StreamInfo['sources'][number]) =>
    source.mime_type === PLAYLIST_TYPE && source.quality === 'auto' && quality === 'auto'
      ? Number.MAX_SAFE_INTEGER
      : parseQualityLines(source.quality)
  const sorted = sources.toSorted(
    (a, b) =>
      sortLines(b) - sortLines(a) ||
      containerRank(a.mime_type) - containerRank(b.mime_type) ||
      (b.size ?? 0) - (a.size ?? 0),
  )
  const fitting = sorted.filter((source) => parseQualityLines(source.quality) <= maxLines)
  return fitting.length > 0 ? fitting : sorted.reverse()
}

async function findLibraryStream({ deps, title, query, signUrl }: StreamLookup): Promise<StreamInfo | null> {
  const match = await findInLibrary(
    deps,
    title,
    query.type === 'tv' ? `${query.season}:${query.episode}` : '0:0',
  )
  if (!match) return null
  return {
    sources: match.videos.map(({ path, type, quality, size }) => {
      const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
      const location: MediaLocation = {
        source: 'library',
        name: path,
        ...(type === PLAYLIST_TYPE && { base: folder }),
      }
      return { url: signUrl(location, extensionOf(path)), mime_type: type, quality, size }
    }),
    subtitles: match.subtitles.map(({ path, lang, label, forced, sdh }) => ({
      lang,
      label,
      url: signUrl({ source: 'library', name: path, hint: lang }, 'vtt'),
      ...(forced && { forced }),
      ...(sdh && { sdh }),
    })),
    ...streamMarks(match.videos, title.credits_at),
  }
}

/** Positions of intro and credits. Chapters of a file take precedence over the catalogue; all versions are assumed to have the same cut. */
function streamMarks(
  videos: LibraryVideo[],
  creditsAt: number | null,
): Pick<StreamInfo, 'intro' | 'credits_at'> {
  const intro = videos.find(({ marks }) => marks.intro)?.marks.intro
  const creditsAtSeconds =
    videos.find(({ marks }) => marks.creditsAt !== undefined)?.marks.creditsAt ?? creditsAt
  return { ...(intro && { intro }), ...(creditsAtSeconds !== null && { credits_at: creditsAtSeconds }) }
}

async function findDemoStream({ deps, query, signUrl }: StreamLookup): Promise<StreamInfo | null> {
  if (!deps.config.demo) return null
  const clip = findDemoClip(query.type)
  const signClip = (name: string) => signUrl({ source: 'demo', name }, extensionOf(name))
  return {
    sources: clip.sources.map(({ file, quality, size }) => ({
      url: signClip(file),
      mime_type: 'video/mp4',
      quality,
      size,
    })),
    subtitles: clip.subtitles.map(({ file, lang, label }) => ({ lang, label, url: signClip(file) })),
    credits_at: clip.creditsAtSeconds,
  }
}
