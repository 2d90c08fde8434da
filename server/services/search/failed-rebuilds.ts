/**
 * Stores when a rebuild of the search index of this machine failed, so that the processes of the machine do not repeat
 * it immediately.
 */
import { isDatabaseUnavailable } from '../../core/database-unavailable.ts'
import type { Database } from '../../db/database.ts'
import { readRebuildFailureTimeMs, saveRebuildFailureTimeMs } from '../../search/engine.ts'

/**
 * After a rebuild has failed, for example because the disk is full, the processes of this machine start no rebuild on
 * their own for this long.
 */
const REBUILD_RETRY_MS = 60_000

export function createRebuildFailureStore({ searchDatabase }: Pick<Database, 'searchDatabase'>) {
  /**
   * Time of the last failed rebuild, in milliseconds since 1970, while this time cannot be stored (for example because
   * the disk is full); 0 otherwise.
   */
  let unsavedFailedAtMs = 0
  /** Returns when a rebuild of this machine failed, in milliseconds since 1970; 0 when the last rebuild succeeded. */
  const readFailureTimeMs = () => Math.max(unsavedFailedAtMs, readRebuildFailureTimeMs(searchDatabase))
  return {
    readFailureTimeMs,
    saveFailureTimeMs(failedAtMs: number): void {
      if (readFailureTimeMs() === failedAtMs) return
      unsavedFailedAtMs = failedAtMs
      try {
        saveRebuildFailureTimeMs(searchDatabase, failedAtMs)
        unsavedFailedAtMs = 0
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
      }
    },
    hasFailedRecently(): boolean {
      // The time may be in the future, because the clock of the machine may have been set back.
      const elapsedMs = Date.now() - readFailureTimeMs()
      return elapsedMs >= 0 && elapsedMs < REBUILD_RETRY_MS
    },
  }
}
