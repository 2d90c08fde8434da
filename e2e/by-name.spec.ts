/** An evening for who hears the page: everything is found by its role and its name alone, in both reading directions. */
import { expect, test } from '@playwright/test'
import { credentials, type Locale, playLink, prefix, words } from './household.ts'

test.setTimeout(120_000)

for (const locale of ['en', 'ar'] as const satisfies Locale[]) {
  test(`signing in, a PIN, a search and a film by names alone in ${locale}`, async ({ page }) => {
    const w = (key: string) => words(locale, key)
    const { email, password, pin } = credentials()
    await page.addInitScript((language) => localStorage.setItem('i18nextLng', language), locale)
    await page.goto(`${prefix(locale)}/login/`)
    const submit = page.getByRole('button', { name: w('auth:signIn') })
    await expect(submit).toBeEnabled()
    await page.locator('form[data-ready]').waitFor()
    await page.getByRole('textbox', { name: w('auth:email') }).fill(email)
    await page.getByLabel(w('auth:password'), { exact: true }).fill(password)
    await submit.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: w('profiles:heading') })).toBeVisible()
    await page.getByRole('button', { name: new RegExp(`Robin.*${w('profiles:locked')}`) }).press('Enter')
    const dialog = page.getByRole('dialog', { name: w('profiles:enterPin').replace('{{name}}', 'Robin') })
    for (const [at, digit] of [...pin].entries())
      await dialog
        .getByRole('textbox', { name: w('profiles:pinDigit').replace('{{number}}', String(at + 1)) })
        .press(digit)
    await expect(dialog).toHaveCount(0)
    await expect(
      page
        .getByRole('navigation', { name: words('en', 'header:main') })
        .or(page.getByRole('navigation', { name: w('header:main') })),
    ).toBeVisible()
    await page.goto(`${prefix(locale)}/`)
    await page.getByRole('link', { name: w('common:search'), exact: true }).press('Enter')
    await page.getByRole('textbox', { name: w('searchpage:placeholder') }).fill('arrival')
    const found = page
      .getByRole('main')
      .getByRole('link', { name: /Arrival|2016/ })
      .first()
    await found.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await playLink(page, locale).press('Enter')
    const picture = page.locator('#picture')
    await expect
      .poll(() => picture.evaluate((video: HTMLVideoElement) => video.currentTime))
      .toBeGreaterThan(0.5)
    await expect(page.getByRole('slider', { name: w('watch:seek'), includeHidden: true })).toBeAttached()
  })
}
