/** Who may see which page. */
import { expect, test } from '@playwright/test'
import { credentials, signIn, words } from './household.ts'

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
