/** Entry point of the worker thread that rebuilds the search index through database connections of its own. */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { sendWorkerResult } from '../../core/worker-message.ts'
import { type DatabaseLocation, openDatabase } from '../../db/database.ts'
import { buildIndex } from './build-index.ts'
import type { ProgressMessage } from './rebuild-in-worker.ts'

const PROGRESS_INTERVAL_MS = 250

// On Linux this lowers the priority of this thread only; on other systems it would lower that of the whole process.
if (process.platform === 'linux') setPriority(10)

const database = openDatabase(workerData as DatabaseLocation)
let lastReportMs = 0
try {
  const count = await buildIndex(database, async (done, total) => {
    if (performance.now() - lastReportMs < PROGRESS_INTERVAL_MS && done < total) return
    lastReportMs = performance.now()
    const message: ProgressMessage = { indexProgress: { done, total } }
    parentPort?.postMessage(message)
  })
  sendWorkerResult(count)
} finally {
  await database.close()
}
