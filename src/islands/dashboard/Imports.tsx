import { Import } from 'lucide-react'
import { useState } from 'react'
import type { Job } from '../../lib/contract/admin.ts'
import type { Importer } from '../../lib/contract/admin-imports.ts'
import { t, tData } from '../../lib/i18n/t.ts'
import { $imports } from '../../lib/stores/admin/imports.ts'
import { isLive, refetchJobs } from '../../lib/stores/admin/jobs.ts'
import { Action } from './kit/Action.tsx'
import { Head, Part } from './kit/Head.tsx'
import { Blank, Table } from './kit/Table.tsx'
import { useAnswer, useEachSecond } from './kit/use-answer.ts'
import { ImportDialog } from './library/ImportDialog.tsx'
import { JobDialog } from './system/JobDialog.tsx'
import { jobColumns } from './system/job-columns.tsx'

export default function Imports() {
  const importsQuery = useAnswer($imports)
  const [importerToStart, setImporterToStart] = useState<Importer | null>(null)
  const [openJob, setOpenJob] = useState<Job | null>(null)
  const hasRunningJob = importsQuery.data?.results.some(isLive) ?? false
  useEachSecond(hasRunningJob, refetchJobs)
  return (
    <div className="flex flex-col gap-10">
      <Head title={t('dashboard:section_imports')} hint={t('dashboardlibrary:importsHint')} />
      <ul className="divide-y divide-line border-y border-line">
        {importsQuery.data?.importers.map((importer) => (
          <li
            key={importer.name}
            className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-5"
          >
            <div className="min-w-0 grow basis-72">
              <h2 className="font-semibold">
                {tData(`dashboardlibrary:importer_${importer.name}`, importer.name)}
              </h2>
              <p className="max-w-prose text-sm text-muted">
                {importer.unavailable
                  ? t(`dashboardlibrary:unavailable_${importer.unavailable}`)
                  : tData(`dashboardlibrary:importerHint_${importer.name}`, '')}
              </p>
            </div>
            <Action disabled={importer.unavailable !== null} onClick={() => setImporterToStart(importer)}>
              {t('dashboardlibrary:startImport')}
            </Action>
          </li>
        )) ?? (
          <li className="py-5">
            <div className="skeleton h-14" />
          </li>
        )}
      </ul>
      <Part title={t('dashboardlibrary:soFar')}>
        <Table
          label={t('dashboard:section_imports')}
          answer={importsQuery}
          keyOf={(job) => job.job_id}
          columns={jobColumns(setOpenJob)}
          empty={
            <Blank
              icon={<Import />}
              title={t('dashboardlibrary:noImports')}
              hint={t('dashboardlibrary:noImportsHint')}
            />
          }
        />
      </Part>
      {importerToStart && (
        <ImportDialog importer={importerToStart} onClose={() => setImporterToStart(null)} />
      )}
      {openJob && (
        <JobDialog
          job={importsQuery.data?.results.find((job) => job.job_id === openJob.job_id) ?? openJob}
          onClose={() => setOpenJob(null)}
        />
      )}
    </div>
  )
}
