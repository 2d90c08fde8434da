/** What is done without a network waits, can be taken back, and arrives once. */
import { expect, type Page, test } from '@playwright/test'
import { openTitle, words } from './household.ts'
import { home, kept, offlineSign, settled } from './offline.ts'

const w = (key: string) => words('en', key)

test('what is done without a network waits, stays over a reload, and arrives once', async ({
  page,
  context,
}) => {
  await home(page)
  const button = page.getByRole('main').getByRole('button', { name: w('common:addToList') })
  const inList = page.getByRole('main').getByRole('button', { name: w('common:removeFromList') })
  const like = page.getByRole('button', { name: w('common:like'), exact: true }).first()
  const liked = page.getByRole('button', { name: w('common:liked') }).first()
  const isListed = await openTitle(page, '/movies/arrival')
  await kept(page)
  if (await liked.isVisible()) await liked.click()
  await expect(like).toBeVisible()
  if (isListed) {
    await inList.first().click()
    await expect(page.getByText(w('common:removed'))).toBeVisible()
  }
  await expect(button.first()).toBeVisible()
  await page.goto('/mylist/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await settled(page)
  expect(await openTitle(page, '/movies/arrival')).toBe(false)
  await kept(page)

  await context.setOffline(true)
  await button.first().click()
  await like.click()
  await expect(offlineSign(page)).toContainText(w('common:changesWait_other').replace('{{count}}', '2'))
  await page.reload()
  await expect(inList.first()).toBeVisible()
  await expect(liked).toBeVisible()
  await page.goto('/mylist/')
  await expect(page.locator('.card-grid a[href*="arrival"]').first()).toBeVisible()

  const sent: string[] = []
  page.on('response', (answer) => {
    const request = answer.request()
    if (request.method() !== 'GET' && /watchlist|feedback/.test(request.url()))
      sent.push(new URL(request.url()).pathname.replace(/.*\/(watchlist|feedback)\/.*/, '$1'))
  })
  const second = await context.newPage()
  await second.goto('/mylist/')
  await context.setOffline(false)
  await expect(offlineSign(page)).toHaveCount(0)
  await expect
    .poll(() =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('marquee-waiting'))),
    )
    .toEqual([])
  await second.close()
  await page.evaluate(async () => {
    for (const name of await caches.keys()) if (name.startsWith('marquee-reads')) await caches.delete(name)
  })
  await page.reload()
  await expect(page.locator('.card-grid a[href*="arrival"]').first()).toBeVisible()
  expect(sent.length).toBeLessThanOrEqual(2)
  expect(new Set(sent).size).toBe(sent.length)
})

test('progress made without a network arrives when it is back', async ({ page, context }) => {
  await home(page)
  await settled(page)
  await page.goto('/watch/?type=movie&slug=arrival')
  const video = page.locator('video')
  await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime)).toBeGreaterThan(1)
  await kept(page, ['/api/movies/slug/arrival'])
  await context.setOffline(true)
  await video.evaluate((one: HTMLVideoElement) => one.pause())
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => / progress movie\//.test(key))))
    .toBe(true)
  const saved = page.waitForResponse(
    (answer) => /\/history$/.test(answer.url()) && answer.request().method() === 'POST',
  )
  await context.setOffline(false)
  expect((await saved).status()).toBe(200)
})

const waitingKinds = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith('marquee-waiting'))
      .map((key) => (JSON.parse(localStorage.getItem(key) ?? '{}') as { kind: string }).kind)
      .sort(),
  )

test('a reset that waits is taken back, also after a reload', async ({ page, context }) => {
  await home(page)
  const main = page.getByRole('main')
  const reset = main.getByRole('button', { name: w('detail:resetProgress') })
  await page.goto('/watch/?type=movie&slug=inception')
  const video = page.locator('video')
  await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime)).toBeGreaterThan(1)
  const saved = page.waitForResponse(
    (answer) => /\/history$/.test(answer.url()) && answer.request().method() === 'POST',
  )
  await video.evaluate((one: HTMLVideoElement) => one.pause())
  await saved
  await page.goto('/movies/inception')
  await expect(reset).toBeVisible()
  await settled(page)
  const heard: string[] = []
  page.on('response', (answer) => {
    if (/\/history/.test(answer.url()) && answer.request().method() !== 'GET') heard.push(answer.url())
  })

  await context.setOffline(true)
  await expect(offlineSign(page)).toBeVisible()
  const undo = page.getByRole('button', { name: w('common:undo') })
  await reset.click()
  await expect.poll(() => waitingKinds(page)).toEqual(['reset'])
  await expect(page.getByText(w('detail:progressReset'))).toBeVisible()
  await expect(reset).toHaveCount(0)
  await page
    .getByRole('status')
    .getByRole('button', { name: w('common:undo') })
    .click()
  await expect.poll(() => waitingKinds(page)).toEqual([])
  await expect(reset).toBeVisible()

  await reset.click()
  await expect.poll(() => waitingKinds(page)).toEqual(['reset'])
  await page.reload()
  await expect(undo).toBeVisible()
  await undo.click()
  await expect.poll(() => waitingKinds(page)).toEqual([])
  await expect(reset).toBeVisible()

  await context.setOffline(false)
  await expect(offlineSign(page)).toHaveCount(0)
  await page.reload()
  await expect(reset).toBeVisible()
  expect(heard).toEqual([])
})

test('several titles changed without a network arrive once; Undo takes back what waits', async ({
  page,
  context,
}) => {
  await home(page)
  for (const slug of ['arrival', 'inception']) {
    const main = page.getByRole('main')
    if (!(await openTitle(page, `/movies/${slug}`)))
      await main
        .getByRole('button', { name: w('common:addToList') })
        .first()
        .click()
    await expect(main.getByRole('button', { name: w('common:removeFromList') }).first()).toBeVisible()
    await kept(page)
  }
  await page.goto('/mylist/')
  const cards = page.locator('.card-grid > li')
  await expect(cards.nth(1)).toBeVisible()
  await settled(page)
  const many = await cards.count()
  const bar = page.getByRole('region', { name: w('mylist:select') })
  const removeTwo = async () => {
    await page.getByRole('button', { name: w('mylist:select'), exact: true }).click()
    for (const nth of [0, 1]) await page.locator('.card-grid label').nth(nth).click()
    await bar.getByRole('button', { name: w('common:removeFromList') }).click()
  }

  await context.setOffline(true)
  await expect(offlineSign(page)).toBeVisible()
  await removeTwo()
  await expect(page.getByText(w('mylist:changed_other').replace('{{count}}', '2'))).toBeVisible()
  await expect(cards).toHaveCount(many - 2)
  await expect.poll(() => waitingKinds(page)).toEqual(['several'])
  await page.getByRole('button', { name: w('common:undo') }).click()
  await expect(cards).toHaveCount(many)
  await expect.poll(() => waitingKinds(page)).toEqual([])

  await removeTwo()
  await expect(cards).toHaveCount(many - 2)
  await page.reload()
  await expect(cards).toHaveCount(many - 2)
  let sent = 0
  page.on('response', (answer) => {
    const request = answer.request()
    if (request.method() === 'PUT' && /\/watchlist$/.test(request.url())) sent += 1
  })
  await context.setOffline(false)
  await expect(offlineSign(page)).toHaveCount(0)
  await expect.poll(() => waitingKinds(page)).toEqual([])
  await page.reload()
  await expect(cards).toHaveCount(many - 2)
  expect(sent).toBe(1)
})

test('what is changed right before the page goes arrives', async ({ page }) => {
  await home(page)
  const main = page.getByRole('main')
  const press = { true: w('common:removeFromList'), false: w('common:addToList') }
  const before = await openTitle(page, '/movies/oppenheimer')
  for (const listed of [before, !before]) {
    await kept(page)
    await main
      .getByRole('button', { name: press[`${listed}`] })
      .first()
      .click()
    await page.goto('/mylist/')
    expect(await openTitle(page, '/movies/oppenheimer')).toBe(!listed)
  }
})
