/** What is known of the files of the media folder: codecs, tracks, chapters and duration. Each file is examined once. */
import { type MediaInformation, probeMedia } from '../../providers/ffmpeg/media-probe.ts'
import { scanKeyframes } from '../../providers/ffmpeg/scan-keyframes.ts'
import { readKeyframeTimes } from '../../providers/library/keyframes.ts'
import type { LocatedFile } from '../../providers/library/library.ts'
import { selectMediaFile, upsertMediaFile } from '../../queries/media-file.ts'
import type { Deps } from '../deps.ts'

export interface ExaminedFile {
  /** Path relative to the media folder. */
  path: string
  location: LocatedFile
  /** Null when the file is damaged from its start, or no video. */
  information: MediaInformation | null
  /** Times at which a copied video can be cut, in seconds from its start; null when they are not known. */
  keyframes: number[] | null
}

/** Containers whose index cannot be read are read as a whole once, if they are small enough to do so while a viewer waits. */
const MAX_SCANNED_BYTES = 1024 * 1024 * 1024
const MAX_CACHED_FILES = 500

const caches = new WeakMap<Deps, Map<string, Promise<ExaminedFile>>>()

/**
 * Returns what is known of a file of the media folder; null when the file does not exist or the server has no ffprobe. The
 * result is stored by path, size and modification time.
 */
export async function examineFile(deps: Deps, path: string): Promise<ExaminedFile | null> {
  const location = await deps.streamSources.library?.locateFile(path)
  if (!location) return null
  const ffmpeg = await deps.streamSources.ffmpeg.find()
  if (ffmpeg.status !== 'available') return null
  const cache = caches.get(deps) ?? new Map<string, Promise<ExaminedFile>>()
  caches.set(deps, cache)
  const key = `${location.sizeBytes} ${location.modifiedAtMs} ${path}`
  const cached = cache.get(key)
  if (cached) return cached
  const result = loadOrProbe(deps, path, location, ffmpeg.ffmpeg.ffprobePath)
  if (cache.size >= MAX_CACHED_FILES) cache.clear()
  cache.set(key, result)
  result.catch(() => cache.delete(key))
  return result
}

async function loadOrProbe(
  deps: Deps,
  path: string,
  location: LocatedFile,
  ffprobePath: string,
): Promise<ExaminedFile> {
  const row = await selectMediaFile(deps.database.reader, { path, ...location })
  const information = row
    ? (JSON.parse(row.information ?? 'null') as MediaInformation | null)
    : await probeMedia(ffprobePath, location.realPath)
  const video = information?.video
  const indexTimes = video ? await readKeyframeTimes(location.realPath, video.index + 1) : null
  const canScan = video !== undefined && location.sizeBytes <= MAX_SCANNED_BYTES
  const scannedTimes = row
    ? (JSON.parse(row.keyframes ?? 'null') as number[] | null)
    : !indexTimes && canScan
      ? await scanKeyframes(ffprobePath, location.realPath, video.index)
      : null
  if (!row)
    await upsertMediaFile(deps.database.primary, {
      path,
      size_bytes: location.sizeBytes,
      modified_at: location.modifiedAtMs,
      probed_at: deps.now(),
      information: information && JSON.stringify(information),
      keyframes: scannedTimes && JSON.stringify(scannedTimes),
    })
  const keyframes = (indexTimes ?? scannedTimes)?.map((seconds) => seconds - (information?.startSeconds ?? 0))
  return { path, location, information, keyframes: keyframes ?? null }
}
