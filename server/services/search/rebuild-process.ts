/**
 * Entry point of the process that writes the search index. A thread of this process reads the catalogue at
 * the same time.
 */
import { runProcessJob } from '../../core/process-job.ts'
import { type DatabaseLocation, openDatabase } from '../../db/database.ts'
import { writeIndex } from './build-index.ts'
import type { IndexProgress } from './rebuild-in-process.ts'
import { receiveEntryPages } from './receive-entries.ts'

const PROGRESS_INTERVAL_MS = 250

runProcessJob<DatabaseLocation, number, IndexProgress>(async (location, reportProgress) => {
  const database = openDatabase({ ...location, isBackground: true })
  let lastReportMs = 0
  try {
    return await writeIndex(
      database.searchDatabase,
      receiveEntryPages(location),
      async (doneCount, totalCount) => {
        if (performance.now() - lastReportMs < PROGRESS_INTERVAL_MS && doneCount < totalCount) return
        lastReportMs = performance.now()
        reportProgress({ done: doneCount, total: totalCount })
      },
    )
  } finally {
    await database.close()
  }
})
