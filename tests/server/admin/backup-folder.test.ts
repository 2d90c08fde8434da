/** The server works while the folder of backups, which may be a network folder, cannot be read or does not respond. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { synchroniseDeletedAccounts } from '../../../server/services/accounts/erasure.ts'
import { withFolderTimeout } from '../../../server/services/operations/backup-folder.ts'
import { insertTestAccount } from '../../support/server.ts'
import { type AdminTestServer, startSqliteFileServer } from './admin-test-server.ts'

const UNREADABLE_BACKUPS_WARNING = 'backups_unreadable'
let service: AdminTestServer
let backupFolder: string
beforeEach(async () => {
  service = await startSqliteFileServer()
  backupFolder = join(service.folder, 'backups')
})
afterEach(() => service.stop())

/** Starts a read of the folder that exceeds the timeout. Returns a function that ends this read. */
async function blockBackupFolder(): Promise<() => Promise<void>> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { promise, resolve: unblock } = Promise.withResolvers<void>()
  const readPromise = withFolderTimeout(backupFolder, () => promise)
  const failure = expect(readPromise).rejects.toThrow('does not respond')
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  await failure
  return async () => {
    unblock()
    await setImmediate()
  }
}

describe.each([
  [
    'is a file',
    async () => {
      writeFileSync(backupFolder, 'no folder')
      return async () => rmSync(backupFolder)
    },
  ],
  ['does not respond', blockBackupFolder],
])('while the folder of backups %s', (_condition, startFolderFault) => {
  it('the overview contains a warning, which disappears when the folder can be read again', async () => {
    const { admin } = service
    const endFolderFault = await startFolderFault()
    const { status, body } = await admin.get('/api/admin/overview')
    expect([status, body.warnings, body.storage.backups, body.last_backup]).toEqual([
      200,
      [UNREADABLE_BACKUPS_WARNING],
      null,
      null,
    ])
    await endFolderFault()
    expect((await admin.get('/api/admin/overview')).body).toMatchObject({
      warnings: [],
      storage: { backups: 0 },
    })
  })

  it('a backup job fails with the message "backup_folder_unreadable", and succeeds once the folder can be read', async () => {
    const { admin, waitForJob } = service
    const endFolderFault = await startFolderFault()
    const job = await waitForJob(await admin.post('/api/admin/backups'))
    expect(job).toMatchObject({ status: 'failed', message: 'backup_folder_unreadable' })
    await endFolderFault()
    expect(await waitForJob(await admin.post('/api/admin/backups'))).toMatchObject({ status: 'done' })
  })

  it('an account can be deleted, and is added to the list of deleted accounts when the folder is available again', async () => {
    const { admin, server } = service
    const account = await insertTestAccount(server, 'gone@example.com')
    const endFolderFault = await startFolderFault()
    expect((await admin.delete(`/api/auth/user/${account.account_id}`)).status).toBe(204)
    await endFolderFault()
    mkdirSync(backupFolder, { recursive: true })
    await synchroniseDeletedAccounts(server.deps)
    expect(readFileSync(join(backupFolder, 'deleted-accounts.txt'), 'utf8').trim().split('\n')).toHaveLength(
      1,
    )
  })
})
