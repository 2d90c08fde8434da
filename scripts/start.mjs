/**
 * `npm start`: installs packages and builds the site if needed, and starts the server. It is plain JavaScript that Node
 * 20 can run, because the pinned Node may not be installed yet.
 */
import { spawn } from 'node:child_process'
import { COMPILE_CACHE, installPackages } from './install.mjs'
import { buildSiteIfNeeded } from './site-build.mjs'

const nodePath = installPackages({ needsDevPackages: false })
buildSiteIfNeeded(nodePath)
/**
 * A household needs little throughput, but its machine often has little memory. A small space for new objects (in MB)
 * saves memory; so does a low threshold (in bytes) above which freed memory returns to the system
 * (docs/decisions/0054-memory-of-npm-start.md).
 */
const NODE_ARGUMENTS = ['--max-semi-space-size=4']
const serverEnv = {
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  MALLOC_TRIM_THRESHOLD_: String(2 ** 20),
  ...process.env,
}
const serverProcess = spawn(nodePath, [...NODE_ARGUMENTS, 'server/main.ts'], {
  stdio: 'inherit',
  env: serverEnv,
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => serverProcess.kill(signal))
serverProcess.on('exit', (code) => process.exit(code ?? 1))
