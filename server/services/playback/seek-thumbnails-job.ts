/**
 * Background job that makes the thumbnails of the seek bar and deletes the thumbnails of files that no longer
 * exist.
 */
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { toErrorFields } from '../../core/log.ts'
import { Problem } from '../../core/problem.ts'
import type { Ffmpeg } from '../../providers/ffmpeg/ffmpeg-binary.ts'
import { makeThumbnailSheets, SHEET_FRAMES } from '../../providers/ffmpeg/make-thumbnails.ts'
import { selectLatestJobOfKind } from '../../queries/job.ts'
import {
  countSeekThumbnails,
  deleteSeekThumbnails,
  type FileVersion,
  forgetSeekThumbnails,
  selectFileWithoutThumbnails,
  selectOutdatedThumbnails,
  selectThumbnailFolders,
  upsertSeekThumbnails,
} from '../../queries/seek-thumbnails.ts'
import type { Deps } from '../deps.ts'
import { type JobContext, JobFailure } from '../jobs/job-queue.ts'
import { computeRetryTimeMs, JOB_RETRY_DELAY_MS } from '../jobs/retry-delay.ts'
import { loadSettingValue } from '../operations/settings.ts'
import { listConversionSessions } from './conversion/conversions.ts'
import { type ExaminedFile, examineFile, measureLargeRecording } from './media-information.ts'
import { createThumbnailFolderName, getThumbnailRoot } from './seek-thumbnails.ts'

const BYTES_PER_MEGABYTE = 1024 * 1024
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
const CONVERSION_CHECK_INTERVAL_MS = 2_000
/**
 * Longest time that each file waits for conversions to end. Without this limit, a server that always converts
 * would never make thumbnails.
 */
const MAX_CONVERSION_WAIT_MS = 5 * 60_000
const REMOVALS_PER_QUERY = 500
const MAX_UNREADABLE_FILES = 20
const FILES_UNREADABLE_MESSAGE = 'files_unreadable'
/** A file that could not be read in this many consecutive runs is not tried again. */
const MAX_UNREADABLE_RUNS = 3
/**
 * Numbers of consecutive runs that could not read a file, by path. The count of a file starts with a run that could
 * read other files. A run that could read no file may have failed because of the folder.
 */
const failedRunCountsByDatabase = new WeakMap<Deps['database'], Map<string, number>>()

/**
 * `full`: the sheets have reached the size of the setting `thumbnails_disk_megabytes`. `off`: the setting is
 * 0.
 */
type ThumbnailState = 'available' | 'off' | 'full' | 'no_ffmpeg'

/**
 * Returns the number of matched files, the number of files that the job has handled, the size of all sheets in bytes,
 * and whether the server can make more thumbnails.
 */
export async function describeThumbnailState(
  deps: Deps,
): Promise<{ state: ThumbnailState; files: number; handled: number; size: number }> {
  const { storedBytes, ...counts } = await countSeekThumbnails(deps.database.primary)
  return { state: await findThumbnailState(deps, storedBytes), ...counts, size: storedBytes }
}

async function findThumbnailState(deps: Deps, storedBytes: number): Promise<ThumbnailState> {
  const limitBytes = (await loadThumbnailMegabytes(deps)) * BYTES_PER_MEGABYTE
  if (limitBytes === 0) return 'off'
  if ((await deps.streamSources.ffmpeg.find()).status !== 'available') return 'no_ffmpeg'
  return storedBytes >= limitBytes ? 'full' : 'available'
}

const loadThumbnailMegabytes = (deps: Deps) =>
  loadSettingValue(deps.database.primary, 'thumbnails_disk_megabytes')

/**
 * True when thumbnails can be made or must be deleted. False for JOB_RETRY_DELAY_MS after the end of a job that has
 * failed or was cancelled, and after the start of a job that could not read some files.
 */
export async function areSeekThumbnailsDue(deps: Deps): Promise<boolean> {
  const { primary } = deps.database
  if (!deps.streamSources.library) return false
  const nowMs = deps.now()
  const lastJob = await selectLatestJobOfKind(primary, { kind: 'seek_thumbnails', nowMs })
  if (computeRetryTimeMs(lastJob, nowMs) > nowMs) return false
  if (lastJob?.message === FILES_UNREADABLE_MESSAGE && lastJob.created_at > nowMs - JOB_RETRY_DELAY_MS)
    return false
  if ((await selectOutdatedThumbnails(primary, 1)).length > 0) return true
  const {
    state,
    files: fileCount,
    handled: handledCount,
    size: sizeBytes,
  } = await describeThumbnailState(deps)
  return state === 'available' && (handledCount < fileCount || (sizeBytes > 0 && (await isRootMissing(deps))))
}

/**
 * True when the folder of all thumbnails does not exist, for example after a restore on another machine. The
 * database may then list thumbnails that do not exist.
 */
const isRootMissing = async (deps: Deps) => (await stat(getThumbnailRoot(deps)).catch(() => null)) === null

/**
 * Job handler: makes the thumbnails of all files, newest file first. Before each file, `waitForConversions` waits for
 * encodings of this process.
 */
export async function runSeekThumbnails({ deps, signal, reportProgress }: JobContext) {
  if (!deps.streamSources.library) throw new JobFailure('not_configured')
  if (await isRootMissing(deps)) await forgetSeekThumbnails(deps.database.primary)
  await mkdir(getThumbnailRoot(deps), { recursive: true })
  const removedCount = await removeOutdatedThumbnails(deps)
  let madeCount = 0
  const failedRunCountsByPath = getFailedRunCounts(deps)
  // Files that could not be read in an earlier run come last, so that the job reaches the other files.
  let postponedPaths = [...failedRunCountsByPath.keys()]
  let hasReadFile = false
  const unreadableFiles: FileVersion[] = []
  let consecutiveUnreadableCount = 0
  for (;;) {
    const { state, files: fileCount, handled: handledCount } = await describeThumbnailState(deps)
    await reportProgress(handledCount, fileCount)
    const skippedPaths = [...postponedPaths, ...unreadableFiles.map(({ path }) => path)]
    const file = await selectFileWithoutThumbnails(deps.database.primary, skippedPaths)
    if (!file && postponedPaths.length > 0) {
      postponedPaths = []
      continue
    }
    if (!file) break
    if (state === 'no_ffmpeg') throw new JobFailure('ffmpeg_missing')
    if (state !== 'available')
      return { message: `thumbnails_${state}`, report: { made: madeCount, removed: removedCount } }
    await waitForConversions(deps, signal)
    if (signal.aborted) break
    const outcome = await makeThumbnails(deps, file, signal).catch(toUnreadable)
    if (outcome === 'made') madeCount += 1
    if (signal.aborted) break
    if (outcome === 'unreadable') {
      unreadableFiles.push(file)
      consecutiveUnreadableCount += 1
    } else {
      failedRunCountsByPath.delete(file.path)
      hasReadFile = true
      consecutiveUnreadableCount = 0
    }
    // This many unreadable files in succession indicate that the disk does not respond.
    if (consecutiveUnreadableCount >= MAX_UNREADABLE_FILES) break
  }
  const report = { made: madeCount, removed: removedCount }
  if (unreadableFiles.length === 0) return { report }
  // The job runs again after JOB_RETRY_DELAY_MS, and then tries these files again.
  if (!(await recordUnreadableFiles(deps, unreadableFiles, hasReadFile)))
    throw new JobFailure('folder_unreadable')
  return { message: FILES_UNREADABLE_MESSAGE, report }
}

/**
 * Records the files that a run could not read, and gives up those that have failed in MAX_UNREADABLE_RUNS runs. Returns
 * false if the folder may be the cause: this run could read no file, and at least one of the files has never failed in a
 * run that could read other files.
 */
async function recordUnreadableFiles(
  deps: Deps,
  files: readonly FileVersion[],
  hasReadFile: boolean,
): Promise<boolean> {
  const failedRunCountsByPath = getFailedRunCounts(deps)
  let areFilesDamaged = true
  for (const file of files) {
    const earlierRunCount = failedRunCountsByPath.get(file.path) ?? 0
    const isDamaged = hasReadFile || earlierRunCount > 0
    // A missing file is not damaged: its disk may be away for days.
    const isCounted = isDamaged && !(await isMissing(deps, file.path))
    const runCount = isCounted ? earlierRunCount + 1 : earlierRunCount
    failedRunCountsByPath.set(file.path, runCount)
    areFilesDamaged &&= isDamaged
    if (runCount < MAX_UNREADABLE_RUNS) continue
    await storeThumbnails(deps, file, null)
    failedRunCountsByPath.delete(file.path)
  }
  return areFilesDamaged
}

const isMissing = async ({ streamSources }: Deps, path: string): Promise<boolean> =>
  !(await streamSources.library?.locateFile(path))

/** Returns the counts of `failedRunCountsByDatabase` for this database, by path. Callers change the map. */
function getFailedRunCounts({ database }: Deps): Map<string, number> {
  const failedRunCountsByPath = failedRunCountsByDatabase.get(database) ?? new Map<string, number>()
  failedRunCountsByDatabase.set(database, failedRunCountsByPath)
  return failedRunCountsByPath
}

/**
 * Waits up to MAX_CONVERSION_WAIT_MS until no video is encoded. Does not wait for copied video, because
 * copying needs little processor time.
 */
async function waitForConversions(deps: Deps, signal: AbortSignal): Promise<void> {
  const deadlineMs = deps.monotonicNow() + MAX_CONVERSION_WAIT_MS
  const isEncoding = () => listConversionSessions(deps).some(({ plan }) => plan.maxHeightPixels !== null)
  while (!signal.aborted && isEncoding() && deps.monotonicNow() < deadlineMs)
    await setTimeout(CONVERSION_CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {})
}

/**
 * Deletes the thumbnails of removed and replaced files, and folders that remained after a crash. Returns the
 * number of files whose thumbnails were deleted.
 */
async function removeOutdatedThumbnails(deps: Deps): Promise<number> {
  const { primary } = deps.database
  const rootFolder = getThumbnailRoot(deps)
  let removedCount = 0
  for (;;) {
    const rows = await selectOutdatedThumbnails(primary, REMOVALS_PER_QUERY)
    for (const { path, folder } of rows) {
      await rm(join(rootFolder, folder), { recursive: true, force: true })
      await deleteSeekThumbnails(primary, path)
    }
    removedCount += rows.length
    if (rows.length < REMOVALS_PER_QUERY) break
  }
  const knownFolders = new Set((await selectThumbnailFolders(primary)).map(({ folder }) => folder))
  for (const folderName of await readdir(rootFolder).catch(() => []))
    if (!knownFolders.has(folderName))
      await rm(join(rootFolder, folderName), { recursive: true, force: true })
  return removedCount
}

function toUnreadable(error: unknown): 'unreadable' {
  if (error instanceof Problem && error.type === 'overloaded') return 'unreadable'
  throw error
}

/**
 * Stores the thumbnails of a file, or the fact that the file has no thumbnails. Stores nothing and returns `unreadable`
 * when the file is missing, because its disk may be away. Throws 503 when the file cannot be read now.
 */
async function makeThumbnails(
  deps: Deps,
  fileVersion: FileVersion,
  signal: AbortSignal,
): Promise<'made' | 'none' | 'unreadable'> {
  const ffmpeg = await deps.streamSources.ffmpeg.find()
  // In a large recording, timestamps may jump. The jumps are measured first, because thumbnails need the correct times.
  // The job reads the whole file anyway.
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

/** Stores the thumbnails of a file. With null, stores that the file has none, and the job does not try it again. */
const storeThumbnails = (deps: Deps, fileVersion: FileVersion, sheets: Sheets | null): Promise<void> =>
  upsertSeekThumbnails(deps.database.primary, {
    ...fileVersion,
    made_at: deps.now(),
    folder: createThumbnailFolderName(fileVersion),
    frame_count: sheets?.frameCount ?? 0,
    interval_seconds: sheets?.intervalSeconds ?? MIN_THUMBNAIL_INTERVAL_SECONDS,
    stored_bytes: sheets?.storedBytes ?? 0,
  })

interface SheetRequest {
  file: ExaminedFile
  folder: string
  ffmpeg: Ffmpeg
  signal: AbortSignal
}
interface Sheets {
  frameCount: number
  intervalSeconds: number
  storedBytes: number
}

/**
 * Returns null when no thumbnails could be made. A damaged file gets thumbnails of its readable part. Throws 503 when
 * the file has disappeared.
 */
async function makeSheets(
  deps: Deps,
  { file, folder, ffmpeg, signal }: SheetRequest,
): Promise<Sheets | null> {
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
      if (await isMissing(deps, file.path)) throw new Problem('overloaded', { cause: error })
    })
    const sheetNames = await readdir(outputFolder)
    if (signal.aborted || sheetNames.length === 0) return null
    const sheetSizesBytes = await Promise.all(
      sheetNames.map(async (sheetName) => (await stat(join(outputFolder, sheetName))).size),
    )
    await rename(outputFolder, join(getThumbnailRoot(deps), folder))
    return {
      frameCount: Math.min(Math.floor(durationSeconds / intervalSeconds), sheetNames.length * SHEET_FRAMES),
      intervalSeconds,
      storedBytes: sheetSizesBytes.reduce((sum, sheetSizeBytes) => sum + sheetSizeBytes, 0),
    }
  } finally {
    await rm(outputFolder, { recursive: true, force: true })
  }
}
