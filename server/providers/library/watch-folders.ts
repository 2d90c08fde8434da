/**
 * Watches the library's folders one by one. On Linux, Node's recursive watch would list the whole tree in one go and
 * watch every file. The library needs only two kinds of events: files that were added, removed or renamed, and changed
 * NFO files and playlists. Writes to a video do not matter.
 */
import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { getFileExtension } from './media-types.ts'

export interface FolderWatcher {
  /**
   * From now on, watches exactly these folders. Returns the folders that were not watched before. Yields to the event
   * loop between batches of folders.
   */
  setFolders: (folders: Iterable<string>) => Promise<string[]>
  /** False for a folder without a watcher, for example because the limit was reached or the watcher failed. */
  isWatched: (folder: string) => boolean
  stop: () => void
}

const REREAD_EXTENSIONS = new Set(['nfo', 'm3u8'])
/** Maximum number of watched folders. Changes in other folders are found by polling. */
const MAX_WATCHERS = 50_000
const FOLDERS_PER_TURN = 50

export function watchFolders(
  root: string,
  onChange: (folder: string) => void,
  onLimit: (code: string) => void,
): FolderWatcher {
  const watchersByFolder = new Map<string, FSWatcher>()
  let isLimitReached = false
  let isStopped = false
  const unwatchFolder = (folder: string) => {
    watchersByFolder.get(folder)?.close()
    watchersByFolder.delete(folder)
  }
  const watchFolder = (folder: string) => {
    try {
      const watcher = watch(join(root, folder), { persistent: false }, (eventType, fileName) => {
        if (eventType === 'rename' || (fileName && REREAD_EXTENSIONS.has(getFileExtension(fileName))))
          onChange(folder)
      })
      watcher.on('error', () => {
        unwatchFolder(folder)
        onChange(folder)
      })
      watchersByFolder.set(folder, watcher)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? ''
      if (code !== 'ENOSPC' && code !== 'EMFILE') return
      isLimitReached = true
      onLimit(code)
    }
  }
  return {
    async setFolders(folders) {
      const foldersToWatch = new Set(folders)
      for (const folder of watchersByFolder.keys()) if (!foldersToWatch.has(folder)) unwatchFolder(folder)
      const addedFolders: string[] = []
      for (const folder of foldersToWatch) {
        if (isLimitReached || isStopped || watchersByFolder.size >= MAX_WATCHERS) break
        if (watchersByFolder.has(folder)) continue
        watchFolder(folder)
        addedFolders.push(folder)
        if (addedFolders.length % FOLDERS_PER_TURN === 0) await setImmediate()
      }
      return addedFolders
    },
    isWatched: (folder) => watchersByFolder.has(folder),
    stop() {
      isStopped = true
      for (const folder of [...watchersByFolder.keys()]) unwatchFolder(folder)
    },
  }
}
