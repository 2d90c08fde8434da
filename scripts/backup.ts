import { createBackupName, writeBackup } from '../server/db/backup.ts'
import { checkPostgresDump, dumpPostgres, hasPostgresTool } from '../server/providers/pg-dump.ts'
import { command } from './command.ts'

await command({
  help: 'npm run backup -- [FILE]: a consistent copy of the database while it serves, checked after writing; without FILE, into DATA_DIR/backups. PostgreSQL is copied by pg_dump, which has to be on the PATH.',
  run: async ({ database, config }, _given, [given]) => {
    const name = `${config.dataDir}/backups/${createBackupName(Date.now(), 'manual')}`
    if (database.file) {
      const file = given ?? `${name}.db`
      const tell = (done: number, total: number) => process.stderr.write(`\r${done} of ${total} pages`)
      const { accounts, profiles, titles } = await writeBackup(database.file, file, tell)
      process.stderr.write('\n')
      return `${file} written and checked: ${accounts} accounts, ${profiles} profiles, ${titles} titles.`
    }
    if (!hasPostgresTool('pg_dump') || !hasPostgresTool('pg_restore')) {
      throw new Error('pg_dump and pg_restore are needed on the PATH to copy PostgreSQL.')
    }
    const file = given ?? `${name}.dump`
    await dumpPostgres(config.databaseUrl ?? '', file)
    await checkPostgresDump(file)
    return `${file} written and checked.`
  },
})
