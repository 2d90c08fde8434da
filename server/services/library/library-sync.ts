/**
 * Keeps the files of the media folder in the database up to date. Every process watches the folder, but only the leader
 * (the process that holds LEADER_LEASE_NAME) writes the changes that the watchers find. Every process can scan the
 * folder and apply the choices of administrators.
 */
import { randomUUID } from 'node:crypto'
import { toErrorFields } from '../../core/log.ts'
import type { Library } from '../../providers/library/library.ts'
import type { LibraryFile } from '../../providers/library/library-index.ts'
import { selectCatalogueVersion } from '../../queries/browse.ts'
import { acquireLease, releaseLease } from '../../queries/lease.ts'
import { deleteAllLibraryFiles } from '../../queries/library-file.ts'
import { updateTitlesInLibrary } from '../../queries/title-in-library.ts'
import type { Deps } from '../deps.ts'
import { waitAndRunWithLease } from '../jobs/lease.ts'
import { loadMountPoints, storeMountPoints } from './mount-points.ts'
import { type FileChanges, type LibrarySyncReport, syncLibraryFiles } from './sync-files.ts'

interface LibrarySync {
  /** Scans the folder, then watches for changes of the folder and of the catalogue. */
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Resolves when the first scan is stored or has failed. If the sync was not started, resolves immediately. */
  waitForFirstSync: () => Promise<void>
  /** Scans the folder now. Throws when the folder cannot be read. */
  scan: (
    reportProgress: (doneCount: number, totalCount: number) => Promise<void>,
  ) => Promise<LibrarySyncReport | null>
  /** Matches the stored files to titles again, for instance after a choice of an administrator. */
  rematchFiles: () => Promise<void>
}

const LEADER_LEASE_NAME = 'library'
export const WRITE_LEASE_NAME = 'library-write'
const LEADER_LEASE_MS = 30_000
/** Minimum interval between renewals of the leader lease. Each renewal writes to the database. */
const LEASE_RENEWAL_INTERVAL_MS = 10_000
/** Interval of the checks for changes of the catalogue. */
const CATALOGUE_CHECK_INTERVAL_MS = 3_000
/** Maximum share of the time that is spent on matching the files again during a long import. */
const MAX_REMATCH_TIME_RATIO = 0.1

/** Maximum number of files of `filesWithoutContentByPath` that each check examines. */
const MAX_EXAMINED_FILES = 100

const syncsByLibrary = new WeakMap<Library, LibrarySync>()

/** Returns the library sync of this process; null without a media folder. */
export function getLibrarySync(deps: Deps): LibrarySync | null {
  const { library } = deps.streamSources
  if (!library) return null
  const librarySync = syncsByLibrary.get(library) ?? createLibrarySync(deps, library)
  syncsByLibrary.set(library, librarySync)
  return librarySync
}

/**
 * Deletes the database rows about the files of an earlier media folder. Call this function when no media folder is
 * configured. The choices of administrators are kept.
 */
export async function deleteLibraryFileRows({ database }: Deps): Promise<void> {
  await database.primary.transaction().execute(async (trx) => {
    await deleteAllLibraryFiles(trx)
    await updateTitlesInLibrary(trx)
  })
}

const createFingerprints = (files: readonly LibraryFile[]) =>
  new Map(files.map((file) => [file.path, JSON.stringify(file)]))

function createLibrarySync(deps: Deps, library: Library): LibrarySync {
  const { primary } = deps.database
  const lease = { name: LEADER_LEASE_NAME, holder: randomUUID() }
  const syncState = {
    isLeader: false,
    leasedAtMs: 0,
    isScanning: false,
    syncedCatalogueVersion: -1,
    nextMatchAtMs: 0,
  }
  let lastTaskPromise: Promise<unknown> = Promise.resolve()
  let firstSyncPromise: Promise<void> = Promise.resolve()
  let pendingSyncMode: 'update' | 'scan' | null = null
  /** Fingerprints of the files at the last sync, by path; null before the first sync. */
  let syncedFingerprintsByPath: Map<string, string> | null = null
  /**
   * Files whose content could not be played at the last check, for example because they are still being copied. The
   * watcher does not report that a file grows, so these files are checked at an interval.
   */
  const filesWithoutContentByPath = new Map<string, LibraryFile>()
  let timer: NodeJS.Timeout | undefined
  let unsubscribeFromUpdates = () => {}

  /**
   * Runs one task after another, because the write lease does not exclude simultaneous tasks of the same
   * process.
   */
  function enqueueTask<T>(runTask: () => Promise<T>): Promise<T> {
    const taskResult = lastTaskPromise.then(runTask)
    lastTaskPromise = taskResult.catch(() => {})
    return taskResult
  }
  async function syncFilesWithLease(
    options: Parameters<typeof syncLibraryFiles>[2],
  ): Promise<LibrarySyncReport | null> {
    const startedAtMs = performance.now()
    // The fingerprints are taken before anything is awaited, so that a later update of the files counts as a change.
    const fingerprintsByPath = createFingerprints(library.listFiles() ?? [])
    const catalogueVersion = await selectCatalogueVersion(primary)
    const syncReport = await waitAndRunWithLease(primary, WRITE_LEASE_NAME, () =>
      syncLibraryFiles(deps, library, {
        ...options,
        onContent: (file, problem) => {
          if (problem) filesWithoutContentByPath.set(file.path, file)
          else filesWithoutContentByPath.delete(file.path)
        },
      }),
    )
    if (options.mode !== 'match') syncedFingerprintsByPath = fingerprintsByPath
    if (options.mode === 'scan' && syncReport) await storeMountPoints(deps, library)
    // In the mode `changes`, only the changed files have been matched to the current catalogue.
    if (options.mode !== 'changes') syncState.syncedCatalogueVersion = catalogueVersion
    syncState.nextMatchAtMs = performance.now() + (performance.now() - startedAtMs) / MAX_REMATCH_TIME_RATIO
    if (syncReport && syncReport.added + syncReport.changed + syncReport.removed > 0)
      deps.log.info('library-sync', { ...syncReport })
    return syncReport
  }
  /** Returns the changes of files since the last sync. Returns null before the first sync. */
  function findFileChanges(): FileChanges | null {
    const files = library.listFiles()
    if (!syncedFingerprintsByPath || !files) return null
    const fingerprintsByPath = createFingerprints(files)
    return {
      files: files.filter(({ path }) => syncedFingerprintsByPath?.get(path) !== fingerprintsByPath.get(path)),
      removedPaths: [...syncedFingerprintsByPath.keys()].filter((path) => !fingerprintsByPath.has(path)),
    }
  }
  async function becomeLeader(): Promise<boolean> {
    if (syncState.isLeader && performance.now() - syncState.leasedAtMs < LEASE_RENEWAL_INTERVAL_MS)
      return true
    syncState.leasedAtMs = performance.now()
    syncState.isLeader = await acquireLease(primary, { ...lease, durationMs: LEADER_LEASE_MS })
    return syncState.isLeader
  }
  /**
   * Queues a sync after an update of the files. Updates that arrive while a sync is queued are written
   * together.
   */
  function queueSync(isFullScan: boolean): void {
    if (isFullScan && syncState.isScanning) return
    const isSyncQueued = pendingSyncMode !== null
    pendingSyncMode = isFullScan || pendingSyncMode === 'scan' ? 'scan' : 'update'
    if (isSyncQueued) return
    enqueueTask(async () => {
      const mode = pendingSyncMode ?? 'update'
      pendingSyncMode = null
      if (!(await becomeLeader())) return
      const changes = mode === 'update' ? findFileChanges() : null
      await syncFilesWithLease(changes ? { mode: 'changes', changes } : { mode })
    }).catch(logFailure)
  }
  /** Matches the files of `filesWithoutContentByPath` whose content can now be played. */
  async function matchFilesWithContent(): Promise<void> {
    const readyFiles: LibraryFile[] = []
    for (const file of [...filesWithoutContentByPath.values()].slice(0, MAX_EXAMINED_FILES)) {
      if ((await library.findContentProblem(file.path)) !== null) continue
      filesWithoutContentByPath.delete(file.path)
      readyFiles.push(file)
    }
    const changes = readyFiles.length > 0 ? findFileChanges() : null
    if (!changes) return
    const existingFilesByPath = new Map(library.listFiles()?.map((file) => [file.path, file]))
    const changedFilesByPath = new Map(changes.files.map((file) => [file.path, file]))
    for (const { path } of readyFiles) {
      const file = existingFilesByPath.get(path)
      if (file) changedFilesByPath.set(path, file)
    }
    await syncFilesWithLease({
      mode: 'changes',
      changes: { ...changes, files: [...changedFilesByPath.values()] },
    })
  }
  /**
   * Matches the files whose content has become playable. After a change of the catalogue, matches all files again. Does
   * nothing unless this process is the leader. If the leader has stopped, this process becomes the leader and scans the
   * folder.
   */
  async function syncAsLeader(): Promise<void> {
    const wasLeader = syncState.isLeader
    if (!(await becomeLeader())) return
    if (!wasLeader) return void (await syncFilesWithLease({ mode: 'scan' }))
    await matchFilesWithContent()
    if (performance.now() < syncState.nextMatchAtMs) return
    if ((await selectCatalogueVersion(primary)) !== syncState.syncedCatalogueVersion)
      await syncFilesWithLease({ mode: 'update' })
  }
  const logFailure = (error: unknown) => deps.log.warn('library-sync', toErrorFields(error))
  return {
    async start() {
      unsubscribeFromUpdates = library.onUpdate(queueSync)
      const syncPromise = loadMountPoints(deps, library)
        .catch(logFailure)
        .then(() => library.start())
        .then(async () => {
          await lastTaskPromise
        })
      firstSyncPromise = syncPromise.catch(() => {})
      timer = setInterval(() => enqueueTask(syncAsLeader).catch(logFailure), CATALOGUE_CHECK_INTERVAL_MS)
      timer.unref()
      await syncPromise
    },
    async stop() {
      clearInterval(timer)
      unsubscribeFromUpdates()
      library.stop()
      await lastTaskPromise
      if (syncState.isLeader) await releaseLease(primary, lease.name, lease.holder)
    },
    waitForFirstSync: () => firstSyncPromise,
    async scan(reportProgress) {
      syncState.isScanning = true
      try {
        await library.rescan()
      } finally {
        syncState.isScanning = false
      }
      return enqueueTask(() => syncFilesWithLease({ mode: 'scan', reportProgress }))
    },
    async rematchFiles() {
      await enqueueTask(() => syncFilesWithLease({ mode: 'match' }))
    },
  }
}
