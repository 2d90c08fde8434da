/**
 * Entry point of the process that rebuilds the search index. A thread of this process reads the catalogue at
 * the same time.
 */
import { runProcessJob } from '../../core/process-job.ts'
import { openSearch } from '../../db/search-file.ts'
import type { IndexProgress, RebuildJob } from './rebuild-in-process.ts'
import { receiveEntryPages } from './receive-entries.ts'
import { savePosition, writeIndex } from './write-index.ts'

const PROGRESS_INTERVAL_MS = 250

runProcessJob<RebuildJob, number, IndexProgress>(async ({ location, position }, reportProgress) => {
  const { fields, close } = openSearch(location.dataDir, true)
  const { searchDatabase, searchRebuildLock } = fields
  let lastReportMs = 0
  try {
    // The lock is held until this process ends. If a server is killed and its rebuild process continues, the lock
    // prevents a second rebuild by the next server.
    if (!searchRebuildLock.tryAcquire())
      throw new Error('Another process is still rebuilding the search index.')
    const documentCount = await writeIndex(
      searchDatabase,
      receiveEntryPages(location),
      async (doneCount, totalCount) => {
        if (performance.now() - lastReportMs < PROGRESS_INTERVAL_MS && doneCount < totalCount) return
        lastReportMs = performance.now()
        reportProgress({ doneCount, totalCount })
      },
    )
    savePosition(fields, position)
    // Copy the write-ahead log into the database file here. Otherwise, the next write of a process that answers
    // requests would copy the log, and the requests would wait.
    searchDatabase.exec('pragma wal_checkpoint(passive)')
    return documentCount
  } finally {
    close()
  }
})
