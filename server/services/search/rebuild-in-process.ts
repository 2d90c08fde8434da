/** Rebuilds the search index in a separate process, so that this process continues to answer requests. */
import { startProcessJob } from '../../core/process-job.ts'
import type { DatabaseLocation } from '../../db/database.ts'
import type { IndexPosition } from './index-position.ts'
import type { ReportProgress } from './write-index.ts'

export interface RebuildJob {
  location: DatabaseLocation
  /** Position that the new index gets. */
  position: IndexPosition
}

/** Progress in numbers of documents. */
export interface IndexProgress {
  doneCount: number
  totalCount: number
}

/**
 * Rebuilds the index, stores its position and returns the number of documents. Rejects when `signal` aborts, the
 * rebuild fails, or `reportProgress` rejects. The old index then stays in use.
 */
export async function rebuildIndexInProcess(
  job: RebuildJob,
  signal: AbortSignal,
  reportProgress?: ReportProgress,
): Promise<number> {
  signal.throwIfAborted()
  const { promise: failurePromise, reject: rejectRebuild } = Promise.withResolvers<never>()
  const abortRebuild = () => rejectRebuild(signal.reason)
  signal.addEventListener('abort', abortRebuild, { once: true })
  let isReportPending = false
  const rebuildJob = startProcessJob<number, IndexProgress>(
    new URL('./rebuild-process.ts', import.meta.url),
    job,
    ({ doneCount, totalCount }) => {
      if (!reportProgress || isReportPending) return
      isReportPending = true
      reportProgress(doneCount, totalCount)
        .catch(rejectRebuild)
        .finally(() => {
          isReportPending = false
        })
    },
  )
  try {
    return await Promise.race([rebuildJob.result, failurePromise])
  } finally {
    signal.removeEventListener('abort', abortRebuild)
    await rebuildJob.stop()
  }
}
