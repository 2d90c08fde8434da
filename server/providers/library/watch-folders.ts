/**
 * Watches the folders of the library one by one. On Linux, the recursive watch of Node would list the whole tree at
 * once and watch every file. The library needs only two kinds of events: files that were added, removed or renamed, and
 * changed NFO files and playlists. It needs no event for writes to a video.
 */
import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { getFileExtension } from './media-types.ts'

export interface FolderWatcher {
  /**
   * Watches exactly these folders from now on. `identitiesByFolder` maps each folder to its identity in the file system
   * (device and inode). A watcher stays with its folder when the folder is renamed, so another folder at the same path
   * gets a new watcher. Returns the folders that were not watched before, including those whose watcher could not be
   * created. Once the limit of watchers is reached, further folders are neither watched nor returned. Yields to the
   * event loop between batches of folders.
   */
  setWatchedFolders: (identitiesByFolder: ReadonlyMap<string, string>) => Promise<string[]>
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
  onLimitReached: (code: string) => void,
): FolderWatcher {
  const watchersByFolder = new Map<string, { watcher: FSWatcher; identity: string }>()
  let isWatchLimitReached = false
  let isStopped = false
  const unwatchFolder = (folder: string) => {
    watchersByFolder.get(folder)?.watcher.close()
    watchersByFolder.delete(folder)
  }
  const watchFolder = (folder: string, identity: string) => {
    try {
      const watcher = watch(join(root, folder), { persistent: false }, (eventType, fileName) => {
        if (eventType === 'rename' || (fileName && REREAD_EXTENSIONS.has(getFileExtension(fileName))))
          onChange(folder)
      })
      watcher.on('error', () => {
        if (watchersByFolder.get(folder)?.watcher !== watcher) return
        unwatchFolder(folder)
        onChange(folder)
      })
      watchersByFolder.set(folder, { watcher, identity })
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? ''
      if (code !== 'ENOSPC' && code !== 'EMFILE') return
      isWatchLimitReached = true
      onLimitReached(code)
    }
  }
  return {
    async setWatchedFolders(identitiesByFolder) {
      for (const [folder, { identity }] of watchersByFolder)
        if (identitiesByFolder.get(folder) !== identity) unwatchFolder(folder)
      const addedFolders: string[] = []
      for (const [folder, identity] of identitiesByFolder) {
        if (isWatchLimitReached || isStopped || watchersByFolder.size >= MAX_WATCHERS) break
        if (watchersByFolder.has(folder)) continue
        watchFolder(folder, identity)
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
