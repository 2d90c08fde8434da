import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import * as backups from '../../contract/admin-backups.ts'
import { createReadStore, refetch } from '../query.ts'
import { showToast } from '../toast.ts'
import { createFiltersStore } from './dashboard-view.ts'
import { refetchJobs } from './jobs.ts'
import { getErrorMessageKey, runAdminAction } from './run-action.ts'

export const $backups = createReadStore(
  backups.listBackups,
  computed(createFiltersStore('backups'), (filters) => filters && {}),
)

export function startBackup(): Promise<void> {
  return runAdminAction('dashboardsystem:started', async () => {
    await callApi(backups.startBackup)
    refetchJobs()
  })
}

/** Returns a single-use download URL. When the request fails, displays a message and returns null. */
export async function createBackupDownloadUrl(backupId: string): Promise<string | null> {
  try {
    return (await callApi(backups.createBackupLink, { params: { id: backupId } })).url
  } catch (error) {
    showToast(getErrorMessageKey(error), { kind: 'bad' })
    return null
  }
}

export function deleteBackup(backupId: string): Promise<void> {
  return runAdminAction('dashboardsystem:backupDeleted', async () => {
    await callApi(backups.deleteBackup, { params: { id: backupId } })
    refetch(backups.listBackups)
  })
}
