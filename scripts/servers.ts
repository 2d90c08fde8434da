/**
 * Finds the servers that the tests start themselves (PostgreSQL, Redis, nginx, Caddy): installed ones, else Debian's packages,
 * unpacked into a folder of their own, which needs no root and changes nothing on the machine.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

export const SERVERS = ['postgres', 'redis-server', 'nginx', 'caddy'] as const
export type ServerName = (typeof SERVERS)[number]
/** What only a bench asks for: `wrk` makes requests for a tenth of what answering them takes. */
export type ToolName = ServerName | 'wrk'

const PACKAGES: Record<ToolName, string> = {
  postgres: 'postgresql',
  'redis-server': 'redis-server',
  nginx: 'nginx',
  caddy: 'caddy',
  wrk: 'wrk',
}
const root = process.getuid?.() === 0
/** As root outside the project: PostgreSQL refuses to run as root, and another user may not be able to read a home. */
const FOLDER = root ? '/var/tmp/marquee-servers' : resolve('node_modules/.cache/servers')
const UNPACKED = join(FOLDER, 'root')

export interface Found {
  file: string
  /** What the program needs in its environment. */
  env: Record<string, string>
}

/** Undefined when there is none yet. */
export function findServer(name: ToolName): Found | undefined {
  const path = (process.env['PATH'] ?? '').split(delimiter)
  const installed = [...postgresFolders(''), ...path, '/usr/sbin', '/usr/local/sbin']
  const file = installed.map((folder) => join(folder, name)).find((one) => existsSync(one))
  if (file) return { file, env: {} }
  const folders = ['usr/bin', 'usr/sbin'].map((folder) => join(UNPACKED, folder))
  const own = [...folders, ...postgresFolders(UNPACKED)].map((folder) => join(folder, name))
  const found = own.find((one) => existsSync(one))
  return found ? { file: found, env: { LD_LIBRARY_PATH: libraries() } } : undefined
}

/** Newest first. */
function postgresFolders(under: string): string[] {
  const version = (folder: string) => Number(/(\d+)\/bin$/.exec(folder)?.[1] ?? 0)
  return globSync(`${under}/usr/lib/postgresql/*/bin`).sort((a, b) => version(b) - version(a))
}

function libraries(): string {
  return globSync(`${UNPACKED}/usr/lib/*-linux-gnu*`).join(':')
}

function tryTo(command: string, args: string[]): boolean {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 240_000 })
  return status === 0
}

/** Throws unless the folder is ours alone to write. */
function makeFolder(): void {
  for (const part of ['lists/partial', 'archives/partial', 'root']) {
    mkdirSync(join(FOLDER, part), { recursive: true, mode: 0o755 })
  }
  const { uid, mode } = statSync(FOLDER)
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0)
    throw new Error(`${FOLDER} belongs to somebody else: remove it.`)
}

function unpack(missing: ToolName[]): void {
  makeFolder()
  const packages = missing.map((name) => PACKAGES[name])
  process.stderr.write(`Fetching Debian's packages for the tests: ${packages.join(' ')} …\n`)
  const own = ['-o', `Dir::State::lists=${FOLDER}/lists`, '-o', `Dir::Cache::archives=${FOLDER}/archives`]
  const options = [...own, '-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=', '-qq']
  tryTo('apt-get', [...options, 'update'])
  tryTo('apt-get', [...options, '-y', '--no-install-recommends', '--download-only', 'install', ...packages])
  for (const file of globSync(`${FOLDER}/archives/*.deb`)) tryTo('dpkg', ['-x', file, UNPACKED])
}

/** Throws in plain words when one cannot be had. */
export function needServers(names: readonly ToolName[] = SERVERS): void {
  const missing = () => names.filter((name) => !findServer(name))
  if (missing().length > 0) unpack(missing())
  const still = missing()
  if (still.length === 0) return
  throw new Error(
    `${still.join(', ')} must be on the PATH: install ${still.length > 1 ? 'them' : 'it'} (Debian: apt-get install ${still.map((name) => PACKAGES[name]).join(' ')}).`,
  )
}

if (import.meta.main) {
  try {
    needServers()
    for (const name of SERVERS) process.stderr.write(`${name}: ${findServer(name)?.file}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
