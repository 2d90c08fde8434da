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

const TARGETS = { interactionMs: 100, filtersMs: 120, cls: 0.02, framesPerSecond: 50, repeatVisitMs: 400 }
const RUNS_PER_MEASUREMENT = 5
/** Interactions with a shorter duration are not reported by the Event Timing API. */
const SHORTEST_REPORTED_MS = 16

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '3' },
    only: { type: 'string', default: 'session,visits,frames,repeat' },
  },
})
let hasMissedTarget = false

const printLine = (line: string) => process.stdout.write(`${line}\n`)
function printResult(
  name: string,
  value: number,
  target: number,
  { digits = 0, isMinimum = false, suffix = '' } = {},
) {
  const isMet = isMinimum ? value >= target : value <= target
  hasMissedTarget ||= !isMet
  const comparison = isMinimum ? '>=' : '<='
  const status = isMet ? 'ok  ' : 'MISS'
  printLine(
    `${status} ${name.padEnd(46)} ${value.toFixed(digits).padStart(7)} (target ${comparison} ${target})${suffix}`,
  )
}
const getDurationMs = ({ interaction }: SessionStep) => interaction?.durationMs ?? SHORTEST_REPORTED_MS

async function measureSessions(household: BenchHousehold): Promise<void> {
  const runs: SessionStep[][] = []
  let cls = 0
  for (let session = 0; session < Number(values.sessions); session++) {
    const page = await openSlowTab(household.context)
    const { steps, shifts } = await runUserSession(page, household.base)
    await page.close()
    runs.push(steps)
    for (const shift of shifts.filter(({ value }) => value > TARGETS.cls / 2))
      printLine(`     layout shift ${shift.value.toFixed(3)} on ${shift.path}: ${shift.sources[0] ?? ''}`)
    const paths = new Set(shifts.map(({ path }) => path))
    for (const path of paths)
      cls = Math.max(cls, computeCumulativeLayoutShift(shifts.filter((shift) => shift.path === path)))
  }
  const getMedianOfQuantiles = (fraction: number) =>
    getMedian(
      runs.map((steps) =>
        getQuantile(
          steps.map((step) => getDurationMs(step)),
          fraction,
        ),
      ),
    )
  printLine(`session: ${runs[0]?.length} interactions, medians of ${runs.length} sessions`)
  printResult('interaction to next paint, p50 (ms)', getMedianOfQuantiles(0.5), TARGETS.interactionMs)
  printResult('interaction to next paint, p95 (ms)', getMedianOfQuantiles(0.95), TARGETS.interactionMs)
  printLine(`     p98 ${getMedianOfQuantiles(0.98)} ms`)
  const openings = runs.flat().filter(({ name }) => name === 'filters: open')
  printResult('opening the filters (ms)', getMedian(openings.map(getDurationMs)), TARGETS.filtersMs)
  const slowestSteps = runs
    .flat()
    .sort((a, b) => getDurationMs(b) - getDurationMs(a))
    .slice(0, 5)
  for (const { name, interaction } of slowestSteps)
    if (interaction)
      printLine(
        `     ${interaction.durationMs} ms ${name}: ${interaction.event}, delay ${Math.round(interaction.inputDelayMs)}, processing ${Math.round(interaction.processingMs)}, presentation ${Math.round(interaction.presentationDelayMs)}`,
      )
  printResult('cumulative layout shift of a page, whole session', cls, TARGETS.cls, { digits: 3 })
}

async function measureVisits(household: BenchHousehold): Promise<void> {
  for (const { path, size, cls, largestShift } of await measureAllPages(household)) {
    const suffix = cls > TARGETS.cls ? ` ${largestShift?.sources[0] ?? ''}` : ''
    printResult(`cumulative layout shift ${size} ${path}`, cls, TARGETS.cls, { digits: 3, suffix })
  }
}

async function measureFrames(household: BenchHousehold): Promise<void> {
  const page = await openSlowTab(household.context)
  await page.goto(`${household.base}/`)
  await page.locator('.row-track a').first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(6_000)
  for (const input of ['wheel', 'arrows', 'page'] as const) {
    const runs = []
    for (let run = 0; run < RUNS_PER_MEASUREMENT; run++)
      runs.push(await measureRowScroll(household.browser, page, input))
    const suffix = `, requestAnimationFrame interval p95 ${getMedian(runs.map(({ intervalP95Ms }) => intervalP95Ms)).toFixed(0)} ms`
    const framesPerSecond = getMedian(runs.map(({ perSecond }) => perSecond))
    printResult(`frames per second, ${input}`, framesPerSecond, TARGETS.framesPerSecond, {
      isMinimum: true,
      suffix,
    })
  }
  await page.close()
}

async function measureRepeatVisits(household: BenchHousehold): Promise<void> {
  await warmUpCaches(household)
  const visits = []
  for (let run = 0; run < RUNS_PER_MEASUREMENT; run++) visits.push(await measureRepeatVisit(household))
  const suffix = `, p90 ${Math.round(
    getQuantile(
      visits.map(({ lcpMs }) => lcpMs),
      0.9,
    ),
  )}, ${visits[0]?.element}; ${visits.map(({ lcpMs }) => Math.round(lcpMs)).join(', ')}`
  printResult(
    'repeat visit of home, largest contentful paint (ms)',
    getMedian(visits.map(({ lcpMs }) => lcpMs)),
    TARGETS.repeatVisitMs,
    { suffix },
  )
}

const parts = {
  repeat: measureRepeatVisits,
  session: measureSessions,
  visits: measureVisits,
  frames: measureFrames,
}
const household = await startBenchHousehold()
try {
  await sampleMachineLoad()
  const selectedParts = values.only.split(',')
  for (const [name, measurePart] of Object.entries(parts))
    if (selectedParts.includes(name)) {
      await measurePart(household)
      await sampleMachineLoad()
    }
} finally {
  await household.close()
}
process.exit(reportMachineLoad() && hasMissedTarget ? 1 : 0)
