/**
 * Distinguishes folders whose disk is not mounted from folders whose files were deleted. An empty mount point looks
 * like a folder without files.
 */
import type { LibraryFolder, MountCheck } from './folder-tree.ts'

/**
 * For this time, an empty folder counts as the mount point of a disk or a network share that is not mounted. After
 * that, it counts as a folder whose files were deleted.
 */
export const EMPTY_FOLDER_GRACE_MS = 24 * 60 * 60_000

/**
 * Returns a check that is true for EMPTY_FOLDER_GRACE_MS in two cases: a folder had entries and is now empty on another
 * device, or a folder directly in the root was empty when it was listed first, as after a restart without the disk.
 */
export function createMountCheck(getNowMs: () => number = () => performance.now()): MountCheck {
  const emptySinceMsByFolder = new Map<string, number>()
  return (path, folder, previousFolder) => {
    if (hasEntries(folder)) {
      emptySinceMsByFolder.delete(path)
      return false
    }
    const isUnmounted = previousFolder
      ? hasEntries(previousFolder) && previousFolder.device !== folder.device
      : path !== '' && !path.includes('/')
    const emptySinceMs = emptySinceMsByFolder.get(path) ?? (isUnmounted ? getNowMs() : null)
    if (emptySinceMs === null) return false
    emptySinceMsByFolder.set(path, emptySinceMs)
    return getNowMs() - emptySinceMs < EMPTY_FOLDER_GRACE_MS
  }
}

export const hasEntries = ({ files, folders }: LibraryFolder) => files.length > 0 || folders.length > 0
