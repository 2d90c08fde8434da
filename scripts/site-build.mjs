/**
 * Builds dist/ when its sources or settings have changed since the last build. This file is plain JavaScript that
 * Node 20 can run, because the pinned Node may not be installed yet.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { runProgram } from './install.mjs'

const INPUT_HASH_FILE = 'dist/.stamp'
/**
 * Returns one hash over all inputs of the build. After a successful build, INPUT_HASH_FILE contains the hash of the
 * inputs of this build.
 */
function hashBuildInputs(nodePath) {
  const inputHash = createHash('sha256')
  const { files, config } = JSON.parse(
    runProgram(nodePath, ['scripts/site-sources.ts'], { shouldCaptureOutput: true }),
  )
  for (const file of files) inputHash.update(file).update(readFileSync(file))
  return inputHash.update(JSON.stringify(config)).digest('hex')
}

/** Returns the hash of the inputs if the site must be built; null if dist/ is current. */
export function hashInputsIfBuildNeeded(nodePath) {
  const inputHash = hashBuildInputs(nodePath)
  return existsSync(INPUT_HASH_FILE) && readFileSync(INPUT_HASH_FILE, 'utf8') === inputHash ? null : inputHash
}

/**
 * Starts to build the site with the Node program `nodePath`. `exitCodePromise` resolves with the exit code, 0 if the
 * site was built. `stop` ends the build; after the end of the build, `stop` has no effect.
 */
export function startSiteBuild(nodePath, inputHash) {
  process.stderr.write('Building the site …\n')
  rmSync(INPUT_HASH_FILE, { force: true })
  // The build starts other programs. `stop` reaches all of them, because they are in a process group of their own.
  const buildProcess = spawn(nodePath, ['scripts/build.ts'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
  const exitCodePromise = once(buildProcess, 'exit').then(([code]) => {
    if (code !== 0) return code ?? 1
    mkdirSync('dist', { recursive: true })
    writeFileSync(INPUT_HASH_FILE, inputHash)
    return 0
  })
  const stop = () => {
    if (buildProcess.exitCode === null && buildProcess.signalCode === null) process.kill(-buildProcess.pid)
  }
  return { exitCodePromise, stop }
}

/** Builds the site, unless dist/ is current. The exit code of the build becomes that of this process. */
export async function buildSiteIfNeeded(nodePath) {
  const inputHash = hashInputsIfBuildNeeded(nodePath)
  if (inputHash !== null) process.exitCode = await startSiteBuild(nodePath, inputHash).exitCodePromise
}
