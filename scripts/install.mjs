/** Installs what is missing, once per lock file. Runs on the machine's own Node (20 or newer). */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The Node that package.json pins; it comes from the registry like every other package. */
export const PINNED_NODE = resolve('node_modules/.bin/node')
const STAMP = 'node_modules/.installed'

export function run(command, args, { capture = false } = {}) {
  const env = { ...process.env, PATH: `${resolve('node_modules/.bin')}:${process.env.PATH ?? ''}` }
  const result = spawnSync(command, args, {
    stdio: capture ? ['ignore', 'pipe', 'inherit'] : 'inherit',
    encoding: 'utf8',
    env,
  })
  if (result.status !== 0) {
    process.stderr.write(`${[command, ...args].join(' ')} failed.\n`)
    process.exit(result.status ?? 1)
  }
  return result.stdout ?? ''
}

export function install() {
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  if (existsSync(PINNED_NODE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return
  process.stderr.write('Installing packages …\n')
  // Not `npm ci`: it wants the optional packages of every platform in the lock file, where a registry may lack some.
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])
  if (!existsSync(PINNED_NODE)) {
    process.stderr.write(
      'The pinned Node was not installed: allow the install script of the package "node" (package.json, allowScripts).\n',
    )
    process.exit(1)
  }
  writeFileSync(STAMP, lock)
}
