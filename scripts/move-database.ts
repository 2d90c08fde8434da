/** `npm run move-database -- --from sqlite --to postgres://…`: copies a SQLite database to PostgreSQL. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../server/core/config.ts'
import { DATABASE_FILE_NAME, openDatabase } from '../server/db/database.ts'
import { moveDatabase } from '../server/db/move-database.ts'
import { leaveWalMode } from '../server/db/write-ahead-log.ts'
import { convertDatabaseError } from '../server/preflight.ts'
import { runScript } from './run-command.ts'

const HELP = `npm run move-database -- --from sqlite --to postgres://USER:PASSWORD@HOST/DATABASE
Copies the SQLite database in DATA_DIR to an empty PostgreSQL database in one transaction and compares every row.
Stop the server first. The SQLite file is not changed. Keep DATA_DIR/keys.json: without it, everybody is signed out and PINs
must be set again. Then start the server with DATABASE_URL set to the same address; it rebuilds the search index.`

async function runDatabaseMove({ from, to = '' }: Record<string, string | undefined>): Promise<string> {
  if (from !== 'sqlite') throw new Error(`--from must be sqlite.\n${HELP}`)
  if (!/^postgres(ql)?:\/\//.test(to) || !URL.canParse(to))
    throw new Error(`--to must be a URL starting with postgres://.\n${HELP}`)
  const { dataDir } = loadConfig()
  const sourceFile = join(dataDir, DATABASE_FILE_NAME)
  if (!existsSync(sourceFile)) throw new Error(`${dataDir} contains no ${DATABASE_FILE_NAME}.`)
  // Changes that a running server stores in the SQLite file after the copy would be lost.
  if (leaveWalMode(sourceFile) === 'in use')
    throw new Error(`A running server uses ${sourceFile}: stop it first; nothing was copied.`)
  const sourceDatabase = openDatabase({ dataDir })
  const targetDatabase = openDatabase({ dataDir, url: to })
  try {
    const movedTables = await moveDatabase(sourceDatabase, targetDatabase, ({ table, rowCount }) =>
      process.stderr.write(`${table}: ${rowCount}\n`),
    )
    const totalRowCount = movedTables.reduce((rowCount, table) => rowCount + table.rowCount, 0)
    return `${totalRowCount} rows of ${movedTables.length} tables copied and compared.`
  } catch (error) {
    throw convertDatabaseError(error, to, '--to')
  } finally {
    await sourceDatabase.close()
    await targetDatabase.close()
  }
}

await runScript({ help: HELP, options: ['from', 'to'], run: ({ options }) => runDatabaseMove(options) })
