import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadConfig } from '../server/core/config.ts'
import { isDatabaseUnavailable } from '../server/core/database-unavailable.ts'
import { copyOwner, createPrivateFolder } from '../server/core/file-owner.ts'
import { getPartialPath, syncToDisk } from '../server/core/partial-file.ts'
import { deletePartialDataFiles } from '../server/database-start.ts'
import { checkBackup } from '../server/db/backup.ts'
import { DATABASE_FILE_NAME } from '../server/db/database.ts'
import { findSchemaDifference } from '../server/db/expected-schema.ts'
import { MIGRATIONS } from '../server/db/migrations/index.ts'
import { SEARCH_FILE_NAME } from '../server/db/search-file.ts'
import { leaveWalMode } from '../server/db/write-ahead-log.ts'
import { recordDatabaseId } from '../server/providers/keys.ts'
import {
  checkPostgresDump,
  hasPostgresTool,
  isPostgresInUse,
  readDumpSummary,
  restorePostgres,
} from '../server/providers/pg-dump.ts'
import { runScript } from './run-command.ts'

const HELP =
  'npm run restore -- FILE: replaces the database by a backup. Stop the server first. The previous SQLite database stays in the same folder under another name, the previous tables of PostgreSQL in another schema.'
const UNCHANGED_MESSAGE = 'nothing was changed.'
const JOURNAL_SUFFIXES = ['-wal', '-shm']

async function restoreBackup(file: string | undefined): Promise<string> {
  if (file === undefined) throw new Error(`FILE is missing; ${UNCHANGED_MESSAGE}\n${HELP}`)
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new Error(`${file} ${existsSync(file) ? 'is not a file' : 'does not exist'}; ${UNCHANGED_MESSAGE}`)
  const { databaseUrl, dataDir } = loadConfig()
  if (databaseUrl) return restoreDump(databaseUrl, dataDir, file)
  createPrivateFolder(dataDir)
  const databaseFile = join(dataDir, DATABASE_FILE_NAME)
  const incomingFile = getPartialPath(databaseFile)
  await requireRestorable(file)
  deletePartialDataFiles(dataDir)
  try {
    copyFileSync(file, incomingFile)
    // The copy has the mode of the backup file. That mode may not allow the server to write the database.
    chmodSync(incomingFile, 0o600)
    copyOwner(existsSync(databaseFile) ? databaseFile : dataDir, incomingFile)
    await requireRestorable(incomingFile)
    const previousFile = existsSync(databaseFile) ? keepPreviousDatabase(databaseFile) : null
    syncToDisk(incomingFile)
    renameSync(incomingFile, databaseFile)
    syncToDisk(dirname(databaseFile))
    recordDatabaseId(dataDir, null)
    for (const suffix of ['', ...JOURNAL_SUFFIXES])
      rmSync(`${join(dataDir, SEARCH_FILE_NAME)}${suffix}`, { force: true })
    return previousFile ? `Restored. The previous database is ${previousFile}.` : 'Restored.'
  } finally {
    rmSync(incomingFile, { force: true })
  }
}

/** Throws if the file is damaged, is not a backup of Marquee, has no account, or was written by a newer version. */
async function requireRestorable(file: string): Promise<void> {
  const backupCheck = await checkBackup(file)
  if (!backupCheck.ok) throw new Error(`${file} is ${backupCheck.reason}; ${UNCHANGED_MESSAGE}`)
  const { counts, migrations } = backupCheck
  requireUsableContent(file, { accountCount: counts.accounts, migrations })
  const schemaDifference = await findSchemaDifference(file, migrations)
  if (schemaDifference !== null)
    throw new Error(`${file} is not a backup of Marquee: ${schemaDifference}; ${UNCHANGED_MESSAGE}`)
}

/** Throws if a backup has no account or no applied migration, or was written by a newer version. */
function requireUsableContent(
  file: string,
  { accountCount, migrations }: { accountCount: number; migrations: readonly string[] },
): void {
  if (migrations.some((migrationName) => !Object.hasOwn(MIGRATIONS, migrationName)))
    throw new Error(`${file} was written by a newer Marquee; ${UNCHANGED_MESSAGE}`)
  // A database in use has at least one account (the administrator) and one applied migration.
  if (accountCount === 0 || migrations.length === 0)
    throw new Error(`${file} is empty: it holds no account; ${UNCHANGED_MESSAGE}`)
}

/**
 * Gives the previous database a second file name and returns that name. Throws if a server has the database
 * open.
 */
function keepPreviousDatabase(databaseFile: string): string {
  const previousFile = `${databaseFile}.before-restore-${new Date().toISOString().replaceAll(':', '-')}`
  const isLogMerged = mergeDatabaseLog(databaseFile)
  linkSync(databaseFile, previousFile)
  for (const suffix of isLogMerged ? [] : JOURNAL_SUFFIXES)
    if (existsSync(databaseFile + suffix)) {
      copyFileSync(databaseFile + suffix, previousFile + suffix)
      copyOwner(databaseFile, previousFile + suffix)
    }
  // The write-ahead log is deleted only after all copies succeeded. If the disk is full, a copy fails, and the database
  // keeps its log.
  for (const suffix of JOURNAL_SUFFIXES) rmSync(databaseFile + suffix, { force: true })
  syncToDisk(dirname(databaseFile))
  return previousFile
}

/**
 * Merges the write-ahead log into the database file. Returns false when the database is too damaged to be opened.
 * Throws when a server has the database open.
 */
function mergeDatabaseLog(databaseFile: string): boolean {
  const outcome = leaveWalMode(databaseFile)
  if (outcome === 'in use')
    throw new Error(`A running server uses ${databaseFile}: stop it first; ${UNCHANGED_MESSAGE}`)
  return outcome === 'done'
}

async function restoreDump(url: string, dataDir: string, file: string): Promise<string> {
  if (!hasPostgresTool('pg_restore') || !hasPostgresTool('psql'))
    throw new Error(`pg_restore or psql is not on the PATH; ${UNCHANGED_MESSAGE}`)
  await checkPostgresDump(file).catch((error: Error) => {
    throw new Error(`${file} is damaged or not a Marquee backup (${error.message}); ${UNCHANGED_MESSAGE}`)
  })
  const { accountCount, migrations } = await readDumpSummary(file)
  requireUsableContent(file, { accountCount, migrations })
  const isDatabaseInUse = await isPostgresInUse(url).catch((error: Error) => {
    throw new Error(`The database cannot be used (${error.message}); ${UNCHANGED_MESSAGE}`)
  })
  if (isDatabaseInUse)
    throw new Error(`A running server uses the database: stop it first; ${UNCHANGED_MESSAGE}`)
  const previousSchema = await restorePostgres(url, file).catch((error: Error) => {
    // If the connection is lost while psql waits for the end of the commit, the server may have completed the commit.
    // The message then does not claim that nothing was changed.
    throw isDatabaseUnavailable(error)
      ? new Error(`The connection to the database was lost (${error.message}). Run the restore again.`)
      : new Error(`${error.message}; ${UNCHANGED_MESSAGE}`)
  })
  recordDatabaseId(dataDir, null)
  return `Restored. The previous tables are in the schema ${previousSchema}.`
}

await runScript({
  help: HELP,
  maxPositionals: 1,
  run: ({ positionals: [file] }) => restoreBackup(file),
})
