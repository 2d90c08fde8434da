/** Changes made offline: they are stored, can be reverted, and are sent once. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { getTranslation, openTitlePage, signInAsProfile } from './journey-helpers.ts'
import { getOfflineStatus, waitUntilRepliesCached, waitUntilSiteCached } from './offline.ts'
import { openAndPlay } from './player.ts'

test.use({ serviceWorkers: 'allow' })

const t = (key: string) => getTranslation('en', key)

/** All tests share one browser context, because the service worker of each new context downloads the whole site. */
let context: BrowserContext
let page: Page
test.beforeAll(async ({ browser }) => {
  context = await browser.newContext()
  page = await context.newPage()
  await signInAsProfile(page, 'Alex')
})
test.beforeEach(async () => {
  page = await context.newPage()
})
test.afterEach(async () => {
  await context.setOffline(false)
  await page.close()
})
test.afterAll(() => context.close())

test('changes made offline are stored, kept after a reload, and sent once', async () => {
  const addButton = page.getByRole('main').getByRole('button', { name: t('common:addToList') })
  const removeButton = page.getByRole('main').getByRole('button', { name: t('common:removeFromList') })
  const likeButton = page.getByRole('button', { name: t('common:like'), exact: true }).first()
  const likedButton = page.getByRole('button', { name: t('common:liked') }).first()
  const isListed = await openTitlePage(page, '/movies/arrival')
  await waitUntilRepliesCached(page)
  if (await likedButton.isVisible()) await likedButton.click()
  await expect(likeButton).toBeVisible()
  if (isListed) {
    await removeButton.first().click()
    await expect(page.getByText(t('common:removed'))).toBeVisible()
  }
  await expect(addButton.first()).toBeVisible()
  await page.goto('/mylist/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await waitUntilSiteCached(page)
  expect(await openTitlePage(page, '/movies/arrival')).toBe(false)
  await waitUntilRepliesCached(page)

  await context.setOffline(true)
  await addButton.first().click()
  await likeButton.click()
  await expect(getOfflineStatus(page)).toContainText(t('common:changesWait_other').replace('{{count}}', '2'))
  await page.reload()
  await expect(removeButton.first()).toBeVisible()
  await expect(likedButton).toBeVisible()
  await page.goto('/mylist/')
  await expect(page.locator('.card-grid a[href*="arrival"]').first()).toBeVisible()

  const sentWriteKinds: string[] = []
  page.on('response', (response) => {
    const request = response.request()
    if (request.method() !== 'GET' && /watchlist|feedback/.test(request.url()))
      sentWriteKinds.push(new URL(request.url()).pathname.replace(/.*\/(watchlist|feedback)\/.*/, '$1'))
  })
  const secondTab = await context.newPage()
  await secondTab.goto('/mylist/')
  await context.setOffline(false)
  await expect(getOfflineStatus(page)).toHaveCount(0)
  await expect
    .poll(() =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('marquee-waiting'))),
    )
    .toEqual([])
  await secondTab.close()
  await page.evaluate(async () => {
    for (const name of await caches.keys()) if (name.startsWith('marquee-reads')) await caches.delete(name)
  })
  await page.reload()
  await expect(page.locator('.card-grid a[href*="arrival"]').first()).toBeVisible()
  expect(sentWriteKinds.length).toBeLessThanOrEqual(2)
  expect(new Set(sentWriteKinds).size).toBe(sentWriteKinds.length)
})

test('while the server rejects a change with 503, a message shows the number of pending changes', async () => {
  await page.route(/\/watchlist\/movie\//, (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  )
  const isListed = await openTitlePage(page, '/movies/arrival')
  const button = page
    .getByRole('main')
    .getByRole('button', { name: t(isListed ? 'common:removeFromList' : 'common:addToList') })
  await button.first().click()
  const waitingText = t('common:changesWait_one').replace('{{count}}', '1')
  const waitingMessage = page.getByRole('status').filter({ hasText: waitingText })
  await expect(waitingMessage).toBeVisible({ timeout: 15_000 })
  await expect(waitingMessage).not.toContainText(t('common:offline'))
  await page.unroute(/\/watchlist\/movie\//)
  await expect(waitingMessage).toHaveCount(0, { timeout: 30_000 })
})

test('on a phone, the last line of a page can be scrolled above the message that the server cannot be reached', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/watch-next/')
  const lastEntry = page.getByRole('main').getByRole('listitem').last()
  await expect(lastEntry).toBeVisible()
  await context.setOffline(true)
  const message = getOfflineStatus(page)
  await expect(message).toBeVisible()
  const measureMessageGapPx = async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const [entryBox, messageBox] = await Promise.all([lastEntry.boundingBox(), message.boundingBox()])
    return (messageBox?.y ?? 0) - (entryBox?.y ?? 0) - (entryBox?.height ?? 0)
  }
  await expect.poll(measureMessageGapPx).toBeGreaterThanOrEqual(0)
})

test('progress made offline is sent when the network returns', async () => {
  await page.goto('/')
  await waitUntilSiteCached(page)
  await openAndPlay(page, '/watch/?type=movie&slug=arrival')
  const video = page.locator('video')
  await waitUntilRepliesCached(page, ['/api/movies/slug/arrival'])
  await context.setOffline(true)
  await video.evaluate((element: HTMLVideoElement) => element.pause())
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => / progress movie\//.test(key))))
    .toBe(true)
  const historyResponsePromise = page.waitForResponse(
    (response) => /\/history$/.test(response.url()) && response.request().method() === 'POST',
  )
  await context.setOffline(false)
  expect((await historyResponsePromise).status()).toBe(200)
})

const listPendingWriteKinds = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith('marquee-waiting'))
      .map((key) => (JSON.parse(localStorage.getItem(key) ?? '{}') as { kind: string }).kind)
      .sort(),
  )

test('offline, Undo reverts a pending removal of progress, even after a reload, and no request is sent', async () => {
  const main = page.getByRole('main')
  const resetButton = main.getByRole('button', { name: t('detail:resetProgress') })
  await openAndPlay(page, '/watch/?type=movie&slug=inception')
  const video = page.locator('video')
  const historyResponsePromise = page.waitForResponse(
    (response) => /\/history$/.test(response.url()) && response.request().method() === 'POST',
  )
  await video.evaluate((element: HTMLVideoElement) => element.pause())
  await historyResponsePromise
  await page.goto('/movies/inception')
  await expect(resetButton).toBeVisible()
  await waitUntilSiteCached(page)
  const sentUrls: string[] = []
  page.on('response', (response) => {
    if (/\/history/.test(response.url()) && response.request().method() !== 'GET')
      sentUrls.push(response.url())
  })

  await context.setOffline(true)
  await expect(getOfflineStatus(page)).toBeVisible()
  const undoButton = page.getByRole('button', { name: t('common:undo') })
  await resetButton.click()
  await expect.poll(() => listPendingWriteKinds(page)).toEqual(['reset'])
  await expect(page.getByText(t('detail:progressReset'))).toBeVisible()
  await expect(resetButton).toHaveCount(0)
  await page
    .getByRole('status')
    .getByRole('button', { name: t('common:undo') })
    .click()
  await expect.poll(() => listPendingWriteKinds(page)).toEqual([])
  await expect(resetButton).toBeVisible()

  await resetButton.click()
  await expect.poll(() => listPendingWriteKinds(page)).toEqual(['reset'])
  await page.reload()
  await expect(undoButton).toBeVisible()
  await undoButton.click()
  await expect.poll(() => listPendingWriteKinds(page)).toEqual([])
  await expect(resetButton).toBeVisible()

  await context.setOffline(false)
  await expect(getOfflineStatus(page)).toHaveCount(0)
  await page.reload()
  await expect(resetButton).toBeVisible()
  expect(sentUrls).toEqual([])
})

test('offline, Undo reverts a pending bulk change, and a bulk change that is not reverted is sent once', async () => {
  for (const slug of ['arrival', 'inception']) {
    const main = page.getByRole('main')
    if (!(await openTitlePage(page, `/movies/${slug}`)))
      await main
        .getByRole('button', { name: t('common:addToList') })
        .first()
        .click()
    await expect(main.getByRole('button', { name: t('common:removeFromList') }).first()).toBeVisible()
    await waitUntilRepliesCached(page)
  }
  await page.goto('/mylist/')
  const cards = page.locator('.card-grid > li')
  await expect(cards.nth(1)).toBeVisible()
  await waitUntilSiteCached(page)
  const initialCount = await cards.count()
  const selectionBar = page.getByRole('region', { name: t('mylist:select') })
  const removeTwoTitles = async () => {
    await page.getByRole('button', { name: t('mylist:select'), exact: true }).click()
    for (const index of [0, 1]) await page.locator('.card-grid label').nth(index).click()
    await selectionBar.getByRole('button', { name: t('common:removeFromList') }).click()
  }

  await context.setOffline(true)
  await expect(getOfflineStatus(page)).toBeVisible()
  await removeTwoTitles()
  await expect(page.getByText(t('mylist:changed_other').replace('{{count}}', '2'))).toBeVisible()
  await expect(cards).toHaveCount(initialCount - 2)
  await expect.poll(() => listPendingWriteKinds(page)).toEqual(['several'])
  await page.getByRole('button', { name: t('common:undo') }).click()
  await expect(cards).toHaveCount(initialCount)
  await expect.poll(() => listPendingWriteKinds(page)).toEqual([])

  await removeTwoTitles()
  await expect(cards).toHaveCount(initialCount - 2)
  await page.reload()
  await expect(cards).toHaveCount(initialCount - 2)
  let sentRequestCount = 0
  page.on('response', (response) => {
    const request = response.request()
    if (request.method() === 'PUT' && /\/watchlist$/.test(request.url())) sentRequestCount += 1
  })
  await context.setOffline(false)
  await expect(getOfflineStatus(page)).toHaveCount(0)
  await expect.poll(() => listPendingWriteKinds(page)).toEqual([])
  await page.reload()
  await expect(cards).toHaveCount(initialCount - 2)
  expect(sentRequestCount).toBe(1)
})

test('a change made right before leaving the page is sent', async () => {
  const main = page.getByRole('main')
  const labelsByListedState = { true: t('common:removeFromList'), false: t('common:addToList') }
  const isInitiallyListed = await openTitlePage(page, '/movies/oppenheimer')
  for (const wasListed of [isInitiallyListed, !isInitiallyListed]) {
    await waitUntilRepliesCached(page)
    await main
      .getByRole('button', { name: labelsByListedState[`${wasListed}`] })
      .first()
      .click()
    await page.goto('/mylist/')
    /*
     * On a slow computer, the browser leaves the title page before that page has sent the change. One of the next pages
     * then sends it. Until then, the server would return the earlier state.
     */
    await page.goto('/movies/oppenheimer')
    await expect(
      main.getByRole('button', { name: labelsByListedState[`${!wasListed}`] }).first(),
    ).toBeVisible()
    await expect.poll(() => listPendingWriteKinds(page)).toEqual([])
    expect(await openTitlePage(page, '/movies/oppenheimer')).toBe(!wasListed)
  }
})

const getListButton = (tab: Page, isListed: boolean) =>
  tab
    .getByRole('main')
    .getByRole('button', { name: t(isListed ? 'common:removeFromList' : 'common:addToList') })
    .first()
const waitForWatchlistPut = (tab: Page) =>
  tab.waitForResponse(
    (response) => response.request().method() === 'PUT' && /\/watchlist\//.test(response.url()),
  )

test('the next page sends a watchlist change that was made before the outbox was loaded', async ({
  browser,
}) => {
  const device = await browser.newContext({ serviceWorkers: 'block' })
  const tab = await device.newPage()
  await signInAsProfile(tab, 'Alex')
  /* On the first page, the request for the outbox module gets no response. */
  let isFirstPage = true
  await tab.route(/\/outbox\.[^/]+\.js$/, (route) => (isFirstPage ? undefined : route.continue()))
  const wasListed = await openTitlePage(tab, '/movies/oppenheimer')
  await getListButton(tab, wasListed).click()
  isFirstPage = false
  const putResponsePromise = waitForWatchlistPut(tab)
  await tab.goto('/mylist/')
  await putResponsePromise
  expect(await openTitlePage(tab, '/movies/oppenheimer')).toBe(!wasListed)
  await device.close()
})

test('after two opposite changes of a watchlist entry before the outbox is loaded, the server stores the second change', async ({
  browser,
}) => {
  const device = await browser.newContext({ serviceWorkers: 'block' })
  const tab = await device.newPage()
  await signInAsProfile(tab, 'Alex')
  const { promise: releasePromise, resolve: releaseOutbox } = Promise.withResolvers<void>()
  await tab.route(/\/outbox\.[^/]+\.js$/, (route) => releasePromise.then(() => route.continue()))
  const wasListed = await openTitlePage(tab, '/movies/oppenheimer')
  await getListButton(tab, wasListed).click()
  await getListButton(tab, !wasListed).click()
  await expect(getListButton(tab, wasListed)).toBeVisible()
  const putResponsePromise = waitForWatchlistPut(tab)
  releaseOutbox()
  await putResponsePromise
  await expect.poll(() => listPendingWriteKinds(tab)).toEqual([])
  expect(await openTitlePage(tab, '/movies/oppenheimer')).toBe(wasListed)
  await device.close()
})
