/**
 * `npm start`: installs packages and builds the site if needed, and starts the server. This file is plain JavaScript
 * that Node 20 can run, because the pinned Node may not be installed yet.
 */
import { spawn } from 'node:child_process'
import { COMPILE_CACHE, installPackages } from './install.mjs'
import { hashInputsIfBuildNeeded, startSiteBuild } from './site-build.mjs'

const nodePath = installPackages({ needsDevPackages: false })
const inputHash = hashInputsIfBuildNeeded(nodePath)
const siteBuild = inputHash === null ? null : startSiteBuild(nodePath, inputHash)
/**
 * A household needs little throughput, but its machine often has little memory. Three settings save memory
 * (docs/decisions/0054-memory-of-npm-start.md): a small space for new objects (`--max-semi-space-size`, in MB), a low
 * threshold above which freed memory returns to the system (MALLOC_TRIM_THRESHOLD_, in bytes), and a single arena of
 * the allocator for all threads (MALLOC_ARENA_MAX).
 */
const NODE_ARGUMENTS = ['--max-semi-space-size=4']
const serverEnv = {
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  MALLOC_TRIM_THRESHOLD_: String(2 ** 20),
  MALLOC_ARENA_MAX: '1',
  ...process.env,
}
// With `--wait-for-site`, the server migrates the database and fills it with demo data during the build, and listens
// when the site is built.
const serverArguments = siteBuild ? ['--wait-for-site'] : []
const serverProcess = spawn(nodePath, [...NODE_ARGUMENTS, 'server/main.ts', ...serverArguments], {
  stdio: ['inherit', 'inherit', 'inherit', ...(siteBuild ? ['ipc'] : [])],
  env: serverEnv,
})
let exitCode = 0
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    siteBuild?.stop()
    serverProcess.kill(signal)
  })
serverProcess.on('exit', (code) => {
  siteBuild?.stop()
  process.exit(exitCode || (code ?? 1))
})
if (siteBuild) {
  exitCode = await siteBuild.exitCodePromise
  if (exitCode === 0) serverProcess.send('site is built', () => serverProcess.disconnect())
  else serverProcess.kill()
}
