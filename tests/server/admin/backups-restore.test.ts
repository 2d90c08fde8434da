/** Restoring SQLite backups with scripts/restore.ts: only a valid backup replaces the database. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getPartialPath } from '../../../server/core/partial-file.ts'
import { checkBackup } from '../../../server/db/backup.ts'
import { DATABASE_FILE_NAME, openSqliteDatabase } from '../../../server/db/database.ts'
import { SEARCH_FILE_NAME } from '../../../server/db/search-file.ts'
import { loadKeys, readRecordedDatabaseId, recordDatabaseId } from '../../../server/providers/keys.ts'
import { verifyAuditChain } from '../../../server/services/operations/audit.ts'
import { type LargeTestServer, startLargeTestServer } from './large-test-server.ts'

describe('scripts/restore.ts', () => {
  const runCommand = promisify(execFile)
  let service: LargeTestServer
  let validBackupPath: string
  let dataFolder: string
  const getDatabasePath = () => join(dataFolder, DATABASE_FILE_NAME)
  const restoreBackup = (backupPath: string) =>
    runCommand(process.execPath, ['scripts/restore.ts', backupPath], {
      env: { ...process.env, DATA_DIR: dataFolder },
    })
  const hashFile = (filePath: string) => createHash('sha256').update(readFileSync(filePath)).digest('hex')
  beforeAll(async () => {
    service = await startLargeTestServer()
    validBackupPath = service.getBackupPath(await service.createBackup())
    dataFolder = mkdtempSync(join(tmpdir(), 'marquee-restore-'))
    writeFileSync(join(dataFolder, 'search-1.db'), 'an index of an earlier version')
    const currentDatabase = openSqliteDatabase(getDatabasePath())
    currentDatabase.searchDatabase.exec('create table old_index (word text)')
    currentDatabase.sqlite?.exec("create table old_data (word text); insert into old_data values ('kept')")
    await currentDatabase.close()
  }, 60_000)
  afterAll(async () => {
    rmSync(dataFolder, { recursive: true, force: true })
    await service.stop()
  })

  it.each([
    ['a truncated file', (file: string) => truncateSync(file, statSync(file).size - 300_000)],
    ['a file without its last byte', (file: string) => truncateSync(file, statSync(file).size - 1)],
    [
      'a backup that lacks a migration before the last one',
      (file: string) =>
        new DatabaseSync(file).exec(`delete from kysely_migration
          where name = (select name from kysely_migration order by name limit 1 offset 2)`),
    ],
    [
      'a file overwritten in the middle',
      (file: string) => {
        const bytes = readFileSync(file)
        bytes.fill(0xa5, 200_000, 260_000)
        writeFileSync(file, bytes)
      },
    ],
    ['a file that is not a database', (file: string) => writeFileSync(file, 'hello'.repeat(9_999))],
    ['an empty file', (file: string) => writeFileSync(file, '')],
    [
      'a database of another program',
      (file: string) => {
        rmSync(file)
        new DatabaseSync(file).exec('create table account (id integer)')
      },
    ],
    [
      'a file whose tables have the right names but no rows',
      (file: string) => {
        rmSync(file)
        new DatabaseSync(file).exec(`create table account (id integer); create table profile (id integer);
          create table title (id integer); create table kysely_migration (name text, timestamp text)`)
      },
    ],
    [
      'a backup whose accounts were deleted',
      (file: string) => new DatabaseSync(file).exec('pragma foreign_keys = on; delete from account'),
    ],
    [
      'a backup that lacks a column',
      (file: string) => new DatabaseSync(file).exec('alter table login drop column device_name'),
    ],
    [
      'a backup with an added trigger',
      (file: string) =>
        new DatabaseSync(file).exec(`create trigger promote after insert on login
          begin update account set role = 'admin' where account_id = new.account_id; end`),
    ],
    [
      'a backup of a newer version',
      (file: string) => {
        new DatabaseSync(file).exec(
          "insert into kysely_migration (name, timestamp) values ('9999_later', 'x')",
        )
      },
    ],
  ])('rejects %s and leaves the current database unchanged', async (_description, damageFile) => {
    const damagedPath = join(dataFolder, 'bad.db')
    copyFileSync(validBackupPath, damagedPath)
    damageFile(damagedPath)
    const hashBefore = hashFile(getDatabasePath())
    await expect(restoreBackup(damagedPath)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/nothing was changed\.\n$/),
    })
    expect(hashFile(getDatabasePath())).toBe(hashBefore)
    expect(readdirSync(dataFolder).filter((file) => /restore|new/.test(file))).toEqual([])
  })

  it('refuses to restore while a server has the database open', async () => {
    const openedDatabase = openSqliteDatabase(getDatabasePath())
    await openedDatabase.primary
      .selectFrom('old_data' as never)
      .selectAll()
      .execute()
    await expect(restoreBackup(validBackupPath)).rejects.toMatchObject({
      stderr: expect.stringContaining('stop it first'),
    })
    await openedDatabase.close()
  })

  it('restores a valid backup and keeps the replaced database as a separate file', async () => {
    expect(readdirSync(dataFolder).filter((file) => /^search-\d\.db$/.test(file))).toEqual([SEARCH_FILE_NAME])
    const { stdout } = await restoreBackup(validBackupPath)
    const replacedDatabasePath = /previous database is (.*)\.\n/.exec(stdout)?.[1] ?? ''
    const replacedDatabase = new DatabaseSync(replacedDatabasePath, { readOnly: true })
    expect(replacedDatabase.prepare('select word from old_data').get()).toEqual({ word: 'kept' })
    replacedDatabase.close()
    expect(existsSync(join(dataFolder, SEARCH_FILE_NAME))).toBe(false)
    const restoredDatabase = openSqliteDatabase(getDatabasePath())
    const { n: titleCount } = await restoredDatabase.primary
      .selectFrom('title')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(titleCount).toBe(2)
    expect(
      (await verifyAuditChain({ database: restoredDatabase, now: Date.now }, { fromStart: true })).verified,
    ).toBe(true)
    await restoredDatabase.close()
    expect(await checkBackup(validBackupPath)).toMatchObject({ ok: true })
  })

  it('replaces a database that is too damaged to open', async () => {
    writeFileSync(getDatabasePath(), 'x'.repeat(100_000))
    expect(readdirSync(dataFolder).filter((file) => /^search-\d\.db$/.test(file))).toEqual([SEARCH_FILE_NAME])
    const { stdout } = await restoreBackup(validBackupPath)
    expect(readFileSync(/previous database is (.*)\.\n/.exec(stdout)?.[1] ?? '', 'utf8')).toBe(
      'x'.repeat(100_000),
    )
    expect(await checkBackup(getDatabasePath())).toMatchObject({ ok: true })
  })

  it('restored files and keys.json belong to the user of the server when root runs the command', async () => {
    // Without root rights, the test keeps the owner of all files, because only root can change owners.
    const ownerId = process.getuid?.() === 0 ? 65_534 : (process.getuid?.() ?? 0)
    loadKeys(dataFolder)
    recordDatabaseId(dataFolder, 'earlier')
    const paths = [getDatabasePath(), join(dataFolder, 'keys.json')]
    for (const path of [dataFolder, ...paths]) chownSync(path, ownerId, statSync(path).gid)
    await restoreBackup(validBackupPath)
    expect(paths.map((path) => statSync(path).uid)).toEqual([ownerId, ownerId])
    rmSync(getDatabasePath())
    await restoreBackup(validBackupPath)
    expect(statSync(getDatabasePath()).uid).toBe(ownerId)
    expect(readRecordedDatabaseId(dataFolder)).toBeNull()
  })
  it('the owner can write the database after a read-only backup is restored, also if an earlier restore was interrupted', async () => {
    const readOnlyPath = join(dataFolder, 'read-only.db')
    copyFileSync(validBackupPath, readOnlyPath)
    const interruptedPath = getPartialPath(getDatabasePath()).replace(/\d+$/, '4194305')
    copyFileSync(validBackupPath, interruptedPath)
    for (const path of [readOnlyPath, interruptedPath]) chmodSync(path, 0o444)
    await restoreBackup(readOnlyPath)
    expect(existsSync(interruptedPath)).toBe(false)
    expect((statSync(getDatabasePath()).mode & 0o777).toString(8)).toBe('600')
    expect((statSync(readOnlyPath).mode & 0o777).toString(8)).toBe('444')
  })
})
