/**
 * `npm start`: installs packages and builds the site if needed, and starts the server. It is plain JavaScript that Node
 * 20 can run, because the pinned Node may not be installed yet.
 */
import { spawn } from 'node:child_process'
import { COMPILE_CACHE, installPackages, PINNED_NODE } from './install.mjs'
import { buildSiteIfNeeded } from './site-build.mjs'

installPackages()
buildSiteIfNeeded()
const serverEnv = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env }
const serverProcess = spawn(PINNED_NODE, ['server/main.ts'], { stdio: 'inherit', env: serverEnv })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => serverProcess.kill(signal))
serverProcess.on('exit', (code) => process.exit(code ?? 1))
