/** Accessibility features that axe cannot check: display preferences, captions, lite mode and forced colours. */
import { expect, type Page, test } from '@playwright/test'
import { findViolations, getTranslation, signInAsProfile } from './journey-helpers.ts'
import { openPage, waitUntilSettled } from './page-navigation.ts'

const t = (key: string) => getTranslation('en', key)
test.setTimeout(120_000)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext({ colorScheme: 'dark', reducedMotion: 'reduce' })).newPage()
  await signInAsProfile(page, 'Alex')
})
test.afterAll(() => page.context().close())

test('display preferences that are changed on the account page apply immediately, and also on the home page', async () => {
  await openPage(page, 'en', '/account/?tab=preferences')
  const getFontSizePx = () =>
    page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
  const defaultSizePx = await getFontSizePx()
  await page.getByLabel('Text size').selectOption({ label: '150%' })
  await expect.poll(getFontSizePx).toBeCloseTo(defaultSizePx * 1.5, 1)
  await page.getByRole('switch', { name: 'Higher contrast' }).click()
  await page.getByRole('switch', { name: 'Less motion' }).click()
  await page.getByRole('switch', { name: 'Simple home page' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-home', 'simple')
  await page.goto('/', { waitUntil: 'commit' })
  const htmlElement = page.locator('html')
  await expect(htmlElement).toHaveAttribute('data-text', '150')
  await expect(htmlElement).toHaveAttribute('data-contrast', 'high')
  await expect(htmlElement).toHaveAttribute('data-motion', 'less')
  await expect(page.getByRole('region', { name: 'Popular Movies Right Now' })).toBeVisible()
  await waitUntilSettled(page)
  expect(await page.locator('.row-track').count()).toBeLessThanOrEqual(4)
  expect(await findViolations(page)).toEqual([])
  await openPage(page, 'en', '/account/?tab=preferences')
  await page.getByLabel('Text size').selectOption({ label: '100%' })
  for (const name of ['Higher contrast', 'Less motion', 'Simple home page'])
    await page.getByRole('switch', { name }).click()
  await expect(htmlElement).not.toHaveAttribute('data-home')
  await expect(htmlElement).not.toHaveAttribute('data-contrast')
  await page.emulateMedia({ contrast: 'more' })
  await expect(htmlElement).toHaveAttribute('data-contrast', 'high')
  await page.emulateMedia({ contrast: null })
  await expect(htmlElement).not.toHaveAttribute('data-contrast')
})

test('single-key shortcuts that the viewer has turned off on this device do nothing on the account page and in the player', async () => {
  await openPage(page, 'en', '/account/?tab=preferences')
  await page.keyboard.press('/')
  await expect(page).toHaveURL(/\/search\/$/)
  await openPage(page, 'en', '/account/?tab=preferences')
  const singleKeysSwitch = page.getByRole('switch', { name: getTranslation('en', 'account:singleKeys') })
  await singleKeysSwitch.click()
  await expect(singleKeysSwitch).not.toBeChecked()
  const isKeyIgnored = await page.evaluate(() =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true })),
  )
  expect(isKeyIgnored).toBe(true)
  await page.goto('/watch/?type=movie&slug=arrival')
  const video = page.locator('#picture')
  const isMuted = () => video.evaluate((element: HTMLVideoElement) => element.muted)
  const dialog = page.getByRole('dialog', { name: getTranslation('en', 'watch:keys') })
  await page.getByRole('button', { name: getTranslation('en', 'watch:keys') }).waitFor({ state: 'attached' })
  const wasMuted = await isMuted()
  await page.keyboard.press('m')
  await page.keyboard.press('?')
  await expect(dialog).toHaveCount(0)
  expect(await isMuted()).toBe(wasMuted)
  await page.getByRole('button', { name: getTranslation('en', 'watch:keys') }).click()
  await expect(dialog.getByText(getTranslation('en', 'watch:keyOff'), { exact: true })).not.toHaveCount(0)
  await dialog.getByRole('switch', { name: getTranslation('en', 'watch:singleKeys') }).click()
  await expect(dialog.getByText(getTranslation('en', 'watch:keyOff'), { exact: true })).toHaveCount(0)
  await dialog.getByRole('button', { name: getTranslation('en', 'common:close') }).click()
  await page.keyboard.press('?')
  await expect(dialog).toBeVisible()
})

test('a page whose data could not be loaded keeps its heading, and shows the error on a phone without scrolling', async ({
  browser,
}) => {
  const phonePage = await browser.newPage({ viewport: { width: 390, height: 760 }, reducedMotion: 'reduce' })
  await signInAsProfile(phonePage, 'Alex')
  await phonePage.route('**/api/profile/*/**', (route) =>
    route.fulfill({ status: 500, json: { status: 500 } }),
  )
  for (const path of ['/history/', '/lists/', '/statistics/', '/account/?tab=taste']) {
    await openPage(phonePage, 'en', path)
    const errorHeadings = phonePage.getByRole('heading', { level: 2, name: t('errors:serverTitle') })
    await expect(errorHeadings.first(), path).toBeInViewport()
    await expect(phonePage.locator('h1'), path).toHaveCount(1)
  }
  await phonePage.close()
})

test('at 400 % zoom, the header scrolls out of view and returns when one of its links gets the focus; in print, the header is not fixed and has no navigation', async () => {
  const viewport = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 256 })
  await openPage(page, 'en', '/movies/')
  const searchLink = page.getByRole('banner').getByRole('link', { name: t('common:search') })
  await expect(searchLink).toBeInViewport()
  await page.mouse.wheel(0, 600)
  await expect(searchLink).not.toBeInViewport()
  await searchLink.focus()
  await expect(searchLink).toBeInViewport()
  if (viewport) await page.setViewportSize(viewport)
  await expect(page.getByRole('banner')).toHaveCSS('position', 'fixed')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('banner')).toHaveCSS('position', 'absolute')
  await expect(page.getByRole('banner').getByRole('navigation')).toHaveCount(0)
  await page.emulateMedia({ media: null })
})

test('popular titles are shown below the message that a search has found nothing', async () => {
  await openPage(page, 'en', '/search/?q=zzzzqqqq')
  await expect(page.getByRole('heading', { level: 2, name: t('searchpage:noResults') })).toBeVisible()
  const popularTitles = page.getByRole('region', { name: t('searchpage:popular') })
  await expect(popularTitles.getByRole('link').first()).toBeVisible()
})

test('playback starts with captions if the profile has the preference to always show captions', async () => {
  await openPage(page, 'en', '/account/?tab=preferences')
  const captionsSwitch = page.getByRole('switch', { name: getTranslation('en', 'account:captionsOn') })
  await captionsSwitch.click()
  await expect(captionsSwitch).toBeChecked()
  await expect(page.getByText(getTranslation('en', 'account:preferencesUpdated'))).toBeVisible()
  await page.goto('/watch/?type=movie&slug=arrival&redirect=%2Fmovies%2Farrival')
  const video = page.locator('#picture')
  const listActiveTracks = () =>
    video.evaluate((video: HTMLVideoElement) =>
      [...video.textTracks].filter((track) => track.mode !== 'disabled').map((track) => track.kind),
    )
  await expect.poll(listActiveTracks).not.toEqual([])
  await openPage(page, 'en', '/account/?tab=preferences')
  await captionsSwitch.click()
  await expect(captionsSwitch).not.toBeChecked()
})

test('lite mode turned on by the viewer loads smaller images, shows shorter rows and disables transitions', async () => {
  await page.evaluate(() => localStorage.setItem('marquee-lite', '1'))
  await openPage(page, 'en', '/')
  await expect(page.locator('html')).toHaveAttribute('data-lite', '')
  const popularMoviesRow = page.getByRole('region', { name: 'Popular Movies Right Now' })
  await popularMoviesRow.locator('[data-card]').first().waitFor()
  expect(await popularMoviesRow.locator('[data-card]').count()).toBeLessThanOrEqual(12)
  const imageSources = await page
    .locator('img')
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src))
  expect(imageSources).not.toHaveLength(0)
  expect(imageSources.filter((source) => /\/w(1280|500)\//.test(source))).toEqual([])
  const transitionCount = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter(
        (element) =>
          getComputedStyle(element).transitionProperty !== 'none' &&
          Number.parseFloat(getComputedStyle(element).transitionDuration) > 0.01,
      ).length,
  )
  expect(transitionCount).toBe(0)
  await page.evaluate(() => localStorage.removeItem('marquee-lite'))
})

test('the focus outline stays visible with forced colours', async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openPage(page, 'en', '/')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const outline = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
    return { outlineStyle, isWideEnough: Number.parseFloat(outlineWidth) >= 2 }
  })
  expect(outline).toEqual({ outlineStyle: 'solid', isWideEnough: true })
  await page.emulateMedia({ forcedColors: 'none' })
})
