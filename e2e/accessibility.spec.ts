/** Nothing that axe finds, of any weight, in every language and both themes; and what axe cannot see. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { LOCALES } from '../src/lib/i18n/locales.ts'
import { watch, words } from './household.ts'
import { enter, open, settled, speak } from './settle.ts'

/** Each page with words that must be on it. */
const PAGES: readonly (readonly [string, string | null])[] = [
  ['/', 'home:popularMovies'],
  ['/movies/', 'common:movies'],
  ['/movies/pulp-fiction', null],
  ['/tvshows/', 'common:tvShows'],
  ['/tvshows/stranger-things', null],
  ['/search/?q=dark', null],
  ['/mylist/', 'mylist:title'],
  ['/account/', 'account:title'],
  ['/account/?tab=security', 'account:changePassword'],
  ['/account/?tab=devices', 'account:thisDevice'],
  ['/account/?tab=preferences', 'account:interfaceLanguage'],
  ['/dashboard/', 'dashboard:section_overview'],
  ['/profiles/', 'profiles:heading'],
  ['/nowhere/', 'errors:notFoundTitle'],
  ['/not-authorized/', 'errors:notAuthorizedTitle'],
]

test.setTimeout(120_000)
let page: Page
let problems: string[]

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ colorScheme: 'dark', reducedMotion: 'reduce' })).newPage()
  problems = watch(page).problems
  await enter(page)
})
test.afterAll(() => page.context().close())

async function findings(rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page })
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  return violations.map(
    (one) => `${one.id}: ${one.nodes.slice(0, 2).map((node) => `${node.target} ${node.failureSummary}`)}`,
  )
}

const inTheme = (theme: string): Promise<void> =>
  page.evaluate(async (name) => {
    document.documentElement.dataset['theme'] = name
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  }, theme)

for (const locale of LOCALES) {
  test(`axe finds nothing in ${locale}`, async () => {
    await speak(page, locale)
    problems.length = 0
    for (const [path, key] of PAGES) {
      await open(page, locale, path)
      if (key) await expect(page.getByText(words(locale, key)).first()).toBeVisible()
      await inTheme('dark')
      expect.soft(await findings(), `${path} dark`).toEqual([])
      await inTheme('light')
      expect.soft(await findings(['color-contrast']), `${path} light`).toEqual([])
    }
    expect(problems.filter((one) => !one.includes('404'))).toEqual([])
    await speak(page, 'en')
  })
}

test('comfort follows the profile and stands at the first paint of every page', async () => {
  await open(page, 'en', '/account/?tab=preferences')
  const size = () =>
    page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
  const usual = await size()
  await page.getByLabel('Text size').selectOption({ label: '150%' })
  await expect.poll(size).toBeCloseTo(usual * 1.5, 1)
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
  await settled(page)
  expect(await page.locator('.row-track').count()).toBeLessThanOrEqual(4)
  expect(await findings()).toEqual([])
  await open(page, 'en', '/account/?tab=preferences')
  await page.getByLabel('Text size').selectOption({ label: '100%' })
  for (const name of ['Higher contrast', 'Less motion', 'Simple home page'])
    await page.getByRole('switch', { name }).click()
  await expect(html).not.toHaveAttribute('data-home')
  await expect(html).not.toHaveAttribute('data-contrast')
})

test('captions that are wanted from the start are there from the start', async () => {
  await open(page, 'en', '/account/?tab=preferences')
  const wish = page.getByRole('switch', { name: words('en', 'account:captionsOn') })
  await wish.click()
  await expect(wish).toBeChecked()
  await expect(page.getByText(words('en', 'account:preferencesUpdated'))).toBeVisible()
  await page.goto('/watch/?type=movie&slug=arrival&redirect=%2Fmovies%2Farrival')
  const picture = page.locator('#picture')
  const showing = () =>
    picture.evaluate((video: HTMLVideoElement) =>
      [...video.textTracks].filter((one) => one.mode !== 'disabled').map((one) => one.kind),
    )
  await expect.poll(showing).not.toEqual([])
  await open(page, 'en', '/account/?tab=preferences')
  await wish.click()
  await expect(wish).not.toBeChecked()
})

test('lite mode by hand: smaller pictures, shorter rows, nothing moves', async () => {
  await page.evaluate(() => localStorage.setItem('marquee-lite', '1'))
  await open(page, 'en', '/')
  await expect(page.locator('html')).toHaveAttribute('data-lite', '')
  const row = page.getByRole('region', { name: 'Popular Movies Right Now' })
  await row.locator('[data-card]').first().waitFor()
  expect(await row.locator('[data-card]').count()).toBeLessThanOrEqual(12)
  const pictures = await page
    .locator('img')
    .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src))
  expect(pictures.filter((one) => /\/w(1280|500)\//.test(one))).toEqual([])
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter(
        (one) =>
          getComputedStyle(one).transitionProperty !== 'none' &&
          Number.parseFloat(getComputedStyle(one).transitionDuration) > 0.01,
      ).length,
  )
  expect(moving).toBe(0)
  await page.evaluate(() => localStorage.removeItem('marquee-lite'))
})

test("the viewer's own colours keep a visible focus", async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  await open(page, 'en', '/')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const outline = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
    return { outlineStyle, wide: Number.parseFloat(outlineWidth) >= 2 }
  })
  expect(outline).toEqual({ outlineStyle: 'solid', wide: true })
  await page.emulateMedia({ forcedColors: 'none' })
})
