/** Driven by a remote, the focus is never lost, and Back leads to what was before. */
import { expect, type Page, test } from '@playwright/test'
import { playLink, words } from './household.ts'
import { back, drive, press } from './remote.ts'
import { enter, open, settled } from './settle.ts'
import { expectWalkable } from './walk.ts'

const w = (key: string) => words('en', key)
test.setTimeout(150_000)
let page: Page

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, reducedMotion: 'reduce' })
  await enter(page)
})
test.afterAll(() => page.close())

test('a menu is walked whole, and Back closes it before it leaves', async () => {
  await open(page, 'en', '/movies/')
  await open(page, 'en', '/mylist/')
  await drive(page)
  const opener = page.getByRole('button', { name: new RegExp(w('header:menu').replace('{{name}}', '')) })
  await opener.focus()
  await press(page, 'Enter')
  await page.locator('[data-panel] a').first().waitFor()
  await press(page, 'ArrowDown')
  await expect(page.locator('[data-panel] :focus')).toBeVisible()
  await back(page)
  await expect(page.locator('[data-panel]')).toHaveCount(0)
  await expect(opener).toBeFocused()
  await back(page)
  await expect(page).toHaveURL(/\/movies\/$/)
  await settled(page)
  await drive(page)
  const filters = page.getByRole('button', { name: w('browse:filters') })
  await filters.focus()
  await press(page, 'Enter')
  await page.getByRole('dialog').waitFor()
  await expectWalkable(page, 'filters')
  await press(page, 'Escape')
  await expect(filters).toBeFocused()
})

test('Backspace and Escape are Back while arrows drive, never while writing', async () => {
  await open(page, 'en', '/movies/')
  await drive(page)
  await open(page, 'en', '/search/')
  const box = page.getByRole('textbox', { name: w('searchpage:placeholder') })
  await box.focus()
  await page.keyboard.type('da')
  await press(page, 'Backspace', 'Backspace', 'Backspace')
  await page.keyboard.type('dark')
  await press(page, 'Escape')
  await expect(box).toHaveValue('')
  await expect(page).toHaveURL(/\/search\//)
  await press(page, 'Escape')
  await expect(page).toHaveURL(/\/movies\/$/)
})

test('Back finds the card that was left, and a page begins with something focused', async () => {
  await open(page, 'en', '/movies/')
  await drive(page)
  const card = page.locator('.card-grid a').nth(9)
  await card.focus()
  const address = await card.getAttribute('href')
  await press(page, 'Enter')
  await expect(page).toHaveURL(new RegExp(`${address}$`))
  await expect(page.locator('main :focus')).toBeVisible()
  await press(page, 'Escape')
  await expect(page).toHaveURL(/\/movies\/$/)
  await expect(page.locator(`.card-grid a[href="${address}"]`)).toBeFocused()
})

test('what disappears leaves the focus to the nearest', async () => {
  await open(page, 'en', '/mylist/')
  const remove = page.locator('.card-grid').getByRole('button', { name: w('common:removeFromList') })
  await remove.nth(1).waitFor()
  const many = await remove.count()
  await remove.first().focus()
  await press(page, 'Enter')
  await expect(remove).toHaveCount(many - 1)
  await expect(remove.first()).toBeFocused()
  await page.getByRole('button', { name: w('common:undo') }).click()
  await expect(remove).toHaveCount(many)
  await open(page, 'en', '/')
  const row = page.getByRole('region', { name: w('home:continueWatching') })
  const cards = row.locator('[data-card]')
  await cards.first().waitFor()
  const before = await cards.count()
  await row
    .getByRole('button', { name: w('home:removeFromRow') })
    .first()
    .focus()
  await press(page, 'Enter')
  await expect(cards).toHaveCount(before - 1)
  await expect(page.locator('main :focus')).toBeVisible()
  await page.getByRole('button', { name: w('common:undo') }).click()
  await expect(cards).toHaveCount(before)
})

test('an error has the focus on the way out', async () => {
  await page.route('**/api/**/pulp-fiction*', (route) =>
    route.fulfill({ status: 500, json: { type: 'internal', message: 'broken' } }),
  )
  await open(page, 'en', '/movies/pulp-fiction')
  await expect(page.getByRole('button', { name: w('common:tryAgain') })).toBeFocused()
  await page.unrouteAll()
})

test("the player's buttons are walked, and Back leads where the viewer came from", async () => {
  await open(page, 'en', '/movies/arrival')
  await drive(page)
  await playLink(page, 'en').press('Enter')
  await expect(page).toHaveURL(/\/watch\//)
  await page.locator('#picture').waitFor()
  await press(page, 'k')
  const play = page.locator('[data-play]:visible').first()
  await play.focus()
  await expectWalkable(page, 'player')
  await page.getByRole('button', { name: w('watch:settings') }).focus()
  await press(page, 'Enter')
  await back(page)
  await back(page)
  await back(page)
  await expect(page).toHaveURL(/\/movies\/arrival$/)
  await settled(page)
  await back(page)
  await expect(page).not.toHaveURL(/\/watch\//)
})
