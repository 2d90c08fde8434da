import { useStore } from '@nanostores/react'
import { TriangleAlert } from '../../icons/index.ts'
import type { DashboardOverview, DashboardWarning } from '../../lib/contract/admin-overview.ts'
import { formatStandaloneTime } from '../../lib/i18n/format-instant.ts'
import { formatNumber, getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import type { DashboardSection } from '../../lib/rules/dashboard-sections.ts'
import { $dashboardView, openDashboardSection } from '../../lib/stores/admin/dashboard-view.ts'
import { isJobActive, refetchJobs } from '../../lib/stores/admin/jobs.ts'
import { $overview } from '../../lib/stores/admin/overview.ts'
import { getErrorMessageKey } from '../../lib/stores/admin/run-action.ts'
import { DailyBarChart } from '../statistics/DailyBarChart.tsx'
import { ActionButton } from './kit/ActionButton.tsx'
import { formatBytes, formatTimeSince } from './kit/formatters.ts'
import { JobProgress } from './kit/JobProgress.tsx'
import { formatJobName } from './kit/job-labels.ts'
import { SectionHeader, Subsection } from './kit/SectionHeader.tsx'
import { LoadError } from './kit/TableStates.tsx'
import { usePolling, useStoreQuery } from './kit/use-store-query.ts'
import { RunningStreams } from './overview/RunningStreams.tsx'
import { ServerHealth } from './overview/ServerHealth.tsx'
import { StorageUsage } from './overview/StorageUsage.tsx'

export default function Overview() {
  const { data: overview, error, retry } = useStoreQuery($overview)
  const { section } = useStore($dashboardView)
  usePolling(section === 'overview' && (overview?.jobs.some(isJobActive) ?? false), refetchJobs)
  return (
    <div className="flex flex-col gap-10">
      <SectionHeader title={t('dashboard:section_overview')} hint={t('dashboard:hint_overview')} />
      {error ? (
        <LoadError reason={t(getErrorMessageKey(error))} onRetry={retry} />
      ) : overview ? (
        <OverviewContent overview={overview} />
      ) : (
        <OverviewSkeleton />
      )}
    </div>
  )
}

function OverviewContent({ overview }: { overview: DashboardOverview }) {
  const dailyActivity = overview.activity
  return (
    <>
      {overview.warnings.length > 0 && <Warnings warnings={overview.warnings} />}
      <KeyFigures overview={overview} />
      <div className="grid gap-10 xl:grid-cols-2">
        <DailyBarChart
          title={t('dashboard:plays')}
          dayLabel={t('dashboard:day')}
          points={dailyActivity.map(({ date, plays }) => ({ date, value: plays }))}
          formatValue={(count) => t('dashboard:playsCount', { count })}
        />
        <DailyBarChart
          title={t('dashboard:newPeople')}
          dayLabel={t('dashboard:day')}
          points={dailyActivity.map(({ date, new_people }) => ({ date, value: new_people }))}
          formatValue={(count) => t('dashboard:peopleCount', { count })}
          tone="ink"
        />
      </div>
      {overview.jobs.length > 0 && (
        <Subsection title={t('dashboard:runningNow')}>
          <ul className="divide-y divide-line border-y border-line">
            {overview.jobs.map((job) => (
              <li key={job.job_id} className="flex flex-wrap items-center justify-between gap-4 py-3 text-sm">
                <span className="font-medium">{formatJobName(job.kind)}</span>
                <JobProgress job={job} label={formatJobName(job.kind)} />
              </li>
            ))}
          </ul>
        </Subsection>
      )}
      <RunningStreams />
      <div className="grid gap-10 xl:grid-cols-2">
        <StorageUsage storage={overview.storage} />
        <ServerHealth overview={overview} />
      </div>
    </>
  )
}

function KeyFigures({
  overview: { people, titles, activity, storage, last_backup },
}: {
  overview: DashboardOverview
}) {
  const titleCount = titles.movies.total + titles.series.total
  const hiddenTitleCount = titleCount - titles.movies.published - titles.series.published
  const monthlyViewingCount = activity.reduce((sum, day) => sum + day.plays, 0)
  return (
    <dl className="grid grid-cols-2 gap-6 border-y border-line py-6 lg:grid-cols-4">
      <KeyFigure
        section="users"
        label={t('dashboard:people')}
        value={formatNumber(people.accounts)}
        detail={t('dashboard:activeWeek', { count: people.active_week })}
      />
      <KeyFigure
        section="catalogue"
        label={t('dashboard:titles')}
        value={formatNumber(titleCount)}
        detail={
          hiddenTitleCount > 0
            ? t('dashboard:hiddenTitles', { count: hiddenTitleCount })
            : t('dashboard:noneHidden')
        }
      />
      <KeyFigure
        section="overview"
        label={t('dashboard:playsMonth')}
        value={formatNumber(monthlyViewingCount)}
        detail={t('dashboard:playsToday', { count: activity.at(-1)?.plays ?? 0 })}
      />
      <KeyFigure
        section="backups"
        label={t('dashboard:lastBackup')}
        {...(storage.backups === null
          ? { value: '—', detail: '' }
          : last_backup
            ? {
                value: formatStandaloneTime(formatTimeSince(last_backup.created_at)),
                detail: formatBytes(last_backup.bytes),
              }
            : { value: t('dashboard:never'), detail: t('dashboard:makeOne') })}
        isText
      />
    </dl>
  )
}

interface KeyFigureProps {
  section: DashboardSection
  label: string
  value: string
  detail: string
  /** True if the value is a text. Texts are shown in a smaller font than numbers. */
  isText?: boolean
}

function KeyFigure({ section, label, value, detail, isText = false }: KeyFigureProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <dt className="text-sm leading-6 text-muted">
        {section === 'overview' ? (
          label
        ) : (
          <button
            type="button"
            className="underline-offset-4 hover:text-ink hover:underline"
            onClick={() => openDashboardSection(section)}
          >
            {label}
          </button>
        )}
      </dt>
      <dd
        className={`numbers font-semibold wrap-anywhere ${isText ? 'text-lg leading-9' : 'text-xl leading-9'}`}
      >
        {value}
      </dd>
      <dd className="text-sm leading-6 wrap-anywhere text-muted">{detail}</dd>
    </div>
  )
}

/** The dashboard section in which the cause of a warning can be fixed. */
const SECTIONS_BY_WARNING: Partial<Record<DashboardWarning, DashboardSection>> = {
  backups_unreadable: 'backups',
  no_recent_backup: 'backups',
  audit_broken: 'audit',
  database_damaged: 'backups',
  media_unreadable: 'library',
  job_failed: 'jobs',
  disk_nearly_full: 'backups',
}

function Warnings({ warnings }: { warnings: readonly DashboardWarning[] }) {
  return (
    <ul aria-label={t('dashboard:warnings')} className="flex flex-col gap-2">
      {warnings.map((warning) => {
        const section = SECTIONS_BY_WARNING[warning]
        return (
          <li
            key={warning}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-raised px-4 py-2.5 text-sm"
          >
            <TriangleAlert aria-hidden size={18} className="text-accent" />
            <span className="min-w-0 grow basis-60">{t(`dashboard:warning_${warning}`)}</span>
            {warning === 'first_password' && (
              <a
                className="inline-flex min-h-9 items-center px-3 font-medium text-muted hover:text-ink pointer-coarse:min-h-11"
                href={href('account', getCurrentLocale(), { query: { tab: 'security' } })}
              >
                {t('header:account')}
              </a>
            )}
            {section && (
              <ActionButton variant="quiet" onClick={() => openDashboardSection(section)}>
                {t(`dashboard:section_${section}`)}
              </ActionButton>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function OverviewSkeleton() {
  return (
    <div role="status" aria-label={t('common:loading')} className="flex flex-col gap-10">
      <div className="skeleton h-32 w-full" />
      <div className="grid gap-10 xl:grid-cols-2">
        <div className="skeleton h-48" />
        <div className="skeleton h-48" />
      </div>
      <div className="grid gap-10 xl:grid-cols-2">
        <div className="skeleton h-56" />
        <div className="skeleton h-56" />
      </div>
    </div>
  )
}
