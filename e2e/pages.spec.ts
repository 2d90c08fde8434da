/** Every other page in each language: it answers, its words are there, axe is content. */
import { expect, test } from '@playwright/test'
import { credentials, expectAccessible, prefix, signIn, watch, words } from './household.ts'

const PAGES = [
  ['/tvshows/', 'common:tvShows'],
  ['/tvshows/stranger-things', null],
  ['/search/?q=dark', null],
  ['/account/', 'account:title'],
  ['/account/?tab=security', 'account:changePassword'],
  ['/account/?tab=devices', 'account:thisDevice'],
  ['/account/?tab=preferences', 'account:interfaceLanguage'],
  ['/dashboard/', 'dashboard:section_overview'],
  ['/profiles/', 'profiles:heading'],
  ['/nowhere/', 'errors:notFoundTitle'],
  ['/not-authorized/', 'errors:notAuthorizedTitle'],
] as const

for (const locale of ['en', 'fr', 'ar'] as const) {
  test(`every page in ${locale}`, async ({ page }) => {
    const { problems } = watch(page)
    await signIn(page, locale)
    await page.getByRole('button', { name: 'Alex' }).click()
    await expect(page.getByRole('heading', { name: words('en', 'home:popularMovies') })).toBeVisible()
    await page.evaluate((language) => localStorage.setItem('i18nextLng', language), locale)
    for (const [path, key] of PAGES) {
      await page.goto(prefix(locale) + path)
      if (key) await expect(page.getByText(words(locale, key)).first()).toBeVisible()
      await page.locator('h1').first().waitFor({ state: 'attached' })
      await page.waitForLoadState('networkidle')
      await expectAccessible(page)
    }
    expect(problems.filter((one) => !one.includes('404'))).toEqual([])
  })
}

test('a locked profile opens with its PIN alone', async ({ page }) => {
  await signIn(page, 'en')
  const { pin } = credentials()
  await page.getByRole('button', { name: /Robin/ }).click()
  const first = page.getByLabel('PIN digit 1 of 4')
  await first.waitFor()
  await page.keyboard.type(pin === '0000' ? '1111' : '0000')
  await expect(page.getByText('Invalid PIN')).toBeVisible()
  await first.focus()
  await page.keyboard.type(pin)
  await expect(page.getByRole('heading', { name: words('en', 'home:popularMovies') })).toBeVisible()
})

test('a kids profile is kept among safe titles', async ({ page }) => {
  await signIn(page, 'en')
  await page.getByRole('button', { name: /Sunny/ }).click()
  await expect(page.getByRole('heading', { name: words('en', 'home:popularMovies') })).toBeVisible()
  await page.goto('/movies/pulp-fiction')
  await expect(page).toHaveURL(/\/$/)
  await page.goto('/dashboard/')
  await expect(page).toHaveURL(/\/$/)
})

test('a visitor is sent to sign in and back, and nowhere else', async ({ page }) => {
  await page.goto('/tvshows/?sort=title.asc')
  await expect(page).toHaveURL(/\/login\/\?redirect=/)
  await page.goto('/login/?redirect=https%3A%2F%2Fevil.example%2F')
  await page.locator('form[data-ready]').waitFor()
  const { email, password } = credentials()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Wrong12345')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText('Email or password incorrect')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: "Who's watching?" })).toBeVisible()
  expect(new URL(page.url()).hostname).toBe('127.0.0.1')
})
