/** `npm run move-database -- --from sqlite --to postgres://…` */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from '../server/core/config.ts'
import { DATABASE_FILE_NAME, openDatabase } from '../server/db/database.ts'
import { moveDatabase } from '../server/db/move-database.ts'

const HELP = `npm run move-database -- --from sqlite --to postgres://USER:PASSWORD@HOST/DATABASE
Moves everything from the SQLite database in DATA_DIR into an empty PostgreSQL database: all or nothing, compared row by row.
Stop the server first. The SQLite file is left as it is. Keep DATA_DIR/keys.json (or nobody stays signed in and PINs are lost),
then start with DATABASE_URL set to the same address; the search index is built anew by itself.`

async function move(): Promise<string> {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, to: { type: 'string' }, help: { type: 'boolean' } },
  })
  if (values.help) return HELP
  if (values.from !== 'sqlite' || !/^postgres(ql)?:\/\//.test(values.to ?? '')) throw new Error(HELP)
  const { dataDir } = loadConfig()
  if (!existsSync(join(dataDir, DATABASE_FILE_NAME)))
    throw new Error(`There is no ${DATABASE_FILE_NAME} in ${dataDir}.`)
  const from = openDatabase({ dataDir })
  const to = openDatabase({ dataDir, url: values.to })
  try {
    const moved = await moveDatabase(from, to, ({ table, rows }) =>
      process.stderr.write(`${table}: ${rows}\n`),
    )
    const rows = moved.reduce((sum, one) => sum + one.rows, 0)
    return `${rows} rows of ${moved.length} tables moved and compared.`
  } finally {
    await from.close()
    await to.close()
  }
}

try {
  process.stdout.write(`${await move()}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
