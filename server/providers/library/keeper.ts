/** Keeps the shelf at what the folder holds: one look at everything, then what is told to have changed. */
import type { Nfo } from './nfo.ts'
import { readNote, refresh } from './refresh.ts'
import { arrange, type Shelf } from './shelf.ts'
import { type Tree, walk } from './tree.ts'
import { watchFolders } from './watch.ts'

export interface KeeperOptions {
  /** Waits so long after a change for the next one. */
  settleMs?: number
  /** A slow look at everything, for what no watch tells: network folders, limits of the system. */
  rescanMs?: number
  onNews?: (event: string, fields: Record<string, unknown>) => void
}
const SETTLE_MS = 1_500
const RESCAN_MS = 15 * 60_000

/** `root` is a real path. Looks and updates run one after the other, in the order they were asked for. */
export function createKeeper(root: string, options: KeeperOptions) {
  const { settleMs = SETTLE_MS, rescanMs = RESCAN_MS, onNews = () => {} } = options
  let tree: Tree = new Map()
  let shelf: Shelf | null = null
  const notes = new Map<string, Nfo | null>()
  const readNotes = reading(root, notes)
  let first: Promise<void> = Promise.resolve()
  let work: Promise<void> = first
  let slow: NodeJS.Timeout | undefined

  const after = (task: () => Promise<void>) => {
    work = work.then(task).catch((error: Error) => onNews('library-unread', { error: error.message }))
  }
  const changes = gather(settleMs, (folders) => after(() => update(folders)))
  const watching = watchFolders(root, changes.note, (code) => onNews('library-watch-limit', { code }))
  const shelve = async () => {
    shelf = await arrange(tree, readNotes)
  }
  async function scan() {
    const started = performance.now()
    const fresh: Tree = new Map()
    await walk(root, '', fresh)
    tree = fresh
    notes.clear()
    await shelve()
    await watching.follow(tree.keys())
    onNews('library', {
      files: shelf?.count,
      folders: tree.size,
      ms: Math.round(performance.now() - started),
    })
  }
  async function update(folders: string[]) {
    let changed = false
    for (const folder of folders) changed = (await refresh({ root, tree, notes }, folder)) || changed
    if (!changed) return
    // What came into a new folder before it was watched was told to nobody: it is listed once more.
    for (const folder of await watching.follow(tree.keys())) changes.note(folder)
    await shelve()
  }
  return {
    async start() {
      const scanned = scan()
      first = scanned.catch(() => {})
      work = first
      slow = setInterval(() => after(scan), rescanMs)
      slow.unref()
      await scanned
    },
    stop() {
      changes.stop()
      clearInterval(slow)
      watching.stop()
    },
    ready: () => first,
    idle: () => work,
    tree: () => tree,
    shelf: () => shelf,
  }
}

function reading(root: string, notes: Map<string, Nfo | null>) {
  return async (path: string) => {
    if (!notes.has(path)) notes.set(path, await readNote(root, path))
    return notes.get(path) ?? null
  }
}

/** Changes come in swarms: they are handed on together, some time after the first. */
function gather(settleMs: number, hand: (folders: string[]) => void) {
  const noted = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  return {
    note(folder: string) {
      noted.add(folder)
      timer ??= setTimeout(() => {
        timer = undefined
        const folders = [...noted].sort()
        noted.clear()
        hand(folders)
      }, settleMs)
      timer.unref()
    },
    stop: () => clearTimeout(timer),
  }
}
