/**
 * Finds the servers that tests and benchmarks start (PostgreSQL, Redis, nginx, Caddy): installed ones, else Debian packages.
 * The packages are unpacked into a folder of this project, so root is not required and the system stays unchanged.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

export const TEST_SERVERS = ['postgres', 'redis-server', 'nginx', 'caddy'] as const
export type TestServerName = (typeof TEST_SERVERS)[number]
/**
 * `wrk` is needed only by benchmarks. It needs a tenth of the processor time that the API needs for a request, so that it
 * hardly slows down the server that it measures.
 */
export type TestProgramName = TestServerName | 'wrk'

const DEBIAN_PACKAGES: Record<TestProgramName, string> = {
  postgres: 'postgresql',
  'redis-server': 'redis-server',
  nginx: 'nginx',
  caddy: 'caddy',
  wrk: 'wrk',
}
const isRoot = process.getuid?.() === 0
/**
 * As root, PostgreSQL is run by another user, because it refuses to run as root. That user may not be able to
 * read the home folder of root.
 */
const FOLDER = isRoot ? '/var/tmp/marquee-servers' : resolve('node_modules/.cache/servers')
const UNPACKED = join(FOLDER, 'root')

export interface InstalledProgram {
  executable: string
  /** Environment variables that the program needs. */
  env: Record<string, string>
}

/** Returns undefined if the program is neither installed nor unpacked. */
export function findProgram(name: TestProgramName): InstalledProgram | undefined {
  const pathFolders = (process.env['PATH'] ?? '').split(delimiter)
  const installedFolders = [...findPostgresFolders(''), ...pathFolders, '/usr/sbin', '/usr/local/sbin']
  const file = installedFolders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (file) return { executable: file, env: {} }
  const unpackedFolders = ['usr/bin', 'usr/sbin'].map((folder) => join(UNPACKED, folder))
  const unpackedFile = [...unpackedFolders, ...findPostgresFolders(UNPACKED)]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
  return unpackedFile ? { executable: unpackedFile, env: { LD_LIBRARY_PATH: buildLibraryPath() } } : undefined
}

/** Folders of the PostgreSQL programs below `root`, the newest version first. */
function findPostgresFolders(root: string): string[] {
  const parseVersion = (folder: string) => Number(/(\d+)\/bin$/.exec(folder)?.[1] ?? 0)
  return globSync(`${root}/usr/lib/postgresql/*/bin`).sort((a, b) => parseVersion(b) - parseVersion(a))
}

function buildLibraryPath(): string {
  return globSync(`${UNPACKED}/usr/lib/*-linux-gnu*`).join(':')
}

function runInstaller(command: string, args: string[]): void {
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 240_000 })
}

/** Creates the folder. Throws if another user owns it or may write to it. */
function createFolder(): void {
  for (const part of ['lists/partial', 'archives/partial', 'root']) {
    mkdirSync(join(FOLDER, part), { recursive: true, mode: 0o755 })
  }
  const { uid, mode } = statSync(FOLDER)
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0)
    throw new Error(`${FOLDER} is owned or writable by another user: remove it.`)
}

function downloadPackages(missingNames: TestProgramName[]): void {
  createFolder()
  const packages = missingNames.map((name) => DEBIAN_PACKAGES[name])
  process.stderr.write(`Downloading Debian packages: ${packages.join(' ')} …\n`)
  const folderOptions = [
    '-o',
    `Dir::State::lists=${FOLDER}/lists`,
    '-o',
    `Dir::Cache::archives=${FOLDER}/archives`,
  ]
  const options = [...folderOptions, '-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=', '-qq']
  runInstaller('apt-get', [...options, 'update'])
  runInstaller('apt-get', [
    ...options,
    '-y',
    '--no-install-recommends',
    '--download-only',
    'install',
    ...packages,
  ])
  for (const file of globSync(`${FOLDER}/archives/*.deb`)) runInstaller('dpkg', ['-x', file, UNPACKED])
}

/** Downloads missing programs. Throws if one is still missing afterwards. */
export function ensurePrograms(names: readonly TestProgramName[] = TEST_SERVERS): void {
  const listMissing = () => names.filter((name) => !findProgram(name))
  if (listMissing().length > 0) downloadPackages(listMissing())
  const missingNames = listMissing()
  if (missingNames.length === 0) return
  throw new Error(
    `${missingNames.join(', ')} must be on the PATH: install ${missingNames.length > 1 ? 'them' : 'it'} (Debian: apt-get install ${missingNames.map((name) => DEBIAN_PACKAGES[name]).join(' ')}).`,
  )
}

if (import.meta.main) {
  try {
    ensurePrograms()
    for (const name of TEST_SERVERS) process.stderr.write(`${name}: ${findProgram(name)?.executable}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
