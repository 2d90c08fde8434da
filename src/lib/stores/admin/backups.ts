import { computed } from 'nanostores'
import { call } from '../../client/call.ts'
import * as backups from '../../contract/admin-backups.ts'
import { read, refetch } from '../query.ts'
import { toast } from '../toast.ts'
import { act, reasonOf } from './act.ts'
import { refetchJobs } from './jobs.ts'
import { filtersIn } from './view.ts'

export const $backups = read(
  backups.listBackups,
  computed(filtersIn('backups'), (filters) => filters && {}),
)

export function makeBackup(): Promise<void> {
  return act('dashboardsystem:started', async () => {
    await call(backups.makeBackup)
    refetchJobs()
  })
}

/** Returns a URL that works once; displays a message and returns null when the server rejects the request. */
export async function linkBackup(id: string): Promise<string | null> {
  try {
    return (await call(backups.linkBackup, { params: { id } })).url
  } catch (error) {
    toast(reasonOf(error), { kind: 'bad' })
    return null
  }
}

export function deleteBackup(id: string): Promise<void> {
  return act('dashboardsystem:backupDeleted', async () => {
    await call(backups.deleteBackup, { params: { id } })
    refetch(backups.listBackups)
  })
}
