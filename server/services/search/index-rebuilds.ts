/** Rebuilds the search index of this machine. A process runs one rebuild at a time. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { combineSignals } from '../../core/combine-signals.ts'
import type { Database, DatabaseLocation } from '../../db/database.ts'
import { updateCatalogueLogId } from '../../queries/search-index.ts'
import { loadSearchVocabulary } from '../../search/engine.ts'
import { buildIndex } from './build-index.ts'
import { createRebuildFailureStore } from './failed-rebuilds.ts'
import { createIndexLock, REBUILD_LOCK_POLL_MS } from './index-lock.ts'
import { loadLogEnd } from './index-position.ts'
import { rebuildIndexInProcess } from './rebuild-in-process.ts'
import { type ReportProgress, savePosition } from './write-index.ts'

export interface RequestedRebuild {
  reportProgress?: ReportProgress | undefined
  /** The rebuild rejects when this signal aborts, even while it waits for another rebuild. */
  signal?: AbortSignal
}

interface RebuildOptions extends RequestedRebuild {
  /**
   * Resolves to false to skip the rebuild. It is called after the lock was acquired, because another process may have
   * rebuilt the index in the meantime.
   */
  isNeeded?: () => Promise<boolean>
  /** Gives the log a new id first, so that the other machines rebuild their indexes too. */
  renewsLogId?: boolean
}

interface RebuildEnvironment {
  database: Database
  /** Location of the database; null in tests, in which the index is rebuilt in this thread. */
  location: DatabaseLocation | null
  /** Receives the errors of rebuilds in the background. */
  onError: (error: unknown) => void
  /** Stops every rebuild when it aborts. */
  stopSignal: AbortSignal
  /** Resolves when this process is not writing changes to the index. Never rejects. */
  waitForBatch: () => Promise<unknown>
}

export function createIndexRebuilder({
  database,
  location,
  onError,
  stopSignal,
  waitForBatch,
}: RebuildEnvironment) {
  const { primary, searchDatabase } = database
  const { readFailureTimeMs, saveFailureTimeMs, hasFailedRecently } = createRebuildFailureStore(database)
  const { acquireLockForRebuild } = createIndexLock(database)
  let rebuildPromise: Promise<number> | null = null

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
  /**
   * Rebuilds the index and returns the number of its documents. Returns 0 if `isNeeded` returns false. With `isNeeded`,
   * also returns 0 if the rebuild of another process has failed while this call waited for the lock. Throws if the
   * rebuild fails. The index then counts as incomplete and is rebuilt later.
   */
  async function rebuildOnce(options: RebuildOptions, signal: AbortSignal): Promise<number> {
    await waitForBatch()
    const previousFailedAtMs = readFailureTimeMs()
    const releaseLock = await acquireLockForRebuild(signal)
    let documentCount = 0
    try {
      // If the rebuild of another process has failed meanwhile, this rebuild would most likely fail too.
      const isRebuildSkipped = options.isNeeded && readFailureTimeMs() !== previousFailedAtMs
      if (!isRebuildSkipped) {
        if (!options.isNeeded || (await options.isNeeded()))
          documentCount = await replaceIndex(options, signal)
        saveFailureTimeMs(0)
      }
    } catch (error) {
      // The time of the failure is stored before the lock is released, because the next holder of the lock reads it.
      if (!stopSignal.aborted) saveFailureTimeMs(Date.now())
      throw error
    } finally {
      releaseLock()
    }
    // The vocabulary is also loaded after a skipped rebuild, because another process may have rebuilt the index.
    await loadSearchVocabulary(searchDatabase)
    return documentCount
  }
  function startRebuild(options: RebuildOptions, signal = stopSignal): Promise<number> {
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
    const signal = combineSignals(stopSignal, options.signal)
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
      if (!stopSignal.aborted) onError(error)
    })
  }
  /** Rebuilds the index if `isNeeded` returns true and no rebuild of this machine failed recently. Never rejects. */
  async function rebuildIfNeeded(isNeeded: () => Promise<boolean>): Promise<void> {
    if (!rebuildPromise && !hasFailedRecently()) await rebuildInBackground(isNeeded)
  }
  return {
    isRunning: () => rebuildPromise !== null,
    /** True if the last rebuild of this machine failed. */
    hasFailed: () => readFailureTimeMs() > 0,
    rebuildAfterOthers,
    rebuildInBackground,
    rebuildIfNeeded,
    /** Resolves when no rebuild of this process is running. Rejects if the running rebuild fails. */
    whenIdle: async () => {
      await rebuildPromise
    },
  }
}
