/**
 * `npm start`: from a fresh clone to a served product. Plain JavaScript that Node 20 can run: the pinned Node that runs
 * the rest may not be installed yet.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { install, PINNED_NODE, run } from './install.mjs'

const STAMP = 'dist/.stamp'

/** Of everything that the site is built from; equal means that there is nothing to build. */
function fingerprint() {
  const hash = createHash('sha256')
  const sources = JSON.parse(run(PINNED_NODE, ['scripts/site-sources.ts'], { capture: true }))
  for (const file of sources) hash.update(file).update(readFileSync(file))
  for (const name of ['SITE_NAME', 'IMAGE_BASE_URL']) hash.update(`${name}=${process.env[name] ?? ''}`)
  return hash.digest('hex')
}

install()
const wanted = fingerprint()
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== wanted) {
  process.stderr.write('Building the site …\n')
  run(PINNED_NODE, ['scripts/build.ts'])
  mkdirSync('dist', { recursive: true })
  writeFileSync(STAMP, wanted)
}
const server = spawn(PINNED_NODE, ['server/main.ts'], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => process.exit(code ?? 1))
