/** Installs npm packages when the lock file has changed. Must run on the system's Node (20 or newer). */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The Node version that package.json pins; it is installed from the npm registry as the package `node`. */
export const PINNED_NODE = resolve('node_modules/.bin/node')
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
 * installation takes two thirds of the time.
 */
export function installPackages({ needsDevPackages }) {
  const [wantedPackages, installedPackages] = [LOCK_FILE, INSTALLED_LOCK_FILE].map(readLockedPackages)
  const includesDev = needsDevPackages || Object.values(installedPackages).some(({ dev }) => dev)
  const isInstalled = (options) =>
    existsSync(PINNED_NODE) && findWrongPackages(wantedPackages, installedPackages, options).length === 0
  if (isInstalled({ includesDev })) return
  process.stderr.write('Installing packages …\n')
  // `npm ci` first deletes all packages, also those that a running server uses. `npm install` keeps them.
  const installCommand = isInstalled({ includesDev: false }) ? ['install', '--no-save'] : ['ci']
  const devOption = includesDev ? '--include=dev' : '--omit=dev'
  runProgram('npm', [...installCommand, devOption, '--no-audit', '--no-fund', '--loglevel=error'])
  if (!existsSync(PINNED_NODE)) {
    process.stderr.write(
      'The pinned Node version was not installed: allow the install script of the package "node" (package.json, allowScripts).\n',
    )
    process.exit(1)
  }
  const nodeProblem = findNodeProblem(PINNED_NODE)
  if (nodeProblem !== null) {
    process.stderr.write(`${nodeProblem}\n`)
    process.exit(1)
  }
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
 * Returns why a Node program does not run on this machine, with the remedy; null if it runs. Called only after an
 * installation, so that later starts take no additional time.
 */
export function findNodeProblem(nodePath) {
  const { status, error, stderr } = spawnSync(nodePath, ['--version'], { encoding: 'utf8' })
  if (status === 0) return null
  const cause = (error?.message ?? stderr ?? '').trim() || `it exits with ${status}`
  const remedy = /libatomic/.test(cause)
    ? 'Install the missing library (Debian and Ubuntu: apt install libatomic1; Fedora: dnf install libatomic), then run npm start again.'
    : 'It needs Linux with glibc 2.28 or newer (not Alpine), or macOS. Elsewhere, use a container (deploy/README.md).'
  return `The pinned Node version does not run on this machine: ${cause}\n${remedy}`
}
