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
function step(name, command, args, { count, settings = {} } = {}) {
  process.stderr.write(`\n── ${name}\n`)
  const env = {
    ...process.env,
    PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH ?? ''}`,
    FORCE_COLOR: '0',
    ...settings,
  }
  const { status } = spawnSync(command, args, { stdio: 'inherit', env })
  const [good, bad] = count?.() ?? [status === 0 ? 1 : 0, 0]
  passed += good
  failed += status !== 0 && bad === 0 ? 1 : bad
}

/** One run of the test files in `folders` (all, when none is named) on `database`. */
function vitest(name, database, folders = []) {
  const report = join(reports, `${database}.json`)
  const args = ['run', ...folders, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const count = safely(() => {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    return [numPassedTests, numFailedTests]
  })
  step(name, 'vitest', args, { count, settings: { MARQUEE_TEST_DB: database } })
}

/** A journey that passed the second time only is named and counts as passed: a machine may stand still for a while. */
function playwrightCount() {
  const { stats, suites } = JSON.parse(readFileSync(join(reports, 'e2e.json'), 'utf8'))
  for (const { file, title } of specsOf(suites).filter(({ tests }) => tests.some(isFlaky)))
    process.stdout.write(`passed the second time only: ${file}: ${title}\n`)
  return [stats.expected + stats.flaky, stats.unexpected + stats.skipped]
}
const specsOf = (suites = []) => suites.flatMap(({ specs, suites: inner }) => [...specs, ...specsOf(inner)])
const isFlaky = ({ status }) => status === 'flaky'

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
step('PostgreSQL, Redis, nginx and Caddy for the tests', PINNED_NODE, ['scripts/servers.ts'])
vitest('unit and server tests, on SQLite', 'sqlite')
vitest('server tests, on PostgreSQL and Redis', 'postgres+redis', ['tests/server', 'tests/scale'])
run(PINNED_NODE, ['scripts/browser.ts'])
process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = join(reports, 'e2e.json')
step('browser journeys', 'playwright', ['test', '--reporter=list,json', '--retries=1'], {
  count: safely(playwrightCount),
})
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
