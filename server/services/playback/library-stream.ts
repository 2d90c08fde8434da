/** Finds the stream of a title in the operator's media folder. */
import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import type { LibraryVideo } from '../../providers/library/library.ts'
import { getFileExtension } from '../../providers/library/media-types.ts'
import {
  type Chapter,
  findPlaybackMarks,
  normaliseChapters,
  type PlaybackMarks,
} from '../../providers/library/playback-marks.ts'
import { buildDeliveredSources } from './delivered-sources.ts'
import { findLibraryMatch } from './library-match.ts'
import type { ExaminedFile } from './media-information.ts'
import { describeSeekThumbnails } from './seek-thumbnails.ts'
import type { StreamLookup } from './stream-lookup.ts'
import { listEmbeddedSubtitles } from './subtitles/embedded-subtitles.ts'

export async function findLibraryStream(lookup: StreamLookup): Promise<StreamInfo | null> {
  const { deps, title, query, signUrl } = lookup
  const episodeKey = query.type === 'tv' ? `${query.season}:${query.episode}` : '0:0'
  const libraryMatch = await findLibraryMatch(deps, title, episodeKey)
  if (!libraryMatch) return null
  const { examinedFiles, ...deliveredFields } = await buildDeliveredSources(lookup, libraryMatch.videos)
  const sidecars = libraryMatch.subtitles.map(({ path, lang, label, forced, sdh }) => ({
    lang,
    label,
    url: signUrl(
      { source: 'library', name: path, hint: formatSubtitleHint(path, lang, examinedFiles) },
      'vtt',
    ),
    ...(forced && { forced }),
    ...(sdh && { sdh }),
  }))
  return {
    ...deliveredFields,
    subtitles: [...sidecars, ...listEmbeddedSubtitles(lookup, examinedFiles, sidecars)],
    ...(libraryMatch.episodes.length > 1 && { episodes: libraryMatch.episodes }),
    ...selectStreamMarks(libraryMatch.videos, examinedFiles, title.credits_at),
    ...(await describeSeekThumbnails(lookup, libraryMatch.videos)),
  }
}

/**
 * Returns the language of a subtitle file. For a MicroDVD file, also returns the frame rate of the video, because the
 * times in such a file are numbers of frames.
 */
function formatSubtitleHint(path: string, lang: string, examinedFiles: readonly ExaminedFile[]): string {
  const framesPerSecond = examinedFiles.find(({ information }) => information)?.information?.video
    .framesPerSecond
  return getFileExtension(path) === 'sub' && framesPerSecond ? `${lang} ${framesPerSecond}` : lang
}

/**
 * Returns the chapters, and the positions of intro and credits. All files of a title are assumed to have the
 * same scenes at the same times.
 */
function selectStreamMarks(
  videos: LibraryVideo[],
  examinedFiles: readonly ExaminedFile[],
  storedCreditsAtSeconds: number | null,
): Pick<StreamInfo, 'chapters' | 'intro' | 'credits_at'> {
  const videoMarks = videos.map((video) => readMarks(video, examinedFiles))
  const chapters = videoMarks.find((candidate) => candidate.chapters.length > 0)?.chapters
  const intro = videoMarks.find(({ marks }) => marks.intro)?.marks.intro
  // Chapters of a file take precedence over the catalogue.
  const creditsAtSeconds =
    videoMarks.find(({ marks }) => marks.creditsAtSeconds !== undefined)?.marks.creditsAtSeconds ??
    storedCreditsAtSeconds
  return {
    ...(chapters && { chapters }),
    ...(intro && { intro }),
    ...(creditsAtSeconds !== null && { credits_at: creditsAtSeconds }),
  }
}

/**
 * Returns the chapters and the playback marks of a video. Prefers the chapters of ffprobe, because ffprobe reads
 * chapters from more containers than the header readers of this server.
 */
function readMarks(
  video: LibraryVideo,
  examinedFiles: readonly ExaminedFile[],
): { chapters: Chapter[]; marks: PlaybackMarks } {
  const information = examinedFiles.find(({ path }) => path === video.path)?.information
  if (!information?.chapters.length)
    return { chapters: normaliseChapters(video.chapters), marks: video.marks }
  return {
    chapters: normaliseChapters(information.chapters, information.startSeconds),
    marks: findPlaybackMarks(information.chapters, information.durationSeconds),
  }
}
