/** Actions and content of previews: watchlist, feedback, prefetching, kids safety and the silent video. */
import { expect, type Page } from '@playwright/test'
import { createAxe, getTranslation, signInAsProfile } from './journey-helpers.ts'
import { test } from './new-profile.ts'
import { openPage, waitUntilSettled } from './page-navigation.ts'
import {
  DESKTOP_VIEWPORT,
  getCards,
  getPreview,
  hoverCard,
  movePointerAway,
  openDesktopPage,
  turnOffLiteMode,
} from './preview.ts'

const t = (key: string) => getTranslation('en', key)
test.setTimeout(120_000)
test.use({ viewport: DESKTOP_VIEWPORT })
let adultPage: Page

test.beforeAll(async ({ browser }) => {
  adultPage = await openDesktopPage(browser)
})
test.afterAll(() => adultPage.context().close())
test.beforeEach(() => adultPage.mouse.move(2, 890))

test('a title that is liked and added to My List in a preview is shown as liked and listed in its other previews and on its page', async ({
  page,
  signInAsNewProfile,
}) => {
  await turnOffLiteMode(page)
  await signInAsNewProfile(page, 'Previewer')
  await openPage(page, 'en', '/search/?q=inception')
  const card = getCards(page.locator('.card-grid')).first()
  const titlePath = (await card.getAttribute('href')) ?? ''
  await hoverCard(card)
  await getPreview(page)
    .getByRole('button', { name: t('common:addToList'), exact: true })
    .click()
  await getPreview(page)
    .getByRole('button', { name: t('common:like'), exact: true })
    .click()
  await expect(
    getPreview(page).getByRole('button', { name: t('common:removeFromList'), exact: true }),
  ).toHaveAttribute('aria-pressed', 'true')
  await expect(
    getPreview(page).getByRole('button', { name: t('common:liked'), exact: true }),
  ).toHaveAttribute('aria-pressed', 'true')
  await movePointerAway(page)
  await expect(getPreview(page)).toHaveCount(0)
  await openPage(page, 'en', '/movies/')
  const cardOnMoviesPage = page.locator(`.card-grid a[data-card][href="${titlePath}"]`)
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return cardOnMoviesPage.count()
    })
    .toBe(1)
  await hoverCard(cardOnMoviesPage)
  await getPreview(page)
    .getByRole('button', { name: t('common:removeFromList'), exact: true })
    .waitFor()
  await expect(getPreview(page).getByRole('button', { name: t('common:liked'), exact: true })).toBeVisible()
  await movePointerAway(page)
  await openPage(page, 'en', titlePath)
  const main = page.getByRole('main')
  await main.getByRole('button', { name: t('common:liked'), exact: true }).click()
  await main.getByRole('button', { name: t('common:removeFromList'), exact: true }).click()
  await expect(main.getByRole('button', { name: t('common:addToList'), exact: true })).toBeVisible()
})

test('the title page reuses the details that the preview loaded', async () => {
  const page = adultPage
  await openPage(page, 'en', '/movies/')
  const card = getCards(page.locator('.card-grid')).nth(4)
  const detailRequests: string[] = []
  const recordDetailRequest = (request: { url: () => string }) => {
    if (/\/api\/movies\/slug\//.test(request.url())) detailRequests.push(request.url())
  }
  page.on('request', recordDetailRequest)
  await hoverCard(card)
  await expect(getPreview(page)).toBeVisible()
  await getPreview(page)
    .getByRole('link', { name: new RegExp(t('common:moreInfo')) })
    .click()
  await expect(page).toHaveURL(/\/movies\/.+/)
  await waitUntilSettled(page)
  await expect(getPreview(page)).toHaveCount(0)
  page.off('request', recordDetailRequest)
  // When the preview closes, the pointer may rest on the neighbouring card and load the details of its title. The test
  // therefore accepts several requests, but no URL twice.
  expect(detailRequests).not.toHaveLength(0)
  expect(new Set(detailRequests).size).toBe(detailRequests.length)
})

test('for a kids profile, previews load only titles that are safe for kids', async () => {
  const page = adultPage
  await openPage(page, 'en', '/profiles/')
  await page.getByRole('button', { name: /Sunny/ }).click()
  await getCards(page.locator('main')).first().waitFor()
  await openPage(page, 'en', '/movies/')
  const loadedTitles: { safe_for_kids?: boolean }[] = []
  page.on('response', async (response) => {
    if (response.ok() && /\/api\/(movies|series)\/slug\//.test(response.url()))
      loadedTitles.push(await response.json())
  })
  for (const index of [0, 3]) {
    await hoverCard(getCards(page.locator('.card-grid')).nth(index))
    await expect(getPreview(page)).toBeVisible()
    await expect.poll(() => loadedTitles.length).toBeGreaterThan(index === 0 ? 0 : 1)
    await movePointerAway(page)
    await expect(getPreview(page)).toHaveCount(0)
  }
  expect(loadedTitles.filter((title) => title.safe_for_kids !== true)).toEqual([])
})

test('a silent video plays in the preview only if the profile has preview autoplay on', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: DESKTOP_VIEWPORT })
  await context.addInitScript(() => {
    localStorage.setItem('marquee-lite', '0')
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 8 })
    Object.defineProperty(navigator, 'deviceMemory', { get: () => 8 })
  })
  const fastPage = await context.newPage()
  try {
    await signInAsProfile(fastPage, 'Alex')
    await openPage(fastPage, 'en', '/movies/')
    const card = getCards(fastPage.locator('.card-grid')).nth(2)
    await hoverCard(card)
    const video = getPreview(fastPage).locator('video')
    const isPlayingMuted = () => video.evaluate(({ muted, paused }: HTMLVideoElement) => muted && !paused)
    await expect.poll(() => isPlayingMuted().catch(() => false)).toBe(true)
    const { violations } = await createAxe(fastPage).include('.preview').analyze()
    expect(violations.map((violation) => violation.id)).toEqual([])
    await movePointerAway(fastPage)
    await expect(fastPage.locator('video')).toHaveCount(0)
    await openPage(fastPage, 'en', '/account/?tab=preferences')
    const autoplaySwitch = fastPage.getByRole('switch', { name: t('account:autoplayPreviews') })
    await autoplaySwitch.click()
    await expect(autoplaySwitch).not.toBeChecked()
    await expect(fastPage.getByText(t('account:preferencesUpdated'))).toBeVisible()
    const streamRequests: string[] = []
    fastPage.on('request', (request) => {
      if (request.url().includes('/proxy/')) streamRequests.push(request.url())
    })
    await openPage(fastPage, 'en', '/movies/')
    await hoverCard(card)
    await expect(getPreview(fastPage)).toBeVisible()
    await fastPage.waitForFunction(
      (startMs) => performance.now() > startMs + 2_000,
      await fastPage.evaluate(() => performance.now()),
    )
    expect(streamRequests).toEqual([])
    await movePointerAway(fastPage)
    await openPage(fastPage, 'en', '/account/?tab=preferences')
    await autoplaySwitch.click()
    await expect(autoplaySwitch).toBeChecked()
  } finally {
    await context.close()
  }
})
