import { toErrorFields } from './core/log.ts'
import { runEvery } from './core/run-every.ts'
import type { Deps } from './services/deps.ts'
import { findJobWorker } from './services/jobs/job-queue.ts'
import { deleteLibraryFileRows, getLibrarySync } from './services/library/library-sync.ts'
import { deliverNotices } from './services/notices/deliver-notices.ts'
import { startDueJobs } from './services/operations/maintenance.ts'
import { watchSlowQueries } from './services/operations/slow-queries.ts'
import { applyStoredConfiguration } from './services/operations/stored-configuration.ts'
import { loadTimeZoneData } from './services/statistics/local-day.ts'

/**
 * Interval at which the search index reads the changes of other processes. Each search also reads these changes first.
 */
const SEARCH_INDEX_INTERVAL_MS = 2_000
/** Interval at which the recommendation model checks for new viewings and titles. */
const RECOMMENDER_INTERVAL_MS = 300_000
/**
 * Interval at which due jobs are started, jobs of crashed processes are queued again, and the stored configuration and
 * the threshold of the slow-query log are read again.
 */
const JOBS_INTERVAL_MS = 10_000
/** Interval of the checks for notices and weekly emails that are due. */
const NOTICES_INTERVAL_MS = 60_000
/**
 * Starts the periodic background tasks. A task that fails runs again after its interval, and no task overlaps with
 * itself. A repeated error of a task is not logged again until the task succeeds or fails with a different error.
 */
export function startPeriodicTasks(deps: Deps): NodeJS.Timeout[] {
  const { browseIndex, log, recommender, searchIndex } = deps
  const startPeriodicTask = (intervalMs: number, taskName: string, task: () => Promise<void>) => {
    let lastFailure: string | null = null
    return runEvery(intervalMs, async () => {
      try {
        await task()
        lastFailure = null
      } catch (error) {
        if (String(error) !== lastFailure) log.warn(taskName, toErrorFields(error))
        lastFailure = String(error)
      }
    })
  }
  loadTimeZoneData()
  void browseIndex.warm().catch(() => {})
  void searchIndex.warm().catch(() => {})
  const librarySync = getLibrarySync(deps)
  const libraryStartPromise = librarySync ? librarySync.start() : deleteLibraryFileRows(deps)
  libraryStartPromise.catch((error: unknown) => log.error('library', toErrorFields(error)))
  return [
    startPeriodicTask(SEARCH_INDEX_INTERVAL_MS, 'search-index', () => searchIndex.catchUp()),
    startPeriodicTask(RECOMMENDER_INTERVAL_MS, 'recommendations', () => recommender.refresh()),
    startPeriodicTask(NOTICES_INTERVAL_MS, 'notices', () => deliverNotices(deps)),
    startPeriodicTask(JOBS_INTERVAL_MS, 'slow-queries', () => watchSlowQueries(deps)),
    startPeriodicTask(JOBS_INTERVAL_MS, 'stored-configuration', () => applyStoredConfiguration(deps)),
    // A separate task, so that a job that cannot be started does not prevent the worker from running the other jobs.
    startPeriodicTask(JOBS_INTERVAL_MS, 'due-jobs', () => startDueJobs(deps)),
    startPeriodicTask(JOBS_INTERVAL_MS, 'jobs', async () => findJobWorker(deps)?.releaseAndClaimJobs()),
  ]
}
