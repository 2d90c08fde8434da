/** One evening in each language: sign in, pick a profile, look around, keep a title, play it, sign out. */
import { expect, type Page, test } from '@playwright/test'
import { getTextDirection, LOCALES } from '../src/lib/i18n/locales.ts'
import { expectAccessible, type Locale, playLink, prefix, signIn, watch, words } from './household.ts'
import { settled } from './settle.ts'

/** The profile whose language is the journey's; the demo household has none for the other languages, so one is made. */
async function pick(page: Page, locale: Locale): Promise<void> {
  if (locale === 'ar') return page.getByRole('button', { name: 'ليلى' }).click()
  if (locale === 'en') return page.getByRole('button', { name: 'Alex' }).click()
  await page.getByRole('button', { name: words(locale, 'profiles:add') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(words(locale, 'profiles:name')).fill('Claire')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: words(locale, 'common:save') }).click()
  await expect(page.getByText(words(locale, 'profiles:created'))).toBeVisible()
  await page.getByRole('button', { name: 'Claire' }).click()
}

for (const locale of LOCALES) {
  test(`an evening in ${locale}`, async ({ page }) => {
    const { problems } = watch(page)
    const w = (key: string) => words(locale, key)
    await page.addInitScript(
      (language) => localStorage.setItem('i18nextLng', localStorage.getItem('i18nextLng') ?? language),
      locale,
    )
    await signIn(page, locale)
    await expectAccessible(page)
    await pick(page, locale)

    await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
    await expect(page.getByRole('heading', { name: w('home:trendingShows') })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('dir', getTextDirection(locale))
    await expect(page.locator('section[aria-label] li a').first()).toBeVisible()
    await expectAccessible(page)

    await page
      .getByRole('link', { name: w('common:movies'), exact: true })
      .first()
      .click()
    await expect(page.getByRole('heading', { level: 1, name: w('common:movies') })).toBeVisible()
    await expect(page.locator('.card-grid a').first()).toBeVisible()
    await expectAccessible(page)

    await page.goto(`${prefix(locale)}/movies/arrival`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.getByRole('button', { name: w('common:addToList') }).click()
    await expect(page.getByText(w('common:added'))).toBeVisible()
    await expectAccessible(page)

    await page.goto(`${prefix(locale)}/mylist/`)
    await expect(page.locator('.card-grid a[href*="arrival"]')).toBeVisible()
    await expectAccessible(page)

    await page.goto(`${prefix(locale)}/movies/arrival`)
    await playLink(page, locale).click()
    const video = page.locator('video')
    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
      .toBeGreaterThan(1)
    await page.keyboard.press('End')
    await expectAccessible(page)

    await page.goto(`${prefix(locale)}/`)
    await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
    /* What comes after the first screen is through. */
    await settled(page)
    await page.locator('header button[aria-expanded]').last().click()
    await page.getByRole('button', { name: w('header:logout') }).click()
    await expect(page).toHaveURL(/\/login\//)
    expect(problems).toEqual([])
  })
}
