/**
 * Builds dist/ when its sources or settings have changed since the last build. It is plain JavaScript that Node 20
 * can run, because the pinned Node may not be installed yet.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { PINNED_NODE, run } from './install.mjs'

const STAMP = 'dist/.stamp'
/** Settings that change the built files. */
const BUILD_SETTINGS = ['SITE_NAME', 'IMAGE_BASE_URL']

/** Hash of every input of the build; equal hashes mean that dist/ is current. */
function hashBuildInputs() {
  const hash = createHash('sha256')
  const sources = JSON.parse(run(PINNED_NODE, ['scripts/site-sources.ts'], { capture: true }))
  for (const file of sources) hash.update(file).update(readFileSync(file))
  for (const name of BUILD_SETTINGS) hash.update(`${name}=${process.env[name] ?? ''}`)
  return hash.digest('hex')
}

/** Exits the process with the build's status when the build fails. */
export function buildSiteIfNeeded() {
  const inputs = hashBuildInputs()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === inputs) return
  process.stderr.write('Building the site …\n')
  run(PINNED_NODE, ['scripts/build.ts'])
  mkdirSync('dist', { recursive: true })
  writeFileSync(STAMP, inputs)
}
