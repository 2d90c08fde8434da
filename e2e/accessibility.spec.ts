/** Checks every page with axe in every language and both themes, and tests accessibility features that axe cannot check. */
import { expect, type Page, test } from '@playwright/test'
import {
  collectPageProblems,
  createAxe,
  DIRECTION_LOCALES,
  getTranslation,
  signInAsProfile,
} from './journey-helpers.ts'
import { openPage, setInterfaceLanguage, waitUntilSettled } from './page-navigation.ts'

/** Pages with the translation key of a text that must be visible. */
const PAGES: readonly (readonly [string, string | null])[] = [
  ['/', 'home:popularMovies'],
  ['/movies/', 'common:movies'],
  ['/movies/pulp-fiction', null],
  ['/tvshows/', 'common:tvShows'],
  ['/tvshows/stranger-things', null],
  ['/search/?q=dark', null],
  ['/mylist/', 'mylist:title'],
  ['/history/', 'history:title'],
  ['/lists/', 'lists:title'],
  ['/calendar/', 'calendar:title'],
  ['/calendar/?view=month', 'calendar:title'],
  ['/statistics/', 'statistics:title'],
  ['/account/', 'account:title'],
  ['/account/?tab=security', 'account:changePassword'],
  ['/account/?tab=devices', 'account:thisDevice'],
  ['/account/?tab=preferences', 'account:interfaceLanguage'],
  ['/dashboard/', 'dashboard:section_overview'],
  ['/link/', 'link:title'],
  ['/profiles/', 'profiles:heading'],
  ['/nowhere/', 'errors:notFoundTitle'],
  ['/not-authorized/', 'errors:notAuthorizedTitle'],
]

test.setTimeout(120_000)
let page: Page
let problems: string[]

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ colorScheme: 'dark', reducedMotion: 'reduce' })).newPage()
  problems = collectPageProblems(page).problems
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => page.context().close())

async function findViolations(axeRules?: string[]): Promise<string[]> {
  const axe = createAxe(page)
  const { violations } = await (axeRules ? axe.withRules(axeRules) : axe).analyze()
  return violations.map(
    (violation) =>
      `${violation.id}: ${violation.nodes.slice(0, 2).map((node) => `${node.target} ${node.failureSummary}`)}`,
  )
}

const applyTheme = (theme: string): Promise<void> =>
  page.evaluate(async (name) => {
    document.documentElement.dataset['theme'] = name
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }, theme)

for (const locale of DIRECTION_LOCALES) {
  test(`axe finds no violations on any page in ${locale}`, async () => {
    await setInterfaceLanguage(page, locale)
    problems.length = 0
    for (const [path, key] of PAGES) {
      await openPage(page, locale, path)
      if (key) await expect(page.getByText(getTranslation(locale, key)).first()).toBeVisible()
      await applyTheme('dark')
      expect.soft(await findViolations(), `${path} dark`).toEqual([])
      // Colours do not depend on the language.
      if (locale !== DIRECTION_LOCALES[0]) continue
      await applyTheme('light')
      expect.soft(await findViolations(['color-contrast']), `${path} light`).toEqual([])
    }
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
    await setInterfaceLanguage(page, 'en')
  })
}

test('display preferences are saved with the profile and applied before the first paint of every page', async () => {
  await openPage(page, 'en', '/account/?tab=preferences')
  const getFontSizePx = () =>
    page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
  const defaultSizePx = await getFontSizePx()
  await page.getByLabel('Text size').selectOption({ label: '150%' })
  await expect.poll(getFontSizePx).toBeCloseTo(defaultSizePx * 1.5, 1)
  await page.getByRole('switch', { name: 'Higher contrast' }).click()
  await page.getByRole('switch', { name: 'Less motion' }).click()
  await page.getByRole('switch', { name: 'Simple home page' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-home', 'simple')
  await page.goto('/', { waitUntil: 'commit' })
  const html = page.locator('html')
  await expect(html).toHaveAttribute('data-text', '150')
  await expect(html).toHaveAttribute('data-contrast', 'high')
  await expect(html).toHaveAttribute('data-motion', 'less')
  await expect(page.getByRole('region', { name: 'Popular Movies Right Now' })).toBeVisible()
  await waitUntilSettled(page)
  expect(await page.locator('.row-track').count()).toBeLessThanOrEqual(4)
  expect(await findViolations()).toEqual([])
  await openPage(page, 'en', '/account/?tab=preferences')
  await page.getByLabel('Text size').selectOption({ label: '100%' })
  for (const name of ['Higher contrast', 'Less motion', 'Simple home page'])
    await page.getByRole('switch', { name }).click()
  await expect(html).not.toHaveAttribute('data-home')
  await expect(html).not.toHaveAttribute('data-contrast')
})

test('a profile with captions always on gets captions at the start of playback', async () => {
  await openPage(page, 'en', '/account/?tab=preferences')
  const captionsSwitch = page.getByRole('switch', { name: getTranslation('en', 'account:captionsOn') })
  await captionsSwitch.click()
  await expect(captionsSwitch).toBeChecked()
  await expect(page.getByText(getTranslation('en', 'account:preferencesUpdated'))).toBeVisible()
  await page.goto('/watch/?type=movie&slug=arrival&redirect=%2Fmovies%2Farrival')
  const video = page.locator('#picture')
  const listActiveTracks = () =>
    video.evaluate((video: HTMLVideoElement) =>
      [...video.textTracks].filter((track) => track.mode !== 'disabled').map((track) => track.kind),
    )
  await expect.poll(listActiveTracks).not.toEqual([])
  await openPage(page, 'en', '/account/?tab=preferences')
  await captionsSwitch.click()
  await expect(captionsSwitch).not.toBeChecked()
})

test('lite mode turned on by the viewer loads smaller images, shows shorter rows and disables transitions', async () => {
  await page.evaluate(() => localStorage.setItem('marquee-lite', '1'))
  await openPage(page, 'en', '/')
  await expect(page.locator('html')).toHaveAttribute('data-lite', '')
  const row = page.getByRole('region', { name: 'Popular Movies Right Now' })
  await row.locator('[data-card]').first().waitFor()
  expect(await row.locator('[data-card]').count()).toBeLessThanOrEqual(12)
  const imageSources = await page
    .locator('img')
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src))
  expect(imageSources.filter((source) => /\/w(1280|500)\//.test(source))).toEqual([])
  const transitionCount = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter(
        (element) =>
          getComputedStyle(element).transitionProperty !== 'none' &&
          Number.parseFloat(getComputedStyle(element).transitionDuration) > 0.01,
      ).length,
  )
  expect(transitionCount).toBe(0)
  await page.evaluate(() => localStorage.removeItem('marquee-lite'))
})

test('the focus outline stays visible with forced colours', async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openPage(page, 'en', '/')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const outline = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
    return { outlineStyle, isWide: Number.parseFloat(outlineWidth) >= 2 }
  })
  expect(outline).toEqual({ outlineStyle: 'solid', isWide: true })
  await page.emulateMedia({ forcedColors: 'none' })
})
