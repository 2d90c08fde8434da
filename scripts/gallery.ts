/**
 * `npm run gallery`: takes screenshots of every route and state of the built site in each language, screen size and
 * theme, and writes an HTML page that shows them. Run `npm run build` first.
 *   --out folder (gallery)  --routes home,movie-pending  --locales en,ar  --sizes phone,laptop,tv  --themes dark,light
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright'
import { LOCALES, type Locale } from '../src/lib/i18n/locales.ts'
import { AUTOPLAY_ARGUMENT, findChromium, launchChromium } from './browser.ts'
import { captureState, type GalleryScreenshot } from './gallery/capture.ts'
import { startGalleryServer } from './gallery/household.ts'
import { renderGallery } from './gallery/render-gallery.ts'
import { STATES } from './gallery/states.ts'
import {
  createWindows,
  type GalleryHousehold,
  type GalleryTheme,
  SCREEN_SIZES,
  type ScreenSize,
} from './gallery/window.ts'

const THEMES: GalleryTheme[] = ['dark', 'light']
const CONCURRENT_WINDOWS = 2

/** Returns the values in the comma-separated `argument`, or all values without it. Throws for an unknown value. */
function parseChoices<T extends string>(
  allValues: readonly T[],
  argument: string | undefined,
  optionName: string,
): T[] {
  if (!argument) return [...allValues]
  const chosenValues = argument.split(',')
  const unknownValue = chosenValues.find((value) => !allValues.some((knownValue) => knownValue === value))
  if (unknownValue) throw new Error(`--${optionName} accepts ${allValues.join(', ')}; not ${unknownValue}.`)
  return allValues.filter((value) => chosenValues.includes(value))
}

function parseOptions() {
  const optionNames = ['out', 'routes', 'locales', 'sizes', 'themes'] as const
  const { values: parsedValues } = parseArgs({
    options: Object.fromEntries(optionNames.map((name) => [name, { type: 'string' as const }])),
  })
  const argumentsByName = parsedValues as Partial<Record<(typeof optionNames)[number], string>>
  const routeNames = argumentsByName.routes?.split(',')
  const states = STATES.filter(
    ({ name }) => !routeNames || routeNames.includes(name) || routeNames.includes(name.split('-')[0] ?? ''),
  )
  if (states.length === 0) throw new Error(`--routes accepts ${STATES.map(({ name }) => name).join(', ')}.`)
  return {
    outputFolder: resolve(argumentsByName.out ?? 'gallery'),
    states,
    locales: parseChoices(LOCALES, argumentsByName.locales, 'locales'),
    sizes: parseChoices(Object.keys(SCREEN_SIZES) as ScreenSize[], argumentsByName.sizes, 'sizes'),
    themes: parseChoices(THEMES, argumentsByName.themes, 'themes'),
  }
}
type GalleryOptions = ReturnType<typeof parseOptions>

async function captureStates(
  browser: Browser,
  household: GalleryHousehold,
  { outputFolder, states, themes }: GalleryOptions,
  [locale, size]: [Locale, ScreenSize],
): Promise<GalleryScreenshot[]> {
  const { getOrOpenWindow, closeWindows } = createWindows(browser, household, locale, size)
  const screenshots: GalleryScreenshot[] = []
  for (const state of states) {
    const galleryWindow = await getOrOpenWindow(state.viewer ?? 'main')
    screenshots.push(...(await captureState(galleryWindow, state, themes, outputFolder)))
    const { error } = screenshots.at(-1) ?? {}
    if (error) process.stderr.write(`${state.name} ${locale} ${size}: ${error}\n`)
  }
  await closeWindows()
  return screenshots
}

async function main(): Promise<void> {
  const galleryOptions = parseOptions()
  if (!findChromium()) throw new Error('Chromium not found: run `node scripts/browser.ts` to install it.')
  if (!existsSync('dist/index.html')) throw new Error('The site is not built: run `npm run build` first.')
  mkdirSync(galleryOptions.outputFolder, { recursive: true })
  const { household, stop } = await startGalleryServer(25_000 + (process.pid % 4_000))
  const browser = await launchChromium('--mute-audio', AUTOPLAY_ARGUMENT)
  try {
    const pendingWindows = galleryOptions.locales.flatMap((locale) =>
      galleryOptions.sizes.map((size) => [locale, size] as [Locale, ScreenSize]),
    )
    const screenshots: GalleryScreenshot[] = []
    const captureNextWindows = async () => {
      for (let pendingWindow = pendingWindows.shift(); pendingWindow; pendingWindow = pendingWindows.shift())
        screenshots.push(...(await captureStates(browser, household, galleryOptions, pendingWindow)))
    }
    await Promise.all(Array.from({ length: CONCURRENT_WINDOWS }, captureNextWindows))
    const stateNames = galleryOptions.states.map(({ name }) => name)
    const getStateIndex = ({ name }: GalleryScreenshot) => stateNames.indexOf(name.replace(/-below$/, ''))
    screenshots.sort((a, b) => getStateIndex(a) - getStateIndex(b))
    writeFileSync(join(galleryOptions.outputFolder, 'index.html'), renderGallery(screenshots))
    const failureCount = screenshots.filter(({ error }) => error).length
    process.stdout.write(
      `${screenshots.length - failureCount} screenshots, ${failureCount} failed: ${galleryOptions.outputFolder}/index.html\n`,
    )
    if (failureCount > 0) process.exitCode = 1
  } finally {
    await browser.close()
    await stop()
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
