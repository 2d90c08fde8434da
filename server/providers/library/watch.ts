/**
 * Watches the library's folders one by one: the runtime's recursive watch lists the whole tree at once on Linux, and
 * watches every file. What is written to a film matters to nobody; that one came, went or was renamed does.
 */
import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { extensionOf } from './media-types.ts'

export interface FolderWatch {
  /** Watches exactly these from now on; takes turns with other work. Answers which are new. */
  follow: (folders: Iterable<string>) => Promise<string[]>
  stop: () => void
}

const READ_ANEW = new Set(['nfo', 'm3u8'])
/** Systems allow some ten thousand; what is not watched is found by the slow look. */
const MOST = 50_000
const AT_ONCE = 50

export function watchFolders(
  root: string,
  onChange: (folder: string) => void,
  onLimit: (code: string) => void,
): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  let full = false
  let stopped = false
  const drop = (folder: string) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const add = (folder: string) => {
    try {
      const watcher = watch(join(root, folder), { persistent: false }, (event, name) => {
        if (event === 'rename' || (name && READ_ANEW.has(extensionOf(name)))) onChange(folder)
      })
      watcher.on('error', () => {
        drop(folder)
        onChange(folder)
      })
      watchers.set(folder, watcher)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? ''
      if (code !== 'ENOSPC' && code !== 'EMFILE') return
      full = true
      onLimit(code)
    }
  }
  return {
    async follow(folders) {
      const wanted = new Set(folders)
      for (const folder of watchers.keys()) if (!wanted.has(folder)) drop(folder)
      const added: string[] = []
      for (const folder of wanted) {
        if (full || stopped || watchers.size >= MOST) break
        if (watchers.has(folder)) continue
        add(folder)
        added.push(folder)
        if (added.length % AT_ONCE === 0) await setImmediate()
      }
      return added
    },
    stop() {
      stopped = true
      for (const folder of [...watchers.keys()]) drop(folder)
    },
  }
}
