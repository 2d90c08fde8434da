/**
 * A typical session in each language: sign in, select a profile, browse, add a title to My List, play it, sign out.
 * every-page.spec.ts checks the pages with axe.
 */
import { expect, type Page, test } from '@playwright/test'
import { getTextDirection, LOCALES, type Locale } from '../src/lib/i18n/locales.ts'
import {
  collectPageProblems,
  expectAccessible,
  getLocalePrefix,
  getPlayLink,
  getTranslation,
  signInWithForm,
} from './journey-helpers.ts'
import { waitUntilSettled } from './page-navigation.ts'

test.use({ serviceWorkers: 'allow' })

/**
 * Selects a profile whose language is `locale`. The demo household has profiles in English and Arabic only, so this
 * function creates a profile for any other language.
 */
async function selectProfileOfLanguage(page: Page, locale: Locale): Promise<void> {
  if (locale === 'ar') return page.getByRole('button', { name: 'ليلى' }).click()
  if (locale === 'en') return page.getByRole('button', { name: 'Alex' }).click()
  await page.getByRole('button', { name: getTranslation(locale, 'profiles:add') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(getTranslation(locale, 'profiles:name')).fill('Claire')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: getTranslation(locale, 'common:save') }).click()
  await expect(page.getByText(getTranslation(locale, 'profiles:created'))).toBeVisible()
  await page.getByRole('button', { name: 'Claire' }).click()
}

for (const locale of LOCALES) {
  test(`sign-in, browsing, My List, playback and sign-out work without errors in ${locale}`, async ({
    page,
  }) => {
    const { problems } = collectPageProblems(page)
    const t = (key: string) => getTranslation(locale, key)
    await page.addInitScript(
      (language) => localStorage.setItem('i18nextLng', localStorage.getItem('i18nextLng') ?? language),
      locale,
    )
    await signInWithForm(page, locale)
    await selectProfileOfLanguage(page, locale)

    await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
    await expect(page.getByRole('heading', { name: t('home:trendingShows') })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('dir', getTextDirection(locale))
    await expect(page.locator('section[aria-label] li a').first()).toBeVisible()

    await page
      .getByRole('link', { name: t('common:movies'), exact: true })
      .first()
      .click()
    await expect(page.getByRole('heading', { level: 1, name: t('common:movies') })).toBeVisible()
    await expect(page.locator('.card-grid a').first()).toBeVisible()

    await page.goto(`${getLocalePrefix(locale)}/movies/arrival`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.getByRole('button', { name: t('common:addToList') }).click()
    await expect(page.getByText(t('common:added'))).toBeVisible()

    await page.goto(`${getLocalePrefix(locale)}/mylist/`)
    await page.locator('.card-grid a[href*="arrival"]').click()
    await getPlayLink(page, locale).click()
    const video = page.locator('video')
    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
      .toBeGreaterThan(1)
    await page.keyboard.press('End')
    await expectAccessible(page)

    /*
     * Waits for the event stream and all other requests. A request that is still open at sign-out would return 401,
     * which the browser logs as an error.
     */
    const eventStreamPromise = page.waitForResponse(/\/api\/events$/)
    await page.goto(`${getLocalePrefix(locale)}/`)
    await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
    await eventStreamPromise
    await waitUntilSettled(page)
    await page.locator('header button[aria-expanded]').last().click()
    await page.getByRole('button', { name: t('header:logout') }).click()
    await expect(page).toHaveURL(/\/login\//)
    expect(problems).toEqual([])
  })
}
