import type { Job } from '../../lib/contract/admin.ts'
import { formatAgo } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  $cloudflarePurge,
  $redisPurge,
  $searchSync,
  type Cache,
  isLive,
  refetchJobs,
  startOn,
} from '../../lib/stores/admin/jobs.ts'
import { $overview } from '../../lib/stores/admin/overview.ts'
import { Action } from './kit/Action.tsx'
import { Head } from './kit/Head.tsx'
import { JobBar } from './kit/JobBar.tsx'
import { useAnswer, useEachSecond } from './kit/use-answer.ts'
import { jobMessage } from './kit/words.ts'

export default function Caches() {
  const { data } = useAnswer($overview)
  const { cloudflare, redis } = data?.health ?? {}
  return (
    <div className="flex flex-col gap-6">
      <Head title={t('dashboard:section_caches')} hint={t('dashboardsystem:cachesHint')} />
      <ul className="divide-y divide-line border-y border-line">
        <Part cache="search" $last={$searchSync} ready />
        <Part cache="cloudflare" $last={$cloudflarePurge} ready={cloudflare} />
        <Part cache="redis" $last={$redisPurge} ready={redis} />
      </ul>
    </div>
  )
}

interface PartProps {
  cache: Cache
  $last: typeof $searchSync
  /** Undefined until it is known. */
  ready: boolean | undefined
}

/** A cache or index: what it is for, how its last renewal went, and the button that renews it. */
function Part({ cache, $last, ready }: PartProps) {
  const { data } = useAnswer($last)
  const last = data?.results[0]
  const running = isLive(last)
  useEachSecond(running, refetchJobs)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 py-5">
      <div className="min-w-0 grow basis-72">
        <h2 className="font-semibold">{t(`dashboardsystem:cache_${cache}`)}</h2>
        <p className="max-w-prose text-sm text-muted">
          {ready === false ? t(`dashboardsystem:cacheOff_${cache}`) : t(`dashboardsystem:cacheHint_${cache}`)}
        </p>
        {last && !running && (
          <p className="mt-1 text-xs text-faint">
            <LastTime job={last} />
          </p>
        )}
      </div>
      {running && last ? (
        <div className="w-64 max-w-full">
          <JobBar job={last} label={t(`dashboardsystem:cache_${cache}`)} />
        </div>
      ) : (
        <Action disabled={ready !== true} onClick={() => void startOn(cache)}>
          {t(cache === 'search' ? 'dashboardsystem:rebuild' : 'dashboardsystem:purge')}
        </Action>
      )}
    </li>
  )
}

function LastTime({ job }: { job: Job }) {
  const when = formatAgo(job.finished_at ?? job.created_at)
  if (job.status === 'failed')
    return (
      <span className="text-danger">{t('dashboardsystem:lastFailed', { when, why: jobMessage(job) })}</span>
    )
  if (job.status === 'cancelled') return t('dashboardsystem:lastCancelled', { when })
  return t('dashboardsystem:lastDone', { when })
}
