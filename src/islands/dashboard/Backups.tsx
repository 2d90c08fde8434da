import { useState } from 'react'
import { Archive, Plus } from '../../icons/index.ts'
import type { Backup } from '../../lib/contract/admin-backups.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import { $backups, deleteBackup, startBackup } from '../../lib/stores/admin/backups.ts'
import { $backupJob, isJobActive, refetchJobs } from '../../lib/stores/admin/jobs.ts'
import { getErrorMessageKey } from '../../lib/stores/admin/run-action.ts'
import { $settings } from '../../lib/stores/admin/settings.ts'
import { ActionButton } from './kit/ActionButton.tsx'
import { ConfirmDialog } from './kit/ConfirmDialog.tsx'
import { formatBytes, formatTimeUntil } from './kit/formatters.ts'
import { JobProgress } from './kit/JobProgress.tsx'
import { formatFailureCode, formatJobName } from './kit/job-labels.ts'
import { SectionHeader, Subsection } from './kit/SectionHeader.tsx'
import { EmptyTableState, FailedQueries, LoadError } from './kit/TableStates.tsx'
import { usePolling, useStoreQuery } from './kit/use-store-query.ts'
import { BackupTable } from './system/BackupTable.tsx'
import { formatRestoreCommand } from './system/restore-command.ts'
import { SettingRow } from './system/SettingRow.tsx'

export default function Backups() {
  const { data: backupsReply, error, retry } = useStoreQuery($backups)
  const [backupToDelete, setBackupToDelete] = useState<Backup | null>(null)
  const createButton = (
    <ActionButton
      variant="primary"
      icon={<Plus aria-hidden size={16} />}
      disabled={!backupsReply?.method}
      onClick={() => void startBackup()}
    >
      {t('dashboardsystem:makeBackup')}
    </ActionButton>
  )
  return (
    <div className="flex flex-col gap-10">
      <div className="flex flex-col gap-6">
        <SectionHeader
          title={t('dashboard:section_backups')}
          hint={t('dashboardsystem:backupsHint')}
          action={createButton}
        />
        <BackupJobStatus />
        {backupsReply && !backupsReply.method && (
          <p className="rounded-md border border-line bg-raised px-4 py-3 text-sm">
            {t('dashboardsystem:noPgDump')}
          </p>
        )}
        {error ? (
          <LoadError reason={t(getErrorMessageKey(error))} onRetry={retry} />
        ) : !backupsReply ? (
          <div role="status" aria-label={t('common:loading')} className="skeleton h-72" />
        ) : backupsReply.results.length === 0 ? (
          <EmptyTableState
            icon={<Archive />}
            title={t('dashboardsystem:noBackups')}
            hint={t('dashboardsystem:noBackupsHint')}
          />
        ) : (
          <BackupTable backups={backupsReply.results} onDelete={setBackupToDelete} />
        )}
      </div>
      <BackupSchedule nextBackupAt={backupsReply?.next_at ?? null} />
      <RestoreInstructions command={formatRestoreCommand(backupsReply)} />
      {backupToDelete && (
        <ConfirmDialog
          title={t('dashboardsystem:deleteBackupTitle')}
          confirmLabel={t('common:delete')}
          onConfirm={() => deleteBackup(backupToDelete.id)}
          onClose={() => setBackupToDelete(null)}
        >
          <p>
            <bdi>{backupToDelete.file}</bdi> · {formatBytes(backupToDelete.bytes)}
          </p>
          <p>{t('dashboard:cannotUndo')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** Progress of the running backup job, or the error of the last backup job. */
function BackupJobStatus() {
  const { data: backupJobsReply } = useStoreQuery($backupJob)
  const lastJob = backupJobsReply?.results[0]
  const isRunning = isJobActive(lastJob)
  usePolling(isRunning, refetchJobs)
  if (!lastJob || (!isRunning && lastJob.status !== 'failed')) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-4 rounded-md border border-line bg-raised px-4 py-3 text-sm"
    >
      {isRunning ? (
        <>
          <span className="font-medium">{formatJobName(lastJob.kind)}</span>
          <JobProgress job={lastJob} label={formatJobName(lastJob.kind)} />
        </>
      ) : (
        <span className="text-danger">
          {t('dashboardsystem:backupFailed', { why: isolateBidi(formatFailureCode(lastJob)) })}
        </span>
      )}
    </div>
  )
}

function BackupSchedule({ nextBackupAt }: { nextBackupAt: string | null }) {
  const settingsQuery = useStoreQuery($settings)
  const backupSettings = settingsQuery.data?.results.filter((setting) => setting.group === 'backup') ?? []
  return (
    <Subsection
      title={t('dashboardsystem:schedule')}
      hint={
        nextBackupAt
          ? t('dashboardsystem:nextAt', { when: formatTimeUntil(nextBackupAt) })
          : t('dashboardsystem:noSchedule')
      }
    >
      <FailedQueries queries={[settingsQuery]} />
      <ul className="divide-y divide-line border-y border-line">
        {backupSettings.map((setting) => (
          <li key={setting.key}>
            <SettingRow setting={setting} />
          </li>
        ))}
      </ul>
    </Subsection>
  )
}

/**
 * Explains how to restore a backup. A restore stops the service. Therefore the dashboard has no button for it, and
 * the administrator runs a command on the server.
 */
function RestoreInstructions({ command }: { command: string }) {
  return (
    <Subsection title={t('dashboardsystem:restore')} hint={t('dashboardsystem:restoreHint')}>
      <ol className="flex list-decimal flex-col gap-2 ps-5 text-sm text-muted">
        <li>{t('dashboardsystem:restore1')}</li>
        <li>
          {t('dashboardsystem:restore2')}
          <code
            dir="ltr"
            className="mt-1 block overflow-x-auto rounded-md border border-line bg-raised px-3 py-2 text-ink"
          >
            {command}
          </code>
        </li>
        <li>{t('dashboardsystem:restore3')}</li>
      </ol>
    </Subsection>
  )
}
