/**
 * Keeps generated databases for several runs of a benchmark. To generate one in advance, run
 * `node bench/catalogue/generated-database.ts --titles=1000000 --keep=/tmp/marquee-generated`.
 */
import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DATABASE_FILE_NAME, openSqliteDatabase } from '../../server/db/database.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { readOption } from '../options.ts'
import { insertGeneratedCatalogue } from './insert-catalogue.ts'

/** Creates a database file in `folder` with `titleCount` generated titles. */
async function generateDatabase(folder: string, titleCount: number): Promise<void> {
  const database = openSqliteDatabase(join(folder, DATABASE_FILE_NAME))
  await migrateDatabase(database)
  if (database.sqlite) insertGeneratedCatalogue(database.sqlite, titleCount)
  await database.close()
}

/** Returns the path of the kept database with this number of titles. Generates the database if it does not exist. */
async function ensureGeneratedDatabase(titleCount: number, permanentFolder: string): Promise<string> {
  const permanentFile = join(permanentFolder, `catalogue-${titleCount}.db`)
  if (existsSync(permanentFile)) return permanentFile
  const unfinishedFolder = join(permanentFolder, `unfinished-${process.pid}`)
  mkdirSync(unfinishedFolder, { recursive: true })
  await generateDatabase(unfinishedFolder, titleCount)
  renameSync(join(unfinishedFolder, DATABASE_FILE_NAME), permanentFile)
  rmSync(unfinishedFolder, { recursive: true })
  return permanentFile
}

/**
 * Puts a database file with a generated catalogue into `folder`. The folder `permanentFolder`, if given, keeps the
 * generated database, and `folder` gets a copy. A kept file with an older schema is migrated when the server opens its
 * copy.
 */
export async function provideGeneratedDatabase(
  folder: string,
  titleCount: number,
  permanentFolder: string | undefined,
): Promise<void> {
  if (!permanentFolder) return generateDatabase(folder, titleCount)
  const permanentFile = await ensureGeneratedDatabase(titleCount, permanentFolder)
  copyFileSync(permanentFile, join(folder, DATABASE_FILE_NAME), constants.COPYFILE_FICLONE)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const permanentFolder = readOption('keep')
  if (!permanentFolder) throw new Error('--keep=FOLDER is missing')
  for (const titleCount of (readOption('titles') ?? '100000,1000000').split(','))
    console.log(await ensureGeneratedDatabase(Number(titleCount), permanentFolder))
}
