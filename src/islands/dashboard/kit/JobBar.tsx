import type { Job } from '../../../lib/contract/admin.ts'
import { formatNumber, t } from '../../../lib/i18n/t.ts'
import { formatShare } from './figures.ts'

const LOOK =
  'h-1.5 min-w-16 grow appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[inline-size] [&::-webkit-progress-value]:duration-(--duration-slow)'

/** How far a job is: a share where its end is known, a count where it is not. */
export function JobBar({ job, label }: { job: Job; label: string }) {
  const share = job.total ? Math.min(1, job.done / job.total) : null
  return (
    <div className="flex w-full max-w-80 items-center gap-3">
      <progress
        aria-label={label}
        max={100}
        value={share === null ? undefined : Math.round(share * 100)}
        className={`${LOOK} ${share === null ? 'skeleton' : ''}`}
      />
      <span className="numbers text-xs whitespace-nowrap text-muted">
        {job.cancelling
          ? t('dashboard:stopping')
          : share === null
            ? formatNumber(job.done)
            : formatShare(share)}
      </span>
    </div>
  )
}
