import { useStore } from '@nanostores/react'
import { TriangleAlert } from 'lucide-react'
import type { Overview as Facts, Warning } from '../../lib/contract/admin-overview.ts'
import { formatAgo } from '../../lib/i18n/format.ts'
import { formatNumber, t } from '../../lib/i18n/t.ts'
import type { Section } from '../../lib/rules/dashboard-sections.ts'
import { reasonOf } from '../../lib/stores/admin/act.ts'
import { isLive, refetchJobs } from '../../lib/stores/admin/jobs.ts'
import { $overview } from '../../lib/stores/admin/overview.ts'
import { $view, openSection } from '../../lib/stores/admin/view.ts'
import { Action } from './kit/Action.tsx'
import { Chart } from './kit/Chart.tsx'
import { formatBytes } from './kit/figures.ts'
import { Head, Part } from './kit/Head.tsx'
import { JobBar } from './kit/JobBar.tsx'
import { Failed } from './kit/Table.tsx'
import { useAnswer, useEachSecond } from './kit/use-answer.ts'
import { jobName } from './kit/words.ts'
import { Health } from './overview/Health.tsx'
import { Storage } from './overview/Storage.tsx'

export default function Overview() {
  const { data, error, retry } = useAnswer($overview)
  const { section } = useStore($view)
  useEachSecond(section === 'overview' && (data?.jobs.some(isLive) ?? false), refetchJobs)
  return (
    <div className="flex flex-col gap-10">
      <Head title={t('dashboard:section_overview')} hint={t('dashboard:hint_overview')} />
      {error ? (
        <Failed reason={t(reasonOf(error))} onRetry={retry} />
      ) : data ? (
        <OverviewContent overview={data} />
      ) : (
        <OverviewSkeleton />
      )}
    </div>
  )
}

function OverviewContent({ overview }: { overview: Facts }) {
  const dailyActivity = overview.activity
  return (
    <>
      {overview.warnings.length > 0 && <Warnings warnings={overview.warnings} />}
      <KeyFigures overview={overview} />
      <div className="grid gap-10 xl:grid-cols-2">
        <Chart
          title={t('dashboard:plays')}
          dayLabel={t('dashboard:day')}
          points={dailyActivity.map(({ date, plays }) => ({ date, value: plays }))}
          say={(count) => t('dashboard:playsCount', { count })}
        />
        <Chart
          title={t('dashboard:newPeople')}
          dayLabel={t('dashboard:day')}
          points={dailyActivity.map(({ date, new_people }) => ({ date, value: new_people }))}
          say={(count) => t('dashboard:peopleCount', { count })}
          tone="ink"
        />
      </div>
      {overview.jobs.length > 0 && (
        <Part title={t('dashboard:runningNow')}>
          <ul className="divide-y divide-line border-y border-line">
            {overview.jobs.map((job) => (
              <li key={job.job_id} className="flex flex-wrap items-center justify-between gap-4 py-3 text-sm">
                <span className="font-medium">{jobName(job.kind)}</span>
                <JobBar job={job} label={jobName(job.kind)} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <div className="grid gap-10 xl:grid-cols-2">
        <Storage storage={overview.storage} />
        <Health overview={overview} />
      </div>
    </>
  )
}

function KeyFigures({ overview: { people, titles, activity, last_backup } }: { overview: Facts }) {
  const totalTitles = titles.movies.total + titles.series.total
  const hiddenTitles = totalTitles - titles.movies.published - titles.series.published
  const monthlyPlays = activity.reduce((sum, day) => sum + day.plays, 0)
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-8 border-y border-line py-6 lg:grid-cols-4">
      <KeyFigure
        section="users"
        label={t('dashboard:people')}
        value={formatNumber(people.accounts)}
        detail={t('dashboard:activeWeek', { count: people.active_week })}
      />
      <KeyFigure
        section="catalogue"
        label={t('dashboard:titles')}
        value={formatNumber(totalTitles)}
        detail={
          hiddenTitles > 0 ? t('dashboard:hiddenTitles', { count: hiddenTitles }) : t('dashboard:noneHidden')
        }
      />
      <KeyFigure
        section="overview"
        label={t('dashboard:playsMonth')}
        value={formatNumber(monthlyPlays)}
        detail={t('dashboard:playsToday', { count: activity.at(-1)?.plays ?? 0 })}
      />
      <KeyFigure
        section="backups"
        label={t('dashboard:lastBackup')}
        value={last_backup ? formatAgo(last_backup.created_at) : t('dashboard:never')}
        detail={last_backup ? formatBytes(last_backup.bytes) : t('dashboard:makeOne')}
        isText
      />
    </dl>
  )
}

interface KeyFigureProps {
  section: Section
  label: string
  value: string
  detail: string
  /** Text values use a smaller font than numbers. */
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
            onClick={() => openSection(section)}
          >
            {label}
          </button>
        )}
      </dt>
      <dd className={`numbers font-semibold ${isText ? 'text-lg leading-9' : 'text-xl leading-9'}`}>
        {value}
      </dd>
      <dd className="text-sm leading-6 text-muted">{detail}</dd>
    </div>
  )
}

/** The dashboard section in which the cause of a warning can be fixed. */
const SECTION_OF_WARNING: Partial<Record<Warning, Section>> = {
  no_recent_backup: 'backups',
  audit_broken: 'audit',
  job_failed: 'jobs',
  disk_nearly_full: 'backups',
}

function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <ul aria-label={t('dashboard:warnings')} className="flex flex-col gap-2">
      {warnings.map((warning) => {
        const section = SECTION_OF_WARNING[warning]
        return (
          <li
            key={warning}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-raised px-4 py-2.5 text-sm"
          >
            <TriangleAlert aria-hidden size={18} className="shrink-0 text-accent" />
            <span className="min-w-0 grow basis-60">{t(`dashboard:warning_${warning}`)}</span>
            {section && (
              <Action look="quiet" onClick={() => openSection(section)}>
                {t(`dashboard:section_${section}`)}
              </Action>
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
      <div className="skeleton h-33 w-full" />
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
