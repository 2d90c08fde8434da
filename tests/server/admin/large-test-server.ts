/** A test server with a large database, so that a backup takes long enough for writes to happen during it. */
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  type AdminTestServer,
  addMovies,
  createMovieRecord,
  startSqliteFileServer,
} from './admin-test-server.ts'

const PADDING_MB = 48

export interface LargeTestServer extends AdminTestServer {
  backupFolder: string
  /** Returns the path of the SQLite file of the backup `name`. */
  getBackupPath: (name: string | null) => string
  /** Creates a backup and returns its name. */
  createBackup: () => Promise<string>
}

export async function startLargeTestServer(): Promise<LargeTestServer> {
  const service = await startSqliteFileServer()
  const backupFolderPath = join(service.folder, 'backups')
  await addMovies(service, [createMovieRecord(1), createMovieRecord(2)])
  const { sqlite } = service.server.database
  sqlite?.exec('create table padding (bytes text)')
  const paddingInsertStatement = sqlite?.prepare('insert into padding values (hex(randomblob(500000)))')
  for (let megabyte = 0; megabyte < PADDING_MB; megabyte++) paddingInsertStatement?.run()
  return {
    ...service,
    backupFolder: backupFolderPath,
    getBackupPath: (name) => join(backupFolderPath, `${name}.db`),
    createBackup: async () => {
      const job = await service.waitForJob(await service.admin.post('/api/admin/backups'))
      expect(job).toMatchObject({ status: 'done' })
      return job.message ?? ''
    },
  }
}
