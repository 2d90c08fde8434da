/** A damaged, missing or foreign database is refused at startup, and the message contains the next steps. */
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
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  openCheckedDatabase,
  recordDatabaseIdentity,
  requireKnownDatabase,
} from '../../../server/database-start.ts'
import { BACKUP_FOLDER, deleteInterruptedBackups, writeBackup } from '../../../server/db/backup.ts'
import { DATABASE_FILE_NAME, openSqliteDatabase, SEARCH_FILE_NAME } from '../../../server/db/database.ts'
import { migrateDatabase } from '../../../server/db/migrate.ts'
import { loadKeys, readRecordedDatabaseId, recordDatabaseId } from '../../../server/providers/keys.ts'
import { insertAccount } from '../../../server/queries/account.ts'
import { buildAccount } from '../../../server/services/accounts/accounts.ts'

let household = ''
let folder = ''
const getFile = (name = DATABASE_FILE_NAME) => join(folder, name)
const getConfig = () => ({
  dataDir: folder,
  databaseUrl: undefined,
  databaseReplicaUrl: undefined,
  keysSecret: undefined,
})

/** Opens the database as the server does when it starts, and closes it. */
async function start(config = getConfig()): Promise<void> {
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

async function addAccount(file: string): Promise<void> {
  const database = openSqliteDatabase(file)
  const config = { passwordHashCost: 'test' }
  const account = await buildAccount({ config, database, now: Date.now } as never, {
    email: 'alice@example.com',
    password: 'Lumiere1895',
  })
  await insertAccount(database.primary, account)
  await database.close()
}

beforeAll(async () => {
  household = mkdtempSync(join(tmpdir(), 'marquee-household-'))
  folder = household
  await start()
  await addAccount(getFile())
  await writeBackup(getFile(), join(household, BACKUP_FOLDER, 'marquee-20260101T000000000Z-manual.db'))
}, 60_000)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-damaged-'))
  cpSync(household, folder, { recursive: true })
  return () => rmSync(folder, { recursive: true, force: true })
})
afterAll(() => rmSync(household, { recursive: true, force: true }))

const RESTORE = /npm run restore -- \S+marquee-20260101T000000000Z-manual\.db/

it('the server starts again with an intact database and the same database id', async () => {
  const recordedId = readRecordedDatabaseId(folder)
  await start()
  expect(recordedId).toMatch(/^[\w-]{22}$/)
  expect(readRecordedDatabaseId(folder)).toBe(recordedId)
})

it.each([
  ['a zeroed page', 8],
  ['a zeroed first page', 0],
])(
  'refuses to start with %s in the database, with a message that contains the newest backup',
  async (_description, page) => {
    const bytes = readFileSync(getFile())
    bytes.fill(0, page * 4096, (page + 1) * 4096)
    writeFileSync(getFile(), bytes)
    await expect(start()).rejects.toThrow(/is damaged/)
    await expect(start()).rejects.toThrow(RESTORE)
  },
)

it.each([
  ['missing', () => rmSync(getFile())],
  ['empty', () => writeFileSync(getFile(), '')],
])('refuses to start with a %s database next to existing keys, and creates no database', async (state, damage) => {
  damage()
  const filesBefore = readdirSync(folder)
  await expect(start()).rejects.toThrow(
    new RegExp(`is ${state}.*keys\\.json belongs to an existing database`),
  )
  await expect(start()).rejects.toThrow(RESTORE)
  expect(readdirSync(folder)).toEqual(filesBefore)
})

it('refuses to start with a database without accounts next to the keys of another database', async () => {
  for (const name of readdirSync(folder)) if (name.startsWith(DATABASE_FILE_NAME)) rmSync(getFile(name))
  await openSqliteDatabase(getFile()).close()
  await expect(start()).rejects.toThrow(/database is empty, but .*keys\.json belongs to an existing database/)
})

it('refuses to start with the database of another household, unless that database was restored', async () => {
  const otherFolder = mkdtempSync(join(tmpdir(), 'marquee-other-'))
  try {
    await start({ ...getConfig(), dataDir: otherFolder })
    copyFileSync(join(otherFolder, DATABASE_FILE_NAME), getFile())
    await expect(start()).rejects.toThrow(/not the one that .*keys\.json belongs to/)
    recordDatabaseId(folder, null)
    await start()
    expect(readRecordedDatabaseId(folder)).toBe(readRecordedDatabaseId(otherFolder))
  } finally {
    rmSync(otherFolder, { recursive: true, force: true })
  }
})

it('creates a new database after both the database and the keys were deleted', async () => {
  rmSync(getFile())
  rmSync(getFile('keys.json'))
  await start()
  expect(readRecordedDatabaseId(folder)).not.toBe(readRecordedDatabaseId(household))
})

it('refuses to start with a read-only database file', async () => {
  const NOBODY = 65_534
  const isRoot = process.getuid?.() === 0
  if (isRoot)
    for (const path of [folder, ...readdirSync(folder).map((name) => getFile(name))])
      chownSync(path, NOBODY, NOBODY)
  chmodSync(getFile(), 0o400)
  const startAsNobody = async () => {
    if (isRoot) process.seteuid?.(NOBODY)
    try {
      return await start().catch((error: Error) => error.message)
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  }
  expect(await startAsNobody()).toMatch(/marquee\.db is read-only \(EACCES\)/)
  expect(statSync(getFile()).mode & 0o777).toBe(0o400)
})

it('replaces a damaged search index instead of refusing to start', async () => {
  writeFileSync(getFile(SEARCH_FILE_NAME), 'x'.repeat(10_000))
  await start()
  expect(existsSync(getFile(SEARCH_FILE_NAME))).toBe(true)
  expect(readFileSync(getFile(SEARCH_FILE_NAME), 'latin1').slice(0, 15)).toBe('SQLite format 3')
})

it('deletes the files that killed backups have left, but not the files of running backups', async () => {
  const backups = join(folder, BACKUP_FOLDER)
  mkdirSync(backups, { recursive: true })
  const backupFiles = readdirSync(backups)
  const running = `marquee-x.db.part-${process.ppid}`
  for (const name of [
    'marquee-a.db.part',
    'marquee-b.db.part-4194305',
    'marquee-b.db.part-4194305-wal',
    running,
  ])
    writeFileSync(join(backups, name), 'partial')
  deleteInterruptedBackups(backups)
  expect(readdirSync(backups).sort()).toEqual([...backupFiles, running].sort())
})
