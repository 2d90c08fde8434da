/** Rebuilds the search index in a worker thread, so that this thread answers requests meanwhile. */
import { Worker } from 'node:worker_threads'
import { receiveWorkerResult } from '../../core/worker-message.ts'
import type { DatabaseLocation } from '../../db/database.ts'
import type { ReportProgress } from './build-index.ts'

export interface ProgressMessage {
  indexProgress: { done: number; total: number }
}

const isProgressMessage = (message: unknown): message is ProgressMessage =>
  typeof message === 'object' && message !== null && 'indexProgress' in message

/**
 * Returns the number of documents. Rejects when `signal` aborts, when the worker fails, or when `reportProgress` rejects;
 * the old index then stays in use.
 */
export async function rebuildIndexInWorker(
  location: DatabaseLocation,
  signal: AbortSignal,
  reportProgress?: ReportProgress,
): Promise<number> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./rebuild-worker.ts', import.meta.url), { workerData: location })
  const aborted = Promise.withResolvers<never>()
  const stop = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  let isReporting = false
  worker.on('message', (message: unknown) => {
    if (!isProgressMessage(message) || !reportProgress || isReporting) return
    isReporting = true
    const { done, total } = message.indexProgress
    reportProgress(done, total)
      .catch(aborted.reject)
      .finally(() => {
        isReporting = false
      })
  })
  try {
    return await Promise.race([receiveWorkerResult<number>(worker), aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
