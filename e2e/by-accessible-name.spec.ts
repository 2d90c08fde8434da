/**
 * A session of a screen reader user: every control is found by its role and accessible name, in both reading
 * directions.
 */
import { expect, type Page, test } from '@playwright/test'
import type { Locale } from '../src/lib/i18n/locales.ts'
import { getLocalePrefix, getPlayLink, getTranslation, readDemoCredentials } from './journey-helpers.ts'

/** Checks the accessible names of cards, tabs and episodes, and the status message that announces the results. */
async function expectSpokenResults(page: Page): Promise<void> {
  const main = page.getByRole('main')
  await expect(main.getByRole('status').first()).toHaveText(/^\d+ results?$/)
  await expect(page.getByRole('tab', { name: /^All, \d+ results?$/ })).toBeVisible()
  const linkOptions = { name: 'Arrival, movie, 2016, 4K', exact: true }
  await expect(main.getByRole('link', linkOptions)).toBeVisible()
  const resultsUrl = page.url()
  await page.goto('/tvshows/stranger-things')
  await expect(main.getByRole('link', { name: /^Play: S1 E1, Chapter One/ })).toBeVisible()
  await expect(main.getByText('Age rating 14+')).toBeVisible()
  await page.goto('/movies/')
  await expect(main.getByRole('link', { name: 'Dune: Part Two, movie, 2024, 4K', exact: true })).toBeVisible()
  await page.goto(resultsUrl)
}

test.setTimeout(120_000)

for (const locale of ['en', 'ar'] as const satisfies Locale[]) {
  test(`every control for signing in, entering a PIN, searching and playing is found by role and accessible name in ${locale}`, async ({
    page,
  }) => {
    const t = (key: string) => getTranslation(locale, key)
    const { email, password, pin } = readDemoCredentials()
    await page.addInitScript((language) => localStorage.setItem('i18nextLng', language), locale)
    await page.goto(`${getLocalePrefix(locale)}/login/`)
    const submitButton = page.getByRole('button', { name: t('auth:signIn'), exact: true })
    await expect(submitButton).toBeEnabled()
    await page.locator('form[data-ready]').waitFor()
    await page.getByRole('textbox', { name: t('auth:email') }).fill(email)
    await page.getByLabel(t('auth:password'), { exact: true }).fill(password)
    await submitButton.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: t('profiles:heading') })).toBeVisible()
    await page.getByRole('button', { name: new RegExp(`Robin.*${t('profiles:locked')}`) }).press('Enter')
    const dialog = page.getByRole('dialog', { name: t('profiles:enterPin').replace('{{name}}', 'Robin') })
    for (const [index, digit] of [...pin].entries())
      await dialog
        .getByRole('textbox', { name: t('profiles:pinDigit').replace('{{number}}', String(index + 1)) })
        .press(digit)
    await expect(dialog).toHaveCount(0)
    await expect(
      page
        .getByRole('navigation', { name: getTranslation('en', 'header:main') })
        .or(page.getByRole('navigation', { name: t('header:main') })),
    ).toBeVisible()
    await page.goto(`${getLocalePrefix(locale)}/`)
    await page.getByRole('link', { name: t('common:search'), exact: true }).press('Enter')
    await page.getByRole('textbox', { name: t('searchpage:placeholder') }).fill('arrival')
    const resultLink = page
      .getByRole('main')
      .getByRole('link', { name: /Arrival|2016/ })
      .first()
    await expect(resultLink).toBeVisible()
    if (locale === 'en') await expectSpokenResults(page)
    await resultLink.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await getPlayLink(page, locale).press('Enter')
    const video = page.locator('#picture')
    await expect
      .poll(() => video.evaluate((video: HTMLVideoElement) => video.currentTime))
      .toBeGreaterThan(0.5)
    await expect(page.getByRole('slider', { name: t('watch:seek'), includeHidden: true })).toBeAttached()
  })
}
