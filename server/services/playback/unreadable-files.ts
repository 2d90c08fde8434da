/** Counts how many runs of the thumbnail job could not read each file. */
import type { FileVersion } from '../../queries/seek-thumbnails.ts'
import type { Deps } from '../deps.ts'
import { isFileMissing } from './ffmpeg-failure.ts'
import { storeThumbnails } from './make-seek-thumbnails.ts'

/** A file with this many counted failures (`recordUnreadableFiles`) is not tried again. */
const MAX_UNREADABLE_RUNS = 3
/**
 * Numbers of counted failures in consecutive runs, by path. A first failure is counted only if the run could read other
 * files, because a run that could read no file may have failed because of the folder.
 */
const failedRunCountsByDatabase = new WeakMap<Deps['database'], Map<string, number>>()

/**
 * Records the files that a run could not read. Gives up on a file after MAX_UNREADABLE_RUNS counted failures; failures
 * of a missing file are not counted. Returns true if the files themselves are the cause: the run could read other
 * files, or each of these files already has a counted failure. Otherwise returns false, because the folder may be the
 * cause.
 */
export async function recordUnreadableFiles(
  deps: Deps,
  files: readonly FileVersion[],
  hasReadAnyFile: boolean,
): Promise<boolean> {
  const failedRunCountsByPath = getFailedRunCounts(deps)
  let areFailuresOfFiles = true
  for (const file of files) {
    const earlierRunCount = failedRunCountsByPath.get(file.path) ?? 0
    const isFailureOfFile = hasReadAnyFile || earlierRunCount > 0
    // Failures of a missing file are not counted, because its disk may be unmounted for days.
    const isCounted = isFailureOfFile && !(await isFileMissing(deps, file.path))
    const runCount = isCounted ? earlierRunCount + 1 : earlierRunCount
    failedRunCountsByPath.set(file.path, runCount)
    areFailuresOfFiles &&= isFailureOfFile
    if (runCount < MAX_UNREADABLE_RUNS) continue
    await storeThumbnails(deps, file, null)
    failedRunCountsByPath.delete(file.path)
  }
  return areFailuresOfFiles
}

/** Returns the counts of `failedRunCountsByDatabase` for this database, by path. Callers change the map. */
export function getFailedRunCounts({ database }: Deps): Map<string, number> {
  const failedRunCountsByPath = failedRunCountsByDatabase.get(database) ?? new Map<string, number>()
  failedRunCountsByDatabase.set(database, failedRunCountsByPath)
  return failedRunCountsByPath
}
