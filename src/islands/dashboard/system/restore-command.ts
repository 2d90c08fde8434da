import type { listBackups } from '../../../lib/contract/admin-backups.ts'
import type { ReplyOf } from '../../../lib/contract/endpoint.ts'

/** Returns the command that restores the newest backup; without a backup, the command with the placeholder `FILE`. */
export function formatRestoreCommand(backupsReply: ReplyOf<typeof listBackups> | undefined): string {
  const newestBackup = backupsReply?.results[0]
  return `npm run restore -- ${newestBackup ? `${backupsReply.folder}/${newestBackup.file}` : 'FILE'}`
}
