/**
 * Entry point of the process that rebuilds the search index. A thread of this process reads the catalogue at
 * the same time.
 */
import { runProcessJob } from '../../core/process-job.ts'
import { openDatabase } from '../../db/database.ts'
import { writeIndex } from './build-index.ts'
import { savePosition } from './index-position.ts'
import type { IndexProgress, RebuildJob } from './rebuild-in-process.ts'
import { receiveEntryPages } from './receive-entries.ts'

const PROGRESS_INTERVAL_MS = 250

runProcessJob<RebuildJob, number, IndexProgress>(async ({ location, position }, reportProgress) => {
  const database = openDatabase({ ...location, isBackground: true })
  let lastReportMs = 0
  try {
    // The lock is held until this process ends. If a server is killed and its rebuild process continues, the lock
    // prevents a second rebuild by the next server.
    if (!database.searchRebuildLock.tryAcquire())
      throw new Error('Another process is still rebuilding the search index.')
    const documentCount = await writeIndex(
      database.searchDatabase,
      receiveEntryPages(location),
      async (doneCount, totalCount) => {
        if (performance.now() - lastReportMs < PROGRESS_INTERVAL_MS && doneCount < totalCount) return
        lastReportMs = performance.now()
        reportProgress({ doneCount, totalCount })
      },
    )
    savePosition(database, position)
    // Copy the write-ahead log into the database file here. Otherwise, the next write of a process that answers
    // requests would copy it.
    database.searchDatabase.exec('pragma wal_checkpoint(passive)')
    return documentCount
  } finally {
    await database.close()
  }
})
