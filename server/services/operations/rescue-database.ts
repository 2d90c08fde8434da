/** Saves the content of a SQLite database whose file was deleted, moved or replaced while the server runs. */
import { join } from 'node:path'
import { toErrorFields } from '../../core/log.ts'
import { createBackupName, writeBackup } from '../../db/backup.ts'
import { isDatabaseMoved } from '../../db/moved-file.ts'
import type { Deps } from '../deps.ts'
import { getBackupFolderPath } from './backups.ts'

/**
 * If the fault is that the database file was deleted, moved or replaced, writes a backup from the open connection.
 * Without the backup, the content of a deleted file would be lost at the end of this process. Does nothing after other
 * faults. Logs the path of the backup, and never rejects.
 */
export async function rescueMovedDatabase(
  deps: Pick<Deps, 'config' | 'database' | 'log' | 'now'>,
  fault: Error,
): Promise<void> {
  const { database, log } = deps
  if (!database.sqlite || !isDatabaseMoved(fault)) return
  const backupFile = join(getBackupFolderPath(deps), `${createBackupName(deps.now(), 'manual')}.db`)
  try {
    await writeBackup(database.sqlite, backupFile)
    log.error('the database file is missing; stop the server and restore this backup', { file: backupFile })
  } catch (error) {
    log.error('the database file is missing and could not be copied', toErrorFields(error))
  }
}
