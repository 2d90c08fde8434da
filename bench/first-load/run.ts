/**
 * Measures the home page for a signed-in user with 6x CPU throttling and slow 4G (1.6 Mbit/s, 150 ms): the
 * largest contentful paint of a first visit (without cache and service worker) and of later visits, the bytes
 * of a first visit, and the time from a click on a card to the frame that shows the title. The same run
 * measures a hello-world page with React, and the home page as static HTML without JavaScript. The exit code
 * is 1 if a target is missed. On a busy machine, no result is compared with its target.
 * `--runs 15` sets the number of runs, `--only click` selects a part.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBenchHousehold, VIEWPORTS } from '../feel/bench-household.ts'
import { reportMachineLoad, sampleMachineLoad } from '../load-samples.ts'
import { getMedian, getQuantile } from '../statistics.ts'
import { serveBaselinePage } from './baseline-page.ts'
import { measureClicks } from './click.ts'
import { measurePageLoad, type PageLoad } from './page-load.ts'
import { serveStaticHome } from './static-home.ts'

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '15' }, only: { type: 'string', default: 'load,click' } },
})
const runs = Number(options.runs)
const selectedParts = new Set(options.only.split(','))
const TARGETS = {
  firstRatio: 1.3,
  laterRatio: 0.5,
  spread: 1.2,
  clickMs: 120,
  clickP90Ms: 180,
  firstVisitBytes: 220_000,
}
const HELLO_PORT = 23_000 + (process.pid % 250)
const STATIC_PORT = HELLO_PORT + 250
const READY = '.row-track a'
const folder = mkdtempSync(join(tmpdir(), 'marquee-first-load-'))
const missedTargets: string[] = []

const printLine = (line: string) => process.stdout.write(`${line}\n`)
const formatRounded = (value: number | undefined) => (value === undefined ? '-' : String(Math.round(value)))
function formatCheck(name: string, value: number, target: number): string {
  if (!(value <= target)) missedTargets.push(`${name} ${value.toFixed(2)} > ${target}`)
  return `${value.toFixed(2)} (target ${target})`
}
function printTimes(name: string, values: readonly number[]): void {
  const list = values.map(Math.round).join(', ')
  printLine(
    `${name}: median ${formatRounded(getMedian(values))} ms, p90 ${formatRounded(getQuantile(values, 0.9))} ms (${list})`,
  )
}

/** Prints the duration of each step up to the largest paint, for the home page and its static copy, and the difference. */
function printSteps(home: readonly PageLoad[], copy: readonly PageLoad[]): void {
  const getStep = (loads: readonly PageLoad[], step: keyof PageLoad['steps']) => {
    const values = loads.map(({ steps }) => steps[step]).filter((value) => value !== undefined)
    return values.length > 0 ? getMedian(values) : undefined
  }
  printLine('until the largest paint (medians, ms)   home   static HTML   difference')
  for (const step of ['document', 'data', 'picture', 'paint'] as const) {
    const [homeMs, copyMs] = [getStep(home, step), getStep(copy, step)]
    const difference = homeMs === undefined || copyMs === undefined ? undefined : homeMs - copyMs
    printLine(
      `  ${step.padEnd(36)} ${formatRounded(homeMs).padStart(6)} ${formatRounded(copyMs).padStart(13)} ${formatRounded(difference).padStart(12)}`,
    )
  }
}

function printBytes(loads: readonly PageLoad[]): void {
  const kinds = [...new Set(loads.flatMap(({ bytes }) => Object.keys(bytes)))]
  const medians = kinds.map((kind) => [kind, getMedian(loads.map(({ bytes }) => bytes[kind] ?? 0))] as const)
  const totalBytes = medians
    .filter(([kind]) => kind !== 'advance' && kind !== 'below')
    .reduce((sum, [, size]) => sum + size, 0)
  printLine(`bytes of a first visit: ${medians.map(([kind, size]) => `${kind} ${size}`).join(', ')}`)
  printLine(
    `  total without pages in advance and pictures below the first screen ${formatCheck('bytes of a first visit', totalBytes, TARGETS.firstVisitBytes)}`,
  )
}

async function measureLoads(base: string, household: Awaited<ReturnType<typeof startBenchHousehold>>) {
  const { browser, context } = household
  await serveBaselinePage(folder, HELLO_PORT)
  const page = await context.newPage()
  await page.setViewportSize(VIEWPORTS.laptop)
  await page.goto(base)
  await page.locator(READY).first().waitFor()
  await page.waitForTimeout(6_000)
  await serveStaticHome(page, folder, STATIC_PORT)
  await page.close()
  const storageState = await context.storageState()
  const emptyContext = await browser.newContext({ viewport: VIEWPORTS.laptop })
  const hello: PageLoad[] = []
  const copy: PageLoad[] = []
  const firstVisits: PageLoad[] = []
  const later: PageLoad[] = []
  let currentState = storageState
  for (let run = 0; run < runs; run++) {
    await sampleMachineLoad()
    hello.push(
      await measurePageLoad(emptyContext, `http://127.0.0.1:${HELLO_PORT}/`, 'h1', { settleMs: 800 }),
    )
    copy.push(
      await measurePageLoad(emptyContext, `http://127.0.0.1:${STATIC_PORT}/`, READY, { settleMs: 1_000 }),
    )
    /* A new browser context that has only the session. Its cookies are stored afterwards, because a refresh replaces them. */
    const newContext = await browser.newContext({
      viewport: VIEWPORTS.laptop,
      colorScheme: 'dark',
      storageState: currentState,
      serviceWorkers: 'block',
    })
    const removeStoredHero = () => localStorage.removeItem('marquee-first')
    firstVisits.push(
      await measurePageLoad(newContext, `${base}/`, READY, { settleMs: 2_500, prepare: removeStoredHero }),
    )
    currentState = await newContext.storageState()
    await newContext.close()
    await context.clearCookies()
    await context.addCookies(currentState.cookies)
    later.push(await measurePageLoad(context, `${base}/`, READY, { settleMs: 1_500, usesCache: true }))
    currentState = { ...currentState, cookies: await context.cookies() }
  }
  const getTimes = (loads: readonly PageLoad[]) => loads.map(({ lcpMs }) => lcpMs)
  printTimes('React hello world, largest paint', getTimes(hello))
  printTimes('home as static HTML', getTimes(copy))
  printTimes('home, first visit', getTimes(firstVisits))
  printTimes('home, later visits', getTimes(later))
  const helloMs = getMedian(getTimes(hello))
  const firstMs = getMedian(getTimes(firstVisits))
  const laterMs = getMedian(getTimes(later))
  printLine(`first visit / hello world: ${formatCheck('first visit', firstMs / helloMs, TARGETS.firstRatio)}`)
  printLine(
    `later visits / hello world: ${formatCheck('later visits', laterMs / helloMs, TARGETS.laterRatio)}`,
  )
  printLine(
    `first visit, p90 / median: ${formatCheck('spread', getQuantile(getTimes(firstVisits), 0.9) / firstMs, TARGETS.spread)}`,
  )
  printSteps(firstVisits, copy)
  printBytes(firstVisits)
}

const household = await startBenchHousehold()
try {
  await sampleMachineLoad()
  if (selectedParts.has('load')) await measureLoads(household.base, household)
  if (selectedParts.has('click')) {
    const durations = await measureClicks(household.context, `${household.base}/`, runs)
    await sampleMachineLoad()
    printTimes('click on a card to the frame with the title', durations)
    printLine(`  median ${formatCheck('click', getMedian(durations), TARGETS.clickMs)}`)
    printLine(`  p90 ${formatCheck('click, p90', getQuantile(durations, 0.9), TARGETS.clickP90Ms)}`)
  }
} finally {
  await household.close()
}
const isQuiet = reportMachineLoad()
if (isQuiet) printLine(missedTargets.length === 0 ? 'all targets met' : `missed: ${missedTargets.join('; ')}`)
process.exit(isQuiet && missedTargets.length > 0 ? 1 : 0)
