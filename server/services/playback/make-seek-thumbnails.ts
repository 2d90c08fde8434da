/** Makes and stores the thumbnails of one file. */
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { toErrorFields } from '../../core/log.ts'
import type { Ffmpeg } from '../../providers/ffmpeg/ffmpeg-binary.ts'
import { makeThumbnailSheets, THUMBNAILS_PER_SHEET } from '../../providers/ffmpeg/make-thumbnails.ts'
import { type FileVersion, upsertSeekThumbnails } from '../../queries/seek-thumbnails.ts'
import type { Deps } from '../deps.ts'
import { throwIfTemporaryFailure } from './ffmpeg-failure.ts'
import { type ExaminedFile, examineFile, measureLargeRecording } from './media-information.ts'
import { createThumbnailFolderName, getThumbnailRoot } from './seek-thumbnails.ts'

const MIN_THUMBNAIL_INTERVAL_SECONDS = 10
/**
 * Maximum number of thumbnails of a file. This number of thumbnails needs a few megabytes. Longer videos get a
 * longer interval.
 */
const MAX_THUMBNAILS = 2_000
/**
 * Minimum duration of a video with thumbnails. In a shorter video, playing is the faster way to find a scene.
 */
const MIN_VIDEO_DURATION_SECONDS = 30

/**
 * Stores the thumbnails of a file, or the fact that the file has no thumbnails. Stores nothing and returns `unreadable`
 * when the file is missing, because its disk may not be mounted. Stores nothing and returns `none` without ffmpeg, and
 * when `signal` aborts. Throws 503 when the file cannot be read now.
 */
export async function makeThumbnails(
  deps: Deps,
  fileVersion: FileVersion,
  signal: AbortSignal,
): Promise<'made' | 'none' | 'unreadable'> {
  const ffmpeg = await deps.streamSources.ffmpeg.find()
  // In a large recording, timestamps may jump. The jumps are measured first, because thumbnails need the correct times.
  // The measurement reads the whole file. This is acceptable, because making the thumbnails reads the whole file, too.
  await measureLargeRecording(deps, fileVersion.path, signal)
  const examinedFile = await examineFile(deps, fileVersion.path)
  if (ffmpeg.status !== 'available') return 'none'
  if (!examinedFile) return 'unreadable'
  const folder = createThumbnailFolderName(fileVersion)
  const sheets = await makeSheets(deps, { file: examinedFile, folder, ffmpeg: ffmpeg.ffmpeg, signal })
  if (signal.aborted) return 'none'
  await storeThumbnails(deps, fileVersion, sheets)
  return sheets === null ? 'none' : 'made'
}

/**
 * Stores the thumbnails of a file. If `sheets` is null, stores that the file has no thumbnails, so that the job does
 * not try the file again.
 */
export const storeThumbnails = (
  deps: Deps,
  fileVersion: FileVersion,
  sheets: ThumbnailSheets | null,
): Promise<void> =>
  upsertSeekThumbnails(deps.database.primary, {
    ...fileVersion,
    made_at: deps.now(),
    folder: createThumbnailFolderName(fileVersion),
    frame_count: sheets?.frameCount ?? 0,
    interval_seconds: sheets?.intervalSeconds ?? MIN_THUMBNAIL_INTERVAL_SECONDS,
    stored_bytes: sheets?.storedBytes ?? 0,
  })

interface ThumbnailSheetRequest {
  file: ExaminedFile
  folder: string
  ffmpeg: Ffmpeg
  signal: AbortSignal
}
interface ThumbnailSheets {
  frameCount: number
  intervalSeconds: number
  storedBytes: number
}

/**
 * Makes the sheets with the thumbnails of a file. Returns null when no thumbnails could be made. A damaged file gets
 * thumbnails of its readable part. Throws 503 when the file has disappeared or the system has killed ffmpeg, and the
 * error of the disk when the sheets cannot be written. Sheets that ffmpeg could not complete for one of these reasons
 * must not be stored, because the job would never make them again.
 */
async function makeSheets(
  deps: Deps,
  { file, folder, ffmpeg, signal }: ThumbnailSheetRequest,
): Promise<ThumbnailSheets | null> {
  const { durationSeconds, video } = file.information ?? {}
  if (!video || !durationSeconds || durationSeconds < MIN_VIDEO_DURATION_SECONDS) return null
  const intervalSeconds = Math.max(
    MIN_THUMBNAIL_INTERVAL_SECONDS,
    Math.ceil(durationSeconds / MAX_THUMBNAILS),
  )
  // Rename the folder only when it is complete, so that a crash leaves no incomplete folder under the final
  // name.
  const outputFolder = join(getThumbnailRoot(deps), `${folder}.part`)
  await rm(outputFolder, { recursive: true, force: true })
  await mkdir(outputFolder, { recursive: true })
  const sheetJob = {
    path: file.location.realPath,
    video,
    intervalSeconds,
    outputFolder,
    hasZscale: ffmpeg.filters.has('zscale'),
  }
  try {
    await makeThumbnailSheets(ffmpeg.ffmpegPath, sheetJob, signal).catch(async (error: unknown) => {
      if (signal.aborted) return
      deps.log.warn('seek_thumbnails', toErrorFields(error))
      await throwIfTemporaryFailure(deps, error, { path: file.path, outputFolder })
    })
    const sheetNames = await readdir(outputFolder)
    if (signal.aborted || sheetNames.length === 0) return null
    const sheetSizesBytes = await Promise.all(
      sheetNames.map(async (sheetName) => (await stat(join(outputFolder, sheetName))).size),
    )
    await rename(outputFolder, join(getThumbnailRoot(deps), folder))
    return {
      frameCount: Math.min(
        Math.floor(durationSeconds / intervalSeconds),
        sheetNames.length * THUMBNAILS_PER_SHEET,
      ),
      intervalSeconds,
      storedBytes: sheetSizesBytes.reduce((sum, sheetSizeBytes) => sum + sheetSizeBytes, 0),
    }
  } finally {
    await rm(outputFolder, { recursive: true, force: true })
  }
}
