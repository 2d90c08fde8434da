import { createBackupName, writeBackup } from '../server/db/backup.ts'
import { dumpPostgres, hasPostgresTool } from '../server/providers/pg-dump.ts'
import { runCommand } from './run-command.ts'

await runCommand({
  help: 'npm run backup -- [FILE]: writes a consistent copy of the database and checks it. The server may keep running. The default FILE is in DATA_DIR/backups. PostgreSQL needs pg_dump and pg_restore on the PATH.',
  maxPositionals: 1,
  needsDatabase: true,
  run: async ({ database, config }, { positionals: [requestedFile] }) => {
    const defaultBackupPath = `${config.dataDir}/backups/${createBackupName(Date.now(), 'manual')}`
    if (database.file) {
      const file = requestedFile ?? `${defaultBackupPath}.db`
      const onProgress = (done: number, total: number) => process.stderr.write(`\r${done} of ${total} pages`)
      const { accounts, profiles, titles } = await writeBackup(database.file, file, { onProgress })
      process.stderr.write('\n')
      return `${file} written and checked: ${accounts} accounts, ${profiles} profiles, ${titles} titles.`
    }
    if (!hasPostgresTool('pg_dump') || !hasPostgresTool('pg_restore')) {
      throw new Error('A PostgreSQL backup needs pg_dump and pg_restore on the PATH.')
    }
    const file = requestedFile ?? `${defaultBackupPath}.dump`
    await dumpPostgres(config.databaseUrl ?? '', file)
    return `${file} written and checked.`
  },
})
