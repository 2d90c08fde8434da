import type { Job } from '../../../lib/contract/admin.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formatLocalDateTime } from '../kit/formatters.ts'
import { formatJobName } from '../kit/job-labels.ts'
import { describeFields, formatJobFailure } from './job-report.ts'

/** Status, input and report of a job. The fields of the input and the report depend on the kind of job. */
export function JobDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const detailRows: [string, string][] = [
    [t('dashboard:jobState'), t(`dashboard:job_state_${job.status}`)],
    [t('dashboard:started'), isolateBidi(formatLocalDateTime(job.started_at ?? job.created_at))],
    ...(job.finished_at
      ? [[t('dashboard:finished'), isolateBidi(formatLocalDateTime(job.finished_at))] as [string, string]]
      : []),
    ...(job.status === 'failed' ? [[t('dashboard:reason'), formatJobFailure(job)] as [string, string]] : []),
  ]
  return (
    <Dialog title={formatJobName(job.kind)} closeLabel={t('common:close')} onClose={onClose} isWide>
      <DescriptionList rows={detailRows} />
      <ValueGroup title={t('dashboard:input')} valuesByName={job.input} />
      {job.report && <ValueGroup title={t('dashboard:report')} valuesByName={job.report} />}
    </Dialog>
  )
}

function ValueGroup({ title, valuesByName }: { title: string; valuesByName: Record<string, unknown> }) {
  const valueRows = describeFields(valuesByName)
  if (valueRows.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="mb-2 font-semibold">{title}</h3>
      <DescriptionList rows={valueRows} />
    </section>
  )
}

function DescriptionList({ rows }: { rows: readonly [string, string][] }) {
  return (
    <dl className="divide-y divide-line border-y border-line text-sm">
      {rows.map(([label, value]) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2.5">
          <dt className="text-muted">{label}</dt>
          <dd className="numbers min-w-0 break-words">
            {/* The value has the direction of the page, even if it begins with a file name in Latin letters. */}
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
