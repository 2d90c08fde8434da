/**
 * Runs every check and test, two lanes at a time (made for two cores), and prints `N passed, N failed` last:
 * first the checks beside the installation of the programs that the tests start, then unit and server tests beside the
 * browser journeys, then what measures time, alone.
 */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LaneStep, runLanes, type StepResult } from './command-lanes.ts'

/** Journeys that may pass at the second try in one run; more mean that something is wrong. */
const MAX_SECOND_TRIES = 2

const reports = mkdtempSync(join(tmpdir(), 'marquee-test-'))
let passed = 0
let failed = 0
let secondTries = 0

/** Counts a step that reports no tests of its own as one test. */
function countSteps(results: StepResult[]): boolean {
  for (const { isOk } of results) isOk ? passed++ : failed++
  return results.every(({ isOk }) => isOk)
}

function vitest(name: string, args: string[]): LaneStep & { count: () => void } {
  const report = join(reports, `${name}.json`)
  return {
    name,
    command: 'vitest',
    args: ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    env: { NO_COLOR: '1' },
    isStreamed: true,
    count: () => {
      const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
      passed += numPassedTests
      failed += numFailedTests
    },
  }
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: { file: string; title: string; tests: { status: string }[] }[]
}

function playwright(name: string, args: string[]): LaneStep & { count: () => void } {
  const report = join(reports, `${name}.json`)
  return {
    name,
    command: 'playwright',
    args: ['test', ...args, '--reporter=list,json', '--retries=1'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    isStreamed: true,
    count: () => {
      const { stats, suites } = JSON.parse(readFileSync(report, 'utf8'))
      passed += stats.expected + stats.flaky
      failed += stats.unexpected + stats.skipped
      secondTries += stats.flaky
      for (const { file, title, tests } of collectSpecs(suites))
        if (tests.some(({ status }) => status === 'flaky'))
          process.stderr.write(`passed at the second try: ${file}: ${title}\n`)
    },
  }
}
const collectSpecs = (suites: PlaywrightSuite[] = []): PlaywrightSuite['specs'] =>
  suites.flatMap(({ specs, suites }) => [...specs, ...collectSpecs(suites)])

/** A step that fails without any failed test (a crash, a missing report) counts as one failure. */
async function runAndCount(lanes: (LaneStep & { count: () => void })[][]): Promise<void> {
  const results = await runLanes(lanes)
  for (const step of lanes.flat()) {
    const failedBefore = failed
    const isOk = results.find(({ name }) => name === step.name)?.isOk === true
    try {
      step.count()
    } catch (error) {
      process.stderr.write(`${step.name} left no report: ${error}\n`)
    }
    if (!isOk && failed === failedBefore) failed++
  }
}

const arePrerequisitesMet = countSteps(
  await runLanes([
    [{ name: 'check', command: process.execPath, args: ['scripts/check.ts'], isStreamed: true }],
    [
      { name: 'servers for the tests', command: process.execPath, args: ['scripts/servers.ts'] },
      { name: 'browser for the tests', command: process.execPath, args: ['scripts/browser.ts'] },
    ],
  ]),
)
if (arePrerequisitesMet) {
  await runAndCount([
    [vitest('unit and server tests', ['--maxWorkers=1'])],
    [playwright('browser journeys', ['--project=journeys', '--workers=1'])],
  ])
  await runAndCount([[playwright('measured journeys', ['--project=measured', '--workers=1'])]])
}
if (secondTries > MAX_SECOND_TRIES) {
  process.stderr.write(`${secondTries} journeys needed a second try; at most ${MAX_SECOND_TRIES} may.\n`)
  failed++
}
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
