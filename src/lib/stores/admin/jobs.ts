/** Background jobs: the list of jobs, and starting and cancelling them. */
import { computed, onSet } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { Job } from '../../contract/admin.ts'
import * as admin from '../../contract/admin.ts'
import * as backups from '../../contract/admin-backups.ts'
import * as imports from '../../contract/admin-imports.ts'
import * as overview from '../../contract/admin-overview.ts'
import type { DashboardSection } from '../../rules/dashboard-sections.ts'
import { $jobsVersion } from '../jobs-version.ts'
import { createReadStore, refetch } from '../query.ts'
import { $dashboardView, createFiltersStore, parseFilterChoice, parsePaging } from './dashboard-view.ts'
import { runAdminAction } from './run-action.ts'

export const JOB_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export const JOB_KINDS = [
  'search_sync',
  'library_scan',
  'library_add_titles',
  'media_server_sync',
  'seek_thumbnails',
  'cloudflare_purge',
  'redis_purge',
  'backup',
  'housekeeping',
  'integrity_check',
  'import_demo',
  'import_imdb',
  'import_tmdb',
  'title_purge',
] as const
export const $jobs = createReadStore(
  admin.listJobs,
  computed(createFiltersStore('jobs'), (filters) => {
    if (!filters) return null
    const status = parseFilterChoice(filters, 'status', JOB_STATUSES)
    return {
      query: {
        ...parsePaging(filters),
        ...(status && { status }),
        ...(filters['kind'] && { kind: filters['kind'] }),
      },
    }
  }),
)

/**
 * Creates a store with the newest job of a kind. The store loads the job while one of `sections` is displayed. The
 * store calls `refetchResults` when a job has ended since the previous reply, even if no reply has shown the job as
 * running.
 */
export function createLatestJobStore(
  sections: DashboardSection[],
  kind: string,
  refetchResults: () => void = () => {},
) {
  const $latestJob = createReadStore(
    admin.listJobs,
    computed($dashboardView, ({ section }) =>
      sections.includes(section) ? { query: { kind, limit: 1 } } : null,
    ),
  )
  onSet($latestJob, ({ newValue }) => {
    const previousJobs = $latestJob.value?.data?.results
    const job = newValue.data?.results[0]
    if (!previousJobs || !job || isJobActive(job)) return
    const [previousJob] = previousJobs
    if (job.job_id !== previousJob?.job_id || isJobActive(previousJob)) refetchResults()
  })
  return $latestJob
}
export const $searchSync = createLatestJobStore(['caches'], 'search_sync')
export const $cloudflarePurge = createLatestJobStore(['caches'], 'cloudflare_purge')
export const $redisPurge = createLatestJobStore(['caches'], 'redis_purge')
export const $backupJob = createLatestJobStore(['backups'], 'backup')

export const isJobActive = (job: Pick<Job, 'status'> | undefined) =>
  job?.status === 'running' || job?.status === 'queued'

/** Requests the jobs again, and the data that changes with their results. */
export function refetchJobs(): void {
  refetch(admin.listJobs, imports.listImportJobs, overview.getOverview, backups.listBackups)
}

/** Shortest time in milliseconds between two refetches that events cause. A job may send five events a second. */
const JOB_EVENT_DELAY_MS = 1_000
let jobEventTimer: ReturnType<typeof setTimeout> | undefined
// Refetches the jobs when the server reports that a job has changed. The dashboard then also shows jobs that another
// administrator or the server has started.
$jobsVersion.listen((version) => {
  if (version === 0 || jobEventTimer) return
  jobEventTimer = setTimeout(() => {
    jobEventTimer = undefined
    refetchJobs()
  }, JOB_EVENT_DELAY_MS)
})

const START_ENDPOINTS_BY_CACHE = {
  search: admin.syncSearch,
  cloudflare: admin.purgeCloudflare,
  redis: admin.purgeRedis,
}
export type CacheName = keyof typeof START_ENDPOINTS_BY_CACHE
export function startCacheJob(cacheName: CacheName): Promise<void> {
  return runAdminAction('dashboardsystem:started', async () => {
    await callApi(START_ENDPOINTS_BY_CACHE[cacheName])
    refetchJobs()
  })
}

/** Cancels a job. The message tells whether the job was waiting, stops at its next safe point, or had already ended. */
export function cancelJob(jobId: string): Promise<void> {
  return runAdminAction(
    ({ already_ended, status }) =>
      already_ended
        ? 'dashboardsystem:alreadyEnded'
        : status === 'cancelled'
          ? 'dashboardsystem:jobCancelled'
          : 'dashboardsystem:cancelling',
    async () => {
      const cancelReply = await callApi(admin.cancelJob, { params: { id: jobId } })
      refetchJobs()
      return cancelReply
    },
  )
}
