/** The player's controls: by keys alone, and from right to left. */
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, type Locale, prefix, watch, words } from './household.ts'
import { enterAs, MOVIE, paused, playing, time } from './theatre.ts'

const w = (key: string, locale: Locale = 'en') => words(locale, key)

let page: Page
let problems: string[]

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage()
  problems = watch(page).problems
  await enterAs(page, 'Alex')
})
test.afterAll(() => page.context().close())

test('keyboard and remote alone: OK leads among the buttons, arrows go on, Escape lets go', async () => {
  await playing(page, MOVIE)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: w('common:play') })).toBeFocused()
  expect(await paused(page)).toBe(true)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: w('watch:forward10') })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('slider', { name: w('watch:seek') })).toBeFocused()
  const place = await time(page)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => time(page)).toBeCloseTo(place + 10, 0)
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('link', { name: w('common:back') })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: w('watch:keys') })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  expect(await paused(page)).toBe(false)
  await expect(page.getByRole('button', { name: w('watch:pause') })).toBeHidden()
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.id)).toBe('theatre')
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
})

test('in Arabic the interface is from right to left, the timeline from left to right', async ({
  browser,
}) => {
  const other = await browser.newContext()
  const arabic = await other.newPage()
  await arabic.addInitScript(() => localStorage.setItem('i18nextLng', 'ar'))
  await enterAs(arabic, 'ليلى', 'ar')
  await playing(arabic, `${prefix('ar')}/watch/?type=movie&slug=paddington-2`)
  await expect(arabic.locator('[data-captions]')).toHaveAttribute('lang', 'ar')
  await arabic.keyboard.press('2')
  await expect.poll(() => time(arabic)).toBeGreaterThan(15)
  const place = await time(arabic)
  await arabic.keyboard.press('ArrowRight')
  await expect.poll(() => time(arabic)).toBeGreaterThan(place + 9)
  await arabic.keyboard.press('k')
  const [back, info] = await Promise.all([
    arabic.getByRole('link', { name: w('common:back', 'ar') }).boundingBox(),
    arabic.getByRole('button', { name: w('watch:info', 'ar') }).boundingBox(),
  ])
  expect(back?.x ?? 0).toBeGreaterThan(info?.x ?? 0)
  await expectAccessible(arabic)
  await other.close()
})

test('nothing went wrong on the way', () => expect(problems).toEqual([]))
