/** Runs `pg_dump` and `pg_restore` from the PATH. The password is passed in the environment, never as an argument. */
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { getPartialPath, publishFile } from '../core/partial-file.ts'

type PostgresTool = 'pg_dump' | 'pg_restore'

export function hasPostgresTool(name: PostgresTool): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function createConnectionEnvironment(url: string): NodeJS.ProcessEnv {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const sslmode = searchParams.get('sslmode')
  return {
    ...process.env,
    PGHOST: decodeURIComponent(searchParams.get('host') ?? hostname),
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    ...(sslmode && { PGSSLMODE: sslmode }),
  }
}

/** Resolves with the standard output. Rejects with the end of the standard error output. */
function runTool(
  name: PostgresTool,
  toolArguments: string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, toolArguments, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal && { signal }),
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk).slice(-2_000)
    })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(stdout) : reject(new Error(`${name} exited with code ${code}: ${stderr.trim()}`)),
    )
  })
}

/**
 * Writes the whole database in PostgreSQL's custom format. The file is renamed to its final name only after
 * it was checked, so that an interrupted dump never looks like a backup.
 */
export async function dumpPostgres(url: string, filePath: string, signal?: AbortSignal): Promise<void> {
  const partialPath = getPartialPath(filePath)
  try {
    await runTool(
      'pg_dump',
      ['--format=custom', '--no-owner', `--file=${partialPath}`],
      createConnectionEnvironment(url),
      signal,
    )
    await checkPostgresDump(partialPath)
    publishFile(partialPath, filePath)
  } finally {
    rmSync(partialPath, { force: true })
  }
}

/**
 * Reads the table of contents of a dump. Throws if the file is not a dump, or not a dump of a Marquee
 * database.
 */
export async function checkPostgresDump(filePath: string): Promise<void> {
  const archiveListing = await runTool('pg_restore', ['--list', filePath], process.env)
  for (const table of ['account', 'profile', 'title', 'kysely_migration']) {
    if (!archiveListing.includes(`TABLE DATA public ${table} `))
      throw new Error(`The dump has no table ${table}.`)
  }
}

/** Replaces the database by a dump, in a single transaction. */
export async function restorePostgres(url: string, filePath: string): Promise<void> {
  const connectionEnvironment = createConnectionEnvironment(url)
  const restoreArguments = ['--clean', '--if-exists', '--no-owner', '--single-transaction', '--exit-on-error']
  await runTool(
    'pg_restore',
    [...restoreArguments, `--dbname=${connectionEnvironment['PGDATABASE']}`, filePath],
    connectionEnvironment,
  )
}

/** Dumps the database before migrations if `pg_dump` is installed. `filePath` has the extension `.dump`. */
export async function dumpPostgresIfPossible(url: string, filePath: string): Promise<void> {
  if (!hasPostgresTool('pg_dump')) return
  mkdirSync(dirname(filePath), { recursive: true, mode: 0o700 })
  await dumpPostgres(url, filePath)
}
