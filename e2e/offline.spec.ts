/** The network goes: what was seen stays, what may not be seen stays shut, and the browser may keep the site. */
import { expect, type Page, test } from '@playwright/test'
import { credentials, words } from './household.ts'
import { home, kept, offlineSign, settled } from './offline.ts'

const w = (key: string) => words('en', key)
const cacheNames = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => /reads|pictures/.test(name)))

test('home, a title, My List and search go on without a network, and say so', async ({ page, context }) => {
  await home(page)
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { level: 1, name: 'Arrival' })).toBeVisible()
  await kept(page)
  await page.goto('/mylist/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await kept(page)
  await page.goto('/')
  await settled(page)

  await context.setOffline(true)
  await expect(offlineSign(page)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
  await expect(page.locator('section[aria-label] li img').first()).toBeVisible()
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { level: 1, name: 'Arrival' })).toBeVisible()
  await page.goto('/mylist/')
  await expect(page.getByRole('heading', { level: 1, name: w('mylist:title') })).toBeVisible()
  await page.goto('/search/')
  await page.getByRole('textbox').fill('arriv')
  await expect(page.getByText(w('searchpage:offlineResults'))).toBeVisible()
  await expect(page.locator('.card-grid a[href*="arrival"]').first()).toBeVisible()

  await page.goto('/actor/nobody-was-here')
  await expect(page.getByRole('heading', { name: w('errors:offlineTitle') })).toBeVisible()
  await page.goto('/not-a-page-at-all')
  await expect(page.getByRole('heading', { name: w('errors:offlineTitle') })).toBeVisible()
  await context.setOffline(false)
  await page.goto('/')
  await expect(offlineSign(page)).toHaveCount(0)
})

test('kids and PIN rules hold, and signing out leaves nothing', async ({ page, context }) => {
  const { pin } = credentials()
  await home(page, 'Robin').catch(() => {})
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  for (const digit of pin) await page.keyboard.press(digit)
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
  await settled(page)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()

  /* Another tab has not said the PIN: the profile stays shut. */
  const other = await context.newPage()
  await other.goto('/')
  await expect(other.getByRole('heading', { level: 1, name: w('profiles:heading') })).toBeVisible()
  await other.getByRole('button', { name: 'Robin' }).click()
  await other.getByRole('dialog').waitFor()
  for (const digit of pin) await other.keyboard.press(digit)
  await expect(other.getByText(w('profiles:offlineLocked'))).toBeVisible()
  await other.keyboard.press('Escape')

  /* Nobody else's answers: this profile was never here. */
  await other.getByRole('button', { name: 'Alex' }).click()
  await expect(other.getByRole('heading', { name: w('errors:offlineTitle') })).toBeVisible()
  await other.close()

  await context.setOffline(false)
  expect((await cacheNames(page)).length).toBeGreaterThan(0)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: w('home:popularMovies') })).toBeVisible()
  await kept(page)
  await page.locator('header button[aria-expanded]').last().click()
  await page.getByRole('button', { name: w('header:logout') }).click()
  await expect(page).toHaveURL(/\/login\//)
  await expect.poll(() => cacheNames(page)).toEqual([])
  await context.setOffline(true)
  await page.goto('/')
  await expect(page.locator('form')).toBeVisible()
})

test('the browser may install it', async ({ page }) => {
  await page.goto('/ar/login/')
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
    return (await fetch(link?.href ?? '')).json()
  })
  expect(manifest).toMatchObject({
    lang: 'ar',
    dir: 'rtl',
    start_url: '/ar/',
    display: 'standalone',
    id: '/',
  })
  const client = await page.context().newCDPSession(page)
  await page.waitForFunction(() => navigator.serviceWorker.getRegistration().then(Boolean), null, {
    timeout: 20_000,
  })
  const { installabilityErrors } = await client.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})
