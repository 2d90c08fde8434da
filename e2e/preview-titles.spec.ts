/** What a preview does to its title: lists and opinions, the page behind it, what a child may see, a piece of the film. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { words } from './household.ts'
import { cards, desk, leave, preview, rest } from './preview.ts'
import { enter, open, settled } from './settle.ts'

const w = (key: string) => words('en', key)
test.setTimeout(120_000)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await desk(browser)
})
test.afterAll(() => page.context().close())
test.beforeEach(() => page.mouse.move(2, 890))

test('what it does is done everywhere the title stands', async () => {
  await open(page, 'en', '/search/?q=inception')
  const card = cards(page.locator('.card-grid')).first()
  const path = (await card.getAttribute('href')) ?? ''
  await rest(card)
  await preview(page)
    .getByRole('button', { name: w('common:addToList'), exact: true })
    .click()
  await preview(page)
    .getByRole('button', { name: w('common:like'), exact: true })
    .click()
  await expect(
    preview(page).getByRole('button', { name: w('common:removeFromList'), exact: true }),
  ).toHaveAttribute('aria-pressed', 'true')
  await expect(preview(page).getByRole('button', { name: w('common:liked'), exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await leave(page)
  await expect(preview(page)).toHaveCount(0)
  await open(page, 'en', '/movies/')
  const again = page.locator(`.card-grid a[data-card][href="${path}"]`)
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return again.count()
    })
    .toBe(1)
  await rest(again)
  await preview(page)
    .getByRole('button', { name: w('common:removeFromList'), exact: true })
    .waitFor()
  await expect(preview(page).getByRole('button', { name: w('common:liked'), exact: true })).toBeVisible()
  await leave(page)
  await open(page, 'en', path)
  const main = page.getByRole('main')
  await main.getByRole('button', { name: w('common:liked'), exact: true }).click()
  await main.getByRole('button', { name: w('common:removeFromList'), exact: true }).click()
  await expect(main.getByRole('button', { name: w('common:addToList'), exact: true })).toBeVisible()
})

test('the title is there faster for it', async () => {
  await open(page, 'en', '/movies/')
  const card = cards(page.locator('.card-grid')).nth(4)
  const asked: string[] = []
  const note = (request: { url: () => string }) => {
    if (/\/api\/movies\/slug\//.test(request.url())) asked.push(request.url())
  }
  page.on('request', note)
  await rest(card)
  await expect(preview(page)).toBeVisible()
  await preview(page)
    .getByRole('link', { name: new RegExp(w('common:moreInfo')) })
    .click()
  await expect(page).toHaveURL(/\/movies\/.+/)
  await settled(page)
  await expect(preview(page)).toHaveCount(0)
  page.off('request', note)
  expect(asked).toHaveLength(1)
})

test("a kids profile's previews are of titles that are safe", async () => {
  await open(page, 'en', '/profiles/')
  await page.getByRole('button', { name: /Sunny/ }).click()
  await cards(page.locator('main')).first().waitFor()
  await open(page, 'en', '/movies/')
  const answers: { safe_for_kids?: boolean }[] = []
  page.on('response', async (answer) => {
    if (answer.ok() && /\/api\/(movies|series)\/slug\//.test(answer.url())) answers.push(await answer.json())
  })
  for (const at of [0, 3]) {
    await rest(cards(page.locator('.card-grid')).nth(at))
    await expect(preview(page)).toBeVisible()
    await expect.poll(() => answers.length).toBeGreaterThan(at === 0 ? 0 : 1)
    await leave(page)
    await expect(preview(page)).toHaveCount(0)
  }
  expect(answers.filter((one) => one.safe_for_kids !== true)).toEqual([])
})

test('a silent piece of the film plays for a profile that wants it, and for no other', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(() => {
    localStorage.setItem('marquee-lite', '0')
    Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 8 })
    Object.defineProperty(navigator, 'deviceMemory', { get: () => 8 })
  })
  const strong = await context.newPage()
  try {
    await enter(strong)
    await open(strong, 'en', '/movies/')
    const card = cards(strong.locator('.card-grid')).nth(2)
    await rest(card)
    const film = preview(strong).locator('video')
    const playing = () => film.evaluate(({ muted, paused }: HTMLVideoElement) => muted && !paused)
    await expect.poll(() => playing().catch(() => false)).toBe(true)
    const { violations } = await new AxeBuilder({ page: strong }).include('.preview').analyze()
    expect(violations.map((one) => one.id)).toEqual([])
    await leave(strong)
    await expect(strong.locator('video')).toHaveCount(0)
    await open(strong, 'en', '/account/?tab=preferences')
    const wish = strong.getByRole('switch', { name: w('account:autoplayPreviews') })
    await wish.click()
    await expect(wish).not.toBeChecked()
    await expect(strong.getByText(w('account:preferencesUpdated'))).toBeVisible()
    const lookUps: string[] = []
    strong.on('request', (request) => {
      if (request.url().includes('/proxy/')) lookUps.push(request.url())
    })
    await open(strong, 'en', '/movies/')
    await rest(card)
    await expect(preview(strong)).toBeVisible()
    await strong.waitForFunction(
      (from) => performance.now() > from + 2_000,
      await strong.evaluate(() => performance.now()),
    )
    expect(lookUps).toEqual([])
    await leave(strong)
    await open(strong, 'en', '/account/?tab=preferences')
    await wish.click()
    await expect(wish).toBeChecked()
  } finally {
    await context.close()
  }
})
