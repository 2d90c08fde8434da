import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { ListChecks } from '../../icons/index.ts'
import type { Job } from '../../lib/contract/admin.ts'
import { t } from '../../lib/i18n/t.ts'
import { $dashboardView, changeDashboardFilters } from '../../lib/stores/admin/dashboard-view.ts'
import { $jobs, isJobActive, JOB_KINDS, JOB_STATUSES, refetchJobs } from '../../lib/stores/admin/jobs.ts'
import { DataTable } from './kit/DataTable.tsx'
import { CompactSelect, FilterBar } from './kit/FilterBar.tsx'
import { formatJobName } from './kit/job-labels.ts'
import { SectionHeader } from './kit/SectionHeader.tsx'
import { EmptyTableState } from './kit/TableStates.tsx'
import { usePolling, useStoreQuery } from './kit/use-store-query.ts'
import { JobDialog } from './system/JobDialog.tsx'
import { createJobColumns } from './system/job-columns.tsx'

export default function Jobs() {
  const jobsQuery = useStoreQuery($jobs)
  const { filters } = useStore($dashboardView)
  const [selectedJob, setSelectedJob] = useState<Job | null>(null)
  usePolling(jobsQuery.data?.results.some(isJobActive) ?? false, refetchJobs)
  return (
    <div className="flex flex-col gap-6">
      <SectionHeader title={t('dashboard:section_jobs')} hint={t('dashboardsystem:jobsHint')} />
      <FilterBar>
        <CompactSelect
          label={t('dashboard:jobKind')}
          emptyLabel={t('dashboardsystem:anyKind')}
          value={filters['kind'] ?? ''}
          options={JOB_KINDS.map((value) => ({ value, label: formatJobName(value) }))}
          onChange={(kind) => changeDashboardFilters({ kind })}
        />
        <CompactSelect
          label={t('dashboard:jobState')}
          emptyLabel={t('dashboardsystem:anyState')}
          value={filters['status'] ?? ''}
          options={JOB_STATUSES.map((value) => ({ value, label: t(`dashboard:job_state_${value}`) }))}
          onChange={(status) => changeDashboardFilters({ status })}
        />
      </FilterBar>
      <DataTable
        label={t('dashboard:section_jobs')}
        query={jobsQuery}
        getKey={(job) => job.job_id}
        columns={createJobColumns(setSelectedJob)}
        emptyState={
          <EmptyTableState
            icon={<ListChecks />}
            title={t('dashboardsystem:noJobs')}
            hint={t('dashboardsystem:noJobsHint')}
          />
        }
      />
      {selectedJob && (
        <JobDialog
          job={jobsQuery.data?.results.find((job) => job.job_id === selectedJob.job_id) ?? selectedJob}
          onClose={() => setSelectedJob(null)}
        />
      )}
    </div>
  )
}
