import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup } from 'node:sqlite'
import { Migrator } from 'kysely/migration'
import { MIGRATIONS } from './migrations/index.ts'
import type { Database } from './open.ts'

/**
 * Brings the schema up to date, all or nothing per migration, forward only. An existing SQLite database is copied
 * to `backups/` first. Returns the names of what was applied.
 * Throws in plain words when the database is newer than this program.
 */
export async function migrate(database: Database): Promise<string[]> {
  const migrator = new Migrator({
    db: database.primary,
    provider: { getMigrations: async () => MIGRATIONS },
  })
  const known = await migrator.getMigrations()
  const pending = known.filter((migration) => !migration.executedAt)
  if (pending.length > 0 && pending.length < known.length)
    await backupBefore(database, pending[0]?.name ?? '')
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

async function backupBefore(database: Database, migration: string): Promise<void> {
  if (!(database.sqlite && database.file)) return
  const folder = join(dirname(database.file), 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stamp = new Date().toISOString().replaceAll(':', '-')
  await backup(database.sqlite, join(folder, `before-${migration}-${stamp}.db`))
}
