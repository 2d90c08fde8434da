import { useStore } from '@nanostores/react'
import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import type { Job } from '../../lib/contract/admin.ts'
import { t } from '../../lib/i18n/t.ts'
import { $jobs, isLive, JOB_KINDS, JOB_STATES, refetchJobs } from '../../lib/stores/admin/jobs.ts'
import { $view, filterBy } from '../../lib/stores/admin/view.ts'
import { Choice, Filters } from './kit/Filters.tsx'
import { Head } from './kit/Head.tsx'
import { Blank, Table } from './kit/Table.tsx'
import { useAnswer, useEachSecond } from './kit/use-answer.ts'
import { jobName } from './kit/words.ts'
import { JobDialog } from './system/JobDialog.tsx'
import { jobColumns } from './system/job-columns.tsx'

export default function Jobs() {
  const jobsQuery = useAnswer($jobs)
  const { filters } = useStore($view)
  const [openJob, setOpenJob] = useState<Job | null>(null)
  useEachSecond(jobsQuery.data?.results.some(isLive) ?? false, refetchJobs)
  return (
    <div className="flex flex-col gap-6">
      <Head title={t('dashboard:section_jobs')} hint={t('dashboardsystem:jobsHint')} />
      <Filters>
        <Choice
          label={t('dashboard:jobKind')}
          any={t('dashboardsystem:anyKind')}
          value={filters['kind'] ?? ''}
          options={JOB_KINDS.map((value) => ({ value, label: jobName(value) }))}
          onChange={(kind) => filterBy({ kind })}
        />
        <Choice
          label={t('dashboard:jobState')}
          any={t('dashboardsystem:anyState')}
          value={filters['status'] ?? ''}
          options={JOB_STATES.map((value) => ({ value, label: t(`dashboard:job_state_${value}`) }))}
          onChange={(status) => filterBy({ status })}
        />
      </Filters>
      <Table
        label={t('dashboard:section_jobs')}
        answer={jobsQuery}
        keyOf={(job) => job.job_id}
        columns={jobColumns(setOpenJob)}
        empty={
          <Blank
            icon={<ListChecks />}
            title={t('dashboardsystem:noJobs')}
            hint={t('dashboardsystem:noJobsHint')}
          />
        }
      />
      {openJob && (
        <JobDialog
          job={jobsQuery.data?.results.find((job) => job.job_id === openJob.job_id) ?? openJob}
          onClose={() => setOpenJob(null)}
        />
      )}
    </div>
  )
}
