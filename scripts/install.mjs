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
    process.stderr.write(`${[command, ...commandArguments].join(' ')} failed.\n`)
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
  writeFileSync(STAMP_FILE, lockfileHash)
}
