/** `npm test`: from a fresh clone to every test run. Ends with `N passed, N failed`. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install, PINNED_NODE, run } from './install.mjs'

install()
const reports = mkdtempSync(join(tmpdir(), 'marquee-test-'))
let passed = 0
let failed = 0

/** Counts what a step reports; a step that reports nothing and fails counts as one failure. */
function step(name, command, args, count) {
  process.stderr.write(`\n── ${name}\n`)
  const env = {
    ...process.env,
    PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH ?? ''}`,
    FORCE_COLOR: '0',
  }
  const { status } = spawnSync(command, args, { stdio: 'inherit', env })
  const [good, bad] = count?.() ?? [status === 0 ? 1 : 0, 0]
  passed += good
  failed += status !== 0 && bad === 0 ? 1 : bad
}

function vitestCount() {
  const report = JSON.parse(readFileSync(join(reports, 'unit.json'), 'utf8'))
  return [report.numPassedTests, report.numFailedTests]
}

function playwrightCount() {
  const { stats } = JSON.parse(readFileSync(join(reports, 'e2e.json'), 'utf8'))
  return [stats.expected, stats.unexpected + stats.flaky + stats.skipped]
}

const safely = (count) => () => {
  try {
    return count()
  } catch {
    return [0, 0]
  }
}

step('check', PINNED_NODE, ['scripts/check.ts'])
run(PINNED_NODE, ['scripts/build.ts'])
step('budgets', 'size-limit', [])
const vitest = [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${join(reports, 'unit.json')}`,
]
step('unit and server tests, on SQLite and PostgreSQL', 'vitest', vitest, safely(vitestCount))
run(PINNED_NODE, ['scripts/browser.ts'])
process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = join(reports, 'e2e.json')
step('browser journeys', 'playwright', ['test', '--reporter=list,json'], safely(playwrightCount))
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
