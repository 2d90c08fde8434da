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
  const answer = useAnswer($imports)
  const [starting, setStarting] = useState<Importer | null>(null)
  const [looking, setLooking] = useState<Job | null>(null)
  const running = answer.data?.results.some(isLive) ?? false
  useEachSecond(running, refetchJobs)
  return (
    <div className="flex flex-col gap-10">
      <Head title={t('dashboard:section_imports')} hint={t('dashboardlibrary:importsHint')} />
      <ul className="grid gap-x-8 border-y border-line max-xl:divide-y max-xl:divide-line xl:grid-cols-3">
        {answer.data?.importers.map((importer) => (
          <li key={importer.name} className="flex flex-col items-start gap-3 py-5">
            <div className="grow">
              <h2 className="font-semibold">
                {tData(`dashboardlibrary:importer_${importer.name}`, importer.name)}
              </h2>
              <p className="mt-1 max-w-prose text-sm text-muted">
                {tData(`dashboardlibrary:importerHint_${importer.name}`, '')}
              </p>
            </div>
            {importer.unavailable ? (
              <p className="text-sm text-accent">
                {t(`dashboardlibrary:unavailable_${importer.unavailable}`)}
              </p>
            ) : (
              <Action onClick={() => setStarting(importer)}>{t('dashboardlibrary:startImport')}</Action>
            )}
          </li>
        )) ??
          [0, 1, 2].map((place) => (
            <li key={place} className="py-5">
              <div className="skeleton h-28" />
            </li>
          ))}
      </ul>
      <Part title={t('dashboardlibrary:soFar')}>
        <Table
          label={t('dashboard:section_imports')}
          answer={answer}
          keyOf={(job) => job.job_id}
          columns={jobColumns(setLooking)}
          empty={
            <Blank
              icon={<Import />}
              title={t('dashboardlibrary:noImports')}
              hint={t('dashboardlibrary:noImportsHint')}
            />
          }
        />
      </Part>
      {starting && <ImportDialog importer={starting} onClose={() => setStarting(null)} />}
      {looking && <JobDialog job={looking} onClose={() => setLooking(null)} />}
    </div>
  )
}
