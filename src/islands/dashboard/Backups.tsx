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
  const [backupToDelete, setBackupToDelete] = useState<Backup | null>(null)
  const createButton = (
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
        <Head
          title={t('dashboard:section_backups')}
          hint={t('dashboardsystem:backupsHint')}
          action={createButton}
        />
        <BackupJobStatus />
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
          <BackupTable backups={data.results} onDelete={setBackupToDelete} />
        )}
      </div>
      <BackupSchedule nextAt={data?.next_at ?? null} />
      <RestoreInstructions
        backupFile={data?.results[0]?.file ?? 'backup.zip'}
        backupFolder={data?.folder ?? ''}
      />
      {backupToDelete && (
        <Confirm
          title={t('dashboardsystem:deleteBackupTitle')}
          does={t('common:delete')}
          onConfirm={() => deleteBackup(backupToDelete.id)}
          onClose={() => setBackupToDelete(null)}
        >
          <p>
            <bdi>{backupToDelete.file}</bdi> · {formatBytes(backupToDelete.bytes)}
          </p>
          <p>{t('dashboard:cannotUndo')}</p>
        </Confirm>
      )}
    </div>
  )
}

/** Progress of the running backup job, or the error of the last one. */
function BackupJobStatus() {
  const { data } = useAnswer($backupJob)
  const lastJob = data?.results[0]
  const isRunning = isLive(lastJob)
  useEachSecond(isRunning, refetchJobs)
  if (!lastJob || (!isRunning && lastJob.status !== 'failed')) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-4 rounded-md border border-line bg-raised px-4 py-3 text-sm"
    >
      {isRunning ? (
        <>
          <span className="font-medium">{jobName(lastJob.kind)}</span>
          <JobBar job={lastJob} label={jobName(lastJob.kind)} />
        </>
      ) : (
        <span className="text-danger">{t('dashboardsystem:backupFailed', { why: jobMessage(lastJob) })}</span>
      )}
    </div>
  )
}

function BackupSchedule({ nextAt }: { nextAt: string | null }) {
  const { data } = useAnswer($settings)
  const backupSettings = data?.results.filter((setting) => setting.group === 'backup') ?? []
  return (
    <Part
      title={t('dashboardsystem:schedule')}
      hint={
        nextAt ? t('dashboardsystem:nextAt', { when: formatUntil(nextAt) }) : t('dashboardsystem:noSchedule')
      }
    >
      <ul className="divide-y divide-line border-y border-line">
        {backupSettings.map((setting) => (
          <li key={setting.key}>
            <SettingRow setting={setting} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** A restore stops the service, so it is a command and not a button. */
function RestoreInstructions({ backupFile, backupFolder }: { backupFile: string; backupFolder: string }) {
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
            {`npm run restore -- ${backupFolder ? `${backupFolder}/` : ''}${backupFile}`}
          </code>
        </li>
        <li>{t('dashboardsystem:restore3')}</li>
      </ol>
    </Part>
  )
}
