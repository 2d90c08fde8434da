/**
 * Finds the servers that tests and benchmarks start (PostgreSQL, Redis, nginx, Caddy): installed ones, else Debian
 * packages. The packages are unpacked into SERVERS_FOLDER, so root is not required and the system stays unchanged.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

export const TEST_SERVERS = ['postgres', 'redis-server', 'nginx', 'caddy'] as const
export type TestServerName = (typeof TEST_SERVERS)[number]
/**
 * Only benchmarks need `wrk`. It uses a tenth of the processor time that the API uses for a request, so it hardly slows
 * down the server under test.
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
 * Folder for the unpacked programs. It is outside of the home folder if root runs this script, because another user
 * then runs PostgreSQL, which refuses to run as root. That user may not be able to read the home folder of root.
 */
const SERVERS_FOLDER = isRoot ? '/var/tmp/marquee-servers' : resolve('node_modules/.cache/servers')
const UNPACKED_FOLDER = join(SERVERS_FOLDER, 'root')

export interface InstalledProgram {
  executable: string
  /** Environment variables that the program needs. */
  env: Record<string, string>
}

/** Returns the path and the environment of a program; undefined if it is neither installed nor unpacked. */
export function findProgram(programName: TestProgramName): InstalledProgram | undefined {
  const pathFolders = (process.env['PATH'] ?? '').split(delimiter)
  const installedFolders = [...findPostgresFolders(''), ...pathFolders, '/usr/sbin', '/usr/local/sbin']
  const installedFile = installedFolders
    .map((folder) => join(folder, programName))
    .find((path) => existsSync(path))
  if (installedFile) return { executable: installedFile, env: {} }
  const unpackedFolders = ['usr/bin', 'usr/sbin'].map((folder) => join(UNPACKED_FOLDER, folder))
  const unpackedFile = [...unpackedFolders, ...findPostgresFolders(UNPACKED_FOLDER)]
    .map((folder) => join(folder, programName))
    .find((path) => existsSync(path))
  return unpackedFile ? { executable: unpackedFile, env: { LD_LIBRARY_PATH: buildLibraryPath() } } : undefined
}

/** Returns the folders of the PostgreSQL programs below `rootFolder`, the newest version first. */
function findPostgresFolders(rootFolder: string): string[] {
  const parseVersion = (folder: string) => Number(/(\d+)\/bin$/.exec(folder)?.[1] ?? 0)
  return globSync(`${rootFolder}/usr/lib/postgresql/*/bin`).sort((a, b) => parseVersion(b) - parseVersion(a))
}

function buildLibraryPath(): string {
  return globSync(`${UNPACKED_FOLDER}/usr/lib/*-linux-gnu*`).join(':')
}

function runInstaller(command: string, commandArguments: string[]): void {
  spawnSync(command, commandArguments, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 240_000 })
}

/** Creates SERVERS_FOLDER. Throws if another user owns it or may write to it. */
function createServersFolder(): void {
  for (const subfolder of ['lists/partial', 'archives/partial', 'root']) {
    mkdirSync(join(SERVERS_FOLDER, subfolder), { recursive: true, mode: 0o755 })
  }
  const { uid, mode } = statSync(SERVERS_FOLDER)
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0)
    throw new Error(`${SERVERS_FOLDER} is owned or writable by another user: remove it.`)
}

function downloadPackages(missingProgramNames: TestProgramName[]): void {
  createServersFolder()
  const packageNames = missingProgramNames.map((name) => DEBIAN_PACKAGES[name])
  process.stderr.write(`Downloading Debian packages: ${packageNames.join(' ')} …\n`)
  const folderOptions = [
    '-o',
    `Dir::State::lists=${SERVERS_FOLDER}/lists`,
    '-o',
    `Dir::Cache::archives=${SERVERS_FOLDER}/archives`,
  ]
  const aptOptions = [...folderOptions, '-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=', '-qq']
  runInstaller('apt-get', [...aptOptions, 'update'])
  runInstaller('apt-get', [
    ...aptOptions,
    '-y',
    '--no-install-recommends',
    '--download-only',
    'install',
    ...packageNames,
  ])
  for (const file of globSync(`${SERVERS_FOLDER}/archives/*.deb`))
    runInstaller('dpkg', ['-x', file, UNPACKED_FOLDER])
}

/** Downloads missing programs. Throws if one is still missing afterwards. */
export function ensurePrograms(names: readonly TestProgramName[] = TEST_SERVERS): void {
  const listMissingPrograms = () => names.filter((name) => !findProgram(name))
  if (listMissingPrograms().length > 0) downloadPackages(listMissingPrograms())
  const missingProgramNames = listMissingPrograms()
  if (missingProgramNames.length === 0) return
  throw new Error(
    `${missingProgramNames.join(', ')} must be on the PATH: install ${missingProgramNames.length > 1 ? 'them' : 'it'} (Debian: apt-get install ${missingProgramNames.map((name) => DEBIAN_PACKAGES[name]).join(' ')}).`,
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
