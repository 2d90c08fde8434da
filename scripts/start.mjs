/**
 * `npm start`: from a fresh clone to a served product. Plain JavaScript that Node 20 can run: the pinned Node that runs
 * the rest may not be installed yet.
 */
import { spawn } from 'node:child_process'
import { install, PINNED_NODE } from './install.mjs'
import { buildSiteIfNeeded } from './site-build.mjs'

install()
buildSiteIfNeeded()
const server = spawn(PINNED_NODE, ['server/main.ts'], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => process.exit(code ?? 1))
