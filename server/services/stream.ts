/** Finds where a title can be played from: the operator's media folder, their upstream resolver, then the demo clips. */
import type { Stream } from '../../src/lib/contract/playback.ts'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../http/caller.ts'
import { Problem } from '../problem.ts'
import { demoClip } from '../providers/demo-clips.ts'
import type { Video } from '../providers/library/library.ts'
import { extensionOf, PLAYLIST_TYPE } from '../providers/library/media-types.ts'
import { linesOf } from '../providers/library/quality.ts'
import { type TitleRow, titleBy } from '../queries/catalogue.ts'
import { episodeExists } from '../queries/details.ts'
import { addressOf, LIFE_MS, type MediaClaim, type Place } from './stream-claim.ts'
import { inLibrary } from './stream-library.ts'
import { refuseHaste } from './stream-rate.ts'
import { askUpstream } from './stream-upstream.ts'

export interface Asked {
  type: 'movie' | 'tv'
  imdbId: string
  season?: number
  episode?: number
  quality: string
}
/** A stream query with its context. */
export interface Question {
  deps: Deps
  caller: Viewer
  title: TitleRow
  asked: Asked
  /** Returns the signed URL of a location, for this caller and title. */
  address: (place: Place, extension: string) => string
}
type SourceFinder = (lookup: Question) => Promise<Stream | null>

const FINDERS: SourceFinder[] = [findLibraryStream, askUpstream, findDemoStream]

/** Finds the sources of a title. Throws 404 when the caller may not see it or there is no source, 502 when the upstream fails, 429 above the rate limit. */
export async function lookup(deps: Deps, caller: Viewer, query: Asked): Promise<Stream> {
  refuseHaste(deps, caller.account.account_id)
  const stream = await findStream(FINDERS, deps, caller, query)
  if (!stream) throw new Problem('not_found')
  return stream
}

/** Like `lookUpStream`, but without the upstream resolver and the rate limit: null when only the upstream could answer. Throws 404. */
export function lookupHere(deps: Deps, caller: Viewer, query: Asked): Promise<Stream | null> {
  return findStream(deps.streams.upstream ? [findLibraryStream] : FINDERS, deps, caller, query)
}

async function findStream(
  finders: SourceFinder[],
  deps: Deps,
  caller: Viewer,
  query: Asked,
): Promise<Stream | null> {
  const title = await titleBy(deps.database.reader, caller.audience, query.type, { imdbId: query.imdbId })
  if (!title) throw new Problem('not_found')
  if (query.type === 'tv') {
    const episode = { titleId: title.title_id, season: query.season ?? 0, episode: query.episode ?? 0 }
    if (!(await episodeExists(deps.database.reader, episode))) throw new Problem('not_found')
  }
  const expiresAtMs = deps.now() + LIFE_MS
  const signUrl: Question['address'] = (location, extension) => {
    const claim: MediaClaim = {
      place: location,
      titleId: title.title_id,
      expires: expiresAtMs,
      sid: caller.login.sid,
      profileId: caller.acting?.profile_id ?? null,
    }
    return addressOf(deps, claim, extension)
  }
  for (const findSources of finders) {
    const stream = await findSources({ deps, caller, title, asked: query, address: signUrl })
    if (stream) return { ...stream, sources: sortSources(stream.sources, query.quality) }
  }
  return null
}

const PREFERRED_CONTAINERS = ['video/mp4', PLAYLIST_TYPE, 'video/webm']

/** Sorts sources, best first; for quality `auto` an adaptive stream comes first. Sources above the requested quality are left out, unless there are no others. */
function sortSources(sources: Stream['sources'], quality: string): Stream['sources'] {
  const maxLines = linesOf(quality) || Number.POSITIVE_INFINITY
  const containerRank = (type: string) =>
    PREFERRED_CONTAINERS.indexOf(type) + 1 || PREFERRED_CONTAINERS.length + 1
  const sortLines = (source: Stream['sources'][number]) =>
    source.mime_type === PLAYLIST_TYPE && source.quality === 'auto' && quality === 'auto'
      ? Number.MAX_SAFE_INTEGER
      : linesOf(source.quality)
  const sorted = sources.toSorted(
    (a, b) =>
      sortLines(b) - sortLines(a) ||
      containerRank(a.mime_type) - containerRank(b.mime_type) ||
      (b.size ?? 0) - (a.size ?? 0),
  )
  const fitting = sorted.filter((source) => linesOf(source.quality) <= maxLines)
  return fitting.length > 0 ? fitting : sorted.reverse()
}

async function findLibraryStream({ deps, title, asked, address }: Question): Promise<Stream | null> {
  const match = await inLibrary(deps, title, asked.type === 'tv' ? `${asked.season}:${asked.episode}` : '0:0')
  if (!match) return null
  return {
    sources: match.videos.map(({ path, type, quality, size }) => {
      const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
      const location: Place = { from: 'library', name: path, ...(type === PLAYLIST_TYPE && { base: folder }) }
      return { url: address(location, extensionOf(path)), mime_type: type, quality, size }
    }),
    subtitles: match.subtitles.map(({ path, lang, label, forced, sdh }) => ({
      lang,
      label,
      url: address({ from: 'library', name: path, hint: lang }, 'vtt'),
      ...(forced && { forced }),
      ...(sdh && { sdh }),
    })),
    ...streamMarks(match.videos, title.credits_at),
  }
}

/** Positions of intro and credits. Chapters of a file take precedence over the catalogue; all versions are assumed to have the same cut. */
function streamMarks(videos: Video[], creditsAt: number | null): Pick<Stream, 'intro' | 'credits_at'> {
  const intro = videos.find(({ marks }) => marks.intro)?.marks.intro
  const creditsAtSeconds =
    videos.find(({ marks }) => marks.creditsAt !== undefined)?.marks.creditsAt ?? creditsAt
  return { ...(intro && { intro }), ...(creditsAtSeconds !== null && { credits_at: creditsAtSeconds }) }
}

async function findDemoStream({ deps, asked, address }: Question): Promise<Stream | null> {
  if (!deps.config.demo) return null
  const clip = demoClip(asked.type)
  const signClip = (name: string) => address({ from: 'demo', name }, extensionOf(name))
  return {
    sources: clip.sources.map(({ file, quality, size }) => ({
      url: signClip(file),
      mime_type: 'video/mp4',
      quality,
      size,
    })),
    subtitles: clip.subtitles.map(({ file, lang, label }) => ({ lang, label, url: signClip(file) })),
    credits_at: clip.creditsAt,
  }
}
