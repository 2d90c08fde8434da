/** Checks at startup that the database is intact, and that it is the one which the keys in DATA_DIR belong to. */
import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, SettingError } from './core/config.ts'
import { isDatabaseDamaged } from './core/database-unavailable.ts'
import { BACKUP_FOLDER } from './db/backup.ts'
import { DATABASE_FILE_NAME, type Database, openDatabase } from './db/database.ts'
import { findDamage } from './db/integrity.ts'
import { readRecordedDatabaseId, recordDatabaseId } from './providers/keys.ts'
import { insertDatabaseId, selectDatabaseIdentity } from './queries/database-id.ts'

/** Larger files are checked by a job after the start, because reading them would delay it by many seconds. */
const MAX_CHECKED_BYTES = 2 * 1024 ** 3

type StartConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseReplicaUrl' | 'keysSecret'>

/**
 * Opens the database. Throws `SettingError` when a SQLite file is missing beside keys that belong to one, is damaged or
 * read-only.
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
    // SQLite would open a file that this process may not write, and fail later.
    if (sizeBytes > 0) closeSync(openSync(databaseFile, 'r+'))
    database = openDatabase({ dataDir, onError })
    // The supervisor has checked the file before it starts the workers.
    const damage =
      cluster.isPrimary && sizeBytes <= MAX_CHECKED_BYTES && database.sqlite
        ? findDamage(database.sqlite)
        : null
    if (damage === null) return database
    throw createDamageError(dataDir, damage)
  } catch (error) {
    database?.sqlite?.close()
    if (isDatabaseDamaged(error)) throw createDamageError(dataDir, (error as Error).message)
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

/** Returns the path of the newest backup, or a placeholder when there is none. */
function findNewestBackup(dataDir: string): string {
  const backupFolder = join(dataDir, BACKUP_FOLDER)
  const backupFiles = existsSync(backupFolder)
    ? readdirSync(backupFolder).filter((file) => file.endsWith('.db'))
    : []
  const newestBackup = backupFiles.sort().at(-1)
  return newestBackup ? join(backupFolder, newestBackup) : 'FILE'
}

function requireNoRecordedDatabase({ dataDir, keysSecret }: StartConfig, state: string): void {
  if (keysSecret || readRecordedDatabaseId(dataDir) === null) return
  throw new SettingError(
    `${state}, but ${join(dataDir, 'keys.json')} belongs to an existing database. Restore a backup: npm run restore -- ${findNewestBackup(dataDir)}. To start with a new household, delete keys.json. To change to PostgreSQL, run npm run move-database.`,
  )
}

/**
 * Call it before the migration. Throws `SettingError` when the database is empty although the keys belong to one, or is
 * another one than they belong to.
 */
export async function requireKnownDatabase(config: StartConfig, { primary }: Database): Promise<void> {
  const { dataDir, keysSecret } = config
  const recordedId = keysSecret ? null : readRecordedDatabaseId(dataDir)
  if (recordedId === null) return
  const { hasAccounts, databaseId } = await selectDatabaseIdentity(primary)
  if (databaseId === recordedId) return
  if (databaseId === null && !hasAccounts) requireNoRecordedDatabase(config, 'The database is empty')
  if (databaseId !== null)
    throw new SettingError(
      `The database is not the one that ${join(dataDir, 'keys.json')} belongs to. Restore the backup with npm run restore -- FILE instead of copying it, or use the keys.json of this database.`,
    )
}

/** Call it after the migration, when the keys file exists. Gives a new database its id and records it with the keys. */
export async function recordDatabaseIdentity(
  { dataDir, keysSecret }: StartConfig,
  { primary }: Database,
): Promise<void> {
  const newId = (keysSecret ? null : readRecordedDatabaseId(dataDir)) ?? randomBytes(16).toString('base64url')
  const databaseId = await insertDatabaseId(primary, newId, Date.now())
  if (!keysSecret) recordDatabaseId(dataDir, databaseId)
}
