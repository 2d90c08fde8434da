/** Entry point of the worker thread that writes the search index; another one reads the catalogue meanwhile. */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { sendWorkerResult } from '../../core/worker-message.ts'
import { type DatabaseLocation, openDatabase } from '../../db/database.ts'
import { writeIndex } from './build-index.ts'
import type { ProgressMessage } from './rebuild-in-worker.ts'
import { receiveEntryPages } from './receive-entries.ts'

const PROGRESS_INTERVAL_MS = 250

// On Linux this lowers the priority of this thread and of those that it starts; on other systems it would lower that of
// the whole process.
if (process.platform === 'linux') setPriority(10)

const location = workerData as DatabaseLocation
const database = openDatabase(location)
let lastReportMs = 0
try {
  const count = await writeIndex(
    database.searchDatabase,
    receiveEntryPages(location),
    async (done, total) => {
      if (performance.now() - lastReportMs < PROGRESS_INTERVAL_MS && done < total) return
      lastReportMs = performance.now()
      const message: ProgressMessage = { indexProgress: { done, total } }
      parentPort?.postMessage(message)
    },
  )
  sendWorkerResult(count)
} finally {
  await database.close()
}
