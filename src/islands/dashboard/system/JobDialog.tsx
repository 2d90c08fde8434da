import type { Job } from '../../../lib/contract/admin.ts'
import { formatNumber, t, tData } from '../../../lib/i18n/t.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formatMoment } from '../kit/figures.ts'
import { jobMessage, jobName } from '../kit/words.ts'

/** What a job was started with and what came of it, by whatever names its kind has. */
export function JobDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const rows: [string, string][] = [
    [t('dashboard:jobState'), t(`dashboard:job_state_${job.status}`)],
    [t('dashboard:started'), formatMoment(job.started_at ?? job.created_at)],
    ...(job.finished_at
      ? [[t('dashboard:finished'), formatMoment(job.finished_at)] as [string, string]]
      : []),
    ...(job.status === 'failed' ? [[t('dashboard:reason'), jobMessage(job)] as [string, string]] : []),
  ]
  return (
    <Dialog title={jobName(job.kind)} closeLabel={t('common:close')} onClose={onClose} wide>
      <Facts rows={rows} />
      <Group title={t('dashboard:input')} values={job.input} />
      {job.report && <Group title={t('dashboard:report')} values={job.report} />}
    </Dialog>
  )
}

function Group({ title, values }: { title: string; values: Record<string, unknown> }) {
  const rows = Object.entries(values).map(([name, value]): [string, string] => [
    tData(`dashboard:report_${name}`, name),
    inWords(value),
  ])
  if (rows.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="mb-2 font-semibold">{title}</h3>
      <Facts rows={rows} />
    </section>
  )
}

function Facts({ rows }: { rows: readonly [string, string][] }) {
  return (
    <dl className="divide-y divide-line border-y border-line text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2.5">
          <dt className="text-muted">{name}</dt>
          <dd className="numbers min-w-0 break-words">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function inWords(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return t(value ? 'dashboard:isOn' : 'dashboard:isOff')
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return '—'
  if (Array.isArray(value)) return value.map(inWords).join(' · ') || '—'
  return Object.entries(value)
    .map(([name, one]) =>
      t('common:pair', { name: tData(`dashboard:report_${name}`, name), value: inWords(one) }),
    )
    .join(' · ')
}
