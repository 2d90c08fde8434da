/** The six keys of a television's remote reach every control of every page, in both reading directions. */
import { expect, type Page, test } from '@playwright/test'
import { type Locale, prefix, signIn } from './household.ts'
import { walk } from './walk.ts'

const PAGES = [
  '/',
  '/movies/',
  '/tvshows/',
  '/movies/pulp-fiction',
  '/tvshows/stranger-things',
  '/search/?q=dark',
  '/mylist/',
  '/account/',
  '/account/?tab=security',
  '/account/?tab=devices',
  '/account/?tab=preferences',
  '/dashboard/',
  '/profiles/',
  '/nowhere/',
  '/not-authorized/',
]
test.use({ viewport: { width: 1920, height: 1080 } })
test.setTimeout(240_000)

async function open(page: Page, locale: Locale, path: string): Promise<void> {
  await page.goto(prefix(locale) + path)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
}

for (const locale of ['en', 'ar'] as const) {
  test(`arrows reach everything in ${locale}`, async ({ page }) => {
    await page.goto(`${prefix(locale)}/login/`)
    await page.locator('form[data-ready]').waitFor()
    const entrance = await walk(page)
    expect.soft(entrance.missed, 'login').toEqual([])
    await signIn(page, locale)
    await page.getByRole('button', { name: 'Alex' }).click()
    await page.locator('[data-card]').first().waitFor()
    await page.evaluate((language) => localStorage.setItem('i18nextLng', language), locale)
    for (const path of PAGES) {
      await open(page, locale, path)
      const { missed, lost, wanted } = await walk(page)
      expect.soft(wanted.length, path).toBeGreaterThan(0)
      expect.soft(missed, path).toEqual([])
      expect.soft(lost, path).toEqual([])
    }
  })
}
