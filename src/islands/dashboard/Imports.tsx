import { useState } from 'react'
import { Import } from '../../icons/index.ts'
import type { Job } from '../../lib/contract/admin.ts'
import type { Importer } from '../../lib/contract/admin-imports.ts'
import { t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { $importJobs } from '../../lib/stores/admin/imports.ts'
import { isJobActive, refetchJobs } from '../../lib/stores/admin/jobs.ts'
import { ActionButton } from './kit/ActionButton.tsx'
import { DataTable } from './kit/DataTable.tsx'
import { SectionHeader, Subsection } from './kit/SectionHeader.tsx'
import { EmptyTableState } from './kit/TableStates.tsx'
import { usePolling, useStoreQuery } from './kit/use-store-query.ts'
import { ImportDialog } from './library/ImportDialog.tsx'
import { JobDialog } from './system/JobDialog.tsx'
import { createJobColumns } from './system/job-columns.tsx'

export default function Imports() {
  const importsQuery = useStoreQuery($importJobs)
  const [importerToStart, setImporterToStart] = useState<Importer | null>(null)
  const [selectedJob, setSelectedJob] = useState<Job | null>(null)
  const hasRunningJob = importsQuery.data?.results.some(isJobActive) ?? false
  usePolling(hasRunningJob, refetchJobs)
  return (
    <div className="flex flex-col gap-10">
      <SectionHeader title={t('dashboard:section_imports')} hint={t('dashboardlibrary:importsHint')} />
      <ul className="divide-y divide-line border-y border-line">
        {importsQuery.data?.importers.map((importer) => (
          <li
            key={importer.name}
            className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-5"
          >
            <div className="min-w-0 grow basis-72">
              <h2 className="font-semibold">
                {translateDynamicKey(`dashboardlibrary:importer_${importer.name}`, importer.name)}
              </h2>
              <p className="max-w-prose text-sm text-muted">
                {importer.unavailable
                  ? t(`dashboardlibrary:unavailable_${importer.unavailable}`)
                  : translateDynamicKey(`dashboardlibrary:importerHint_${importer.name}`, '')}
              </p>
            </div>
            <ActionButton
              disabled={importer.unavailable !== null}
              onClick={() => setImporterToStart(importer)}
            >
              {t('dashboardlibrary:startImport')}
            </ActionButton>
          </li>
        )) ?? (
          <li className="py-5">
            <div className="skeleton h-14" />
          </li>
        )}
      </ul>
      <Subsection title={t('dashboardlibrary:soFar')}>
        <DataTable
          label={t('dashboard:section_imports')}
          query={importsQuery}
          getKey={(job) => job.job_id}
          columns={createJobColumns(setSelectedJob)}
          emptyState={
            <EmptyTableState
              icon={<Import />}
              title={t('dashboardlibrary:noImports')}
              hint={t('dashboardlibrary:noImportsHint')}
            />
          }
        />
      </Subsection>
      {importerToStart && (
        <ImportDialog importer={importerToStart} onClose={() => setImporterToStart(null)} />
      )}
      {selectedJob && (
        <JobDialog
          job={importsQuery.data?.results.find((job) => job.job_id === selectedJob.job_id) ?? selectedJob}
          onClose={() => setSelectedJob(null)}
        />
      )}
    </div>
  )
}
