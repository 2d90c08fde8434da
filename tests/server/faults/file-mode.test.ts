/** Only their owner can read the files of the database, even in a folder that others may enter. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DATABASE_FILE_NAME, openSqliteDatabase } from '../../../server/db/database.ts'
import { migrateDatabase } from '../../../server/db/migrate.ts'

it('creates the database files with mode 0600 and restricts existing database files to 0600', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-mode-'))
  const listFileModes = () =>
    readdirSync(folder).map((file) => [file, (statSync(join(folder, file)).mode & 0o777).toString(8)])
  try {
    chmodSync(folder, 0o755)
    for (const fileState of ['new', 'existing']) {
      const database = openSqliteDatabase(join(folder, DATABASE_FILE_NAME))
      await migrateDatabase(database)
      expect(listFileModes().length).toBeGreaterThan(3)
      for (const [file, mode] of listFileModes())
        expect([fileState, file, mode]).toEqual([fileState, file, '600'])
      await database.close()
      for (const [file = ''] of listFileModes()) chmodSync(join(folder, file), 0o644)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
