/**
 * Keeps the search index of this machine up to date. Database triggers record every change of a title or person in
 * `catalogue_change`, in the same transaction as the change. This module reads this log from the position of the index
 * and rewrites the documents. The processes of a machine share one index. Only one of them writes at a time.
 */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import type { Database, DatabaseLocation } from '../../db/database.ts'
import {
  countChangesAfter,
  hasTitlesOrPeople,
  selectCatalogueLogState,
  selectChangesAfter,
} from '../../queries/search-index.ts'
import { createSearchTables, loadSearchVocabulary, readSearchIndexState } from '../../search/engine.ts'
import { createIndexLock } from './index-lock.ts'
import {
  advancePosition,
  canContinueFrom,
  containsVersion,
  isAtLogEnd,
  isPositionInLog,
  loadLogEnd,
  readPosition,
} from './index-position.ts'
import { createIndexRebuilder, type RequestedRebuild } from './index-rebuilds.ts'
import { createRebuildConditions } from './rebuild-conditions.ts'
import { writeDocs } from './write-docs.ts'
import { type ReportProgress, savePosition } from './write-index.ts'

/**
 * Number of changes per batch. If at most one batch of changes is pending, a search writes this batch first. If more
 * changes are pending, all batches are written in the background.
 */
const CHANGES_PER_BATCH = 24
/** Maximum total time that a search waits for background writes, for other searches and for another process. */
const MAX_SEARCH_WAIT_MS = 200

export interface SearchIndex {
  /**
   * Applies the pending changes before a search. If they do not fit in one batch, they are applied in the background,
   * and this function waits for them for at most MAX_SEARCH_WAIT_MS.
   */
  catchUp(): Promise<void>
  /**
   * Rebuilds the index and resolves to the number of documents. Searches use the old index until the new
   * index is complete.
   */
  rebuild(reportProgress?: ReportProgress): Promise<number>
  /** Rebuilds the index like `rebuild`. The other machines rebuild theirs in the background. */
  rebuildOnAllMachines(options?: RequestedRebuild): Promise<number>
  /**
   * True while the index has not been built, while a process of this machine rebuilds it, or while this process
   * writes changes in the background.
   */
  isBuilding(): Promise<boolean>
  /**
   * True if the index is complete and contains all changes up to the given version of the catalogue, which is the
   * `catalogueVersion` of a caller.
   */
  isUpToDate(catalogueVersion: string): Promise<boolean>
  /** Loads the vocabulary in advance, so that the first query with a misspelt word is not slow. */
  warm(): Promise<void>
  /** Resolves when no background work is running. */
  whenIdle(): Promise<void>
  /**
   * Stops a rebuild and background writes, and resolves when they have ended. The next start of the server repeats the
   * rebuild. Must be called before the database is closed.
   */
  stop(): Promise<void>
}

interface SearchIndexOptions {
  /** Receives the errors of rebuilds in the background. */
  onError?: (error: unknown) => void
  /**
   * False in a process that answers no searches. Such a process does not rebuild the index when it starts, because it
   * would often end before the rebuild.
   */
  isServing?: boolean
}

/**
 * Opens the index. An index that is missing, is incomplete or does not belong to the database is rebuilt in the
 * background. `location` is null for a database of a test, whose index is rebuilt in this thread.
 */
export async function openSearchIndex(
  database: Database,
  location: DatabaseLocation | null,
  { onError = () => {}, isServing = true }: SearchIndexOptions = {},
): Promise<SearchIndex> {
  createSearchTables(database.searchDatabase)
  await runOptionalWrite(() => initialisePosition(database))
  const index = createSearchIndex(database, location, onError)
  if (isServing) await index.start()
  return index
}

/**
 * Stores the position of an index that has none. The index of an empty catalogue gets the end of the log. On SQLite,
 * the index of an earlier version of the server gets version 0, because the migration has given version 0 to the
 * changes that this index contains.
 */
async function initialisePosition(database: Database): Promise<void> {
  const { kind, primary, searchDatabase, searchLock } = database
  if (readPosition(database)) return
  const releaseLock = searchLock.tryAcquire()
  if (!releaseLock) return
  try {
    const { version, building: isBuilding } = await readSearchIndexState(searchDatabase)
    const logEnd = await loadLogEnd(primary)
    if (version > 0) {
      if (kind === 'sqlite' && !isBuilding) savePosition(database, { ...logEnd, version: 0, lastChanges: [] })
    } else if (!(await hasTitlesOrPeople(primary))) savePosition(database, logEnd)
  } finally {
    releaseLock()
  }
}

function createSearchIndex(
  database: Database,
  location: DatabaseLocation | null,
  onError: (error: unknown) => void,
): SearchIndex & { start(): Promise<void> } {
  const { kind, primary, searchDatabase } = database
  // On PostgreSQL, `reader` may be a replica, which lacks the latest changes.
  const changeLogDb = kind === 'sqlite' ? database.reader : primary
  let remainingChangesPromise: Promise<void> | null = null
  let batchPromise: Promise<boolean> | null = null
  const { isIndexIncomplete, hasManyChanges, hasManyReplacedDocs, isRebuildDue } =
    createRebuildConditions(database)
  const { acquireLockForBatch } = createIndexLock(database)
  const stopController = new AbortController()
  const indexRebuilder = createIndexRebuilder({
    database,
    location,
    onError,
    stopSignal: stopController.signal,
    waitForBatch: async () => batchPromise?.catch(() => {}),
  })

  const isBuilding = async () =>
    remainingChangesPromise !== null ||
    indexRebuilder.isRunning() ||
    readPosition(database) === null ||
    (await readSearchIndexState(searchDatabase)).building
  /**
   * Writes one batch. Returns false when no changes are left or a rebuild is running. Also returns false when another
   * batch or another process is still writing the index at `deadlineMs`.
   */
  async function applyChangeBatch(deadlineMs: number): Promise<boolean> {
    while (batchPromise) {
      await waitUntil(deadlineMs, batchPromise)
      if (performance.now() >= deadlineMs) return false
    }
    // During a rebuild, a batch would block this thread until the rebuild process has committed its
    // transaction.
    if (indexRebuilder.isRunning()) return false
    batchPromise = writeBatch(deadlineMs).finally(() => {
      batchPromise = null
    })
    return batchPromise
  }
  async function writeBatch(deadlineMs: number): Promise<boolean> {
    const releaseLock = await acquireLockForBatch(deadlineMs, indexRebuilder.isRunning)
    if (!releaseLock) return false
    try {
      return await writeChangedDocs()
    } finally {
      releaseLock()
    }
  }
  async function applyRemainingChanges(): Promise<void> {
    if (await hasManyChanges()) await indexRebuilder.rebuildIfNeeded(isRebuildDue)
    while (!stopController.signal.aborted && (await applyChangeBatch(getSearchDeadlineMs())))
      await setImmediate()
  }
  /**
   * Applies the pending changes if they fit in one batch. Otherwise applies none and returns true. Also returns true
   * when more changes arrived meanwhile. Starts a rebuild in the background if the index needs one.
   */
  async function applyNewChanges(deadlineMs: number): Promise<boolean> {
    const position = readPosition(database)
    if (!position) {
      void indexRebuilder.rebuildIfNeeded(isIndexIncomplete)
      return false
    }
    const log = await selectCatalogueLogState(changeLogDb)
    const canContinueFromPosition = isPositionInLog(position, log)
    // The index is unfinished if another process was killed while it rebuilt the index.
    const { building: isUnfinished } = await readSearchIndexState(searchDatabase)
    if (indexRebuilder.hasFailed() || isUnfinished || !canContinueFromPosition)
      void indexRebuilder.rebuildIfNeeded(isIndexIncomplete)
    if (!canContinueFromPosition || isAtLogEnd(position, log)) return false
    if ((await countChangesAfter(changeLogDb, position, CHANGES_PER_BATCH + 1)) > CHANGES_PER_BATCH)
      return true
    return applyChangeBatch(deadlineMs)
  }
  /** Writes one batch of changes. Returns true when there may be more changes. The caller holds the index lock. */
  async function writeChangedDocs(): Promise<boolean> {
    const position = readPosition(database)
    const log = await selectCatalogueLogState(primary)
    if (!position || isAtLogEnd(position, log)) return false
    if (!(await canContinueFrom(primary, position, log))) {
      void indexRebuilder.rebuildIfNeeded(isIndexIncomplete)
      return false
    }
    const changes = await selectChangesAfter(primary, position, CHANGES_PER_BATCH)
    const hasMore = changes.length === CHANGES_PER_BATCH
    await writeDocs(
      database,
      changes.map((change) => change.doc_id),
    )
    savePosition(database, advancePosition(position, { log, changes, hasMore }))
    if (await hasManyReplacedDocs()) void indexRebuilder.rebuildIfNeeded(isRebuildDue)
    return hasMore
  }
  return {
    async start() {
      // A restart may have removed the cause of a failure, so the rebuild does not wait for REBUILD_RETRY_MS.
      if (await isIndexIncomplete()) void indexRebuilder.rebuildInBackground(isIndexIncomplete)
    },
    async catchUp() {
      const deadlineMs = getSearchDeadlineMs()
      if (!remainingChangesPromise && !indexRebuilder.isRunning()) {
        let hasMore = false
        // While the index cannot be written, searches use its current state.
        await runOptionalWrite(async () => {
          hasMore = await applyNewChanges(deadlineMs)
        })
        if (hasMore && !remainingChangesPromise) {
          remainingChangesPromise = applyRemainingChanges().finally(() => {
            remainingChangesPromise = null
          })
          remainingChangesPromise.catch(() => {})
        }
      }
      if (remainingChangesPromise) await waitUntil(deadlineMs, remainingChangesPromise)
    },
    rebuild: (reportProgress) => indexRebuilder.rebuildAfterOthers({ reportProgress }),
    rebuildOnAllMachines: (options) => indexRebuilder.rebuildAfterOthers({ ...options, renewsLogId: true }),
    isBuilding,
    async isUpToDate(catalogueVersion) {
      const position = readPosition(database)
      if (!position || !containsVersion(position, Number.parseInt(catalogueVersion, 10))) return false
      return !(await isBuilding())
    },
    warm: () => loadSearchVocabulary(searchDatabase),
    async whenIdle() {
      await remainingChangesPromise
      await indexRebuilder.whenIdle()
    },
    async stop() {
      stopController.abort()
      await Promise.allSettled([remainingChangesPromise, batchPromise, indexRebuilder.whenIdle()])
    },
  }
}

const getSearchDeadlineMs = (): number => performance.now() + MAX_SEARCH_WAIT_MS

/** Waits for a promise until `deadlineMs` at most. Ignores the result and the error of the promise. */
async function waitUntil(deadlineMs: number, promise: Promise<unknown>): Promise<void> {
  const remainingMs = Math.max(0, deadlineMs - performance.now())
  await Promise.race([promise.catch(() => {}), setTimeout(remainingMs, null, { ref: false })])
}
