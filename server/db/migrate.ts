import { dirname, join } from 'node:path'
import { Migrator } from 'kysely/migration'
import { BACKUP_FOLDER, createBackupName, writeBackup } from './backup.ts'
import type { Database, Db } from './database.ts'
import { MIGRATIONS } from './migrations/index.ts'

/**
 * Applies all pending migrations in one transaction. If one fails, none is applied. Before the migrations, an existing
 * SQLite database is copied to `backups/`; for PostgreSQL, the optional `dumpDatabase` writes the backup. Returns the
 * names of the applied migrations. Throws when a migration fails, or when a newer version of the program has written
 * the database.
 */
export async function migrateDatabase(
  database: Database,
  dumpDatabase?: () => Promise<void>,
): Promise<string[]> {
  const connection = database.openWithoutTimeouts?.()
  try {
    return await applyMigrations(database, connection ?? database.primary, dumpDatabase)
  } finally {
    await connection?.destroy()
  }
}

async function applyMigrations(
  database: Database,
  db: Db,
  dumpDatabase?: () => Promise<void>,
): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => MIGRATIONS },
  })
  const migrations = await migrator.getMigrations()
  const pendingMigrations = migrations.filter((migration) => !migration.executedAt)
  if (pendingMigrations.length > 0 && pendingMigrations.length < migrations.length)
    await backupBeforeMigration(database, dumpDatabase)
  const { error, results } = await migrator.migrateToLatest()
  if (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (message.includes('corrupted migrations')) {
      throw new Error(
        'This database was written by a newer Marquee. Start that version, or restore an older backup.',
      )
    }
    throw new Error(`The database migration failed: ${message}`, { cause: error })
  }
  return (results ?? []).map((migrationResult) => migrationResult.migrationName)
}

async function backupBeforeMigration({ file }: Database, dumpDatabase?: () => Promise<void>): Promise<void> {
  if (!file) return dumpDatabase?.()
  await writeBackup(
    file,
    join(dirname(file), BACKUP_FOLDER, `${createBackupName(Date.now(), 'migration')}.db`),
  )
}
