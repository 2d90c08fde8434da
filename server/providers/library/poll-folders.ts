/**
 * Finds changed folders by their modification time, where the system does not report changes: folders without a
 * watcher, and all folders of a network file system, whose changes on other machines cause no events.
 */
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

interface PollOptions {
  listFolders: () => Iterable<string>
  isWatched: (folder: string) => boolean
  onChange: (folder: string) => void
}

const MIN_INTERVAL_MS = 1_500
/** The pause after a poll is at least this many times as long as the poll itself. */
const PAUSE_FACTOR = 10
const PARALLEL_STATS = 16
/** `statfs` types of NFS, SMB, SMB2, CIFS, 9P and FUSE (linux/magic.h). */
const NETWORK_FILE_SYSTEMS = new Set([0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x01021997, 0x65735546])

export function pollFolders(root: string, { listFolders, isWatched, onChange }: PollOptions) {
  const modifiedAtMs = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isNetworkFolder = false

  async function pollFolder(folder: string): Promise<void> {
    const stats = await stat(join(root, folder)).catch(() => null)
    const previousMs = modifiedAtMs.get(folder)
    const currentMs = stats?.mtimeMs ?? 0
    modifiedAtMs.set(folder, currentMs)
    if (previousMs !== undefined && previousMs !== currentMs) onChange(folder)
  }
  async function poll(): Promise<void> {
    const startedMs = performance.now()
    const folders = new Set([...listFolders()].filter((folder) => isNetworkFolder || !isWatched(folder)))
    for (const folder of modifiedAtMs.keys()) if (!folders.has(folder)) modifiedAtMs.delete(folder)
    const queue = [...folders]
    while (queue.length > 0 && !isStopped)
      await Promise.all(queue.splice(-PARALLEL_STATS).map((folder) => pollFolder(folder)))
    scheduleNext(Math.max(MIN_INTERVAL_MS, (performance.now() - startedMs) * PAUSE_FACTOR))
  }
  function scheduleNext(delayMs: number): void {
    if (isStopped) return
    timer = setTimeout(() => void poll(), delayMs)
    timer.unref()
  }
  return {
    async start() {
      isNetworkFolder = NETWORK_FILE_SYSTEMS.has((await statfs(root).catch(() => null))?.type ?? 0)
      await poll()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
