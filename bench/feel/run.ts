/**
 * Measures how responsive the site is with 6x CPU throttling: interaction to next paint in a scripted
 * session, layout shift on each page, frame rate of scrolling rows, and a repeat visit of the home page. Each
 * result is printed with its target. The exit code is 1 if a target is missed, except on a busy machine.
 * `--sessions 3` sets the number of sessions, `--only session,visits,frames,repeat` selects parts.
 */
import { parseArgs } from 'node:util'
import { reportMachineLoad, sampleMachineLoad } from '../load-samples.ts'
import { getMedian, getQuantile } from '../statistics.ts'
import { type BenchHousehold, openSlowTab, startBenchHousehold } from './bench-household.ts'
import { measureRowScroll } from './frames.ts'
import { measureAllPages } from './page-visits.ts'
import { computeCumulativeLayoutShift } from './performance-entries.ts'
import { measureRepeatVisit, warmUpCaches } from './repeat-visit.ts'
import { runUserSession, type SessionStep } from './user-session.ts'

const TARGET_VALUES = {
  interactionMs: 100,
  filtersMs: 120,
  cls: 0.02,
  framesPerSecond: 50,
  repeatVisitMs: 400,
}
const RUNS_PER_MEASUREMENT = 5
/** Interactions with a shorter duration are not reported by the Event Timing API. */
const SHORTEST_REPORTED_MS = 16

const { values: optionValues } = parseArgs({
  options: {
    sessions: { type: 'string', default: '3' },
    only: { type: 'string', default: 'session,visits,frames,repeat' },
  },
})
let hasMissedTarget = false

const printLine = (line: string) => process.stdout.write(`${line}\n`)
function printResult(
  resultName: string,
  measuredValue: number,
  targetValue: number,
  { fractionDigits = 0, isMinimum = false, suffix = '' } = {},
) {
  const isTargetMet = isMinimum ? measuredValue >= targetValue : measuredValue <= targetValue
  hasMissedTarget ||= !isTargetMet
  const comparisonOperator = isMinimum ? '>=' : '<='
  const statusLabel = isTargetMet ? 'ok  ' : 'MISS'
  printLine(
    `${statusLabel} ${resultName.padEnd(46)} ${measuredValue.toFixed(fractionDigits).padStart(7)} (target ${comparisonOperator} ${targetValue})${suffix}`,
  )
}
const getDurationMs = ({ interaction }: SessionStep) => interaction?.durationMs ?? SHORTEST_REPORTED_MS

async function measureSessions(household: BenchHousehold): Promise<void> {
  const sessionSteps: SessionStep[][] = []
  let largestShiftSum = 0
  for (let sessionIndex = 0; sessionIndex < Number(optionValues.sessions); sessionIndex++) {
    const page = await openSlowTab(household.context)
    const { steps, shifts } = await runUserSession(page, household.baseUrl)
    await page.close()
    sessionSteps.push(steps)
    for (const shift of shifts.filter(({ value }) => value > TARGET_VALUES.cls / 2))
      printLine(`     layout shift ${shift.value.toFixed(3)} on ${shift.path}: ${shift.sources[0] ?? ''}`)
    const shiftedPagePaths = new Set(shifts.map(({ path }) => path))
    for (const pagePath of shiftedPagePaths)
      largestShiftSum = Math.max(
        largestShiftSum,
        computeCumulativeLayoutShift(shifts.filter((shift) => shift.path === pagePath)),
      )
  }
  const getMedianOfQuantiles = (fraction: number) =>
    getMedian(
      sessionSteps.map((steps) =>
        getQuantile(
          steps.map((step) => getDurationMs(step)),
          fraction,
        ),
      ),
    )
  printLine(`session: ${sessionSteps[0]?.length} interactions, medians of ${sessionSteps.length} sessions`)
  printResult('interaction to next paint, p50 (ms)', getMedianOfQuantiles(0.5), TARGET_VALUES.interactionMs)
  printResult('interaction to next paint, p95 (ms)', getMedianOfQuantiles(0.95), TARGET_VALUES.interactionMs)
  printLine(`     p98 ${getMedianOfQuantiles(0.98)} ms`)
  const filterOpeningSteps = sessionSteps.flat().filter(({ name }) => name === 'filters: open')
  printResult(
    'opening the filters (ms)',
    getMedian(filterOpeningSteps.map(getDurationMs)),
    TARGET_VALUES.filtersMs,
  )
  const slowestSteps = sessionSteps
    .flat()
    .sort((a, b) => getDurationMs(b) - getDurationMs(a))
    .slice(0, 5)
  for (const { name, interaction } of slowestSteps)
    if (interaction)
      printLine(
        `     ${interaction.durationMs} ms ${name}: ${interaction.event}, delay ${Math.round(interaction.inputDelayMs)}, processing ${Math.round(interaction.processingMs)}, presentation ${Math.round(interaction.presentationDelayMs)}`,
      )
  printResult('cumulative layout shift of a page, whole session', largestShiftSum, TARGET_VALUES.cls, {
    fractionDigits: 3,
  })
}

async function measureVisits(household: BenchHousehold): Promise<void> {
  for (const { path, viewportName, cls, largestShift } of await measureAllPages(household)) {
    const suffix = cls > TARGET_VALUES.cls ? ` ${largestShift?.sources[0] ?? ''}` : ''
    printResult(`cumulative layout shift ${viewportName} ${path}`, cls, TARGET_VALUES.cls, {
      fractionDigits: 3,
      suffix,
    })
  }
}

async function measureFrames(household: BenchHousehold): Promise<void> {
  const page = await openSlowTab(household.context)
  await page.goto(`${household.baseUrl}/`)
  await page.locator('.row-track a').first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(6_000)
  for (const inputKind of ['wheel', 'arrows', 'page'] as const) {
    const frameRuns = []
    for (let runIndex = 0; runIndex < RUNS_PER_MEASUREMENT; runIndex++)
      frameRuns.push(await measureRowScroll(household.browser, page, inputKind))
    const suffix = `, requestAnimationFrame interval p95 ${getMedian(frameRuns.map(({ intervalP95Ms }) => intervalP95Ms)).toFixed(0)} ms`
    const medianFramesPerSecond = getMedian(frameRuns.map(({ framesPerSecond }) => framesPerSecond))
    printResult(`frames per second, ${inputKind}`, medianFramesPerSecond, TARGET_VALUES.framesPerSecond, {
      isMinimum: true,
      suffix,
    })
  }
  await page.close()
}

async function measureRepeatVisits(household: BenchHousehold): Promise<void> {
  await warmUpCaches(household)
  const repeatVisits = []
  for (let runIndex = 0; runIndex < RUNS_PER_MEASUREMENT; runIndex++)
    repeatVisits.push(await measureRepeatVisit(household))
  const suffix = `, p90 ${Math.round(
    getQuantile(
      repeatVisits.map(({ lcpMs }) => lcpMs),
      0.9,
    ),
  )}, ${repeatVisits[0]?.element}; ${repeatVisits.map(({ lcpMs }) => Math.round(lcpMs)).join(', ')}`
  printResult(
    'repeat visit of home, largest contentful paint (ms)',
    getMedian(repeatVisits.map(({ lcpMs }) => lcpMs)),
    TARGET_VALUES.repeatVisitMs,
    { suffix },
  )
}

const measurementsByPartName = {
  repeat: measureRepeatVisits,
  session: measureSessions,
  visits: measureVisits,
  frames: measureFrames,
}
const household = await startBenchHousehold()
try {
  await sampleMachineLoad()
  const selectedParts = optionValues.only.split(',')
  for (const [partName, measurePart] of Object.entries(measurementsByPartName))
    if (selectedParts.includes(partName)) {
      await measurePart(household)
      await sampleMachineLoad()
    }
} finally {
  await household.close()
}
process.exit(reportMachineLoad() && hasMissedTarget ? 1 : 0)
