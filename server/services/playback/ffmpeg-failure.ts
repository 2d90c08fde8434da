/** Distinguishes temporary failures of ffmpeg from failures that the media file causes. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../core/problem.ts'
import { isKilledBySystem } from '../../providers/ffmpeg/run-ffmpeg.ts'
import type { Deps } from '../deps.ts'

/** Size of the test file: about the size of a sheet of thumbnails, so that a nearly full disk counts as full. */
const TEST_FILE_BYTES = 65_536
const RETRY_AFTER_SECONDS = 5

/** True when a file is not in the media folder now. Its disk may not be mounted. */
export const isFileMissing = async ({ streamSources }: Deps, path: string): Promise<boolean> =>
  !(await streamSources.library?.locateFile(path))

/**
 * Throws when a run of ffmpeg may succeed later: the error of the disk when `outputFolder` cannot be written, and 503
 * when the media file `path` has disappeared or the system has killed ffmpeg. The result of such a run must not be
 * stored as if the file were damaged. Call this function before the incomplete output is deleted, because
 * the deletion frees space on a full disk.
 */
export async function throwIfTemporaryFailure(
  deps: Deps,
  error: unknown,
  { path, outputFolder }: { path: string; outputFolder: string },
): Promise<void> {
  await assertWritable(outputFolder)
  if (isKilledBySystem(error) || (await isFileMissing(deps, path)))
    throw new Problem('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
}

/** Throws the error of the file system when the folder cannot be written, for example because the disk is full. */
async function assertWritable(folder: string): Promise<void> {
  const testFile = join(folder, 'test')
  try {
    await writeFile(testFile, Buffer.alloc(TEST_FILE_BYTES, 1))
  } finally {
    await rm(testFile, { force: true })
  }
}
