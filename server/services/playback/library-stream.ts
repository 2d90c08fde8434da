/** Finds a title in the operator's media folder. */
import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import type { LibraryVideo } from '../../providers/library/library.ts'
import { deliverSources } from './delivered-sources.ts'
import { listEmbeddedSubtitles } from './embedded-subtitles.ts'
import { findInLibrary } from './library-match.ts'
import type { StreamLookup } from './stream-lookup.ts'

export async function findLibraryStream(lookup: StreamLookup): Promise<StreamInfo | null> {
  const { deps, title, query, signUrl } = lookup
  const episodeKey = query.type === 'tv' ? `${query.season}:${query.episode}` : '0:0'
  const match = await findInLibrary(deps, title, episodeKey)
  if (!match) return null
  const { examinedFiles, ...delivered } = await deliverSources(lookup, match.videos)
  const sidecars = match.subtitles.map(({ path, lang, label, forced, sdh }) => ({
    lang,
    label,
    url: signUrl({ source: 'library', name: path, hint: lang }, 'vtt'),
    ...(forced && { forced }),
    ...(sdh && { sdh }),
  }))
  return {
    ...delivered,
    subtitles: [...sidecars, ...listEmbeddedSubtitles(lookup, examinedFiles, sidecars)],
    ...selectStreamMarks(match.videos, title.credits_at),
  }
}

/** Returns the positions of intro and credits. Chapters of a file take precedence over the catalogue; all versions are assumed to have the same cut. */
function selectStreamMarks(
  videos: LibraryVideo[],
  creditsAt: number | null,
): Pick<StreamInfo, 'intro' | 'credits_at'> {
  const intro = videos.find(({ marks }) => marks.intro)?.marks.intro
  const creditsAtSeconds =
    videos.find(({ marks }) => marks.creditsAt !== undefined)?.marks.creditsAt ?? creditsAt
  return { ...(intro && { intro }), ...(creditsAtSeconds !== null && { credits_at: creditsAtSeconds }) }
}
