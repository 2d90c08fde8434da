/** Offline use: visited pages, locked and other profiles, sign-out and installation. */
import { expect, type Page, test } from '@playwright/test'
import { getTranslation, readDemoCredentials, signIn } from './journey-helpers.ts'
import {
  getOfflineStatus,
  signInAndOpenHome,
  waitUntilRepliesCached,
  waitUntilSiteCached,
} from './offline.ts'

test.use({ serviceWorkers: 'allow' })

const t = (key: string) => getTranslation('en', key)
const listCacheNames = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => /reads|pictures/.test(name)))

test('visited pages, My List and search work offline, and unvisited pages show the offline message', async ({
  page,
  context,
}) => {
  await signInAndOpenHome(page)
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { level: 1, name: 'Arrival' })).toBeVisible()
  await waitUntilRepliesCached(page)
  await page.goto('/mylist/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await waitUntilRepliesCached(page)
  await page.goto('/watch-next/')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await waitUntilRepliesCached(page)
  await page.goto('/')
  await waitUntilSiteCached(page)

  await context.setOffline(true)
  await expect(getOfflineStatus(page)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  await expect(page.locator('section[aria-label] li img').first()).toBeVisible()
  await page.goto('/movies/arrival')
  await expect(page.getByRole('heading', { level: 1, name: 'Arrival' })).toBeVisible()
  await page.goto('/mylist/')
  await expect(page.getByRole('heading', { level: 1, name: t('mylist:title') })).toBeVisible()
  await page.goto('/watch-next/')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await page.goto('/search/')
  await page.getByRole('textbox').fill('arriv')
  await expect(page.getByText(t('searchpage:offlineResults'))).toBeVisible()
  await expect(page.locator('.card-grid a[href*="arrival"]').first()).toBeVisible()

  await page.goto('/actor/nobody-was-here')
  await expect(page.getByRole('heading', { name: t('errors:offlineTitle') })).toBeVisible()
  await page.goto('/not-a-page-at-all')
  await expect(page.getByRole('heading', { name: t('errors:offlineTitle') })).toBeVisible()
  await context.setOffline(false)
  await page.goto('/')
  await expect(getOfflineStatus(page)).toHaveCount(0)
})

test('offline, a locked profile and a profile without cached data cannot be opened, and signing out deletes the caches', async ({
  page,
  context,
}) => {
  const { pin } = readDemoCredentials()
  await signIn(page, 'en')
  await page.getByRole('button', { name: 'Robin' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  for (const digit of pin) await page.keyboard.press(digit)
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  await waitUntilSiteCached(page)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()

  /* The PIN was not entered in this tab, so the profile stays locked here. */
  const otherTab = await context.newPage()
  await otherTab.goto('/')
  await expect(otherTab.getByRole('heading', { level: 1, name: t('profiles:heading') })).toBeVisible()
  await otherTab.getByRole('button', { name: 'Robin' }).click()
  await otherTab.getByRole('dialog').waitFor()
  for (const digit of pin) await otherTab.keyboard.press(digit)
  await expect(otherTab.getByText(t('profiles:offlineLocked'))).toBeVisible()
  await otherTab.keyboard.press('Escape')

  /* This profile was not used on this device, so nothing is cached for it. */
  await otherTab.getByRole('button', { name: 'Alex' }).click()
  await expect(otherTab.getByRole('heading', { name: t('errors:offlineTitle') })).toBeVisible()
  await otherTab.close()

  await context.setOffline(false)
  expect((await listCacheNames(page)).length).toBeGreaterThan(0)
  /*
   * The other tab opened the profile picker, which ends the unlock of the profile. The request that ends the unlock is
   * sent as soon as the server can be reached. The profile is then locked in all tabs.
   */
  await page.goto('/')
  await page.getByRole('button', { name: 'Robin' }).click()
  await dialog.waitFor()
  for (const digit of pin) await page.keyboard.press(digit)
  await expect(page.getByRole('heading', { name: t('home:popularMovies') })).toBeVisible()
  await waitUntilRepliesCached(page)
  await page.locator('header button[aria-expanded]').last().click()
  await page.getByRole('button', { name: t('header:logout') }).click()
  await expect(page).toHaveURL(/\/login\//)
  await expect.poll(() => listCacheNames(page)).toEqual([])
  await context.setOffline(true)
  await page.goto('/')
  await expect(page.locator('form')).toBeVisible()
})

test('the site is installable in Arabic, with a right-to-left manifest', async ({ page }) => {
  await page.goto('/ar/login/')
  const manifest = await page.evaluate(async () => {
    const manifestLink = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
    return (await fetch(manifestLink?.href ?? '')).json()
  })
  expect(manifest).toMatchObject({
    lang: 'ar',
    dir: 'rtl',
    start_url: '/ar/',
    display: 'standalone',
    id: '/',
  })
  const cdpClient = await page.context().newCDPSession(page)
  await page.waitForFunction(() => navigator.serviceWorker.getRegistration().then(Boolean), null, {
    timeout: 20_000,
  })
  const { installabilityErrors } = await cdpClient.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})
