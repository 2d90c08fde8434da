/**
 * Examines the files of the media folder and stores the results: codecs, tracks, chapters and duration. A file is
 * examined again when it has changed or could not be read, and after updates of ffmpeg or of this module that can
 * change the result.
 */
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import { toErrorFields } from '../../core/log.ts'
import { Problem } from '../../core/problem.ts'
import type { Ffmpeg } from '../../providers/ffmpeg/ffmpeg-binary.ts'
import { FileUnreadableError } from '../../providers/ffmpeg/ffprobe-failure.ts'
import { hasImpreciseSeeking, type MediaInformation, probeMedia } from '../../providers/ffmpeg/media-probe.ts'
import { scanKeyframes, type VideoScan } from '../../providers/ffmpeg/scan-keyframes.ts'
import { readKeyframeTimes } from '../../providers/library/keyframes.ts'
import type { LocatedFile } from '../../providers/library/library.ts'
import { selectMediaFile, upsertMediaFile } from '../../queries/media-file.ts'
import type { Deps } from '../deps.ts'

export interface ExaminedFile {
  /** Path relative to the media folder. */
  path: string
  location: LocatedFile
  /** Null when the file is damaged at its start or is not a video. */
  information: MediaInformation | null
  /**
   * Times at which a copied video can be cut, in seconds from the start of the video; null when the video
   * cannot be copied.
   */
  keyframes: number[] | null
}

/**
 * Largest file that is read completely when the index of its container cannot be read. Larger files are not
 * read, because a viewer may be waiting for the result.
 */
const MAX_SCANNED_FILE_BYTES = 1024 * 1024 * 1024
const MAX_CACHED_FILES = 500
const MAX_HIDDEN_START_SECONDS = 0.1
/**
 * Version of the stored information. A file with another stored version is examined again, unless it is a large file
 * with one of EARLIER_INFORMATION_VERSIONS.
 */
const INFORMATION_VERSION = 3
/**
 * Earlier versions: in version 1, a failure of ffprobe could be stored as if it were a property of the file; version 2
 * did not state whether the colours are known. Both are still accepted for files above MAX_SCANNED_FILE_BYTES, because
 * only the thumbnail job measures the jumps in the timestamps of such files. Examining them again for a viewer would
 * discard these measurements.
 */
const EARLIER_INFORMATION_VERSIONS = [1, 2]
/**
 * For a file that ffprobe has rejected, `refusedByFfmpeg` is the version of ffmpeg and replaces the information.
 * Another version of ffmpeg examines such a file again.
 */
type StoredInformation = { version?: number } & (MediaInformation | { refusedByFfmpeg: string })

/**
 * A file whose end or keyframes could not be read in time is examined again after this time. Examining it for each
 * request would delay every segment.
 */
const INCOMPLETE_INFORMATION_LIFETIME_MS = 60 * 60_000
const UNREADABLE_RETRY_SECONDS = 5
/** A file at which ffprobe took too long is examined again after this time. Each attempt delays a viewer. */
const TIMED_OUT_PROBE_LIFETIME_MS = 2 * 60_000

interface CachedExamination {
  promise: Promise<ExaminedFile>
  expiresAtMs: number
}
const cachesByDeps = new WeakMap<Deps, Map<string, CachedExamination>>()

/**
 * Returns the information about a file of the media folder. Returns null when the file does not exist or the
 * server has no ffprobe. The information is stored by path, size and modification time. Throws 503 and stores nothing
 * when the file cannot be read at the moment.
 */
export async function examineFile(deps: Deps, path: string): Promise<ExaminedFile | null> {
  const location = await deps.streamSources.library?.locateFile(path)
  if (!location) return null
  const ffmpeg = await deps.streamSources.ffmpeg.find()
  if (ffmpeg.status !== 'available') return null
  const examinationsByKey = cachesByDeps.get(deps) ?? new Map<string, CachedExamination>()
  cachesByDeps.set(deps, examinationsByKey)
  const cacheKey = createCacheKey(path, location)
  const cachedExamination = examinationsByKey.get(cacheKey)
  if (cachedExamination && cachedExamination.expiresAtMs > deps.monotonicNow())
    return cachedExamination.promise
  const promise = loadOrProbeFile(deps, path, location, ffmpeg.ffmpeg)
    .then(({ file, isComplete }) => {
      if (!isComplete) newExamination.expiresAtMs = deps.monotonicNow() + INCOMPLETE_INFORMATION_LIFETIME_MS
      return file
    })
    .catch((error: unknown) => {
      const hasTimedOut = error instanceof FileUnreadableError && error.hasTimedOut
      if (hasTimedOut) newExamination.expiresAtMs = deps.monotonicNow() + TIMED_OUT_PROBE_LIFETIME_MS
      else if (examinationsByKey.get(cacheKey) === newExamination) examinationsByKey.delete(cacheKey)
      if (!(error instanceof FileUnreadableError)) throw error
      deps.log.warn('examine_file', { path, ...toErrorFields(error) })
      throw new Problem('overloaded', { retryAfterSeconds: UNREADABLE_RETRY_SECONDS, cause: error })
    })
  const newExamination: CachedExamination = { promise, expiresAtMs: Number.POSITIVE_INFINITY }
  if (examinationsByKey.size >= MAX_CACHED_FILES) examinationsByKey.clear()
  examinationsByKey.set(cacheKey, newExamination)
  return promise
}

/** Like `examineFile`, but also returns null for a file that cannot be read now. */
export const examineFileIfReadable = (deps: Deps, path: string): Promise<ExaminedFile | null> =>
  examineFile(deps, path).catch((error: unknown) => {
    if (error instanceof Problem && error.type === 'overloaded') return null
    throw error
  })

async function loadOrProbeFile(
  deps: Deps,
  path: string,
  location: LocatedFile,
  ffmpeg: Ffmpeg,
): Promise<{ file: ExaminedFile; isComplete: boolean }> {
  const { ffprobePath, version: ffmpegVersion } = ffmpeg
  const storedRow = await selectMediaFile(deps.database.reader, { path, ...location })
  const storedInformation = JSON.parse(storedRow?.information ?? 'null') as StoredInformation | null
  const acceptedVersions =
    location.sizeBytes > MAX_SCANNED_FILE_BYTES
      ? [...EARLIER_INFORMATION_VERSIONS, INFORMATION_VERSION]
      : [INFORMATION_VERSION]
  const isInformationCurrent =
    storedInformation !== null &&
    acceptedVersions.includes(storedInformation.version ?? 0) &&
    (!('refusedByFfmpeg' in storedInformation) || storedInformation.refusedByFfmpeg === ffmpegVersion)
  const row = isInformationCurrent ? storedRow : undefined
  const knownInformation =
    storedInformation && !('refusedByFfmpeg' in storedInformation) ? storedInformation : null
  const loadedInformation = row ? knownInformation : await probeMedia(ffmpeg, location.realPath)
  const video = loadedInformation?.video
  const indexKeyframeSeconds = video ? await readKeyframeTimes(location.realPath, video.index + 1) : null
  const canScanKeyframes = video !== undefined && location.sizeBytes <= MAX_SCANNED_FILE_BYTES
  const keyframeScan =
    !row && !indexKeyframeSeconds && canScanKeyframes
      ? await scanKeyframes(ffprobePath, location.realPath, video.index).catch(returnUnreadOrThrow)
      : null
  const finishedKeyframeScan = keyframeScan === 'unread' ? null : keyframeScan
  const isComplete = keyframeScan !== 'unread' && !loadedInformation?.isEndUnread
  const information = loadedInformation && applyKeyframeScan(loadedInformation, finishedKeyframeScan)
  const scannedKeyframeSeconds = row
    ? (JSON.parse(row.keyframes ?? 'null') as number[] | null)
    : (finishedKeyframeScan?.keyframesSeconds ?? null)
  if (!row && isComplete)
    await storeInformation(
      deps,
      path,
      location,
      information ?? { refusedByFfmpeg: ffmpegVersion },
      scannedKeyframeSeconds,
    )
  const keyframeSeconds = (indexKeyframeSeconds ?? scannedKeyframeSeconds)?.map(
    (seconds) => seconds - (information?.startSeconds ?? 0),
  )
  const canCopyVideo = keyframeSeconds && isVideoCopyable(keyframeSeconds) && !information?.entryPoints
  const file = { path, location, information, keyframes: canCopyVideo ? keyframeSeconds : null }
  return { file, isComplete }
}

function returnUnreadOrThrow(error: unknown): 'unread' {
  if (error instanceof FileUnreadableError) return 'unread'
  throw error
}

/**
 * Reads a large recording completely to find jumps of its timestamps. Reading takes minutes, so only a background job
 * calls this function. `examineFile` finds jumps only in files of up to MAX_SCANNED_FILE_BYTES.
 */
export async function measureLargeRecording(deps: Deps, path: string, signal: AbortSignal): Promise<void> {
  const examinedFile = await examineFile(deps, path)
  const ffmpeg = await deps.streamSources.ffmpeg.find()
  const { information, location } = examinedFile ?? {}
  if (!information || !location || ffmpeg.status !== 'available') return
  if (location.sizeBytes <= MAX_SCANNED_FILE_BYTES || !hasImpreciseSeeking(information.format)) return
  const { realPath } = location
  const keyframeScan = await scanKeyframes(
    ffmpeg.ffmpeg.ffprobePath,
    realPath,
    information.video.index,
    signal,
  ).catch(returnUnreadOrThrow)
  if (!keyframeScan || keyframeScan === 'unread' || signal.aborted) return
  const measuredInformation = { ...applyKeyframeScan(information, keyframeScan), isEndUnread: false }
  await storeInformation(deps, path, location, measuredInformation, keyframeScan.keyframesSeconds)
  cachesByDeps.get(deps)?.delete(createCacheKey(path, location))
}

/** Stores the information, unless the database cannot be written: playback does not need this write. */
async function storeInformation(
  deps: Deps,
  path: string,
  { sizeBytes, modifiedAtMs }: LocatedFile,
  information: StoredInformation,
  keyframeSeconds: number[] | null,
): Promise<void> {
  const row = {
    path,
    size_bytes: sizeBytes,
    modified_at: modifiedAtMs,
    probed_at: deps.now(),
    information: JSON.stringify({ ...information, version: INFORMATION_VERSION }),
    keyframes: keyframeSeconds && JSON.stringify(keyframeSeconds),
  }
  await runOptionalWrite(() => upsertMediaFile(deps.database.primary, row))
}

const createCacheKey = (path: string, { sizeBytes, modifiedAtMs }: LocatedFile) =>
  `${sizeBytes} ${modifiedAtMs} ${path}`

/**
 * Adds the duration and the entry points of a recording whose timestamps jump (`joinedRecording`), but only for MPEG-TS
 * and MPEG-PS. Timestamps jump only in these formats, and ffmpeg can start at the byte position of an entry point only
 * in these formats.
 */
function applyKeyframeScan(information: MediaInformation, keyframeScan: VideoScan | null): MediaInformation {
  const joinedRecording = hasImpreciseSeeking(information.format) ? keyframeScan?.joinedRecording : null
  return joinedRecording ? { ...information, ...joinedRecording, isStatedDurationWrong: true } : information
}

/**
 * False when an edit list hides the start of the video, as after trimming on a phone. A copy would show the
 * hidden part.
 */
const isVideoCopyable = ([firstSeconds = 0]: readonly number[]) => firstSeconds > -MAX_HIDDEN_START_SECONDS
