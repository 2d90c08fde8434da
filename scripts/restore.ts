import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadConfig } from '../server/config.ts'
import { DATABASE_FILE } from '../server/db/open.ts'

const HELP =
  'npm run restore -- FILE: puts a backup in the place of the database. Stop the server first. The old database is kept beside it.'

function restore(file: string | undefined): string {
  if (!file || file === '--help') return HELP
  if (!existsSync(file)) throw new Error(`There is no ${file}.`)
  const copy = new DatabaseSync(file, { readOnly: true })
  try {
    const { integrity_check: verdict } = copy.prepare('pragma integrity_check').get() as {
      integrity_check: string
    }
    if (verdict !== 'ok') throw new Error('damaged')
    copy.prepare('select count(*) from account').get()
  } catch {
    throw new Error(`${file} is damaged or no backup of Marquee; nothing was changed.`)
  } finally {
    copy.close()
  }
  const target = join(loadConfig().dataDir, DATABASE_FILE)
  const kept = `${target}.before-restore-${new Date().toISOString().replaceAll(':', '-')}`
  copyFileSync(file, `${target}.new`)
  if (existsSync(target)) renameSync(target, kept)
  for (const rest of ['-wal', '-shm']) rmSync(`${target}${rest}`, { force: true })
  renameSync(`${target}.new`, target)
  return existsSync(kept) ? `Restored. The database before is ${kept}.` : 'Restored.'
}

try {
  process.stdout.write(`${restore(process.argv[2])}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
