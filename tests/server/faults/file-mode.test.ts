/** Only the owner of the database files can read these files, even in a folder that other users may enter. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DATABASE_FILE_NAME, openSqliteDatabase } from '../../../server/db/database.ts'
import { migrateDatabase } from '../../../server/db/migrate.ts'

it('database files are created with mode 0600, and existing database files are restricted to 0600', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'marquee-mode-'))
  const listFileModes = () =>
    readdirSync(dataFolder).map((fileName) => [
      fileName,
      (statSync(join(dataFolder, fileName)).mode & 0o777).toString(8),
    ])
  try {
    chmodSync(dataFolder, 0o755)
    for (const fileState of ['new', 'existing']) {
      const database = openSqliteDatabase(join(dataFolder, DATABASE_FILE_NAME))
      await migrateDatabase(database)
      expect(listFileModes().length).toBeGreaterThan(3)
      for (const [file, mode] of listFileModes())
        expect([fileState, file, mode]).toEqual([fileState, file, '600'])
      await database.close()
      for (const [file = ''] of listFileModes()) chmodSync(join(dataFolder, file), 0o644)
    }
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
})
