import { FileText, OctagonX } from 'lucide-react'
import type { Job } from '../../../lib/contract/admin.ts'
import { formatAgo } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { cancelJob, isLive } from '../../../lib/stores/admin/jobs.ts'
import { Badge, type Tone } from '../kit/Badge.tsx'
import { formatSpan } from '../kit/figures.ts'
import { JobBar } from '../kit/JobBar.tsx'
import { type Item, RowMenu } from '../kit/RowMenu.tsx'
import type { Column } from '../kit/Table.tsx'
import { jobMessage, jobName } from '../kit/words.ts'

const TONE_OF_STATUS: Record<Job['status'], Tone> = {
  queued: 'off',
  running: 'busy',
  done: 'good',
  failed: 'bad',
  cancelled: 'off',
}

export function jobColumns(onLook: (job: Job) => void): Column<Job>[] {
  return [
    {
      key: 'kind',
      label: t('dashboard:jobKind'),
      wide: true,
      cell: (job) => (
        <div className="min-w-0">
          <button
            type="button"
            onClick={() => onLook(job)}
            className="block max-w-full truncate text-start font-medium hover:underline"
          >
            {jobName(job.kind)}
          </button>
          {job.status === 'failed' && <p className="truncate text-xs text-danger">{jobMessage(job)}</p>}
          <p className="truncate text-xs text-muted md:hidden">{formatAgo(job.created_at)}</p>
        </div>
      ),
    },
    {
      key: 'state',
      label: t('dashboard:jobState'),
      cell: (job) =>
        job.status === 'running' ? (
          <div className="w-28 md:w-56">
            <JobBar job={job} label={jobName(job.kind)} />
          </div>
        ) : (
          <Badge tone={TONE_OF_STATUS[job.status]}>{t(`dashboard:job_state_${job.status}`)}</Badge>
        ),
    },
    {
      key: 'started',
      label: t('dashboard:started'),
      from: 'md',
      cell: (job) => <span className="text-muted">{formatAgo(job.started_at ?? job.created_at)}</span>,
    },
    {
      key: 'took',
      label: t('dashboard:took'),
      from: 'lg',
      cell: (job) => <span className="numbers text-muted">{formatJobDuration(job)}</span>,
    },
    {
      key: 'actions',
      label: t('dashboard:actions'),
      bare: true,
      end: true,
      cell: (job) => (
        <RowMenu
          label={t('dashboard:actionsFor', { name: jobName(job.kind) })}
          items={createMenuItems(job, onLook)}
        />
      ),
    },
  ]
}

function formatJobDuration({ started_at, finished_at }: Job): string {
  if (!started_at || !finished_at) return '—'
  const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1_000
  return formatSpan(Math.max(1, Math.round(seconds)))
}

function createMenuItems(job: Job, onLook: (job: Job) => void): Item[] {
  const detailsItem = {
    label: t('dashboard:details'),
    icon: <FileText size={16} />,
    onSelect: () => onLook(job),
  }
  if (!isLive(job) || job.cancelling) return [detailsItem]
  return [
    detailsItem,
    {
      label: t('dashboard:cancelJob'),
      icon: <OctagonX size={16} />,
      danger: true,
      onSelect: () => void cancelJob(job.job_id),
    },
  ]
}
