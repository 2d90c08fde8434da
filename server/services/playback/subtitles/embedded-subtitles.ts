/**
 * Lists and loads the subtitle tracks inside video files. A track is extracted at its first request, and then
 * stored.
 */
import { readFile, stat } from 'node:fs/promises'
import type { StreamInfo } from '../../../../src/lib/contract/playback.ts'
import { toErrorFields } from '../../../core/log.ts'
import { Problem, toProblem } from '../../../core/problem.ts'
import type { SubtitleTrack } from '../../../providers/ffmpeg/media-probe.ts'
import {
  getPictureSubtitleFormat,
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
const FAILURE_PAUSE_MS = 60_000

type StreamSubtitle = StreamInfo['subtitles'][number]
type SubtitleKind = Pick<StreamSubtitle, 'lang' | 'forced' | 'sdh'>
const buildSubtitleKey = ({ lang, forced, sdh }: SubtitleKind) => `${lang} ${forced === true} ${sdh === true}`
const getSubtitleKind = ({ language: lang, isForced: forced, isForHardOfHearing: sdh }: SubtitleTrack) => ({
  lang,
  forced,
  sdh,
})

/**
 * Returns the subtitle tracks inside video files. Omits a track if a subtitle file beside the video has the same
 * language and flags, or if an earlier track has the same language, flags and track title. Also omits a picture track
 * when a text track has the same language and flags, because viewers can choose the size and colours of text.
 */
export function listEmbeddedSubtitles(
  lookup: StreamLookup,
  files: readonly ExaminedFile[],
  sidecars: readonly StreamSubtitle[],
): StreamSubtitle[] {
  const textSubtitleKeys = new Set(sidecars.map(buildSubtitleKey))
  const listedKeys = new Set<string>()
  const tracks = files.flatMap((file) =>
    (file.information?.subtitles ?? []).map((track) => ({
      file,
      track,
      key: buildSubtitleKey(getSubtitleKind(track)),
    })),
  )
  const registerIfNewTrack = ({ track, key: subtitleKey }: (typeof tracks)[number]) => {
    if (textSubtitleKeys.has(subtitleKey) || listedKeys.has(`${subtitleKey} ${track.title}`)) return false
    listedKeys.add(`${subtitleKey} ${track.title}`)
    return true
  }
  const textTracks = tracks.filter(({ track }) => isTextSubtitle(track)).filter(registerIfNewTrack)
  for (const { key: subtitleKey } of textTracks) textSubtitleKeys.add(subtitleKey)
  const pictureTracks = tracks
    .filter(({ track }) => getPictureSubtitleFormat(track) !== null)
    .filter(registerIfNewTrack)
  const chosenTracks = [...textTracks, ...pictureTracks]
  return chosenTracks.map(({ file, track, key: subtitleKey }) => {
    const isKeyShared = chosenTracks.some(
      (otherTrack) => otherTrack.key === subtitleKey && otherTrack.track !== track,
    )
    const subtitle = describeTrack(lookup, file, track, isKeyShared)
    const indexOwner = tracks.find(
      (otherTrack) =>
        otherTrack.track.index === track.index && getPictureSubtitleFormat(otherTrack.track) !== null,
    )
    // A request to burn in a subtitle names only the index of its track. The server uses the first file that has a
    // picture track with this index (`indexOwner`). If the track of that file has another language or other flags, the
    // subtitle cannot be burnt in.
    if (indexOwner?.key !== subtitleKey) delete subtitle.burn_in_id
    return subtitle
  })
}

function describeTrack(
  { signUrl, signFolderUrl }: StreamLookup,
  { path, information }: ExaminedFile,
  track: SubtitleTrack,
  isKeyAmbiguous: boolean,
): StreamSubtitle {
  const { lang, forced, sdh } = getSubtitleKind(track)
  const label = formatSubtitleLabel({ lang, forced, sdh })
  const pictureFormat = getPictureSubtitleFormat(track)
  const subtitleFormat = pictureFormat ?? (isStyledSubtitle(track) ? 'ass' : null)
  const hint = String(track.index)
  return {
    lang,
    // Several tracks of a language, such as "Full" and "Signs", may differ only in their title.
    label: isKeyAmbiguous && track.title ? `${label} (${track.title})` : label,
    ...(subtitleFormat && { format: subtitleFormat }),
    ...(!pictureFormat && { url: signUrl({ source: 'embedded-subtitle', name: path, hint }, 'vtt') }),
    ...((subtitleFormat === 'ass' || subtitleFormat === 'pgs') && {
      original_url: signFolderUrl({ source: 'embedded-subtitle', name: path, hint }),
    }),
    ...(pictureFormat && information?.durationSeconds != null && { burn_in_id: track.index }),
    ...(forced && { forced }),
    ...(sdh && { sdh }),
  }
}

interface LoadedSubtitleTrack {
  file: ExaminedFile
  track: SubtitleTrack
  files: SubtitleFiles
}

/**
 * Returns an embedded track as WebVTT. Returns null when the file or its text track does not exist. Throws
 * 415 when the track cannot be extracted, and 503 when a later attempt can succeed.
 */
export async function loadEmbeddedSubtitle(
  deps: Deps,
  path: string,
  trackIndex: number,
): Promise<Buffer | null> {
  const loadedTrack = await findTrack(deps, path, trackIndex)
  if (!loadedTrack || !isTextSubtitle(loadedTrack.track)) return null
  const filePath = await requireTrackFile(deps, loadedTrack, 'vtt')
  return readCheckedFile(filePath, isWebVtt)
}

/**
 * Returns the path of a file of an embedded track in its own format: `track.ass`, `track.sup` or a font. Extracts the
 * track first if it is not stored yet. For `fonts.json`, returns the content. Returns null when the file does not
 * exist. Throws 415 when the track cannot be extracted, and 503 when a later attempt can succeed.
 */
export async function findOriginalFormatFile(
  deps: Deps,
  filePath: string,
  trackIndex: number,
  fileName: string,
): Promise<{ path: string } | { json: string } | null> {
  const loadedTrack = await findTrack(deps, filePath, trackIndex)
  if (!loadedTrack) return null
  const subtitleFormat =
    getPictureSubtitleFormat(loadedTrack.track) ?? (isStyledSubtitle(loadedTrack.track) ? 'ass' : null)
  if (fileName === 'track.sup' && subtitleFormat === 'pgs')
    return { path: await requireTrackFile(deps, loadedTrack, 'sup', isPgsStream) }
  if (subtitleFormat !== 'ass') return null
  if (fileName === 'track.ass')
    return { path: await requireTrackFile(deps, loadedTrack, 'ass', isStyledScript) }
  await requireTrackFile(deps, loadedTrack, 'ass')
  const fonts = await listExtractedFonts(loadedTrack.files)
  if (fileName === 'fonts.json') return { json: JSON.stringify(fonts) }
  return fonts.includes(fileName) ? { path: loadedTrack.files.getPath(fileName) } : null
}

async function findTrack(
  deps: Deps,
  filePath: string,
  trackIndex: number,
): Promise<LoadedSubtitleTrack | null> {
  const examinedFile = await examineFile(deps, filePath)
  const track = examinedFile?.information?.subtitles.find((candidate) => candidate.index === trackIndex)
  return examinedFile && track
    ? { file: examinedFile, track, files: getSubtitleFiles(deps, examinedFile) }
    : null
}

/**
 * Returns the path of the extracted track. Throws 415 when the track cannot be extracted or `isValidContent` rejects
 * its content, and 503 when the extraction can succeed later.
 */
async function requireTrackFile(
  deps: Deps,
  loadedTrack: LoadedSubtitleTrack,
  extension: 'vtt' | 'ass' | 'sup',
  isValidContent?: (bytes: Buffer) => boolean,
): Promise<string> {
  const filePath = loadedTrack.files.getPath(`${loadedTrack.track.index}.${extension}`)
  if (!(await isFile(filePath))) await extractTrackOnce(deps, loadedTrack, extension)
  if (isValidContent) await readCheckedFile(filePath, isValidContent)
  if (!(await isFile(filePath))) throw new Problem('unsupported_media_type')
  return filePath
}

async function readCheckedFile(
  filePath: string,
  isValidContent: (bytes: Buffer) => boolean,
): Promise<Buffer> {
  const bytes = await readFile(filePath).catch(() => null)
  if (!bytes || !isValidContent(bytes)) throw new Problem('unsupported_media_type')
  return bytes
}

const isFile = (path: string) =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )

interface TrackExtractions {
  promisesByPath: Map<string, Promise<void>>
  /** Times of `monotonicNow()` until which failed extractions are not repeated. */
  failedUntilMsByPath: Map<string, number>
}
const extractionsByDeps = new WeakMap<Deps, TrackExtractions>()

/**
 * Extracts a track. An extraction reads the whole file, so simultaneous requests for text tracks of a file
 * share one extraction. Throws 503 when the extraction can succeed later, and 415 when it cannot.
 */
async function extractTrackOnce(
  deps: Deps,
  loadedTrack: LoadedSubtitleTrack,
  extension: string,
): Promise<void> {
  const { promisesByPath, failedUntilMsByPath } = extractionsByDeps.get(deps) ?? {
    promisesByPath: new Map(),
    failedUntilMsByPath: new Map(),
  }
  extractionsByDeps.set(deps, { promisesByPath, failedUntilMsByPath })
  const outputPath = loadedTrack.files.getPath(
    extension === 'sup' ? `${loadedTrack.track.index}.sup` : 'text',
  )
  if ((failedUntilMsByPath.get(outputPath) ?? 0) > deps.monotonicNow())
    throw new Problem('unsupported_media_type')
  failedUntilMsByPath.delete(outputPath)
  const extractionPromise = promisesByPath.get(outputPath) ?? extractTrack(deps, loadedTrack, extension)
  promisesByPath.set(outputPath, extractionPromise)
  try {
    await extractionPromise
  } catch (error) {
    deps.log.warn('subtitle_extraction', toErrorFields(error))
    const problem = toProblem(error)
    if (problem.type === 'overloaded') throw problem
    failedUntilMsByPath.set(outputPath, deps.monotonicNow() + FAILURE_PAUSE_MS)
    throw new Problem('unsupported_media_type', { cause: error })
  } finally {
    promisesByPath.delete(outputPath)
  }
}

async function extractTrack(
  deps: Deps,
  { file, track }: LoadedSubtitleTrack,
  extension: string,
): Promise<void> {
  const ffmpeg = await deps.streamSources.ffmpeg.find()
  if (ffmpeg.status !== 'available') throw new Error('ffmpeg is not available')
  if (extension === 'sup') await extractPictureTrack(deps, ffmpeg.ffmpeg, file, track.index)
  else await extractTextTracks(deps, ffmpeg.ffmpeg, file)
}
