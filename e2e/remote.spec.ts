/** The six keys of a television's remote reach every control of every page, in both reading directions. */
import { expect, test } from '@playwright/test'
import { prefix } from './household.ts'
import { enter, open, speak } from './settle.ts'
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

for (const locale of ['en', 'ar'] as const) {
  test(`arrows reach everything in ${locale}`, async ({ page }) => {
    await page.goto(`${prefix(locale)}/login/`)
    await page.locator('form[data-ready]').waitFor()
    const entrance = await walk(page)
    expect.soft(entrance.missed, 'login').toEqual([])
    await enter(page)
    await speak(page, locale)
    for (const path of PAGES) {
      const t0 = Date.now()
      await open(page, locale, path)
      const t1 = Date.now()
      const { missed, lost, wanted } = await walk(page)
      console.log(locale, path, t1 - t0, Date.now() - t1, wanted.length)
      expect.soft(wanted.length, path).toBeGreaterThan(0)
      expect.soft(missed, path).toEqual([])
      expect.soft(lost, path).toEqual([])
    }
  })
}
