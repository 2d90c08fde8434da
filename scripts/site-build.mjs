/**
 * Builds dist/ when its sources or settings have changed since the last build. It is plain JavaScript that Node 20
 * can run, because the pinned Node may not be installed yet.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { runProgram } from './install.mjs'

const STAMP_FILE = 'dist/.stamp'
/** Returns a hash of every input of the build; equal hashes mean that dist/ is current. */
function hashBuildInputs(nodePath) {
  const inputHash = createHash('sha256')
  const { files, config } = JSON.parse(
    runProgram(nodePath, ['scripts/site-sources.ts'], { shouldCapture: true }),
  )
  for (const file of files) inputHash.update(file).update(readFileSync(file))
  return inputHash.update(JSON.stringify(config)).digest('hex')
}

/**
 * Builds the site with the Node program `nodePath`, unless dist/ is current. Exits this process with the status of the
 * build if the build fails.
 */
export function buildSiteIfNeeded(nodePath) {
  const inputHash = hashBuildInputs(nodePath)
  if (existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, 'utf8') === inputHash) return
  process.stderr.write('Building the site …\n')
  runProgram(nodePath, ['scripts/build.ts'])
  mkdirSync('dist', { recursive: true })
  writeFileSync(STAMP_FILE, inputHash)
}
