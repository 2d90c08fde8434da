/**
 * The server refuses to start with a damaged or missing database, or with the database of another household. The error
 * message names the next steps. A damaged search index is replaced. The partial files of killed backup processes are
 * deleted.
 */
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { getPartialPath } from '../../../server/core/partial-file.ts'
import {
  deletePartialDataFiles,
  openCheckedDatabase,
  recordDatabaseIdentity,
  requireKnownDatabase,
} from '../../../server/database-start.ts'
import { BACKUP_FOLDER, deleteInterruptedBackups, writeBackup } from '../../../server/db/backup.ts'
import { DATABASE_FILE_NAME, openSqliteDatabase } from '../../../server/db/database.ts'
import { migrateDatabase } from '../../../server/db/migrate.ts'
import { SEARCH_FILE_NAME } from '../../../server/db/search-file.ts'
import { loadKeys, readRecordedDatabaseId, recordDatabaseId } from '../../../server/providers/keys.ts'
import { insertAccount } from '../../../server/queries/account.ts'
import { buildAccount } from '../../../server/services/accounts/accounts.ts'

let intactFolder = ''
let dataFolder = ''
const getFilePath = (name = DATABASE_FILE_NAME) => join(dataFolder, name)
const getConfig = () => ({
  dataDir: dataFolder,
  databaseUrl: undefined,
  databaseReplicaUrl: undefined,
  keysSecret: undefined,
})

/** Opens, checks and migrates the database in the same order as a starting server, and then closes the database. */
async function checkAndMigrateDatabase(config = getConfig()): Promise<void> {
  const database = openCheckedDatabase(config, () => {})
  try {
    await requireKnownDatabase(config, database)
    await migrateDatabase(database)
    loadKeys(config.dataDir)
    await recordDatabaseIdentity(config, database)
  } finally {
    await database.close()
  }
}

async function addAccount(databasePath: string): Promise<void> {
  const database = openSqliteDatabase(databasePath)
  const config = { passwordHashCost: 'test' }
  const account = await buildAccount({ config, database, now: Date.now } as never, {
    email: 'alice@example.com',
    password: 'Lumiere1895',
  })
  await insertAccount(database.primary, account)
  await database.close()
}

beforeAll(async () => {
  intactFolder = mkdtempSync(join(tmpdir(), 'marquee-household-'))
  dataFolder = intactFolder
  await checkAndMigrateDatabase()
  await addAccount(getFilePath())
  await writeBackup(getFilePath(), join(intactFolder, BACKUP_FOLDER, 'marquee-20260101T000000000Z-manual.db'))
}, 60_000)
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'marquee-damaged-'))
  cpSync(intactFolder, dataFolder, { recursive: true })
  return () => rmSync(dataFolder, { recursive: true, force: true })
})
afterAll(() => rmSync(intactFolder, { recursive: true, force: true }))

const RESTORE_COMMAND_PATTERN = /npm run restore -- \S+marquee-20260101T000000000Z-manual\.db/

it('a restart of the server with an intact database succeeds and keeps the database id', async () => {
  const recordedId = readRecordedDatabaseId(dataFolder)
  await checkAndMigrateDatabase()
  expect(recordedId).toMatch(/^[\w-]{22}$/)
  expect(readRecordedDatabaseId(dataFolder)).toBe(recordedId)
})

it.each([
  ['a zeroed page', 8],
  ['a zeroed first page', 0],
])(
  'the server refuses to start with %s in the database, and states the command that restores the newest backup',
  async (_description, pageIndex) => {
    const bytes = readFileSync(getFilePath())
    bytes.fill(0, pageIndex * 4096, (pageIndex + 1) * 4096)
    writeFileSync(getFilePath(), bytes)
    await expect(checkAndMigrateDatabase()).rejects.toThrow(/is damaged/)
    await expect(checkAndMigrateDatabase()).rejects.toThrow(RESTORE_COMMAND_PATTERN)
  },
)

it.each([
  ['missing', () => rmSync(getFilePath())],
  ['empty', () => writeFileSync(getFilePath(), '')],
])(
  'the server refuses to start when keys exist and the database is %s, and creates no database',
  async (databaseState, damageDatabase) => {
    damageDatabase()
    const fileNamesBefore = readdirSync(dataFolder)
    await expect(checkAndMigrateDatabase()).rejects.toThrow(
      new RegExp(`is ${databaseState}.*keys\\.json belongs to an existing database`),
    )
    await expect(checkAndMigrateDatabase()).rejects.toThrow(RESTORE_COMMAND_PATTERN)
    expect(readdirSync(dataFolder)).toEqual(fileNamesBefore)
  },
)

it('the server refuses to start when the database has no accounts and the keys belong to another database', async () => {
  for (const fileName of readdirSync(dataFolder))
    if (fileName.startsWith(DATABASE_FILE_NAME)) rmSync(getFilePath(fileName))
  await openSqliteDatabase(getFilePath()).close()
  await expect(checkAndMigrateDatabase()).rejects.toThrow(
    /database is empty, but .*keys\.json belongs to an existing database/,
  )
})

it('the server refuses to start with the database of another installation, unless that database was restored', async () => {
  const otherFolder = mkdtempSync(join(tmpdir(), 'marquee-other-'))
  try {
    await checkAndMigrateDatabase({ ...getConfig(), dataDir: otherFolder })
    copyFileSync(join(otherFolder, DATABASE_FILE_NAME), getFilePath())
    await expect(checkAndMigrateDatabase()).rejects.toThrow(/not the one that .*keys\.json belongs to/)
    recordDatabaseId(dataFolder, null)
    await checkAndMigrateDatabase()
    expect(readRecordedDatabaseId(dataFolder)).toBe(readRecordedDatabaseId(otherFolder))
  } finally {
    rmSync(otherFolder, { recursive: true, force: true })
  }
})

it('the server creates a new database after both the database and the keys were deleted', async () => {
  rmSync(getFilePath())
  rmSync(getFilePath('keys.json'))
  await checkAndMigrateDatabase()
  expect(readRecordedDatabaseId(dataFolder)).not.toBe(readRecordedDatabaseId(intactFolder))
})

/**
 * Calls `checkAndMigrateDatabase` as a user without root rights, who owns the data folder. Returns the error message,
 * or undefined without an error.
 */
async function startWithoutRootRights(): Promise<string | undefined> {
  const UNPRIVILEGED_USER_ID = 65_534
  const isRoot = process.getuid?.() === 0
  if (isRoot)
    for (const path of [dataFolder, ...readdirSync(dataFolder).map((fileName) => getFilePath(fileName))])
      chownSync(path, UNPRIVILEGED_USER_ID, UNPRIVILEGED_USER_ID)
  if (isRoot) process.seteuid?.(UNPRIVILEGED_USER_ID)
  try {
    await checkAndMigrateDatabase()
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

it('the server refuses to start with a read-only database file', async () => {
  chmodSync(getFilePath(), 0o400)
  expect(await startWithoutRootRights()).toMatch(/marquee\.db is read-only \(EACCES\)/)
  expect(statSync(getFilePath()).mode & 0o777).toBe(0o400)
})

it('the server replaces a damaged search index and starts', async () => {
  writeFileSync(getFilePath(SEARCH_FILE_NAME), 'x'.repeat(10_000))
  await checkAndMigrateDatabase()
  expect(existsSync(getFilePath(SEARCH_FILE_NAME))).toBe(true)
  expect(readFileSync(getFilePath(SEARCH_FILE_NAME), 'latin1').slice(0, 15)).toBe('SQLite format 3')
})

it('the server replaces a search index that it may not read, and starts', async () => {
  chmodSync(getFilePath(SEARCH_FILE_NAME), 0)
  expect(await startWithoutRootRights()).toBeUndefined()
  expect(readFileSync(getFilePath(SEARCH_FILE_NAME), 'latin1').slice(0, 15)).toBe('SQLite format 3')
})

it.each([
  [SEARCH_FILE_NAME, /search-\d+\.db cannot be opened/],
  [`${DATABASE_FILE_NAME}-wal`, /marquee\.db or its files marquee\.db-wal and marquee\.db-shm/],
])(
  'the start-up error names the file %s if the server can neither open nor replace this file',
  async (fileName, message) => {
    rmSync(getFilePath(fileName), { force: true })
    mkdirSync(getFilePath(fileName))
    expect(await startWithoutRootRights()).toMatch(message)
  },
)

it.each([false, true])(
  'each commit of the database is flushed to disk, but not each commit of the search index (opened in a background process: %s)',
  async (isBackground) => {
    const [NORMAL, FULL] = [1, 2]
    const { sqlite, searchDatabase, close } = openSqliteDatabase(getFilePath(), isBackground)
    const readSynchronousSetting = (connection: DatabaseSync | undefined) =>
      connection?.prepare('pragma synchronous').get()
    expect(readSynchronousSetting(sqlite)).toEqual({ synchronous: FULL })
    expect(readSynchronousSetting(searchDatabase)).toEqual({ synchronous: NORMAL })
    await close()
  },
)

it('the server deletes the partial files of backup processes that were killed, but not those of running backups', async () => {
  const backupFolder = join(dataFolder, BACKUP_FOLDER)
  mkdirSync(backupFolder, { recursive: true })
  const backupFileNames = readdirSync(backupFolder)
  const getPartialName = (name: string, pid: number) => getPartialPath(name).replace(/\d+$/, String(pid))
  const runningBackupNames = [
    `marquee-x.db.part-${process.ppid}`,
    getPartialName('marquee-y.db', process.ppid),
    // This file belongs to a running backup of another container that uses the same folder. The backup has the same
    // process id in its container as this process has here.
    `marquee-z.dump.part-other_container-${process.pid}`,
  ]
  const abandonedFileName = `marquee-c.dump.part-other_container-${process.ppid}`
  for (const fileName of [
    'marquee-a.db.part',
    'marquee-b.db.part-4194305',
    'marquee-b.db.part-4194305-wal',
    getPartialName('marquee-c.db', 4_194_305),
    `${getPartialName('marquee-c.db', 4_194_305)}-wal`,
    getPartialPath('marquee-d.db'),
    abandonedFileName,
    ...runningBackupNames,
  ])
    writeFileSync(join(backupFolder, fileName), 'partial')
  const twoDaysAgoSeconds = Date.now() / 1_000 - 2 * 86_400
  utimesSync(join(backupFolder, abandonedFileName), twoDaysAgoSeconds, twoDaysAgoSeconds)
  deleteInterruptedBackups(backupFolder)
  expect(readdirSync(backupFolder).sort()).toEqual([...backupFileNames, ...runningBackupNames].sort())
})

it('the server deletes the partial files that killed processes have left in DATA_DIR, but keeps partial files of running processes and all other files', async () => {
  const dataFileNames = readdirSync(dataFolder)
  const getPartialName = (name: string, pid: number) => getPartialPath(name).replace(/\d+$/, String(pid))
  const otherNames = [getPartialName(DATABASE_FILE_NAME, process.ppid), 'download.mkv.part', 'keys.json.old']
  for (const fileName of [
    getPartialName(DATABASE_FILE_NAME, 4_194_305),
    getPartialName('keys.json', 4_194_305),
    getPartialName('first-sign-in.txt', 4_194_305),
    ...otherNames,
  ])
    writeFileSync(getFilePath(fileName), 'partial')
  deletePartialDataFiles(dataFolder)
  expect(readdirSync(dataFolder).sort()).toEqual([...dataFileNames, ...otherNames].sort())
})
