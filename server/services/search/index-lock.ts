/** The lock that a process holds while it writes the search index of this machine. */
import { setTimeout } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { readSearchIndexState } from '../../search/engine.ts'

/** Interval at which a batch tries to acquire the lock again while another process holds it. */
const BATCH_LOCK_POLL_MS = 5
/** Interval at which a rebuild tries to acquire the lock again while another process holds it. */
export const REBUILD_LOCK_POLL_MS = 250

export function createIndexLock({
  searchDatabase,
  searchLock,
  searchRebuildLock,
}: Pick<Database, 'searchDatabase' | 'searchLock' | 'searchRebuildLock'>) {
  /**
   * Acquires the lock of the index and returns a function that releases it. Returns null while another process has the
   * lock, or while the rebuild process of a killed server is still writing.
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
  /**
   * Acquires the lock like `tryAcquireLock`. Waits for a batch of another process until `deadlineMs` at the latest.
   * Does not wait for a rebuild of this process (`isRebuilding`) or of another process. Returns null when the lock was
   * not acquired.
   */
  async function acquireLockForBatch(
    deadlineMs: number,
    isRebuilding: () => boolean,
  ): Promise<(() => void) | null> {
    for (;;) {
      const releaseLock = tryAcquireLock()
      if (releaseLock || isRebuilding() || performance.now() >= deadlineMs) return releaseLock
      if ((await readSearchIndexState(searchDatabase)).building) return null
      await setTimeout(BATCH_LOCK_POLL_MS)
    }
  }
  async function acquireLockForRebuild(signal: AbortSignal): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted()
      const releaseLock = tryAcquireLock()
      if (releaseLock) return releaseLock
      await setTimeout(REBUILD_LOCK_POLL_MS, null, { signal })
    }
  }
  return { acquireLockForBatch, acquireLockForRebuild }
}
