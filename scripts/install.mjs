/** Installs npm packages when the lock file has changed. Must run on the system's Node (20 or newer). */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The Node version that package.json pins; it is installed from the npm registry as the package `node`. */
export const PINNED_NODE = resolve('node_modules/.bin/node')
/** Folder for compiled server code (Node's NODE_COMPILE_CACHE). It halves the time of later starts. */
export const COMPILE_CACHE = resolve('node_modules/.cache/node-compile')
const STAMP_FILE = 'node_modules/.installed'

/**
 * Runs a command with the project's tools on the PATH. Exits this process if it fails. Returns stdout with
 * `shouldCapture`.
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

/** Does nothing if the installed packages match the lock file. */
export function installPackages() {
  const lockfileHash = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  if (existsSync(PINNED_NODE) && existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, 'utf8') === lockfileHash)
    return
  process.stderr.write('Installing packages …\n')
  runProgram('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
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
  writeFileSync(STAMP_FILE, lockfileHash)
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
