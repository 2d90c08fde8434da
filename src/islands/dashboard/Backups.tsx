import { Archive, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Backup } from '../../lib/contract/admin-backups.ts'
import { t } from '../../lib/i18n/t.ts'
import { reasonOf } from '../../lib/stores/admin/act.ts'
import { $backups, deleteBackup, makeBackup } from '../../lib/stores/admin/backups.ts'
import { $backupJob, isLive, refetchJobs } from '../../lib/stores/admin/jobs.ts'
import { $settings } from '../../lib/stores/admin/settings.ts'
import { Action } from './kit/Action.tsx'
import { Confirm } from './kit/Confirm.tsx'
import { formatBytes, formatUntil } from './kit/figures.ts'
import { Head, Part } from './kit/Head.tsx'
import { JobBar } from './kit/JobBar.tsx'
import { Blank, Failed } from './kit/Table.tsx'
import { useAnswer, useEachSecond } from './kit/use-answer.ts'
import { jobMessage, jobName } from './kit/words.ts'
import { BackupTable } from './system/BackupTable.tsx'
import { SettingRow } from './system/SettingRow.tsx'

export default function Backups() {
  const { data, error, retry } = useAnswer($backups)
  const [deleting, setDeleting] = useState<Backup | null>(null)
  const make = (
    <Action
      look="primary"
      icon={<Plus aria-hidden size={16} />}
      disabled={!data?.method}
      onClick={() => void makeBackup()}
    >
      {t('dashboardsystem:makeBackup')}
    </Action>
  )
  return (
    <div className="flex flex-col gap-10">
      <div className="flex flex-col gap-6">
        <Head title={t('dashboard:section_backups')} hint={t('dashboardsystem:backupsHint')} action={make} />
        <Running />
        {data && !data.method && (
          <p className="rounded-md border border-line bg-raised px-4 py-3 text-sm">
            {t('dashboardsystem:noPgDump')}
          </p>
        )}
        {error ? (
          <Failed reason={t(reasonOf(error))} onRetry={retry} />
        ) : !data ? (
          <div role="status" aria-label={t('common:loading')} className="skeleton h-72" />
        ) : data.results.length === 0 ? (
          <Blank
            icon={<Archive />}
            title={t('dashboardsystem:noBackups')}
            hint={t('dashboardsystem:noBackupsHint')}
          />
        ) : (
          <BackupTable backups={data.results} onDelete={setDeleting} />
        )}
      </div>
      <Schedule nextAt={data?.next_at ?? null} />
      <Restore file={data?.results[0]?.file ?? 'backup.zip'} folder={data?.folder ?? ''} />
      {deleting && (
        <Confirm
          title={t('dashboardsystem:deleteBackupTitle')}
          does={t('common:delete')}
          onConfirm={() => deleteBackup(deleting.id)}
          onClose={() => setDeleting(null)}
        >
          <p>
            <bdi>{deleting.file}</bdi> · {formatBytes(deleting.bytes)}
          </p>
          <p>{t('dashboard:cannotUndo')}</p>
        </Confirm>
      )}
    </div>
  )
}

/** The backup that is being made, or why the last one was not. */
function Running() {
  const { data } = useAnswer($backupJob)
  const last = data?.results[0]
  const running = isLive(last)
  useEachSecond(running, refetchJobs)
  if (!last || (!running && last.status !== 'failed')) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-4 rounded-md border border-line bg-raised px-4 py-3 text-sm"
    >
      {running ? (
        <>
          <span className="font-medium">{jobName(last.kind)}</span>
          <JobBar job={last} label={jobName(last.kind)} />
        </>
      ) : (
        <span className="text-danger">{t('dashboardsystem:backupFailed', { why: jobMessage(last) })}</span>
      )}
    </div>
  )
}

function Schedule({ nextAt }: { nextAt: string | null }) {
  const { data } = useAnswer($settings)
  const mine = data?.results.filter((one) => one.group === 'backup') ?? []
  return (
    <Part
      title={t('dashboardsystem:schedule')}
      hint={
        nextAt ? t('dashboardsystem:nextAt', { when: formatUntil(nextAt) }) : t('dashboardsystem:noSchedule')
      }
    >
      <ul className="divide-y divide-line border-y border-line">
        {mine.map((setting) => (
          <li key={setting.key}>
            <SettingRow setting={setting} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** Restoring ends the running service, so a command does it, not a button. */
function Restore({ file, folder }: { file: string; folder: string }) {
  return (
    <Part title={t('dashboardsystem:restore')} hint={t('dashboardsystem:restoreHint')}>
      <ol className="list-decimal space-y-2 ps-5 text-sm text-muted">
        <li>{t('dashboardsystem:restore1')}</li>
        <li>
          {t('dashboardsystem:restore2')}
          <code
            dir="ltr"
            className="mt-1.5 block overflow-x-auto rounded-md border border-line bg-raised px-3 py-2 text-ink"
          >
            {`npm run restore -- ${folder ? `${folder}/` : ''}${file}`}
          </code>
        </li>
        <li>{t('dashboardsystem:restore3')}</li>
      </ol>
    </Part>
  )
}
