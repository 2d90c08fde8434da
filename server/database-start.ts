/** Checks at startup that the database is intact, and that the keys in DATA_DIR belong to this database. */
import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, SettingError } from './core/config.ts'
import { isDatabaseDamaged, isDatabaseUnreadable } from './core/database-unavailable.ts'
import { deleteAbandonedPartialFiles } from './core/partial-file.ts'
import { BACKUP_FOLDER, createBackupName } from './db/backup.ts'
import { DATABASE_FILE_NAME, type Database, openDatabase } from './db/database.ts'
import { findDamage } from './db/integrity.ts'
import { FIRST_SIGN_IN_FILE } from './providers/first-sign-in.ts'
import { KEYS_FILE_NAME, readRecordedDatabaseId, recordDatabaseId } from './providers/keys.ts'
import { insertDatabaseId, selectDatabaseState } from './queries/database-id.ts'

/**
 * Size of the largest database file that is checked before the server starts. A job checks a larger file after the
 * start, because the check would delay the start by many seconds.
 */
const MAX_BYTES_CHECKED_AT_START = 2 * 1024 ** 3

/**
 * Deletes the partial files that killed processes have left in the data folder. They are partial copies of the database
 * (from `npm run restore`), of the keys file, and of the file with the credentials of the first sign-in.
 */
export const deletePartialDataFiles = (dataDir: string): void =>
  deleteAbandonedPartialFiles(dataDir, [DATABASE_FILE_NAME, KEYS_FILE_NAME, FIRST_SIGN_IN_FILE])

type StartConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseReplicaUrl' | 'keysSecret'>

/**
 * Opens the database. For SQLite, throws `SettingError` when the file is damaged, cannot be opened or is read-only, or
 * when it is missing or empty although the keys in DATA_DIR belong to an existing database.
 */
export function openCheckedDatabase(config: StartConfig, onError: (error: Error) => void): Database {
  const { dataDir, databaseUrl: url, databaseReplicaUrl: replicaUrl } = config
  if (url) return openDatabase({ dataDir, url, replicaUrl, onError })
  const databaseFile = join(dataDir, DATABASE_FILE_NAME)
  const sizeBytes = statSync(databaseFile, { throwIfNoEntry: false })?.size ?? 0
  if (sizeBytes === 0)
    requireNoRecordedDatabase(config, `${databaseFile} is ${existsSync(databaseFile) ? 'empty' : 'missing'}`)
  let database: Database | undefined
  try {
    // This check fails if the process may not write to the file. SQLite would open such a file and fail at the first
    // write.
    if (sizeBytes > 0) closeSync(openSync(databaseFile, 'r+'))
    database = openDatabase({ dataDir, onError })
    // Workers skip the check, because the supervisor checks the file before it starts the workers.
    const damage =
      cluster.isPrimary && sizeBytes <= MAX_BYTES_CHECKED_AT_START && database.sqlite
        ? findDamage(database.sqlite)
        : null
    if (damage === null) return database
    throw createDamageError(dataDir, damage)
  } catch (error) {
    database?.sqlite?.close()
    if (isDatabaseDamaged(error)) throw createDamageError(dataDir, (error as Error).message)
    if (isDatabaseUnreadable(error))
      throw new SettingError(
        `The database ${databaseFile} or its files ${DATABASE_FILE_NAME}-wal and ${DATABASE_FILE_NAME}-shm cannot be opened. They must belong to the user of the server.`,
      )
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
      throw new SettingError(
        `The database ${databaseFile} is read-only (${code}). The server must be able to write it.`,
      )
    throw error
  }
}

function createDamageError(dataDir: string, damage: string): SettingError {
  const databaseFile = join(dataDir, DATABASE_FILE_NAME)
  return new SettingError(
    `The database ${databaseFile} is damaged (${damage}). Restore a backup: npm run restore -- ${findNewestBackup(dataDir)}.`,
  )
}

/** Returns the path of the newest backup, or the placeholder `FILE` when there is no backup. */
function findNewestBackup(dataDir: string): string {
  const backupFolder = join(dataDir, BACKUP_FOLDER)
  const backupFiles = existsSync(backupFolder)
    ? readdirSync(backupFolder).filter((file) => file.endsWith('.db'))
    : []
  // A backup with a date in the future was made while the clock was wrong, so its age is unknown. It is chosen only if
  // there is no other backup.
  const maxBackupName = createBackupName(Date.now(), 'schedule')
  const backupsNewestFirst = backupFiles.sort().reverse()
  const newestBackup = backupsNewestFirst.find((file) => file <= maxBackupName) ?? backupsNewestFirst[0]
  return newestBackup ? join(backupFolder, newestBackup) : 'FILE'
}

function requireNoRecordedDatabase({ dataDir, keysSecret }: StartConfig, problemText: string): void {
  if (keysSecret || readRecordedDatabaseId(dataDir) === null) return
  throw new SettingError(
    `${problemText}, but ${join(dataDir, 'keys.json')} belongs to an existing database. Restore a backup: npm run restore -- ${findNewestBackup(dataDir)}. To start with a new household, delete keys.json. To change to PostgreSQL, run npm run move-database.`,
  )
}

/**
 * Checks that the keys in DATA_DIR belong to the opened database. Throws `SettingError` when the keys belong to another
 * database, or when the opened database is empty although the keys belong to an existing database. Does nothing when
 * the keys come from `keysSecret`. Call this function before the migration.
 */
export async function requireKnownDatabase(config: StartConfig, { primary }: Database): Promise<void> {
  const { dataDir, keysSecret } = config
  const recordedId = keysSecret ? null : readRecordedDatabaseId(dataDir)
  if (recordedId === null) return
  const { hasAccounts, databaseId } = await selectDatabaseState(primary)
  if (databaseId === recordedId) return
  if (databaseId === null && !hasAccounts) requireNoRecordedDatabase(config, 'The database is empty')
  if (databaseId !== null)
    throw new SettingError(
      `The database is not the one that ${join(dataDir, 'keys.json')} belongs to. Restore the backup with npm run restore -- FILE instead of copying it, or use the keys.json of this database.`,
    )
}

/**
 * Gives a new database its id. Unless the keys come from `keysSecret`, also records the id of the database in the keys
 * file. Call this function after the migration, when the keys file exists.
 */
export async function recordDatabaseIdentity(
  { dataDir, keysSecret }: StartConfig,
  { primary }: Database,
): Promise<void> {
  const candidateId =
    (keysSecret ? null : readRecordedDatabaseId(dataDir)) ?? randomBytes(16).toString('base64url')
  const databaseId = await insertDatabaseId(primary, candidateId, Date.now())
  if (!keysSecret) recordDatabaseId(dataDir, databaseId)
}
