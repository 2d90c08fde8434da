/** Nothing that axe finds, of any weight, in three languages and both themes; and what axe cannot see. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { prefix, signIn } from './household.ts'

const PAGES = [
  '/',
  '/movies/',
  '/movies/pulp-fiction',
  '/tvshows/stranger-things',
  '/search/?q=dark',
  '/mylist/',
  '/account/',
  '/account/?tab=security',
  '/account/?tab=preferences',
  '/dashboard/',
  '/profiles/',
  '/nowhere/',
  '/not-authorized/',
]
test.setTimeout(180_000)

async function enter(page: Page): Promise<void> {
  await signIn(page, 'en')
  await page.getByRole('button', { name: 'Alex' }).click()
  await page.locator('[data-card]').first().waitFor()
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
}

async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(
    (one) => `${one.id}: ${one.nodes.slice(0, 2).map((node) => `${node.target} ${node.failureSummary}`)}`,
  )
}

for (const locale of ['en', 'fr', 'ar'] as const) {
  test(`axe finds nothing in ${locale}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await enter(page)
    await page.evaluate((language) => localStorage.setItem('i18nextLng', language), locale)
    for (const path of PAGES) {
      await open(page, prefix(locale) + path)
      for (const theme of ['dark', 'light']) {
        await page.evaluate((name) => {
          document.documentElement.dataset['theme'] = name
        }, theme)
        expect.soft(await findings(page), `${path} ${theme}`).toEqual([])
      }
    }
  })
}

test('comfort follows the profile and stands at the first paint of every page', async ({ page }) => {
  await enter(page)
  await open(page, '/account/?tab=preferences')
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
  await page.waitForLoadState('networkidle')
  expect(await page.locator('.row-track').count()).toBeLessThanOrEqual(4)
  expect(await findings(page)).toEqual([])
  await open(page, '/account/?tab=preferences')
  await page.getByLabel('Text size').selectOption({ label: '100%' })
  for (const name of ['Higher contrast', 'Less motion', 'Simple home page'])
    await page.getByRole('switch', { name }).click()
  await expect(html).not.toHaveAttribute('data-home')
})

test('lite mode by hand: smaller pictures, shorter rows, nothing moves', async ({ page }) => {
  await enter(page)
  await page.evaluate(() => localStorage.setItem('marquee-lite', '1'))
  await open(page, '/')
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
          getComputedStyle(one).transitionDuration !== '0s',
      ).length,
  )
  expect(moving).toBe(0)
})

test('at 200 % text nothing runs out of the window', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await enter(page)
  for (const path of ['/', '/movies/', '/movies/pulp-fiction', '/account/?tab=preferences', '/profiles/']) {
    await open(page, path)
    const outside = await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
      return [...document.querySelectorAll('button,a[href],input,select')]
        .filter(
          (one) =>
            one.checkVisibility({ visibilityProperty: true }) &&
            !one.closest('.row-track,[role=tablist],[aria-hidden=true]'),
        )
        .filter((one) => {
          const { left, right, width } = one.getBoundingClientRect()
          return width > 1 && (left < -1 || right > innerWidth + 1)
        })
        .map((one) => one.outerHTML.slice(0, 120))
    })
    expect.soft(outside, path).toEqual([])
  }
})

test("the viewer's own colours keep a visible focus", async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await enter(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const outline = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
    return { outlineStyle, wide: Number.parseFloat(outlineWidth) >= 2 }
  })
  expect(outline).toEqual({ outlineStyle: 'solid', wide: true })
})
