/**
 * Keeps the search index of this machine up to date. Database triggers record every change of a title or person in
 * `catalogue_change`, in the same transaction as the change. This module reads this log from the position of the index
 * and rewrites the documents. The processes of a machine share one index. Only one of them writes at a time.
 */
import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { combineSignals } from '../../core/combine-signals.ts'
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import type { Database, DatabaseLocation } from '../../db/database.ts'
import {
  countChangesAfter,
  countTitlesAndPeople,
  getPersonDocId,
  getTitleDocId,
  hasTitlesOrPeople,
  selectCatalogueLog,
  selectChangesAfter,
  selectCredits,
  updateCatalogueLogId,
} from '../../queries/search-index.ts'
import {
  countReplacedSearchDocs,
  createSearchTables,
  loadSearchVocabulary,
  readSearchIndexState,
  removeSearchDocs,
  upsertSearchDocs,
} from '../../search/engine.ts'
import { buildIndex, type ReportProgress } from './build-index.ts'
import { createFailedRebuilds } from './failed-rebuilds.ts'
import {
  advancePosition,
  canContinueFrom,
  containsVersion,
  isAtLogEnd,
  isPositionInLog,
  loadLogEnd,
  readPosition,
  savePosition,
} from './index-position.ts'
import { rebuildIndexInProcess } from './rebuild-in-process.ts'
import { loadPersonDocs, loadTitleDocs } from './search-docs.ts'

/**
 * Number of changes per batch. If at most one batch of changes is pending, a search writes this batch first. If more
 * changes are pending, all batches are written in the background.
 */
const CHANGES_PER_BATCH = 24
/** Maximum total time that a search waits for background writes, for other searches and for another process. */
const MAX_SEARCH_WAIT_MS = 200
/** Number of documents that are written before yielding to the event loop. Writing them takes about 10 ms. */
const DOCUMENTS_PER_TURN = 32
/**
 * The index is rebuilt when the number of pending changes is at least this number and at least a quarter of the number
 * of documents. A rebuild is then faster than writing the changes. The same limits apply to the number of documents
 * that were replaced since the last rebuild, because replaced documents make searches slower.
 */
const MIN_REBUILD_CHANGES = 1_000
/** Interval at which the lock is tried again while another process holds it: for a batch, and for a rebuild. */
const BATCH_LOCK_POLL_MS = 5
const REBUILD_LOCK_POLL_MS = 250

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
  await runOptionalWrite(() => initializePosition(database))
  const index = createSearchIndex(database, location, onError)
  if (isServing) await index.start()
  return index
}

/**
 * Stores the position of an index that has none. The index of an empty catalogue gets the end of the log. On SQLite,
 * the index of an earlier version of the server gets version 0, because the migration has given version 0 to the
 * changes that this index contains.
 */
async function initializePosition(database: Database): Promise<void> {
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

interface RequestedRebuild {
  reportProgress?: ReportProgress | undefined
  /** Rejects the rebuild when it aborts, even while the rebuild waits for another one. */
  signal?: AbortSignal
}

interface RebuildOptions extends RequestedRebuild {
  /**
   * Called with the lock held, because another process may have rebuilt the index before. If it resolves with false,
   * the rebuild is skipped.
   */
  isNeeded?: () => Promise<boolean>
  /** Gives the log a new id first, so that the other machines rebuild their indexes too. */
  renewsLogId?: boolean
}

function createSearchIndex(
  database: Database,
  location: DatabaseLocation | null,
  onError: (error: unknown) => void,
): SearchIndex & { start(): Promise<void> } {
  const { kind, primary, searchDatabase, searchLock, searchRebuildLock } = database
  // On PostgreSQL, `reader` may be a replica, which lacks the latest changes.
  const changesDb = kind === 'sqlite' ? database.reader : primary
  let backgroundPromise: Promise<void> | null = null
  let rebuildPromise: Promise<number> | null = null
  let batchPromise: Promise<boolean> | null = null
  const { readFailedMs, saveFailedMs, hasFailedRecently } = createFailedRebuilds(database)
  const stopController = new AbortController()

  const isOutdated = async () => {
    const position = readPosition(database)
    return !position || !(await canContinueFrom(primary, position, await selectCatalogueLog(primary)))
  }
  const isIncomplete = async () => (await readSearchIndexState(searchDatabase)).building || isOutdated()
  const hasManyChanges = async () => {
    const position = readPosition(database)
    if (!position) return true
    if ((await countChangesAfter(primary, position, MIN_REBUILD_CHANGES)) < MIN_REBUILD_CHANGES) return false
    const documentCount = await countTitlesAndPeople(primary)
    return (await countChangesAfter(primary, position, documentCount)) >= documentCount / 4
  }
  const isBuilding = async () =>
    backgroundPromise !== null ||
    rebuildPromise !== null ||
    readPosition(database) === null ||
    (await readSearchIndexState(searchDatabase)).building
  const hasManyReplacedDocs = async () => {
    const { replacedCount, builtCount } = await countReplacedSearchDocs(searchDatabase)
    return replacedCount >= MIN_REBUILD_CHANGES && replacedCount >= builtCount / 4
  }
  const isRebuildDue = async () => (await isIncomplete()) || (await hasManyReplacedDocs()) || hasManyChanges()

  /**
   * Acquires the lock of the index. Returns null while another process has it, or while the rebuild process of a killed
   * server is still writing.
   */
  function tryAcquireLock(): (() => void) | null {
    const releaseLock = searchLock.tryAcquire()
    if (!releaseLock) return null
    let releaseRebuildLock: (() => void) | null = null
    try {
      // Only the holder of `searchLock` may try this lock. Otherwise, another process could hold this lock when the
      // rebuild process of the holder tries to acquire it.
      releaseRebuildLock = searchRebuildLock.tryAcquire()
    } finally {
      if (releaseRebuildLock) releaseRebuildLock()
      else releaseLock()
    }
    return releaseRebuildLock && releaseLock
  }
  /** Waits until `deadlineMs` for another process that writes a batch. Does not wait for a rebuild. */
  async function acquireLockForBatch(deadlineMs: number): Promise<(() => void) | null> {
    for (;;) {
      const releaseLock = tryAcquireLock()
      if (releaseLock || rebuildPromise || performance.now() >= deadlineMs) return releaseLock
      if ((await readSearchIndexState(searchDatabase)).building) return null
      await setTimeout(BATCH_LOCK_POLL_MS)
    }
  }
  /**
   * Writes one batch. Returns false when no changes are left or a rebuild is running. Also returns false when another
   * batch or another process is still writing the index at `deadlineMs`.
   */
  async function applyBatch(deadlineMs: number): Promise<boolean> {
    while (batchPromise) {
      await waitUntil(deadlineMs, batchPromise)
      if (performance.now() >= deadlineMs) return false
    }
    // During a rebuild, a batch would block this thread until the rebuild process has committed its
    // transaction.
    if (rebuildPromise) return false
    batchPromise = writeBatch(deadlineMs).finally(() => {
      batchPromise = null
    })
    return batchPromise
  }
  async function writeBatch(deadlineMs: number): Promise<boolean> {
    const releaseLock = await acquireLockForBatch(deadlineMs)
    if (!releaseLock) return false
    try {
      return await writeChangedDocs()
    } finally {
      releaseLock()
    }
  }
  async function applyRemainingChanges(): Promise<void> {
    if (await hasManyChanges()) await rebuildIfNeeded(isRebuildDue)
    while (!stopController.signal.aborted && (await applyBatch(getSearchDeadlineMs()))) await setImmediate()
  }
  async function acquireLockForRebuild(signal: AbortSignal): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted()
      const releaseLock = tryAcquireLock()
      if (releaseLock) return releaseLock
      await setTimeout(REBUILD_LOCK_POLL_MS, null, { signal })
    }
  }
  /** Rebuilds the index. The caller holds the lock. */
  async function replaceIndex(
    { reportProgress, renewsLogId }: RebuildOptions,
    signal: AbortSignal,
  ): Promise<number> {
    // The new id is stored before the rebuild. Otherwise, the new index would have the old id and be rebuilt again.
    if (renewsLogId) await updateCatalogueLogId(primary, randomUUID())
    const position = await loadLogEnd(primary)
    if (location) return rebuildIndexInProcess({ location, position }, signal, reportProgress)
    const documentCount = await buildIndex(database, async (doneCount, totalCount) => {
      signal.throwIfAborted()
      await reportProgress?.(doneCount, totalCount)
    })
    savePosition(database, position)
    return documentCount
  }
  /** Returns 0 if no rebuild is needed. After a failure, the index counts as incomplete and is rebuilt later. */
  async function rebuildOnce(options: RebuildOptions, signal: AbortSignal): Promise<number> {
    await batchPromise?.catch(() => {})
    const previousFailedAtMs = readFailedMs()
    const releaseLock = await acquireLockForRebuild(signal)
    let documentCount = 0
    try {
      // If the rebuild of another process has failed meanwhile, this one would most likely fail too.
      const isSkipped = options.isNeeded && readFailedMs() !== previousFailedAtMs
      if (!isSkipped) {
        if (!options.isNeeded || (await options.isNeeded()))
          documentCount = await replaceIndex(options, signal)
        saveFailedMs(0)
      }
    } catch (error) {
      // The time of the failure is stored before the lock is released, because the next holder of the lock reads it.
      if (!stopController.signal.aborted) saveFailedMs(Date.now())
      throw error
    } finally {
      releaseLock()
    }
    // The vocabulary is also loaded after a skipped rebuild, because another process may have rebuilt the index.
    await loadSearchVocabulary(searchDatabase)
    return documentCount
  }
  function startRebuild(options: RebuildOptions, signal = stopController.signal): Promise<number> {
    rebuildPromise = rebuildOnce(options, signal).finally(() => {
      rebuildPromise = null
    })
    return rebuildPromise
  }
  /**
   * Rebuilds the index after a running rebuild has ended. The running rebuild is no substitute, because it does nothing
   * if its `isNeeded` returns false.
   */
  async function rebuildAfterOthers(options: RebuildOptions): Promise<number> {
    const signal = combineSignals(stopController.signal, options.signal)
    while (rebuildPromise)
      await Promise.race([
        rebuildPromise.catch(() => {}),
        setTimeout(REBUILD_LOCK_POLL_MS, null, { signal, ref: false }),
      ])
    return startRebuild(options, signal)
  }
  /** Rebuilds the index if `isNeeded` returns true. Never rejects. */
  async function rebuildInBackground(isNeeded: () => Promise<boolean>): Promise<void> {
    await startRebuild({ isNeeded }).catch((error: unknown) => {
      if (!stopController.signal.aborted) onError(error)
    })
  }
  /** Rebuilds the index if `isNeeded` returns true and no rebuild of this machine failed recently. Never rejects. */
  async function rebuildIfNeeded(isNeeded = isIncomplete): Promise<void> {
    if (!rebuildPromise && !hasFailedRecently()) await rebuildInBackground(isNeeded)
  }
  /**
   * Applies the pending changes if they fit in one batch. Otherwise applies none and returns true. Also returns true
   * when more changes arrived meanwhile. Starts a rebuild in the background if the index needs one.
   */
  async function applyNewChanges(deadlineMs: number): Promise<boolean> {
    const position = readPosition(database)
    if (!position) {
      void rebuildIfNeeded()
      return false
    }
    const log = await selectCatalogueLog(changesDb)
    const canContinue = isPositionInLog(position, log)
    // Another process may have been killed during its rebuild.
    const { building: isUnfinished } = await readSearchIndexState(searchDatabase)
    if (readFailedMs() > 0 || isUnfinished || !canContinue) void rebuildIfNeeded()
    if (!canContinue || isAtLogEnd(position, log)) return false
    if ((await countChangesAfter(changesDb, position, CHANGES_PER_BATCH + 1)) > CHANGES_PER_BATCH) return true
    return applyBatch(deadlineMs)
  }
  /** Writes one batch of changes. Returns true when there may be more changes. The caller holds the lock. */
  async function writeChangedDocs(): Promise<boolean> {
    const position = readPosition(database)
    const log = await selectCatalogueLog(primary)
    if (!position || isAtLogEnd(position, log)) return false
    if (!(await canContinueFrom(primary, position, log))) {
      void rebuildIfNeeded()
      return false
    }
    const changes = await selectChangesAfter(primary, position, CHANGES_PER_BATCH)
    const hasMore = changes.length === CHANGES_PER_BATCH
    await writeDocs(
      database,
      changes.map((change) => change.doc_id),
    )
    savePosition(database, advancePosition(position, { log, changes, hasMore }))
    if (await hasManyReplacedDocs()) void rebuildIfNeeded(isRebuildDue)
    return hasMore
  }
  return {
    async start() {
      // A restart may have removed the cause of a failure, so the rebuild does not wait for REBUILD_RETRY_MS.
      if (await isIncomplete()) void rebuildInBackground(isIncomplete)
    },
    async catchUp() {
      const deadlineMs = getSearchDeadlineMs()
      if (!backgroundPromise && !rebuildPromise) {
        let hasMore = false
        // While the index cannot be written, searches use its current state.
        await runOptionalWrite(async () => {
          hasMore = await applyNewChanges(deadlineMs)
        })
        if (hasMore && !backgroundPromise) {
          backgroundPromise = applyRemainingChanges().finally(() => {
            backgroundPromise = null
          })
          backgroundPromise.catch(() => {})
        }
      }
      if (backgroundPromise) await waitUntil(deadlineMs, backgroundPromise)
    },
    rebuild: (reportProgress) => rebuildAfterOthers({ reportProgress }),
    rebuildOnAllMachines: (options) => rebuildAfterOthers({ ...options, renewsLogId: true }),
    isBuilding,
    async isUpToDate(catalogueVersion) {
      const position = readPosition(database)
      if (!position || !containsVersion(position, Number.parseInt(catalogueVersion, 10))) return false
      return !(await isBuilding())
    },
    warm: () => loadSearchVocabulary(searchDatabase),
    async whenIdle() {
      await backgroundPromise
      await rebuildPromise
    },
    async stop() {
      stopController.abort()
      await Promise.allSettled([backgroundPromise, batchPromise, rebuildPromise])
    },
  }
}

const getSearchDeadlineMs = (): number => performance.now() + MAX_SEARCH_WAIT_MS

/** Waits for a promise until `deadlineMs` at most. Ignores the result and the error of the promise. */
async function waitUntil(deadlineMs: number, promise: Promise<unknown>): Promise<void> {
  const remainingMs = Math.max(0, deadlineMs - performance.now())
  await Promise.race([promise.catch(() => {}), setTimeout(remainingMs, null, { ref: false })])
}

/**
 * Rewrites documents. Also rewrites the people of a changed title, because their visibility depends on their
 * titles.
 */
async function writeDocs({ primary, searchDatabase }: Database, docIds: number[]): Promise<void> {
  const titleIds = docIds.filter((id) => id % 2 === 0).map((id) => id / 2)
  const personIds = new Set(docIds.filter((id) => id % 2 === 1).map((id) => (id - 1) / 2))
  for (const credit of await selectCredits(primary, titleIds)) personIds.add(credit.person_id)
  const docs = [
    ...(await loadTitleDocs(primary, titleIds)),
    ...(await loadPersonDocs(primary, [...personIds])),
  ]
  const writtenDocIds = new Set(docs.map((doc) => doc.doc_id))
  const removedDocIds = [...titleIds.map(getTitleDocId), ...[...personIds].map(getPersonDocId)].filter(
    (id) => !writtenDocIds.has(id),
  )
  if (removedDocIds.length > 0) await removeSearchDocs(searchDatabase, removedDocIds)
  for (let startIndex = 0; startIndex < docs.length; startIndex += DOCUMENTS_PER_TURN) {
    await upsertSearchDocs(searchDatabase, docs.slice(startIndex, startIndex + DOCUMENTS_PER_TURN))
    await setImmediate()
  }
}
