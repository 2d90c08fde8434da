/**
 * What the site feels like on a 6 times slower processor: a scripted evening's interactions to their next paint, what moves
 * on each page, how evenly rows scroll, and the next visit of home. Beside each figure its bar; ends with 1 if one is
 * missed. `--evenings 3` is how many evenings, `--only evening,visits,frames,again` runs some parts.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { visitAgain, warmUp } from './again.ts'
import { type Step, spendEvening } from './evening.ts'
import { scrollRow } from './frames.ts'
import { type House, openHouse, slowTab } from './house.ts'
import { cumulative } from './observe.ts'
import { visitAll } from './visits.ts'

const BARS = { interactionMs: 150, cls: 0.02, framesPerSecond: 50, againMs: 600 }
const TIMES = 5
/** A paint within this is not noted by the browser. */
const UNNOTED_MS = 16

const { values } = parseArgs({
  options: {
    evenings: { type: 'string', default: '3' },
    only: { type: 'string', default: 'evening,visits,frames,again' },
  },
})
let missed = false

const say = (line: string) => process.stdout.write(`${line}\n`)
function tell(name: string, value: number, bar: number, { digits = 0, atLeast = false, beside = '' } = {}) {
  const ok = atLeast ? value >= bar : value <= bar
  missed ||= !ok
  const sign = atLeast ? '>=' : '<='
  const mark = ok ? 'ok  ' : 'MISS'
  say(`${mark} ${name.padEnd(46)} ${value.toFixed(digits).padStart(7)} (bar ${sign} ${bar})${beside}`)
}
const sorted = (all: readonly number[]) => [...all].sort((a, b) => a - b)
const quantile = (all: readonly number[], share: number) =>
  sorted(all)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? Number.NaN
const median = (all: readonly number[]) => quantile(all, 0.5)
const msOf = ({ interaction }: Step) => interaction?.ms ?? UNNOTED_MS

async function evenings(house: House): Promise<void> {
  const runs: Step[][] = []
  let cls = 0
  for (let evening = 0; evening < Number(values.evenings); evening++) {
    const page = await slowTab(house.context)
    const { steps, shifts } = await spendEvening(page, house.base)
    await page.close()
    runs.push(steps)
    for (const shift of shifts.filter(({ value }) => value > BARS.cls / 2))
      say(`     moved ${shift.value.toFixed(3)} on ${shift.path}: ${shift.sources[0] ?? ''}`)
    const paths = new Set(shifts.map(({ path }) => path))
    for (const path of paths) cls = Math.max(cls, cumulative(shifts.filter((one) => one.path === path)))
  }
  const over = (share: number) =>
    median(
      runs.map((steps) =>
        quantile(
          steps.map((step) => msOf(step)),
          share,
        ),
      ),
    )
  say(`evening: ${runs[0]?.length} interactions, medians of ${runs.length} evenings`)
  tell('interaction to next paint, p50 (ms)', over(0.5), BARS.interactionMs)
  tell('interaction to next paint, p95 (ms)', over(0.95), BARS.interactionMs)
  say(`     p98 ${over(0.98)} ms`)
  const worst = runs
    .flat()
    .sort((a, b) => msOf(b) - msOf(a))
    .slice(0, 5)
  for (const { name, interaction: one } of worst)
    if (one)
      say(
        `     ${one.ms} ms ${name}: ${one.event}, delay ${Math.round(one.delay)}, processing ${Math.round(one.processing)}, presentation ${Math.round(one.presentation)}`,
      )
  tell('layout shift on a page, all evening', cls, BARS.cls, { digits: 3 })
}

async function visits(house: House): Promise<void> {
  for (const { path, size, cls, worst } of await visitAll(house)) {
    const beside = cls > BARS.cls ? ` ${worst?.sources[0] ?? ''}` : ''
    tell(`layout shift ${size} ${path}`, cls, BARS.cls, { digits: 3, beside })
  }
}

async function frames(house: House): Promise<void> {
  const page = await slowTab(house.context)
  await page.goto(`${house.base}/`)
  await page.locator('.row-track a').first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(6_000)
  for (const how of ['wheel', 'arrows', 'page'] as const) {
    const runs = []
    for (let time = 0; time < TIMES; time++) runs.push(await scrollRow(house.browser, page, how))
    const beside = `, page's own frames p95 ${median(runs.map(({ p95Ms }) => p95Ms)).toFixed(0)} ms`
    const rate = median(runs.map(({ perSecond }) => perSecond))
    tell(`frames a second, ${how}`, rate, BARS.framesPerSecond, { atLeast: true, beside })
  }
  await page.close()
}

async function again(house: House): Promise<void> {
  await warmUp(house)
  const all = []
  for (let time = 0; time < TIMES; time++) all.push(await visitAgain(house))
  const beside = `, ${all[0]?.of}; ${all.map(({ ms }) => Math.round(ms)).join(', ')}`
  tell('next visit of home, largest paint (ms)', median(all.map(({ ms }) => ms)), BARS.againMs, { beside })
}

const parts = { again, evening: evenings, visits, frames }
const house = await openHouse()
try {
  say(`load of the machine at the start: ${loadavg()[0]?.toFixed(2)}`)
  const wanted = values.only.split(',')
  for (const [name, part] of Object.entries(parts)) if (wanted.includes(name)) await part(house)
  say(`load of the machine at the end: ${loadavg()[0]?.toFixed(2)}`)
} finally {
  await house.close()
}
process.exit(missed ? 1 : 0)
