/** Where a title can be played from: the operator's files, then their resolver, then the demo clips. */
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
import { addressOf, LIFE_MS, type Place } from './stream-claim.ts'
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
/** One question, with all that answering needs. */
export interface Question {
  deps: Deps
  caller: Viewer
  title: TitleRow
  asked: Asked
  /** Signs the address of a place for this caller and title. */
  address: (place: Place, extension: string) => string
}
type Finder = (question: Question) => Promise<Stream | null>

const ORDER: Finder[] = [fromLibrary, askUpstream, fromDemo]

/** Throws 404 when the title is not for this audience, or nothing plays it; 502 when the resolver fails; 429 for haste. */
export async function lookup(deps: Deps, caller: Viewer, asked: Asked): Promise<Stream> {
  refuseHaste(deps, caller.account.account_id)
  const found = await lookupBy(ORDER, deps, caller, asked)
  if (!found) throw new Problem('not_found')
  return found
}

/** The same at once, uncounted: null where it takes the operator's resolver to know. Throws 404. */
export function lookupHere(deps: Deps, caller: Viewer, asked: Asked): Promise<Stream | null> {
  return lookupBy(deps.streams.upstream ? [fromLibrary] : ORDER, deps, caller, asked)
}

async function lookupBy(finders: Finder[], deps: Deps, caller: Viewer, asked: Asked): Promise<Stream | null> {
  const title = await titleBy(deps.database.reader, caller.audience, asked.type, { imdbId: asked.imdbId })
  if (!title) throw new Problem('not_found')
  if (asked.type === 'tv') {
    const place = { titleId: title.title_id, season: asked.season ?? 0, episode: asked.episode ?? 0 }
    if (!(await episodeExists(deps.database.reader, place))) throw new Problem('not_found')
  }
  const claim = {
    titleId: title.title_id,
    expires: deps.now() + LIFE_MS,
    sid: caller.login.sid,
    profileId: caller.acting?.profile_id ?? null,
  }
  const address: Question['address'] = (place, extension) => addressOf(deps, { ...claim, place }, extension)
  for (const find of finders) {
    const found = await find({ deps, caller, title, asked, address })
    if (found) return { ...found, sources: choose(found.sources, asked.quality) }
  }
  return null
}

const CONTAINERS = ['video/mp4', PLAYLIST_TYPE, 'video/webm']

/** Best first; a stream that adapts by itself is the best answer to `auto`. What is better than asked for is left out, unless there is nothing else. */
function choose(sources: Stream['sources'], quality: string): Stream['sources'] {
  const most = linesOf(quality) || Number.POSITIVE_INFINITY
  const container = (type: string) => CONTAINERS.indexOf(type) + 1 || CONTAINERS.length + 1
  const lines = (source: Stream['sources'][number]) =>
    source.mime_type === PLAYLIST_TYPE && source.quality === 'auto' && quality === 'auto'
      ? Number.MAX_SAFE_INTEGER
      : linesOf(source.quality)
  const sorted = sources.toSorted(
    (a, b) =>
      lines(b) - lines(a) || container(a.mime_type) - container(b.mime_type) || (b.size ?? 0) - (a.size ?? 0),
  )
  const fitting = sorted.filter((source) => linesOf(source.quality) <= most)
  return fitting.length > 0 ? fitting : sorted.reverse()
}

async function fromLibrary({ deps, title, asked, address }: Question): Promise<Stream | null> {
  const found = await inLibrary(deps, title, asked.type === 'tv' ? `${asked.season}:${asked.episode}` : '0:0')
  if (!found) return null
  return {
    sources: found.videos.map(({ path, type, quality, size }) => {
      const base = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
      const place: Place = { from: 'library', name: path, ...(type === PLAYLIST_TYPE && { base }) }
      return { url: address(place, extensionOf(path)), mime_type: type, quality, size }
    }),
    subtitles: found.subtitles.map(({ path, lang, label, forced, sdh }) => ({
      lang,
      label,
      url: address({ from: 'library', name: path, hint: lang }, 'vtt'),
      ...(forced && { forced }),
      ...(sdh && { sdh }),
    })),
    ...marksOf(found.videos, title.credits_at),
  }
}

/** A file's own chapters know better than the catalogue; versions of one film are cut alike. */
function marksOf(videos: Video[], creditsAt: number | null): Pick<Stream, 'intro' | 'credits_at'> {
  const intro = videos.find(({ marks }) => marks.intro)?.marks.intro
  const credits = videos.find(({ marks }) => marks.creditsAt !== undefined)?.marks.creditsAt ?? creditsAt
  return { ...(intro && { intro }), ...(credits !== null && { credits_at: credits }) }
}

async function fromDemo({ deps, asked, address }: Question): Promise<Stream | null> {
  if (!deps.config.demo) return null
  const clip = demoClip(asked.type)
  const url = (name: string) => address({ from: 'demo', name }, extensionOf(name))
  return {
    sources: clip.sources.map(({ file, quality, size }) => ({
      url: url(file),
      mime_type: 'video/mp4',
      quality,
      size,
    })),
    subtitles: clip.subtitles.map(({ file, lang, label }) => ({ lang, label, url: url(file) })),
    credits_at: clip.creditsAt,
  }
}
