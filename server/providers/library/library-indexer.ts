/**
 * Keeps the library index up to date. It scans all folders at the start and at an interval. Between scans, it updates
 * the folders whose changes are reported by file system watchers and polls.
 */

import { readdir } from 'node:fs/promises'
import type { ClassifiedFile } from './classified-file.ts'
import { classifyFile } from './classify-file.ts'
import { createMountTracker, EMPTY_FOLDER_GRACE_MS, hasEntries } from './empty-folders.ts'
import { type FolderTree, isInFolder, walkFolders } from './folder-tree.ts'
import { buildLibraryIndex, type LibraryIndex } from './library-index.ts'
import type { Nfo } from './nfo.ts'
import { pollFolders } from './poll-folders.ts'
import { readNfoFile, refreshFolder } from './refresh-folder.ts'
import { watchFolders } from './watch-folders.ts'

export interface LibraryIndexerOptions {
  /** Delay between the first change and the update. Further changes are collected in the meantime. */
  settleMs?: number
  /**
   * Interval of full scans. They find changes that neither watchers nor polls report, such as changed NFO files in
   * network folders.
   */
  rescanIntervalMs?: number
  onEvent?: (event: string, fields: Record<string, unknown>) => void
}
const SETTLE_MS = 700
const RESCAN_INTERVAL_MS = 15 * 60_000

/**
 * Creates the indexer of the library in the folder `root`, which is a real path. Scans and updates run one at a time,
 * in the order in which they were requested.
 */
export function createLibraryIndexer(root: string, options: LibraryIndexerOptions) {
  const { settleMs = SETTLE_MS, rescanIntervalMs = RESCAN_INTERVAL_MS, onEvent = () => {} } = options
  let tree: FolderTree = new Map()
  let index: LibraryIndex | null = null
  let unreadableFolders = new Set<string>()
  let emptySinceMs: number | null = null
  const { isUnmounted, setKnownMountPoints, listMountPoints } = createMountTracker()
  const nfosByPath = new Map<string, Nfo | null>()
  const readCachedNfo = createNfoCache(root, nfosByPath)
  const classifier = createCachedClassifier()
  let firstScanPromise: Promise<void> = Promise.resolve()
  let taskQueue: Promise<void> = firstScanPromise
  let rescanTimer: NodeJS.Timeout | undefined

  const enqueueTask = (task: () => Promise<void>) => {
    taskQueue = taskQueue
      .then(task)
      .catch((error: Error) => onEvent('library-scan-failed', { error: error.message }))
  }
  const folderDebouncer = createDebouncer(settleMs, (folders) => enqueueTask(() => updateFolders(folders)))
  const watcher = watchFolders(root, folderDebouncer.add, (code) => onEvent('library-watch-limit', { code }))
  const poller = pollFolders(root, {
    listFolders: () => tree,
    // A mount causes no event, so folders whose disk may not be mounted are polled as well.
    isWatched: (folder) => watcher.isWatched(folder) && !unreadableFolders.has(folder),
    onChange: folderDebouncer.add,
  })
  const listeners = new Set<(isFullScan: boolean) => void>()
  const rebuildIndex = async (isFullScan: boolean) => {
    index = await buildLibraryIndex(tree, readCachedNfo, classifier.classify)
    classifier.clearIfOutdated(index.files.length)
    for (const listener of listeners) listener(isFullScan)
  }
  /**
   * Returns the folders to watch, each with its identity in the file system (device and inode). Leaves out
   * unreadable folders and their subfolders; they get new watchers as soon as they can be read again. An empty folder
   * that may be the mount point of an unmounted disk is watched, although `unreadableFolders` contains it.
   */
  function getFoldersToWatch(): Map<string, string> {
    const unavailableFolders = [...unreadableFolders].filter((path) => {
      const folder = tree.get(path)
      return !folder || hasEntries(folder)
    })
    const identitiesByFolder = new Map<string, string>()
    for (const [path, { device, inode }] of tree)
      if (!unavailableFolders.some((folder) => isInFolder(path, folder)))
        identitiesByFolder.set(path, `${device}:${inode}`)
    return identitiesByFolder
  }
  async function scanFolders() {
    const startedAtMs = performance.now()
    const newTree: FolderTree = new Map()
    unreadableFolders = new Set(await walkFolders(root, '', newTree, tree, isUnmounted))
    tree = newTree
    for (const nfoPath of nfosByPath.keys())
      if (![...unreadableFolders].some((folder) => isInFolder(nfoPath, folder))) nfosByPath.delete(nfoPath)
    await rebuildIndex(true)
    await watcher.setWatchedFolders(getFoldersToWatch())
    const durationMs = Math.round(performance.now() - startedAtMs)
    onEvent('library', { files: index?.usableFileCount, folders: tree.size, ms: durationMs })
    for (const [folder, { unusableNameCount }] of tree)
      if (unusableNameCount > 0) onEvent('library-unusable-names', { folder, names: unusableNameCount })
  }
  async function updateFolders(folders: string[]) {
    let hasChanged = false
    const previousUnreadablePaths = [...unreadableFolders].join()
    const state = { root, tree, nfosByPath, unreadableFolders, isUnmounted }
    for (const folder of folders) hasChanged = (await refreshFolder(state, folder)) || hasChanged
    if (!hasChanged && [...unreadableFolders].join() === previousUnreadablePaths) return
    // Files that were added to a new folder before its watcher started caused no event, so the folder is listed again.
    for (const folder of await watcher.setWatchedFolders(getFoldersToWatch())) folderDebouncer.add(folder)
    await rebuildIndex(false)
  }
  return {
    async start() {
      const scanPromise = scanFolders()
      firstScanPromise = scanPromise.catch(() => {})
      taskQueue = firstScanPromise
      rescanTimer = setInterval(() => enqueueTask(scanFolders), rescanIntervalMs)
      rescanTimer.unref()
      await scanPromise
      await poller.start()
    },
    stop() {
      folderDebouncer.stop()
      poller.stop()
      clearInterval(rescanTimer)
      watcher.stop()
    },
    whenScanned: () => firstScanPromise,
    whenIdle: () => taskQueue,
    async rescan() {
      let scanError: Error | undefined
      enqueueTask(() =>
        scanFolders().catch((error: Error) => {
          scanError = error
          throw error
        }),
      )
      await taskQueue
      if (scanError) throw scanError
    },
    onUpdate(listener: (isFullScan: boolean) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async findUnreadableFolders(): Promise<string[]> {
      const names = await readdir(root).catch(() => null)
      if (names && names.length > 0) {
        emptySinceMs = null
        return [...unreadableFolders]
      }
      emptySinceMs ??= performance.now()
      const isRootEmptied = names !== null && performance.now() - emptySinceMs >= EMPTY_FOLDER_GRACE_MS
      return isRootEmptied ? [] : ['']
    },
    getTree: () => tree,
    setKnownMountPoints,
    listMountPoints: () => listMountPoints(tree),
    getIndex: () => index,
  }
}

/**
 * Caches the results of `classifyFile`, which takes most of the time of a build of the index. Most files are the same
 * in each build.
 */
function createCachedClassifier() {
  const classifiedFilesByPath = new Map<string, ClassifiedFile | null>()
  return {
    classify(path: string): ClassifiedFile | null {
      const cachedFile = classifiedFilesByPath.get(path)
      if (cachedFile !== undefined) return cachedFile
      const classifiedFile = classifyFile(path)
      classifiedFilesByPath.set(path, classifiedFile)
      return classifiedFile
    },
    /** Clears the cache when most of its entries belong to files that no longer exist. */
    clearIfOutdated(fileCount: number) {
      if (classifiedFilesByPath.size > 2 * fileCount + 1_000) classifiedFilesByPath.clear()
    },
  }
}

function createNfoCache(root: string, nfosByPath: Map<string, Nfo | null>) {
  return async (path: string) => {
    if (!nfosByPath.has(path)) nfosByPath.set(path, await readNfoFile(root, path))
    return nfosByPath.get(path) ?? null
  }
}

/** Collects changed folders and passes them on together, `settleMs` after the first one. */
function createDebouncer(settleMs: number, onSettled: (folders: string[]) => void) {
  const pendingFolders = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  return {
    add(folder: string) {
      pendingFolders.add(folder)
      timer ??= setTimeout(() => {
        timer = undefined
        const changedFolders = [...pendingFolders].sort()
        pendingFolders.clear()
        onSettled(changedFolders)
      }, settleMs)
      timer.unref()
    },
    stop: () => clearTimeout(timer),
  }
}
