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

/** Installs the packages of the lock file, unless the same versions are already installed. */
export function installPackages() {
  if (existsSync(PINNED_NODE) && arePackagesInstalled()) return
  process.stderr.write('Installing packages …\n')
  runProgram('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
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

/** Returns true if each package of the lock file is installed in the same version, however it was installed. */
function arePackagesInstalled() {
  if (!existsSync(INSTALLED_LOCK_FILE)) return false
  const [wantedPackages, installedPackages] = [LOCK_FILE, INSTALLED_LOCK_FILE].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')).packages,
  )
  return Object.entries(wantedPackages).every(([path, wanted]) => {
    const installed = installedPackages[path]
    if (installed) return installed.version === wanted.version && installed.integrity === wanted.integrity
    const isProject = path === ''
    // npm leaves out optional packages of other platforms.
    return isProject || wanted.optional
  })
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
