/**
 * Background job that makes the thumbnails of the seek bar and deletes the thumbnails of files that no longer
 * exist.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../core/problem.ts'
import { selectLatestJobOfKind } from '../../queries/job.ts'
import {
  deleteMadeSeekThumbnails,
  deleteSeekThumbnails,
  type FileVersion,
  selectFileWithoutThumbnails,
  selectOutdatedThumbnails,
  selectThumbnailFolders,
} from '../../queries/seek-thumbnails.ts'
import type { Deps } from '../deps.ts'
import { type JobContext, JobFailure } from '../jobs/job-queue.ts'
import { computeRetryTimeMs, JOB_RETRY_DELAY_MS } from '../jobs/retry-delay.ts'
import { listConversionSessions } from './conversion/conversions.ts'
import { makeThumbnails } from './make-seek-thumbnails.ts'
import { getThumbnailRoot } from './seek-thumbnails.ts'
import { describeThumbnailState } from './thumbnail-state.ts'
import { getFailedRunCounts, recordUnreadableFiles } from './unreadable-files.ts'

const CONVERSION_CHECK_INTERVAL_MS = 2_000
/**
 * Longest time that the job waits, before each file, for the end of all encodings. Without this limit, a server that
 * always encodes a video would never make thumbnails.
 */
const MAX_CONVERSION_WAIT_MS = 5 * 60_000
const REMOVALS_PER_QUERY = 500
const MAX_UNREADABLE_FILES = 20
const FILES_UNREADABLE_MESSAGE = 'files_unreadable'
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
  return (
    state === 'available' &&
    (handledCount < fileCount || (sizeBytes > 0 && (await isThumbnailRootMissing(deps))))
  )
}

/**
 * True when the folder of all thumbnails does not exist, for example after a restore on another machine. The
 * database may then list thumbnails that do not exist.
 */
const isThumbnailRootMissing = async (deps: Deps) =>
  (await stat(getThumbnailRoot(deps)).catch(() => null)) === null

/**
 * Job handler: makes the thumbnails of all files, newest file first. Before each file, `waitForConversions` waits for
 * encodings of this process.
 */
export async function runSeekThumbnails({ deps, signal, reportProgress }: JobContext) {
  if (!deps.streamSources.library) throw new JobFailure('not_configured')
  if (await isThumbnailRootMissing(deps)) await deleteMadeSeekThumbnails(deps.database.primary)
  await mkdir(getThumbnailRoot(deps), { recursive: true })
  const removedCount = await removeOutdatedThumbnails(deps)
  let madeCount = 0
  const failedRunCountsByPath = getFailedRunCounts(deps)
  // Files that could not be read in an earlier run come last, so that the job reaches the other files.
  let postponedPaths = [...failedRunCountsByPath.keys()]
  let hasReadAnyFile = false
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
    const outcome = await makeThumbnails(deps, file, signal).catch(returnUnreadableOrThrow)
    if (outcome === 'made') madeCount += 1
    if (signal.aborted) break
    if (outcome === 'unreadable') {
      unreadableFiles.push(file)
      consecutiveUnreadableCount += 1
    } else {
      failedRunCountsByPath.delete(file.path)
      hasReadAnyFile = true
      consecutiveUnreadableCount = 0
    }
    // This many unreadable files in succession indicate that the disk does not respond.
    if (consecutiveUnreadableCount >= MAX_UNREADABLE_FILES) break
  }
  const report = { made: madeCount, removed: removedCount }
  if (unreadableFiles.length === 0) return { report }
  // The job runs again after JOB_RETRY_DELAY_MS. It then tries these files again, unless it has given up on them.
  if (!(await recordUnreadableFiles(deps, unreadableFiles, hasReadAnyFile)))
    throw new JobFailure('folder_unreadable')
  return { message: FILES_UNREADABLE_MESSAGE, report }
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

function returnUnreadableOrThrow(error: unknown): 'unreadable' {
  if (error instanceof Problem && error.type === 'overloaded') return 'unreadable'
  throw error
}
