import { FileText, OctagonX } from '../../../icons/index.ts'
import type { Job } from '../../../lib/contract/admin.ts'
import { t } from '../../../lib/i18n/t.ts'
import { cancelJob, isJobActive } from '../../../lib/stores/admin/jobs.ts'
import { formatDurationSeconds } from '../kit/formatters.ts'
import { JobProgress } from '../kit/JobProgress.tsx'
import { formatJobName } from '../kit/job-labels.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { RowMenu, type RowMenuItem } from '../kit/RowMenu.tsx'
import { type BadgeTone, StatusBadge } from '../kit/StatusBadge.tsx'
import type { DataTableColumn } from '../kit/table-columns.ts'
import { formatJobFailure, formatJobSummary } from './job-report.ts'

const TONES_BY_STATUS: Record<Job['status'], BadgeTone> = {
  queued: 'off',
  running: 'busy',
  done: 'good',
  failed: 'bad',
  cancelled: 'off',
}

export function createJobColumns(onShowDetails: (job: Job) => void): DataTableColumn<Job>[] {
  return [
    {
      key: 'kind',
      label: t('dashboard:jobKind'),
      fillsWidth: true,
      renderCell: (job) => (
        <div className="min-w-0">
          <button
            type="button"
            onClick={() => onShowDetails(job)}
            className="block max-w-full truncate text-start font-medium hover:underline"
          >
            {formatJobName(job.kind)}
          </button>
          {job.status === 'failed' && <p className="truncate text-xs text-danger">{formatJobFailure(job)}</p>}
          {(job.status === 'done' || job.status === 'cancelled') && (
            <p className="truncate text-xs text-muted">{formatJobSummary(job)}</p>
          )}
          {job.input['from'] === 'command_line' && (
            <p className="truncate text-xs text-faint">{t('dashboardsystem:commandLine')}</p>
          )}
          <p className="truncate text-xs text-muted md:hidden">
            <RelativeTime instant={job.created_at} />
          </p>
        </div>
      ),
    },
    {
      key: 'state',
      label: t('dashboard:jobState'),
      renderCell: (job) =>
        job.status === 'running' ? (
          <div className="w-28 md:w-56">
            <JobProgress job={job} label={formatJobName(job.kind)} />
          </div>
        ) : (
          <StatusBadge tone={TONES_BY_STATUS[job.status]}>
            {t(`dashboard:job_state_${job.status}`)}
          </StatusBadge>
        ),
    },
    {
      key: 'started',
      label: t('dashboard:started'),
      minBreakpoint: 'md',
      renderCell: (job) => (
        <span className="text-muted">
          <RelativeTime instant={job.started_at ?? job.created_at} />
        </span>
      ),
    },
    {
      key: 'took',
      label: t('dashboard:took'),
      minBreakpoint: 'lg',
      renderCell: (job) => <span className="numbers text-muted">{formatJobDuration(job)}</span>,
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      hasHiddenLabel: true,
      isEndAligned: true,
      renderCell: (job) => (
        <RowMenu
          label={t('dashboard:actionsFor', { name: formatJobName(job.kind) })}
          items={createMenuItems(job, onShowDetails)}
        />
      ),
    },
  ]
}

function formatJobDuration({ started_at, finished_at }: Job): string {
  if (!started_at || !finished_at) return '—'
  const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1_000
  return formatDurationSeconds(Math.max(1, Math.round(seconds)))
}

function createMenuItems(job: Job, onShowDetails: (job: Job) => void): RowMenuItem[] {
  const detailsMenuItem = {
    label: t('dashboard:details'),
    icon: <FileText size={16} />,
    onSelect: () => onShowDetails(job),
  }
  if (!isJobActive(job) || job.cancelling) return [detailsMenuItem]
  return [
    detailsMenuItem,
    {
      label: t('dashboard:cancelJob'),
      icon: <OctagonX size={16} />,
      isDestructive: true,
      onSelect: () => void cancelJob(job.job_id),
    },
  ]
}
