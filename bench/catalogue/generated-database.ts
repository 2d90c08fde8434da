/**
 * Keeps generated databases for several runs of a benchmark. `node bench/catalogue/generated-database.ts --titles=1000000
 * --keep=/tmp/marquee-generated` generates one in advance.
 */
import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DATABASE_FILE_NAME, openSqliteDatabase } from '../../server/db/database.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { readOption } from '../options.ts'
import { insertGeneratedCatalogue } from './insert-catalogue.ts'

/** Creates a database file in `folder` with `titles` generated titles. */
async function generateDatabase(folder: string, titles: number): Promise<void> {
  const database = openSqliteDatabase(join(folder, DATABASE_FILE_NAME))
  await migrateDatabase(database)
  if (database.sqlite) insertGeneratedCatalogue(database.sqlite, titles)
  await database.close()
}

/** Returns the path of the kept database with this number of titles. Generates the database if it does not exist. */
async function keepGeneratedDatabase(titles: number, keepIn: string): Promise<string> {
  const keptFile = join(keepIn, `catalogue-${titles}.db`)
  if (existsSync(keptFile)) return keptFile
  const unfinished = join(keepIn, `unfinished-${process.pid}`)
  mkdirSync(unfinished, { recursive: true })
  await generateDatabase(unfinished, titles)
  renameSync(join(unfinished, DATABASE_FILE_NAME), keptFile)
  rmSync(unfinished, { recursive: true })
  return keptFile
}

/**
 * Puts a database file with a generated catalogue into `folder`. With `keepIn`, that folder keeps the generated database, and
 * `folder` gets a copy. A kept file with an older schema is migrated when the server opens its copy.
 */
export async function provideGeneratedDatabase(
  folder: string,
  titles: number,
  keepIn: string | undefined,
): Promise<void> {
  if (!keepIn) return generateDatabase(folder, titles)
  const keptFile = await keepGeneratedDatabase(titles, keepIn)
  copyFileSync(keptFile, join(folder, DATABASE_FILE_NAME), constants.COPYFILE_FICLONE)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const keepIn = readOption('keep')
  if (!keepIn) throw new Error('--keep=FOLDER is missing')
  for (const titles of (readOption('titles') ?? '100000,1000000').split(','))
    console.log(await keepGeneratedDatabase(Number(titles), keepIn))
}
