import { dirname, join } from 'node:path'
import { Migrator } from 'kysely/migration'
import { BACKUPS, backupName, writeBackup } from './backup.ts'
import { MIGRATIONS } from './migrations/index.ts'
import type { Database, Db } from './open.ts'

/**
 * Brings the schema up to date, all or nothing per migration, forward only. An existing SQLite database is copied
 * to `backups/` first; of PostgreSQL, `dump` makes a copy where it is given. Returns the names of what was applied.
 * Throws in plain words when the database is newer than this program.
 */
export async function migrate(database: Database, dump?: () => Promise<void>): Promise<string[]> {
  const own = database.unhurried?.()
  try {
    return await bringUp(database, own ?? database.primary, dump)
  } finally {
    await own?.destroy()
  }
}

async function bringUp(database: Database, db: Db, dump?: () => Promise<void>): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => MIGRATIONS },
  })
  const known = await migrator.getMigrations()
  const pending = known.filter((migration) => !migration.executedAt)
  if (pending.length > 0 && pending.length < known.length) await backupBefore(database, dump)
  const { error, results } = await migrator.migrateToLatest()
  if (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (text.includes('corrupted migrations')) {
      throw new Error(
        'This database was written by a newer Marquee. Start that version, or restore an older backup.',
      )
    }
    throw new Error(`The database could not be brought up to date: ${text}`, { cause: error })
  }
  return (results ?? []).map((result) => result.migrationName)
}

async function backupBefore({ file }: Database, dump?: () => Promise<void>): Promise<void> {
  if (!file) return dump?.()
  await writeBackup(file, join(dirname(file), BACKUPS, `${backupName(Date.now(), 'migration')}.db`))
}
