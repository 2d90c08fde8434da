/** PostgreSQL's own tools, where they are on the PATH. The password travels in the environment, never as an argument. */
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

type Tool = 'pg_dump' | 'pg_restore'

export function hasTool(name: Tool): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function environment(url: string): NodeJS.ProcessEnv {
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

/** Throws with what the tool said. */
function run(name: Tool, args: string[], env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(signal && { signal }) })
    let out = ''
    let err = ''
    child.stdout.on('data', (data: Buffer) => {
      out += data
    })
    child.stderr.on('data', (data: Buffer) => {
      err = (err + data).slice(-2_000)
    })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`${name} ended with ${code}: ${err.trim()}`)),
    )
  })
}

/** Writes the whole database in PostgreSQL's custom format. */
export async function dumpPostgres(url: string, file: string, signal?: AbortSignal): Promise<void> {
  await run('pg_dump', ['--format=custom', '--no-owner', `--file=${file}`], environment(url), signal)
}

/** Reads the archive's table of contents; throws where it is no archive, or not of ours. */
export async function checkDump(file: string): Promise<void> {
  const contents = await run('pg_restore', ['--list', file], process.env)
  for (const table of ['account', 'profile', 'title', 'kysely_migration']) {
    if (!contents.includes(`TABLE DATA public ${table} `))
      throw new Error(`There is no table ${table} in it.`)
  }
}

/** Puts an archive in the place of what is there; all or nothing. */
export async function restorePostgres(url: string, file: string): Promise<void> {
  const env = environment(url)
  const args = ['--clean', '--if-exists', '--no-owner', '--single-transaction', '--exit-on-error']
  await run('pg_restore', [...args, `--dbname=${env['PGDATABASE']}`, file], env)
}

/** Before migrations, where the tools are there; `file` ends in `.dump`. */
export async function dumpBefore(url: string, file: string): Promise<void> {
  if (!hasTool('pg_dump')) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  await dumpPostgres(url, file)
}
