/** Finds a title in the operator's media folder. */
import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import type { LibraryVideo } from '../../providers/library/library.ts'
import { getFileExtension, PLAYLIST_TYPE } from '../../providers/library/media-types.ts'
import { findInLibrary } from './library-match.ts'
import type { MediaLocation } from './media-url.ts'
import type { StreamLookup } from './stream-lookup.ts'

export async function findLibraryStream({
  deps,
  title,
  query,
  signUrl,
}: StreamLookup): Promise<StreamInfo | null> {
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
      return { url: signUrl(location, getFileExtension(path)), mime_type: type, quality, size }
    }),
    subtitles: match.subtitles.map(({ path, lang, label, forced, sdh }) => ({
      lang,
      label,
      url: signUrl({ source: 'library', name: path, hint: lang }, 'vtt'),
      ...(forced && { forced }),
      ...(sdh && { sdh }),
    })),
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
