import type { Job } from '../../../lib/contract/admin.ts'
import { formatNumber, t } from '../../../lib/i18n/t.ts'
import { formatPercent } from './formatters.ts'

const BAR_CLASS =
  'h-1.5 min-w-16 grow appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[inline-size] [&::-webkit-progress-value]:duration-(--duration-slow)'

/**
 * Progress of a job: a percentage if the total is known, else the number of items done. While the job is being
 * cancelled, a text that states the cancellation replaces the number.
 */
export function JobProgress({ job, label }: { job: Job; label: string }) {
  const fraction = job.total ? Math.min(1, job.done / job.total) : null
  return (
    <div className="flex w-full max-w-80 flex-wrap items-center gap-x-3">
      <progress
        aria-label={label}
        max={100}
        value={fraction === null ? undefined : Math.round(fraction * 100)}
        className={`${BAR_CLASS} ${fraction === null ? 'skeleton' : ''}`}
      />
      <span className="numbers text-xs whitespace-nowrap text-muted">
        {job.cancelling
          ? t('dashboard:stopping')
          : fraction === null
            ? formatNumber(job.done)
            : formatPercent(fraction)}
      </span>
    </div>
  )
}
