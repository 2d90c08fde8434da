/**
 * Finds changed folders by their modification time where the system does not report changes. These are folders without
 * a watcher, and all folders of a network file system: changes that other machines make there cause no events.
 */
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

interface FolderPollOptions {
  /** Returns the folders, each with its device when it was listed. */
  listFolders: () => Iterable<readonly [folder: string, { device: number }]>
  isWatched: (folder: string) => boolean
  onChange: (folder: string) => void
  /** Returns the `statfs` type of the file system of a folder; replaced by tests. */
  readFileSystemType?: (path: string) => Promise<number>
}

const MIN_POLL_PAUSE_MS = 1_500
/** The pause after a poll is at least this many times as long as the poll itself. */
const POLL_PAUSE_FACTOR = 10
const MAX_PARALLEL_STAT_CALLS = 16
/** `statfs` types of NFS, SMB, SMB2, CIFS, 9P and FUSE (linux/magic.h). */
const NETWORK_FILE_SYSTEM_TYPES = new Set([0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x01021997, 0x65735546])

export function pollFolders(
  root: string,
  {
    listFolders,
    isWatched,
    onChange,
    readFileSystemType = async (path) => (await statfs(path)).type,
  }: FolderPollOptions,
) {
  const modifiedAtMsByFolder = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  /** Returns the folders without a watcher, and the folders of network file systems. */
  async function listPolledFolders(): Promise<Set<string>> {
    // The file systems are examined at each poll, because a share may be mounted after the server has started.
    const isNetworkByDevice = new Map<number, boolean>()
    const polledFolders = new Set<string>()
    for (const [folder, { device }] of listFolders()) {
      if (!isNetworkByDevice.has(device)) {
        const type = await readFileSystemType(join(root, folder)).catch(() => 0)
        isNetworkByDevice.set(device, NETWORK_FILE_SYSTEM_TYPES.has(type))
      }
      if (isNetworkByDevice.get(device) || !isWatched(folder)) polledFolders.add(folder)
    }
    return polledFolders
  }
  async function pollFolder(folder: string): Promise<void> {
    const previousModifiedAtMs = modifiedAtMsByFolder.get(folder)
    const currentModifiedAtMs = await stat(join(root, folder)).then(
      ({ mtimeMs }) => mtimeMs,
      // While a network share does not answer, it is unknown whether the folder has changed. Only a missing folder
      // counts as changed.
      ({ code }: NodeJS.ErrnoException) => (code === 'ENOENT' || code === 'ENOTDIR' ? 0 : undefined),
    )
    if (currentModifiedAtMs === undefined) return
    modifiedAtMsByFolder.set(folder, currentModifiedAtMs)
    if (previousModifiedAtMs !== undefined && previousModifiedAtMs !== currentModifiedAtMs) onChange(folder)
  }
  async function pollAllFolders(): Promise<void> {
    const startedAtMs = performance.now()
    const folders = await listPolledFolders()
    for (const folder of modifiedAtMsByFolder.keys())
      if (!folders.has(folder)) modifiedAtMsByFolder.delete(folder)
    const remainingFolders = [...folders]
    while (remainingFolders.length > 0 && !isStopped)
      await Promise.all(remainingFolders.splice(-MAX_PARALLEL_STAT_CALLS).map((folder) => pollFolder(folder)))
    scheduleNextPoll(Math.max(MIN_POLL_PAUSE_MS, (performance.now() - startedAtMs) * POLL_PAUSE_FACTOR))
  }
  function scheduleNextPoll(delayMs: number): void {
    if (isStopped) return
    timer = setTimeout(() => void pollAllFolders(), delayMs)
    timer.unref()
  }
  return {
    start: pollAllFolders,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
