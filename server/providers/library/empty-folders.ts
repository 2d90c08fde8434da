/**
 * Distinguishes folders whose disk is not mounted from folders whose files were deleted. An empty mount point looks
 * like a folder without files.
 */
import { getParentFolder } from './file-path.ts'
import type { FolderTree, LibraryFolder, UnmountedCheck } from './folder-tree.ts'

/**
 * Time for which an empty folder counts as the mount point of a disk or a network share that is not mounted.
 * Afterwards, it counts as a folder whose files were deleted.
 */
export const EMPTY_FOLDER_GRACE_MS = 24 * 60 * 60_000

/**
 * Folders that are not on the device of their parent folder, and empty folders whose disk may not be mounted. The value
 * is the time in milliseconds for which the folder was empty while a server was running. Durations are stored instead
 * of times, so that a change of the clock while the server is off does not end EMPTY_FOLDER_GRACE_MS early.
 */
export type MountPoints = ReadonlyMap<string, number>

export interface MountTracker {
  /**
   * True while the folder may be the mount point of a disk that is not mounted, for at most EMPTY_FOLDER_GRACE_MS.
   * There are two cases:
   * - The folder had entries and is now empty on another device.
   * - The folder is a known mount point that was already empty when this run listed it first, as after a restart
   * without the disk.
   * Until the mount points of earlier runs are known, every folder directly in the root counts as a mount point.
   */
  isUnmounted: UnmountedCheck
  /** Sets the mount points that an earlier run has listed. Call it before the first scan. */
  setKnownMountPoints: (mountPoints: MountPoints) => void
  /** Returns the mount points in the tree, including those that are not mounted. */
  listMountPoints: (tree: FolderTree) => MountPoints
}

export function createMountTracker(getNowMs: () => number = () => performance.now()): MountTracker {
  const emptySinceMsByFolder = new Map<string, number>()
  let knownMountPoints: MountPoints | null = null
  /** Time for which a folder was empty in this run and in earlier ones. */
  const getEmptyDurationMs = (path: string, emptySinceMs: number) =>
    (knownMountPoints?.get(path) ?? 0) + getNowMs() - emptySinceMs
  const mayBeMountPoint = (path: string) =>
    knownMountPoints ? knownMountPoints.has(path) : path !== '' && !path.includes('/')
  return {
    isUnmounted(path, folder, previousFolder) {
      if (hasEntries(folder)) {
        emptySinceMsByFolder.delete(path)
        return false
      }
      const isUnmounted = previousFolder
        ? hasEntries(previousFolder) && previousFolder.device !== folder.device
        : mayBeMountPoint(path)
      const emptySinceMs = emptySinceMsByFolder.get(path) ?? (isUnmounted ? getNowMs() : null)
      if (emptySinceMs === null) return false
      emptySinceMsByFolder.set(path, emptySinceMs)
      return getEmptyDurationMs(path, emptySinceMs) < EMPTY_FOLDER_GRACE_MS
    },
    setKnownMountPoints(mountPoints) {
      knownMountPoints = mountPoints
    },
    listMountPoints(tree) {
      const mountPoints = new Map<string, number>()
      for (const [path, folder] of tree) {
        const emptySinceMs = emptySinceMsByFolder.get(path)
        const emptyDurationMs =
          emptySinceMs === undefined ? 0 : Math.round(getEmptyDurationMs(path, emptySinceMs))
        const mayBeUnmounted = emptySinceMs !== undefined && emptyDurationMs < EMPTY_FOLDER_GRACE_MS
        if (mayBeUnmounted || isMounted(tree, path, folder)) mountPoints.set(path, emptyDurationMs)
      }
      return mountPoints
    },
  }
}

function isMounted(tree: FolderTree, path: string, folder: LibraryFolder): boolean {
  if (path === '' || !hasEntries(folder)) return false
  const parentFolder = tree.get(getParentFolder(path))
  return parentFolder !== undefined && parentFolder.device !== folder.device
}

export const hasEntries = ({ files, folders }: LibraryFolder) => files.length > 0 || folders.length > 0
