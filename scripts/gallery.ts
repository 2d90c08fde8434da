/**
 * `npm run gallery`: every route and state of the built site as a picture, in each language, size and theme, with one HTML
 * page to look through them. Needs `npm run build` before.
 *   --out folder (gallery)  --routes home,movie-pending  --locales en,ar  --sizes phone,laptop,tv  --themes dark,light
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright'
import { LOCALES, type Locale } from '../src/lib/i18n/locales.ts'
import { findChromium } from './browser.ts'
import { album } from './gallery/album.ts'
import { moveIn } from './gallery/household.ts'
import { type Shot, shoot } from './gallery/shoot.ts'
import { type Household, SIZES, type Size, type Theme, windows } from './gallery/stage.ts'
import { STATES } from './gallery/states.ts'

const THEMES: Theme[] = ['dark', 'light']
/** Windows that are looked at side by side. */
const AT_ONCE = 2

function pick<T extends string>(all: readonly T[], asked: string | undefined, option: string): T[] {
  if (!asked) return [...all]
  const wanted = asked.split(',')
  const unknown = wanted.find((one) => !all.some((known) => known === one))
  if (unknown) throw new Error(`--${option} knows ${all.join(', ')}; not ${unknown}.`)
  return all.filter((one) => wanted.includes(one))
}

function options() {
  const names = ['out', 'routes', 'locales', 'sizes', 'themes'] as const
  const { values } = parseArgs({
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  })
  const given = values as Partial<Record<(typeof names)[number], string>>
  const routes = given.routes?.split(',')
  const states = STATES.filter(
    ({ name }) => !routes || routes.includes(name) || routes.includes(name.split('-')[0] ?? ''),
  )
  if (states.length === 0) throw new Error(`--routes knows ${STATES.map(({ name }) => name).join(', ')}.`)
  return {
    out: resolve(given.out ?? 'gallery'),
    states,
    locales: pick(LOCALES, given.locales, 'locales'),
    sizes: pick(Object.keys(SIZES) as Size[], given.sizes, 'sizes'),
    themes: pick(THEMES, given.themes, 'themes'),
  }
}
type Options = ReturnType<typeof options>

async function visit(
  browser: Browser,
  household: Household,
  { out, states, themes }: Options,
  [locale, size]: [Locale, Size],
): Promise<Shot[]> {
  const { enter, close } = windows(browser, household, locale, size)
  const shots: Shot[] = []
  for (const state of states) {
    shots.push(...(await shoot(await enter(state.who ?? 'main'), state, themes, out)))
    const { failed } = shots.at(-1) ?? {}
    if (failed) process.stderr.write(`${state.name} ${locale} ${size}: ${failed}\n`)
  }
  await close()
  return shots
}

async function main(): Promise<void> {
  const asked = options()
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium: `node scripts/browser.ts` says how to get one.')
  if (!existsSync('dist/index.html')) throw new Error('There is no built site: `npm run build` first.')
  mkdirSync(asked.out, { recursive: true })
  const { household, leave } = await moveIn(25_000 + (process.pid % 4_000))
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--mute-audio',
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
  try {
    const todo = asked.locales.flatMap((locale) =>
      asked.sizes.map((size) => [locale, size] as [Locale, Size]),
    )
    const shots: Shot[] = []
    const worker = async () => {
      for (let next = todo.shift(); next; next = todo.shift())
        shots.push(...(await visit(browser, household, asked, next)))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    const order = asked.states.map(({ name }) => name)
    const place = ({ name }: Shot) => order.indexOf(name.replace(/-below$/, ''))
    shots.sort((a, b) => place(a) - place(b))
    writeFileSync(join(asked.out, 'index.html'), album(shots))
    const missing = shots.filter(({ failed }) => failed).length
    process.stdout.write(`${shots.length - missing} pictures, ${missing} missing: ${asked.out}/index.html\n`)
    if (missing > 0) process.exitCode = 1
  } finally {
    await browser.close()
    await leave()
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
