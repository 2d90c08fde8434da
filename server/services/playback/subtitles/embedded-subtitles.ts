/**
 * Lists and loads the subtitle tracks inside video files. A track is extracted at its first request, and then
 * stored.
 */
import { readFile, stat } from 'node:fs/promises'
import type { StreamInfo } from '../../../../src/lib/contract/playback.ts'
import { toErrorFields } from '../../../core/log.ts'
import { Problem } from '../../../core/problem.ts'
import type { SubtitleTrack } from '../../../providers/ffmpeg/media-probe.ts'
import {
  getPictureFormat,
  isStyledSubtitle,
  isTextSubtitle,
} from '../../../providers/ffmpeg/subtitle-formats.ts'
import { formatSubtitleLabel } from '../../../providers/library/subtitle-name.ts'
import type { Deps } from '../../deps.ts'
import { type ExaminedFile, examineFile } from '../media-information.ts'
import type { StreamLookup } from '../stream-lookup.ts'
import { isPgsStream, isStyledScript, isWebVtt } from './check-track.ts'
import {
  extractPictureTrack,
  extractTextTracks,
  getSubtitleFiles,
  listExtractedFonts,
  type SubtitleFiles,
} from './subtitle-cache.ts'

/** A failed extraction is not repeated for this long. */
const FAILURE_MS = 60_000

type SubtitleInfo = StreamInfo['subtitles'][number]
type SubtitleKind = Pick<SubtitleInfo, 'lang' | 'forced' | 'sdh'>
const getKey = ({ lang, forced, sdh }: SubtitleKind) => `${lang} ${forced === true} ${sdh === true}`
const getKind = ({ language: lang, isForced: forced, isForHardOfHearing: sdh }: SubtitleTrack) => ({
  lang,
  forced,
  sdh,
})

/**
 * Returns the subtitles inside the files of a title. Omits a track when a subtitle file beside the video has
 * the same language and flags. Omits a picture track also when a text track has the same language and flags,
 * because viewers can choose the size and colours of text.
 */
export function listEmbeddedSubtitles(
  lookup: StreamLookup,
  files: readonly ExaminedFile[],
  sidecars: readonly SubtitleInfo[],
): SubtitleInfo[] {
  const textKeys = new Set(sidecars.map(getKey))
  const listed = new Set<string>()
  const tracks = files.flatMap((file) =>
    (file.information?.subtitles ?? []).map((track) => ({ file, track, key: getKey(getKind(track)) })),
  )
  const isNew = ({ track, key }: (typeof tracks)[number]) => {
    if (textKeys.has(key) || listed.has(`${key} ${track.title}`)) return false
    listed.add(`${key} ${track.title}`)
    return true
  }
  const texts = tracks.filter(({ track }) => isTextSubtitle(track)).filter(isNew)
  for (const { key } of texts) textKeys.add(key)
  const pictures = tracks.filter(({ track }) => getPictureFormat(track) !== null).filter(isNew)
  const chosenTracks = [...texts, ...pictures]
  return chosenTracks.map(({ file, track, key }) => {
    const hasSameKey = chosenTracks.some((otherTrack) => otherTrack.key === key && otherTrack.track !== track)
    return describeTrack(lookup, file, track, hasSameKey)
  })
}

function describeTrack(
  { signUrl, signFolderUrl }: StreamLookup,
  { path, information }: ExaminedFile,
  track: SubtitleTrack,
  isAmbiguous: boolean,
): SubtitleInfo {
  const { lang, forced, sdh } = getKind(track)
  const label = formatSubtitleLabel({ lang, forced, sdh })
  const pictureFormat = getPictureFormat(track)
  const format = pictureFormat ?? (isStyledSubtitle(track) ? 'ass' : null)
  const hint = String(track.index)
  return {
    lang,
    // Several tracks of a language, such as "Full" and "Signs", may differ only in their title.
    label: isAmbiguous && track.title ? `${label} (${track.title})` : label,
    ...(format && { format }),
    ...(!pictureFormat && { url: signUrl({ source: 'embedded-subtitle', name: path, hint }, 'vtt') }),
    ...((format === 'ass' || format === 'pgs') && {
      original_url: signFolderUrl({ source: 'embedded-subtitle', name: path, hint }),
    }),
    ...(pictureFormat && information?.durationSeconds != null && { burn_in_id: track.index }),
    ...(forced && { forced }),
    ...(sdh && { sdh }),
  }
}

interface LoadedTrack {
  file: ExaminedFile
  track: SubtitleTrack
  files: SubtitleFiles
}

/**
 * Returns an embedded track as WebVTT. Returns null when the file or its text track does not exist. Throws
 * 415 when the track cannot be read.
 */
export async function loadEmbeddedSubtitle(deps: Deps, path: string, index: number): Promise<Buffer | null> {
  const loaded = await findTrack(deps, path, index)
  if (!loaded || !isTextSubtitle(loaded.track)) return null
  const file = await requireTrackFile(deps, loaded, 'vtt')
  return readCheckedFile(file, isWebVtt)
}

/**
 * Returns the path of a file of an embedded track in its own format: `track.ass`, `track.sup` or a font. For
 * `fonts.json`, returns the content. Returns null when the file does not exist. Throws 415 when the track
 * cannot be read.
 */
export async function loadOriginalSubtitle(
  deps: Deps,
  path: string,
  index: number,
  fileName: string,
): Promise<{ path: string } | { json: string } | null> {
  const loaded = await findTrack(deps, path, index)
  if (!loaded) return null
  const format = getPictureFormat(loaded.track) ?? (isStyledSubtitle(loaded.track) ? 'ass' : null)
  if (fileName === 'track.sup' && format === 'pgs')
    return { path: await requireTrackFile(deps, loaded, 'sup', isPgsStream) }
  if (format !== 'ass') return null
  if (fileName === 'track.ass') return { path: await requireTrackFile(deps, loaded, 'ass', isStyledScript) }
  await requireTrackFile(deps, loaded, 'ass')
  const fonts = await listExtractedFonts(loaded.files)
  if (fileName === 'fonts.json') return { json: JSON.stringify(fonts) }
  return fonts.includes(fileName) ? { path: loaded.files.getPath(fileName) } : null
}

async function findTrack(deps: Deps, path: string, index: number): Promise<LoadedTrack | null> {
  const file = await examineFile(deps, path)
  const track = file?.information?.subtitles.find((candidate) => candidate.index === index)
  return file && track ? { file, track, files: getSubtitleFiles(deps, file) } : null
}

/**
 * Returns the path of the extracted track. Throws 415 when the track cannot be extracted or `check` rejects
 * its content.
 */
async function requireTrackFile(
  deps: Deps,
  loaded: LoadedTrack,
  extension: 'vtt' | 'ass' | 'sup',
  check?: (bytes: Buffer) => boolean,
): Promise<string> {
  const path = loaded.files.getPath(`${loaded.track.index}.${extension}`)
  if (!(await isFile(path))) await extractOnce(deps, loaded, extension)
  if (check) await readCheckedFile(path, check)
  if (!(await isFile(path))) throw new Problem('unsupported_media_type')
  return path
}

async function readCheckedFile(path: string, check: (bytes: Buffer) => boolean): Promise<Buffer> {
  const bytes = await readFile(path).catch(() => null)
  if (!bytes || !check(bytes)) throw new Problem('unsupported_media_type')
  return bytes
}

const isFile = (path: string) =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )

interface Extractions {
  running: Map<string, Promise<void>>
  /** Time until which a failed extraction is not repeated. */
  failedUntilMs: Map<string, number>
}
const extractions = new WeakMap<Deps, Extractions>()

/**
 * Extracts a track. An extraction reads the whole file, so simultaneous requests for text tracks of a file
 * share one extraction.
 */
async function extractOnce(deps: Deps, loaded: LoadedTrack, extension: string): Promise<void> {
  const { running, failedUntilMs } = extractions.get(deps) ?? { running: new Map(), failedUntilMs: new Map() }
  extractions.set(deps, { running, failedUntilMs })
  const key = loaded.files.getPath(extension === 'sup' ? `${loaded.track.index}.sup` : 'text')
  if ((failedUntilMs.get(key) ?? 0) > deps.now()) throw new Problem('unsupported_media_type')
  failedUntilMs.delete(key)
  const extraction = running.get(key) ?? extract(deps, loaded, extension)
  running.set(key, extraction)
  try {
    await extraction
  } catch (error) {
    failedUntilMs.set(key, deps.now() + FAILURE_MS)
    deps.log.warn('subtitle_extraction', toErrorFields(error))
    throw new Problem('unsupported_media_type', { cause: error })
  } finally {
    running.delete(key)
  }
}

async function extract(deps: Deps, { file, track, files }: LoadedTrack, extension: string): Promise<void> {
  const ffmpeg = await deps.streamSources.ffmpeg.find()
  if (ffmpeg.status !== 'available') throw new Error('ffmpeg is not available')
  if (extension === 'sup') await extractPictureTrack(ffmpeg.ffmpeg, file, files, track.index)
  else await extractTextTracks(ffmpeg.ffmpeg, file, files)
}
