import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadConfig } from '../server/core/config.ts'
import { syncToDisk } from '../server/core/partial-file.ts'
import { checkBackup } from '../server/db/backup.ts'
import { DATABASE_FILE_NAME, SEARCH_FILE_NAME } from '../server/db/database.ts'
import { findSchemaDifference } from '../server/db/expected-schema.ts'
import { MIGRATIONS } from '../server/db/migrations/index.ts'
import { recordDatabaseId } from '../server/providers/keys.ts'
import { checkPostgresDump, hasPostgresTool, restorePostgres } from '../server/providers/pg-dump.ts'

const HELP =
  'npm run restore -- FILE: replaces the database by a backup. Stop the server first. The previous SQLite database stays in the same folder under another name. PostgreSQL is restored by pg_restore in one transaction.'
const UNCHANGED = 'nothing was changed.'
const JOURNAL_SUFFIXES = ['-wal', '-shm']

async function restore(file: string | undefined): Promise<string> {
  if (!file || file === '--help') return HELP
  if (!existsSync(file)) throw new Error(`${file} does not exist; ${UNCHANGED}`)
  const { databaseUrl, dataDir } = loadConfig()
  if (databaseUrl) return restoreDump(databaseUrl, dataDir, file)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const target = join(dataDir, DATABASE_FILE_NAME)
  const incomingFile = `${target}.new`
  await requireRestorable(file)
  copyFileSync(file, incomingFile)
  try {
    await requireRestorable(incomingFile)
    const previousFile = existsSync(target) ? keepPreviousDatabase(target) : null
    syncToDisk(incomingFile)
    renameSync(incomingFile, target)
    syncToDisk(dirname(target))
    recordDatabaseId(dataDir, null)
    for (const suffix of ['', ...JOURNAL_SUFFIXES])
      rmSync(`${join(dataDir, SEARCH_FILE_NAME)}${suffix}`, { force: true })
    return previousFile ? `Restored. The previous database is ${previousFile}.` : 'Restored.'
  } finally {
    rmSync(incomingFile, { force: true })
  }
}

/** Throws if the file is damaged, is not what Marquee writes, has no account, or was written by a newer version. */
async function requireRestorable(file: string): Promise<void> {
  const check = await checkBackup(file)
  if (!check.ok) throw new Error(`${file} is ${check.reason}; ${UNCHANGED}`)
  if (check.migrations.some((name) => !Object.hasOwn(MIGRATIONS, name))) {
    throw new Error(`${file} was written by a newer Marquee; ${UNCHANGED}`)
  }
  // A database in use has at least one account (the administrator) and one applied migration.
  if (check.counts.accounts === 0 || check.migrations.length === 0)
    throw new Error(`${file} is empty: it holds no account; ${UNCHANGED}`)
  const difference = await findSchemaDifference(file, check.migrations)
  if (difference !== null) throw new Error(`${file} is not a backup of Marquee: ${difference}; ${UNCHANGED}`)
}

/**
 * Gives the previous database a second file name and returns that name. Throws if a server has the database
 * open.
 */
function keepPreviousDatabase(target: string): string {
  const previousFile = `${target}.before-restore-${new Date().toISOString().replaceAll(':', '-')}`
  const isLogMerged = mergeWriteAheadLog(target)
  linkSync(target, previousFile)
  for (const suffix of JOURNAL_SUFFIXES) {
    if (!isLogMerged && existsSync(target + suffix)) copyFileSync(target + suffix, previousFile + suffix)
    rmSync(target + suffix, { force: true })
  }
  syncToDisk(dirname(target))
  return previousFile
}

/**
 * Merges the write-ahead log into the database file. Leaving WAL mode needs an exclusive lock, so this detects a running
 * server and throws. Returns false if the database is too damaged to be opened.
 */
function mergeWriteAheadLog(target: string): boolean {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(target)
    database.exec('pragma journal_mode = delete')
    return true
  } catch (error) {
    const { errcode } = error as { errcode?: number }
    const BUSY = 5
    if (errcode === BUSY) throw new Error(`A running server uses ${target}: stop it first; ${UNCHANGED}`)
    return false
  } finally {
    database?.close()
  }
}

async function restoreDump(url: string, dataDir: string, file: string): Promise<string> {
  if (!hasPostgresTool('pg_restore')) throw new Error(`pg_restore is not on the PATH; ${UNCHANGED}`)
  await checkPostgresDump(file).catch((error: Error) => {
    throw new Error(`${file} is damaged or not a Marquee backup (${error.message}); ${UNCHANGED}`)
  })
  await restorePostgres(url, file)
  recordDatabaseId(dataDir, null)
  return 'Restored.'
}

try {
  process.stdout.write(`${await restore(process.argv[2])}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
