/**
 * Keeps the files of the media folder in the database up to date. One process of the installation watches the
 * folder. Every process can scan the folder and apply the choices of administrators.
 */
import { randomUUID } from 'node:crypto'
import { toErrorFields } from '../../core/log.ts'
import type { Library } from '../../providers/library/library.ts'
import type { LibraryFile } from '../../providers/library/library-index.ts'
import { acquireLease, releaseLease } from '../../queries/lease.ts'
import { deleteAllLibraryFiles, selectCatalogueVersion } from '../../queries/library-file.ts'
import { updateTitlesInLibrary } from '../../queries/title-in-library.ts'
import type { Deps } from '../deps.ts'
import { waitAndRunWithLease } from '../jobs/lease.ts'
import { type FileChanges, type SyncReport, syncLibraryFiles } from './sync-files.ts'

interface LibrarySync {
  /** Scans the folder, then watches for changes of the folder and of the catalogue. */
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Resolves when the first scan is stored or has failed. Resolves at once if the sync was not started. */
  whenSynced: () => Promise<void>
  /** Scans the folder now. Throws when the folder cannot be read. */
  scan: (reportProgress: (done: number, total: number) => Promise<void>) => Promise<SyncReport | null>
  /** Matches the stored files to titles again, for instance after a choice of an administrator. */
  matchAgain: () => Promise<void>
}

const LEADER_LEASE = 'library'
const WRITE_LEASE = 'library-write'
const LEADER_LEASE_MS = 30_000
/** Minimum interval between renewals of the lease. Each renewal writes to the database. */
const LEASE_RENEWAL_MS = 10_000
/** Interval of the checks for changes of the catalogue. */
const CATALOGUE_CHECK_MS = 3_000
/** Maximum share of the time that is spent on matching the files again during a long import. */
const MAX_LOAD = 0.1

/** Maximum number of files without content that each check examines. */
const MAX_EXAMINED_FILES = 100

const syncs = new WeakMap<Library, LibrarySync>()

/** Returns null without a media folder. */
export function getLibrarySync(deps: Deps): LibrarySync | null {
  const { library } = deps.streamSources
  if (!library) return null
  const librarySync = syncs.get(library) ?? createLibrarySync(deps, library)
  syncs.set(library, librarySync)
  return librarySync
}

/** Deletes the stored files of an earlier media folder, when none is configured. The choices are kept. */
export async function forgetLibraryFiles({ database }: Deps): Promise<void> {
  await database.primary.transaction().execute(async (trx) => {
    await deleteAllLibraryFiles(trx)
    await updateTitlesInLibrary(trx)
  })
}

const createFingerprints = (files: readonly LibraryFile[]) =>
  new Map(files.map((file) => [file.path, JSON.stringify(file)]))

function createLibrarySync(deps: Deps, library: Library): LibrarySync {
  const { primary } = deps.database
  const lease = { name: LEADER_LEASE, holder: randomUUID() }
  const state = { isLeader: false, leasedAtMs: 0, isScanning: false, syncedVersion: -1, nextMatchMs: 0 }
  let queue: Promise<unknown> = Promise.resolve()
  let firstSync: Promise<void> = Promise.resolve()
  let pendingMode: 'update' | 'scan' | null = null
  /** Fingerprints of the files at the last sync, by path; null before the first sync. */
  let syncedFingerprints: Map<string, string> | null = null
  /**
   * Files that have no content yet, because they are still being copied. The watcher does not report that a
   * file grows, so these files are checked at an interval.
   */
  const filesWithoutContent = new Map<string, LibraryFile>()
  let timer: NodeJS.Timeout | undefined
  let unsubscribe = () => {}

  /** Runs one task after another, because the write lease does not separate the callers of one process. */
  function enqueue<T>(task: () => Promise<T>): Promise<T> {
    const result = queue.then(task)
    queue = result.catch(() => {})
    return result
  }
  async function writeFiles(options: Parameters<typeof syncLibraryFiles>[2]): Promise<SyncReport | null> {
    const startedMs = performance.now()
    // The fingerprints are taken before anything is awaited, so that a later update of the files counts as a change.
    const fingerprints = createFingerprints(library.listFiles() ?? [])
    const version = await selectCatalogueVersion(primary)
    const report = await waitAndRunWithLease(primary, WRITE_LEASE, () =>
      syncLibraryFiles(deps, library, {
        ...options,
        onContent: (file, problem) => {
          if (problem) filesWithoutContent.set(file.path, file)
          else filesWithoutContent.delete(file.path)
        },
      }),
    )
    if (options.mode !== 'match') syncedFingerprints = fingerprints
    // In the mode `changes`, only the changed files have been matched to the current catalogue.
    if (options.mode !== 'changes') state.syncedVersion = version
    state.nextMatchMs = performance.now() + (performance.now() - startedMs) / MAX_LOAD
    if (report && report.added + report.changed + report.removed > 0)
      deps.log.info('library-sync', { ...report })
    return report
  }
  /** Returns the changes of files since the last sync. Returns null before the first sync. */
  function findChanges(): FileChanges | null {
    const files = library.listFiles()
    if (!syncedFingerprints || !files) return null
    const fingerprints = createFingerprints(files)
    return {
      files: files.filter(({ path }) => syncedFingerprints?.get(path) !== fingerprints.get(path)),
      removedPaths: [...syncedFingerprints.keys()].filter((path) => !fingerprints.has(path)),
    }
  }
  async function becomeLeader(): Promise<boolean> {
    if (state.isLeader && performance.now() - state.leasedAtMs < LEASE_RENEWAL_MS) return true
    state.leasedAtMs = performance.now()
    state.isLeader = await acquireLease(primary, { ...lease, durationMs: LEADER_LEASE_MS })
    return state.isLeader
  }
  /**
   * Queues a sync after an update of the files. Updates that arrive while a sync is queued are written
   * together.
   */
  function followUpdate(isFullScan: boolean): void {
    if (isFullScan && state.isScanning) return
    const isQueued = pendingMode !== null
    pendingMode = isFullScan || pendingMode === 'scan' ? 'scan' : 'update'
    if (isQueued) return
    enqueue(async () => {
      const mode = pendingMode ?? 'update'
      pendingMode = null
      if (!(await becomeLeader())) return
      const changes = mode === 'update' ? findChanges() : null
      await writeFiles(changes ? { mode: 'changes', changes } : { mode })
    }).catch(logFailure)
  }
  /** Matches the files that have received content. */
  async function matchFilesWithContent(): Promise<void> {
    const ready: LibraryFile[] = []
    for (const file of [...filesWithoutContent.values()].slice(0, MAX_EXAMINED_FILES)) {
      if ((await library.findContentProblem(file.path)) !== null) continue
      filesWithoutContent.delete(file.path)
      ready.push(file)
    }
    const changes = ready.length > 0 ? findChanges() : null
    if (!changes) return
    const existingFiles = new Map(library.listFiles()?.map((file) => [file.path, file]))
    const files = new Map(changes.files.map((file) => [file.path, file]))
    for (const { path } of ready) {
      const file = existingFiles.get(path)
      if (file) files.set(path, file)
    }
    await writeFiles({ mode: 'changes', changes: { ...changes, files: [...files.values()] } })
  }
  /**
   * Matches the files again after a change of the catalogue. Becomes the leader if the previous leader has
   * stopped.
   */
  async function check(): Promise<void> {
    const wasLeader = state.isLeader
    if (!(await becomeLeader())) return
    if (!wasLeader) return void (await writeFiles({ mode: 'scan' }))
    await matchFilesWithContent()
    if (performance.now() < state.nextMatchMs) return
    if ((await selectCatalogueVersion(primary)) !== state.syncedVersion) await writeFiles({ mode: 'update' })
  }
  const logFailure = (error: unknown) => deps.log.warn('library-sync', toErrorFields(error))
  return {
    async start() {
      unsubscribe = library.onUpdate(followUpdate)
      const synced = library.start().then(async () => {
        await queue
      })
      firstSync = synced.catch(() => {})
      timer = setInterval(() => enqueue(check).catch(logFailure), CATALOGUE_CHECK_MS)
      timer.unref()
      await synced
    },
    async stop() {
      clearInterval(timer)
      unsubscribe()
      library.stop()
      await queue
      if (state.isLeader) await releaseLease(primary, lease.name, lease.holder)
    },
    whenSynced: () => firstSync,
    async scan(reportProgress) {
      state.isScanning = true
      try {
        await library.rescan()
      } finally {
        state.isScanning = false
      }
      return enqueue(() => writeFiles({ mode: 'scan', reportProgress }))
    },
    async matchAgain() {
      await enqueue(() => writeFiles({ mode: 'match' }))
    },
  }
}
