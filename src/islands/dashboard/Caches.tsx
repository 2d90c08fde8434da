import type { Job } from '../../lib/contract/admin.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  $cloudflarePurge,
  $redisPurge,
  $searchSync,
  type CacheName,
  isJobActive,
  refetchJobs,
  startCacheJob,
} from '../../lib/stores/admin/jobs.ts'
import { $overview } from '../../lib/stores/admin/overview.ts'
import { ActionButton } from './kit/ActionButton.tsx'
import { formatTimeSince } from './kit/formatters.ts'
import { JobProgress } from './kit/JobProgress.tsx'
import { formatFailureCode } from './kit/job-labels.ts'
import { SectionHeader } from './kit/SectionHeader.tsx'
import { FailedQueries } from './kit/TableStates.tsx'
import { usePolling, useStoreQuery } from './kit/use-store-query.ts'

export default function Caches() {
  const overviewQuery = useStoreQuery($overview)
  const searchJobsQuery = useStoreQuery($searchSync)
  const cloudflareJobsQuery = useStoreQuery($cloudflarePurge)
  const redisJobsQuery = useStoreQuery($redisPurge)
  const { cloudflare, redis } = overviewQuery.data?.health ?? {}
  return (
    <div className="flex flex-col gap-6">
      <SectionHeader title={t('dashboard:section_caches')} hint={t('dashboardsystem:cachesHint')} />
      <FailedQueries queries={[overviewQuery, searchJobsQuery, cloudflareJobsQuery, redisJobsQuery]} />
      <ul className="divide-y divide-line border-y border-line">
        <CacheRow cache="search" lastJob={searchJobsQuery.data?.results[0]} isAvailable />
        <CacheRow
          cache="cloudflare"
          lastJob={cloudflareJobsQuery.data?.results[0]}
          isAvailable={cloudflare}
        />
        <CacheRow cache="redis" lastJob={redisJobsQuery.data?.results[0]} isAvailable={redis} />
      </ul>
    </div>
  )
}

interface CacheRowProps {
  cache: CacheName
  /** The newest job that purges or rebuilds this cache. */
  lastJob: Job | undefined
  /** True if the cache is configured; undefined while this is not known. */
  isAvailable: boolean | undefined
}

/**
 * A cache or index with its purpose, the result of the last purge or rebuild, and a button that starts another one.
 */
function CacheRow({ cache, lastJob, isAvailable }: CacheRowProps) {
  const isRunning = isJobActive(lastJob)
  usePolling(isRunning, refetchJobs)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 py-5">
      <div className="min-w-0 grow basis-72">
        <h2 className="font-semibold">{t(`dashboardsystem:cache_${cache}`)}</h2>
        <p className="max-w-prose text-sm text-muted">
          {isAvailable === false
            ? t(`dashboardsystem:cacheOff_${cache}`)
            : t(`dashboardsystem:cacheHint_${cache}`)}
        </p>
        {lastJob && !isRunning && (
          <p className="mt-1 text-xs text-faint">
            <LastJobRun job={lastJob} />
          </p>
        )}
      </div>
      {isRunning && lastJob ? (
        <div className="w-64 max-w-full">
          <JobProgress job={lastJob} label={t(`dashboardsystem:cache_${cache}`)} />
        </div>
      ) : (
        <ActionButton disabled={isAvailable !== true} onClick={() => void startCacheJob(cache)}>
          {t(cache === 'search' ? 'dashboardsystem:rebuild' : 'dashboardsystem:purge')}
        </ActionButton>
      )}
    </li>
  )
}

function LastJobRun({ job }: { job: Job }) {
  const timeSinceText = formatTimeSince(job.finished_at ?? job.created_at)
  if (job.status === 'failed')
    return (
      <span className="text-danger">
        {t('dashboardsystem:lastFailed', { when: timeSinceText, why: isolateBidi(formatFailureCode(job)) })}
      </span>
    )
  if (job.status === 'cancelled') return t('dashboardsystem:lastCancelled', { when: timeSinceText })
  return t('dashboardsystem:lastDone', { when: timeSinceText })
}
