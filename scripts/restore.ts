import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadConfig } from '../server/core/config.ts'
import { checkBackup, syncToDisk } from '../server/db/backup.ts'
import { DATABASE_FILE_NAME, SEARCH_FILE_NAME } from '../server/db/database.ts'
import { MIGRATIONS } from '../server/db/migrations/index.ts'
import { checkPostgresDump, hasPostgresTool, restorePostgres } from '../server/providers/pg-dump.ts'

const HELP =
  'npm run restore -- FILE: puts a backup in the place of the database. Stop the server first. An old SQLite database is kept beside it; PostgreSQL is restored by pg_restore, all or nothing.'
const UNCHANGED = 'nothing was changed.'
const BESIDE = ['-wal', '-shm']

async function restore(file: string | undefined): Promise<string> {
  if (!file || file === '--help') return HELP
  if (!existsSync(file)) throw new Error(`There is no ${file}; ${UNCHANGED}`)
  const { databaseUrl, dataDir } = loadConfig()
  if (databaseUrl) return restoreDump(databaseUrl, file)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const target = join(dataDir, DATABASE_FILE_NAME)
  const next = `${target}.new`
  await refuseUnfit(file)
  copyFileSync(file, next)
  try {
    await refuseUnfit(next)
    const kept = existsSync(target) ? keep(target) : null
    syncToDisk(next)
    renameSync(next, target)
    syncToDisk(dirname(target))
    for (const rest of ['', ...BESIDE]) rmSync(`${join(dataDir, SEARCH_FILE_NAME)}${rest}`, { force: true })
    return kept ? `Restored. The database before is ${kept}.` : 'Restored.'
  } finally {
    rmSync(next, { force: true })
  }
}

/** Throws for a damaged file, one that is not ours, and one that a newer program wrote. */
async function refuseUnfit(file: string): Promise<void> {
  const verdict = await checkBackup(file)
  if (!verdict.ok) throw new Error(`${file} is ${verdict.reason}; ${UNCHANGED}`)
  if (verdict.migrations.some((name) => !Object.hasOwn(MIGRATIONS, name))) {
    throw new Error(`${file} was written by a newer Marquee; ${UNCHANGED}`)
  }
}

/** Gives the old database a second name, all of it in one file; throws while a server has it open. */
function keep(target: string): string {
  const kept = `${target}.before-restore-${new Date().toISOString().replaceAll(':', '-')}`
  const whole = fold(target)
  linkSync(target, kept)
  for (const rest of BESIDE) {
    if (!whole && existsSync(target + rest)) copyFileSync(target + rest, kept + rest)
    rmSync(target + rest, { force: true })
  }
  syncToDisk(dirname(target))
  return kept
}

/**
 * Brings the write-ahead log into the file. Leaving that mode needs the file for oneself, so a running server shows. False
 * where the old database is too damaged to be opened.
 */
function fold(target: string): boolean {
  let old: DatabaseSync | undefined
  try {
    old = new DatabaseSync(target)
    old.exec('pragma journal_mode = delete')
    return true
  } catch (error) {
    const { errcode } = error as { errcode?: number }
    const BUSY = 5
    if (errcode === BUSY) throw new Error(`A server has ${target} open: stop it first; ${UNCHANGED}`)
    return false
  } finally {
    old?.close()
  }
}

async function restoreDump(url: string, file: string): Promise<string> {
  if (!hasPostgresTool('pg_restore')) throw new Error(`pg_restore is needed on the PATH; ${UNCHANGED}`)
  await checkPostgresDump(file).catch((error: Error) => {
    throw new Error(`${file} is damaged, or not a Marquee backup (${error.message}); ${UNCHANGED}`)
  })
  await restorePostgres(url, file)
  return 'Restored.'
}

try {
  process.stdout.write(`${await restore(process.argv[2])}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
