/**
 * Runs every check and test, for a machine with two cores. Prints `N passed, N failed` last. The order:
 * 1. the checks and, at the same time, the installation of the programs that the tests start; the next steps run only
 *    if both succeed;
 * 2. the unit and server tests and, at the same time, the installation of the browser; the tests run in three
 *    workers, because some of them only wait;
 * 3. the browser journeys, in three workers, because a journey spends a third of its time waiting for its page;
 * 4. the journeys that measure time, alone.
 */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LaneStep, runLanes } from './command-lanes.ts'

/**
 * Highest number of tests per run that may need a second try. The run fails when more tests need one. If more Vitest
 * files than this number have failed, they get no second try.
 */
const MAX_RETRIES = 2

const reportFolder = mkdtempSync(join(tmpdir(), 'marquee-test-'))
let passedCount = 0
let failedCount = 0
let retryCount = 0
/** Files with failed tests in the report of the last Vitest step. Empty if the step left no report. */
let failedTestFiles: string[] = []

type TestStep = LaneStep & { countResults: (isOk: boolean) => void }

/** Returns a step that counts as one test, because it reports no tests of its own. */
const createStepWithoutReport = (step: LaneStep): TestStep => ({
  ...step,
  countResults: (isOk) => {
    isOk ? passedCount++ : failedCount++
  },
})

const getReportFile = (stepName: string) => join(reportFolder, `${stepName}.json`)

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; status: string }[]
}

function createVitestStep(stepName: string, vitestArguments: string[]): TestStep {
  const reportFile = getReportFile(stepName)
  return {
    name: stepName,
    command: 'vitest',
    args: [
      'run',
      ...vitestArguments,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
    ],
    env: { NO_COLOR: '1' },
    isStreamed: true,
    countResults: () => {
      const report: VitestReport = JSON.parse(readFileSync(reportFile, 'utf8'))
      passedCount += report.numPassedTests
      failedCount += report.numFailedTests
      failedTestFiles = report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
    },
  }
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: { file: string; title: string; tests: { status: string }[] }[]
}

function createPlaywrightStep(
  stepName: string,
  workerCount: number,
  playwrightArguments: string[],
): TestStep {
  const reportFile = getReportFile(stepName)
  return {
    name: stepName,
    command: 'playwright',
    args: ['test', ...playwrightArguments, `--workers=${workerCount}`, '--reporter=list,json', '--retries=1'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile, E2E_SERVERS: String(workerCount) },
    isStreamed: true,
    countResults: () => {
      const { stats, suites } = JSON.parse(readFileSync(reportFile, 'utf8'))
      passedCount += stats.expected + stats.flaky
      failedCount += stats.unexpected + stats.skipped
      retryCount += stats.flaky
      for (const { file, title, tests } of collectSpecs(suites))
        if (tests.some(({ status }) => status === 'flaky'))
          process.stderr.write(`passed at the second try: ${file}: ${title}\n`)
    },
  }
}
const collectSpecs = (suites: PlaywrightSuite[] = []): PlaywrightSuite['specs'] =>
  suites.flatMap(({ specs, suites }) => [...specs, ...collectSpecs(suites)])

/**
 * Runs steps and counts their tests. A step that fails without any failed test (a crash, a missing report) counts as
 * one failure. Returns the names of the steps that failed.
 */
async function runLanesAndCountTests(lanes: TestStep[][]): Promise<string[]> {
  const stepResults = await runLanes(lanes)
  const failedStepNames: string[] = []
  for (const step of lanes.flat()) {
    const failedCountBefore = failedCount
    const isOk = stepResults.find(({ name }) => name === step.name)?.isOk === true
    if (!isOk) failedStepNames.push(step.name)
    try {
      step.countResults(isOk)
    } catch (error) {
      process.stderr.write(`${step.name} left no report: ${error}\n`)
    }
    if (!isOk && failedCount === failedCountBefore) failedCount++
  }
  return failedStepNames
}

/**
 * Runs the failed test files a second time, without other tests. If all tests of these files pass in the second try,
 * counts the failed tests as passed. Does nothing when more than MAX_RETRIES test files failed. `failedTestCount` is
 * the number of failures of the first try.
 */
async function retryFailedFiles(stepName: string, failedTestCount: number): Promise<void> {
  if (failedTestFiles.length === 0 || failedTestFiles.length > MAX_RETRIES) return
  const [result] = await runLanes([[createVitestStep(`second try of the ${stepName}`, failedTestFiles)]])
  if (!result?.isOk) return
  failedCount -= failedTestCount
  passedCount += failedTestCount
  retryCount += failedTestCount
  for (const file of failedTestFiles) process.stderr.write(`passed at the second try: ${file}\n`)
}

const checkStep = createStepWithoutReport({
  name: 'check',
  command: process.execPath,
  args: ['scripts/check.ts', '--without-house-tests'],
  isStreamed: true,
})
/** Returns a step that runs the script `scripts/<programName>.ts`. The script installs the program if necessary. */
const createInstallStep = (programName: string): TestStep =>
  createStepWithoutReport({
    name: `${programName} for the tests`,
    command: process.execPath,
    args: [`scripts/${programName}.ts`],
  })

const browserStep = createInstallStep('browser')
const failedPrerequisites = await runLanesAndCountTests([
  [checkStep],
  [createInstallStep('servers'), createInstallStep('ffmpeg')],
])
if (failedPrerequisites.length === 0) {
  const unitTestStep = createVitestStep('unit and server tests', ['--maxWorkers=3'])
  const failedStepNames = await runLanesAndCountTests([
    [unitTestStep],
    // Only the journeys need the browser. The browser is installed after ffmpeg, because two processes of apt-get
    // cannot run at the same time.
    [browserStep],
  ])
  if (failedStepNames.length === 1 && failedStepNames[0] === unitTestStep.name)
    await retryFailedFiles(unitTestStep.name, failedCount)
  if (!failedStepNames.includes(browserStep.name)) {
    // The journeys start after the other tests, because these tests would slow the pages down until journeys exceed
    // their timeouts.
    const journeyProjects = ['--project=journeys', '--project=journeys-with-pictures']
    await runLanesAndCountTests([[createPlaywrightStep('browser journeys', 3, journeyProjects)]])
    await runLanesAndCountTests([[createPlaywrightStep('measured journeys', 1, ['--project=measured'])]])
  }
}
if (retryCount > MAX_RETRIES) {
  process.stderr.write(`${retryCount} tests needed a second try; at most ${MAX_RETRIES} may.\n`)
  failedCount++
}
process.stdout.write(`\n${passedCount} passed, ${failedCount} failed\n`)
process.exit(failedCount === 0 ? 0 : 1)
