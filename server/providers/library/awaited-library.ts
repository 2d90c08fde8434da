/**
 * A library whose media folder may be missing when the server starts, for example because its network share is not
 * mounted yet. Until the folder can be opened, the library behaves like an open library whose folder cannot be read, so
 * that its files keep their titles.
 */
import type { MountPoints } from './empty-folders.ts'
import type { Library } from './library.ts'

const RETRY_INTERVAL_MS = 5_000

/** Returns a library that calls `openLibraryFolder` at an interval until the folder can be opened. */
export function createAwaitedLibrary(
  openLibraryFolder: () => Promise<Library>,
  { retryIntervalMs = RETRY_INTERVAL_MS, onOpen = () => {} } = {},
): Library {
  let library: Library | null = null
  let mountPoints: MountPoints | null = null
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const listeners = new Set<(isFullScan: boolean) => void>()

  async function openAndStart(): Promise<void> {
    const openedLibrary = await openLibraryFolder()
    if (library || isStopped) return
    library = openedLibrary
    if (mountPoints) library.setKnownMountPoints(mountPoints)
    library.onUpdate((isFullScan) => {
      for (const listener of listeners) listener(isFullScan)
    })
    onOpen()
    await library.start()
  }
  function retryLater(): void {
    timer = setTimeout(async () => {
      await openAndStart().catch(() => {})
      if (!library && !isStopped) retryLater()
    }, retryIntervalMs)
    timer.unref()
  }
  return {
    async start() {
      if (!library) retryLater()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      library?.stop()
    },
    whenScanned: async () => library?.whenScanned(),
    whenIdle: async () => library?.whenIdle(),
    listFiles: () => library?.listFiles() ?? null,
    onUpdate(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    rescan: async () => (library ? library.rescan() : openAndStart()),
    probeFile: async (path) => library?.probeFile(path) ?? null,
    describeVideo: async (path) => library?.describeVideo(path) ?? null,
    listSubtitles: async (path) => (await library?.listSubtitles(path)) ?? [],
    openFile: async (path) => library?.openFile(path) ?? null,
    locateFile: async (path) => library?.locateFile(path) ?? null,
    findContentProblem: async (path) => library?.findContentProblem(path) ?? null,
    countFiles: () => library?.countFiles() ?? 0,
    setKnownMountPoints(knownMountPoints) {
      mountPoints = knownMountPoints
    },
    listMountPoints: () => library?.listMountPoints() ?? mountPoints ?? new Map(),
    findUnreadableFolders: async () => library?.findUnreadableFolders() ?? [''],
  }
}
